/* Filters each row as it is read, and columns over the last 11 filtered rows. */
#include "advisor/candidate/ssim.h"

enum { TAPS = 11, X = 0, Y, XX, YY, XY, MAPS };

typedef struct {
    double tap[TAPS], c1, c2;
    size_t wide;              /* windows in a row */
    double *ring[TAPS][MAPS]; /* rows that were filtered along x */
} Filter;

static void filter_new(Arena *a, size_t width, double peak, Filter *f)
{
    const double sigma = 1.5, k1 = 0.01, k2 = 0.03;
    double sum = 0;
    f->wide = width - TAPS + 1;
    f->c1 = k1 * peak * k1 * peak;
    f->c2 = k2 * peak * k2 * peak;
    for (int i = 0; i < TAPS; i++) {
        double off = i - TAPS / 2;
        f->tap[i] = exp(-off * off / (2 * sigma * sigma));
        sum += f->tap[i];
        for (int m = 0; m < MAPS; m++)
            f->ring[i][m] = ARENA_ARRAY(a, double, f->wide);
    }
    for (int i = 0; i < TAPS; i++)
        f->tap[i] /= sum;
}

/* A row of both, `step` numbers from pixel to pixel. */
static void filter_row(const Filter *f, const double *x, const double *y, size_t step,
                       double *const to[MAPS])
{
    for (size_t i = 0; i < f->wide; i++) {
        double sum[MAPS] = {0};
        for (int t = 0; t < TAPS; t++) {
            double a = x[(i + (size_t)t) * step], b = y[(i + (size_t)t) * step], w = f->tap[t];
            const double of[MAPS] = {a, b, a * a, b * b, a * b};
            for (int m = 0; m < MAPS; m++)
                sum[m] += w * of[m];
        }
        for (int m = 0; m < MAPS; m++)
            to[m][i] = sum[m];
    }
}

/* Window i of the rows in the ring, of which `first` is the oldest. */
static double window_ssim(const Filter *f, size_t first, size_t i)
{
    double s[MAPS] = {0};
    for (size_t t = 0; t < TAPS; t++)
        for (int m = 0; m < MAPS; m++)
            s[m] += f->tap[t] * f->ring[(first + t) % TAPS][m][i];
    double xx = s[XX] - s[X] * s[X], yy = s[YY] - s[Y] * s[Y], xy = s[XY] - s[X] * s[Y];
    double above = (2 * s[X] * s[Y] + f->c1) * (2 * xy + f->c2);
    double below = (s[X] * s[X] + s[Y] * s[Y] + f->c1) * (xx + yy + f->c2);
    return below > 0 ? above / below : 1;
}

static double plane_sum(const Filter *f, const double *x, const double *y, const ImageForm *form)
{
    size_t step = form->last ? form->planes : 1, row = form->width * step;
    double sum = 0;
    for (size_t h = 0; h < form->height; h++) {
        filter_row(f, x + h * row, y + h * row, step, f->ring[h % TAPS]);
        for (size_t i = 0; h + 1 >= TAPS && i < f->wide; i++)
            sum += window_ssim(f, h + 1, i);
    }
    return sum;
}

double ssim(Arena *scratch, const double *x, const double *y, const ImageForm *form, double peak)
{
    Filter f;
    double sum = 0;
    filter_new(scratch, form->width, peak, &f);
    for (size_t p = 0; p < form->planes; p++) {
        size_t at = form->last ? p : p * form->height * form->width;
        sum += plane_sum(&f, x + at, y + at, form);
    }
    return sum / (double)(form->planes * f.wide * (form->height - TAPS + 1));
}
