/* Resizes, places and normalises the pixels of an image. */
#include "npu_exec/data/recipe.h"
#include "graph/model/dtype.h"

#define UNPACK(...) __VA_ARGS__
const Recipe recipe_table[] = {
#define RECIPE(name, fit, shorter, fill, mean, deviation, order, what)                             \
    {name, FIT_##fit, shorter, fill, {UNPACK mean}, {UNPACK deviation}, ORDER_##order, false},
#include "npu_exec/data/recipes.def"
};
const size_t nrecipe = sizeof recipe_table / sizeof recipe_table[0];

/* ---- reading one ---- */

static const char *const fit_name[] = {"stretch", "crop", "letterbox", "corner"};
static const char *const order_name[] = {"rgb", "bgr"};
static const char *const feed_name[] = {"pixels", "codes"};

static bool read_word(const char *value, const char *const *name, size_t n, int *ret)
{
    size_t i = LIST_INDEX(k, n, strcmp(value, name[k]) == 0);
    *ret = (int)i;
    return i < n;
}

/* "127" for all channels or "1:2:3". */
static bool read_three(const char *value, double lo, double hi, double ret[3])
{
    for (int k = 0; k < 3; k++) {
        char *end;
        ret[k] = strtod(value, &end);
        if (end == value || !(ret[k] >= lo) || !(ret[k] <= hi))
            return false;
        if (k == 0 && !*end) {
            ret[1] = ret[2] = ret[0];
            return true;
        }
        if (*end != (k < 2 ? ':' : '\0'))
            return false;
        value = end + 1;
    }
    return true;
}

static bool read_one(const char *value, double lo, double hi, double *ret)
{
    double three[3];
    bool ok = !strchr(value, ':') && read_three(value, lo, hi, three);
    if (ok)
        *ret = three[0];
    return ok;
}

static bool set_part(Recipe *r, const char *key, const char *value)
{
    int word = 0;
    double number = 0;
    bool ok = false;
    if (strcmp(key, "fit") == 0 && (ok = read_word(value, fit_name, 4, &word)))
        r->fit = (Fit)word;
    else if (strcmp(key, "order") == 0 && (ok = read_word(value, order_name, 2, &word)))
        r->order = (ChannelOrder)word;
    else if (strcmp(key, "feed") == 0 && (ok = read_word(value, feed_name, 2, &word)))
        r->codes = word == 1;
    else if (strcmp(key, "mean") == 0)
        ok = read_three(value, -1e6, 1e6, r->mean);
    else if (strcmp(key, "std") == 0)
        ok = read_three(value, 1e-6, 1e6, r->deviation);
    else if (strcmp(key, "shorter") == 0)
        ok = read_one(value, 1, 16, &r->shorter);
    else if (strcmp(key, "fill") == 0 && (ok = read_one(value, 0, 255, &number)))
        r->fill = (uint8_t)number;
    return ok;
}

static Status refuse_name(const char *text, Diag *diag)
{
    char names[256] = "";
    for (size_t i = 0; i < nrecipe; i++) {
        size_t n = strlen(names);
        snprintf(names + n, sizeof names - n, "%s%s", i ? ", " : "", recipe_table[i].name);
    }
    return diag_set(diag, STATUS_USAGE, NULL, NULL, "--preprocess '%s': the recipes are %s", text,
                    names);
}

Status recipe_parse(const char *text, Recipe *ret, Diag *diag)
{
    Arena *a = arena_new(0);
    char *next = arena_strdup(a, text), *part = strsep(&next, ",");
    size_t k = LIST_INDEX(i, nrecipe, strcmp(recipe_table[i].name, part) == 0);
    Status st = k < nrecipe ? STATUS_OK : refuse_name(part, diag);
    if (!st)
        *ret = recipe_table[k];
    while (!st && next) {
        part = strsep(&next, ",");
        char *value = strchr(part, '=');
        if (value)
            *value++ = '\0';
        if (!value || !set_part(ret, part, value))
            st = diag_set(diag, STATUS_USAGE, NULL, NULL,
                          "--preprocess: '%s%s%s' is not fit=stretch|crop|letterbox|corner, "
                          "order=rgb|bgr, feed=pixels|codes, mean=X, std=X, shorter=X or fill=N",
                          part, value ? "=" : "", value ? value : "");
    }
    arena_free(a);
    return st;
}

/* ---- where channels are ---- */

static bool is_channels(int64_t n)
{
    return n == 1 || n == 3;
}

bool recipe_frame(DType dtype, int32_t rank, const int64_t *dim, Frame *ret)
{
    if ((!dtype_is_float(dtype) && dtype != DT_UINT8) || rank != 4)
        return false;
    bool last = !is_channels(dim[1]);
    *ret = last ? (Frame){dim[3], dim[1], dim[2], true} : (Frame){dim[1], dim[2], dim[3], false};
    return is_channels(ret->channels) && ret->height > 0 && ret->width > 0;
}

/* ---- resizing ---- */

/* What pixel `i` of `out` along one axis is made of: count source pixels from `first` on. */
typedef struct {
    int64_t first, count;
    float *weight;
} Taps;

static Taps *make_taps(Arena *a, int64_t in, int64_t out)
{
    Taps *tap = ARENA_ARRAY(a, Taps, (size_t)out);
    double ratio = (double)in / (double)out, wide = ratio > 1 ? ratio : 1;
    for (int64_t i = 0; i < out; i++) {
        double centre = ((double)i + 0.5) * ratio, sum = 0;
        int64_t first = (int64_t)floor(centre - wide), last = (int64_t)ceil(centre + wide);
        first = first < 0 ? 0 : first;
        last = last > in ? in : last;
        tap[i] = (Taps){first, last - first, ARENA_ARRAY(a, float, (size_t)(last - first))};
        for (int64_t k = 0; k < tap[i].count; k++) {
            double off = fabs((double)(first + k) + 0.5 - centre) / wide;
            tap[i].weight[k] = (float)(off < 1 ? 1 - off : 0);
            sum += (double)tap[i].weight[k];
        }
        for (int64_t k = 0; k < tap[i].count; k++)
            tap[i].weight[k] /= (float)sum;
    }
    return tap;
}

Placed recipe_place(const Recipe *r, const Image *m, const Frame *f)
{
    double across = (double)f->width / (double)m->width;
    double down = (double)f->height / (double)m->height;
    if (r->fit == FIT_STRETCH)
        return (Placed){f->width, f->height, 0, 0};
    double scale = r->fit == FIT_CROP ? r->shorter * fmax(across, down) : fmin(across, down);
    double width = (double)m->width * scale, height = (double)m->height * scale;
    /* As the tools that these recipes come from round. */
    double half = r->fit == FIT_LETTERBOX ? 0.5 : 1e-9;
    Placed p = {(int64_t)fmax(1, floor(width + half)), (int64_t)fmax(1, floor(height + half)), 0,
                0};
    if (r->fit == FIT_CORNER)
        return p;
    double off = r->fit == FIT_LETTERBOX ? 0.1 : 0;
    p.left = (int64_t)rint((double)(f->width - p.width) / 2 - off);
    p.top = (int64_t)rint((double)(f->height - p.height) / 2 - off);
    return p;
}

/* One row of the resized image, all source columns, into `sum`. */
static void blend_rows(const Image *m, const Taps *t, float *sum)
{
    size_t n = (size_t)m->width * 3;
    memset(sum, 0, n * sizeof *sum);
    for (int64_t k = 0; k < t->count; k++) {
        const uint8_t *row = m->rgb + (size_t)(t->first + k) * n;
        for (size_t i = 0; i < n; i++)
            sum[i] += t->weight[k] * (float)row[i];
    }
}

static void put_pixel(const Recipe *r, const Frame *f, bool bytes, const float rgb[3], int64_t at,
                      float *to)
{
    int64_t plane = f->height * f->width;
    bool grey = f->channels == 1;
    float luma = 0.299f * rgb[0] + 0.587f * rgb[1] + 0.114f * rgb[2];
    for (int64_t c = 0; c < f->channels; c++) {
        int64_t from = r->order == ORDER_BGR ? 2 - c : c;
        float v = rintf(grey ? luma : rgb[from]);
        v = v < 0 ? 0 : v > 255 ? 255 : v;
        if (!bytes)
            v = (float)(((double)v - r->mean[grey ? 0 : from]) / r->deviation[grey ? 0 : from]);
        to[f->channels_last ? at * f->channels + c : c * plane + at] = v;
    }
}

static void sum_column(const Taps *t, const float *sum, float ret[3])
{
    ret[0] = ret[1] = ret[2] = 0;
    for (int64_t k = 0; k < t->count; k++)
        for (int c = 0; c < 3; c++)
            ret[c] += t->weight[k] * sum[(t->first + k) * 3 + c];
}

void recipe_apply(const Recipe *r, const Image *m, const Frame *f, bool bytes, float *to)
{
    Arena *a = arena_new(SIZE_MAX);
    Placed p = recipe_place(r, m, f);
    Taps *across = make_taps(a, m->width, p.width), *down = make_taps(a, m->height, p.height);
    float *sum = ARENA_ARRAY(a, float, (size_t)m->width * 3);
    for (int64_t y = 0; y < f->height; y++) {
        int64_t row = y - p.top;
        bool inside = row >= 0 && row < p.height;
        if (inside)
            blend_rows(m, &down[row], sum);
        for (int64_t x = 0; x < f->width; x++) {
            int64_t col = x - p.left;
            float rgb[3] = {r->fill, r->fill, r->fill};
            if (inside && col >= 0 && col < p.width)
                sum_column(&across[col], sum, rgb);
            put_pixel(r, f, bytes, rgb, y * f->width + x, to);
        }
    }
    arena_free(a);
}
