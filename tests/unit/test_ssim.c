/* SSIM beside scikit-image 0.19.3: structural_similarity(x, y, data_range=peak,
 * gaussian_weights=True, sigma=1.5, use_sample_covariance=False), with channel_axis=-1 of the one
 * in colour. */
#include "advisor/candidate/ssim.h"

#include "tests/unit/check.h"

#include <math.h>

enum { H = 24, W = 31 };

static double grey(int i, int j)
{
    return (i * 7 + j * 13 + i * j) % 256;
}

static double grey_changed(int i, int j)
{
    return fmin(grey(i, j) * 0.9 + i * j % 5 * 3, 255);
}

static double channel(int c, bool changed, int i, int j)
{
    if (c == 0)
        return changed ? grey_changed(i, j) : grey(i, j);
    int g = (int)grey(i, j);
    return c == 1 ? (g * 3 + 11 + (changed ? j % 3 * 4 : 0)) % 256 : (g * 5 + i) % 256;
}

/* Both pictures of `planes` channels, each number divided by `by`. */
static double of(Arena *a, size_t planes, bool last, double by)
{
    double *x = ARENA_ARRAY(a, double, planes *H *W), *y = ARENA_ARRAY(a, double, planes *H *W);
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
            for (size_t c = 0; c < planes; c++) {
                size_t pixel = (size_t)(i * W + j);
                size_t at = last ? pixel * planes + c : c * H * W + pixel;
                x[at] = channel((int)c, false, i, j) / by;
                y[at] = channel((int)c, true, i, j) / by;
            }
    return ssim(a, x, y, &(ImageForm){planes, H, W, last}, 255 / by);
}

int main(void)
{
    Arena *a = arena_new(0);
    CHECK(fabs(of(a, 1, false, 1) - 0.989184963487) < 1e-9);
    CHECK(fabs(of(a, 1, true, 255) - 0.989184963487) < 1e-9);
    CHECK(fabs(of(a, 3, true, 1) - 0.969497081859) < 1e-9);
    CHECK(fabs(of(a, 3, false, 1) - 0.969497081859) < 1e-9);
    arena_free(a);
    return check_failures() != 0;
}
