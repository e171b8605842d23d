/* Counts values in histograms and chooses the ends of a range by method. */
#include "npu_exec/values/value_ranges.h"

#include <cjson/cJSON.h>

enum { BINS = 2048, HALF = BINS / 2, LEVELS = 128 };
static const double kept_share = 0.9999; /* as the vendor's tool by default */

typedef struct {
    float lo, hi;  /* of all values; lo > hi: none was seen */
    uint64_t *bin; /* BINS of them, from -most to most */
    float most;
    uint64_t zeros;
} Seen;

struct ValueRanges {
    Arena *arena;
    const Graph *graph;
    RangeMethod method;
    bool symmetric;
    int pass;
    Seen *seen; /* per tensor */
};

static const struct {
    const char *name;
    bool second;
} method_table[] = {
#define X(id, name, second, what) {name, second},
    RANGE_METHODS(X)
#undef X
};

const char *range_method_name(RangeMethod m)
{
    assert(m < RANGE_METHOD_COUNT);
    return method_table[m].name;
}

ValueRanges *value_ranges_new(Arena *a, const Graph *g, RangeMethod method, RangeEnds ends)
{
    assert(method < RANGE_METHOD_COUNT);
    ValueRanges *r = ARENA_NEW(a, ValueRanges);
    *r = (ValueRanges){
        a, g, method, ends == RANGE_ENDS_OPPOSITE, 0, ARENA_ARRAY(a, Seen, g->ntensor)};
    for (size_t i = 0; i < g->ntensor; i++)
        r->seen[i] = (Seen){.lo = INFINITY, .hi = -INFINITY};
    return r;
}

int value_ranges_passes(const ValueRanges *r)
{
    return method_table[r->method].second ? 2 : 1;
}

void value_ranges_begin(ValueRanges *r, int pass)
{
    r->pass = pass;
}

/* ---- seeing ---- */

static void see_ends(Seen *s, const float *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        if (!isfinite(x[i]))
            continue;
        s->lo = x[i] < s->lo ? x[i] : s->lo;
        s->hi = x[i] > s->hi ? x[i] : s->hi;
    }
}

static void see_each(Arena *a, Seen *s, const float *x, int64_t n)
{
    if (!s->bin) {
        s->bin = ARENA_ARRAY(a, uint64_t, BINS);
        s->most = fmaxf(fabsf(s->lo), fabsf(s->hi));
    }
    float per_unit = s->most > 0 ? HALF / s->most : 0;
    for (int64_t i = 0; i < n; i++) {
        if (!isfinite(x[i]))
            continue;
        s->zeros += x[i] == 0;
        float at = floorf(x[i] * per_unit) + HALF;
        s->bin[at < 0 ? 0 : at > BINS - 1 ? BINS - 1 : (int)at]++;
    }
}

Status value_ranges_add(void *ranges, TensorId id, Value *v, Diag *diag)
{
    ValueRanges *r = ranges;
    Seen *s = &r->seen[id];
    if (v->dtype != DT_FLOAT32)
        return STATUS_OK;
    const float *x = value_floats(v);
    if (!x)
        return diag_set(diag, STATUS_INPUT, NULL, r->graph->tensor[id].name, "no memory for it");
    if (r->pass == 0)
        see_ends(s, x, v->count);
    else if (s->lo <= s->hi)
        see_each(r->arena, s, x, v->count);
    return STATUS_OK;
}

/* ---- choosing ---- */

typedef struct {
    double lo, hi;
} Ends;

static double bin_edge(const Seen *s, int i)
{
    return (double)s->most * (i - HALF) / HALF;
}

/* Equal shares beyond both ends. */
static Ends percentile_range(const Seen *s)
{
    double all = 0, below = 0, above = 0;
    int lo = 0, hi = BINS;
    for (int i = 0; i < BINS; i++)
        all += (double)s->bin[i];
    double out = all * (1 - kept_share) / 2;
    while (lo < HALF && below + (double)s->bin[lo] <= out)
        below += (double)s->bin[lo++];
    while (hi > HALF && above + (double)s->bin[hi - 1] <= out)
        above += (double)s->bin[--hi];
    return (Ends){bin_edge(s, lo), bin_edge(s, hi)};
}

/* The share of magnitudes. */
static Ends percentile_symmetric(const Seen *s)
{
    double all = 0, inside = 0;
    int k = 0;
    for (int i = 0; i < BINS; i++)
        all += (double)s->bin[i];
    while (k < HALF && inside < all * kept_share) {
        inside += (double)s->bin[HALF + k] + (double)s->bin[HALF - 1 - k];
        k++;
    }
    return (Ends){bin_edge(s, HALF - k), bin_edge(s, HALF + k)};
}

/* How far the distribution within `k` bins of zero, its tails put into its ends, is from the same
 * in LEVELS levels (Kullback-Leibler, as TensorRT and onnxruntime choose). */
static double kl_divergence(const Seen *s, int k, double *p, double *q)
{
    int first = HALF - k, n = 2 * k, wide = n / LEVELS;
    double total = 0, sum = 0, left = 0, right = 0;
    for (int i = 0; i < first; i++) {
        left += (double)s->bin[i];
        right += (double)s->bin[BINS - 1 - i];
    }
    for (int i = 0; i < n; i++)
        p[i] = (double)s->bin[first + i];
    for (int level = 0; level < LEVELS; level++) {
        int from = level * wide, to = level == LEVELS - 1 ? n : from + wide, used = 0;
        double mass = 0;
        for (int i = from; i < to; i++) {
            mass += p[i];
            used += p[i] > 0 || (i == 0 && left > 0) || (i == n - 1 && right > 0);
        }
        for (int i = from; i < to; i++) {
            bool there = p[i] > 0 || (i == 0 && left > 0) || (i == n - 1 && right > 0);
            q[i] = there && used ? mass / used : 0;
        }
    }
    p[0] += left;
    p[n - 1] += right;
    for (int i = 0; i < n; i++) {
        total += p[i];
        sum += q[i];
    }
    double d = 0;
    const double least = 1e-4; /* of a bin, so that none is impossible */
    for (int i = 0; i < n; i++)
        if (p[i] > 0)
            d += p[i] / total * log(p[i] / total / fmax(q[i] / fmax(sum, 1), least / total));
    return d;
}

/* Sum of squared errors of 8-bit steps between the ends.  Zero is exact. */
static double square_error(const Seen *s, Ends e)
{
    double step = (e.hi - e.lo) / 255, sum = 0;
    for (int i = 0; i < BINS; i++) {
        if (!s->bin[i])
            continue;
        double x = (bin_edge(s, i) + bin_edge(s, i + 1)) / 2, q = fmin(fmax(x, e.lo), e.hi);
        double off = step > 0 && x > e.lo && x < e.hi ? step * step / 12 : (x - q) * (x - q);
        sum += (double)(s->bin[i] - (i == HALF ? s->zeros : 0)) * off;
    }
    return sum;
}

/* Of the ranges that cost no more square error than `all`: by itself the distance does not mind how
 * far off what lies outside is, and leaves out what outputs are made of. */
static Ends entropy_range(const Seen *s, Ends all)
{
    double p[BINS], q[BINS], best = INFINITY, most = square_error(s, all);
    Ends at = all;
    for (int k = LEVELS / 2; k <= HALF; k++) {
        Ends e = {fmax(bin_edge(s, HALF - k), all.lo), fmin(bin_edge(s, HALF + k), all.hi)};
        double d = square_error(s, e) <= most ? kl_divergence(s, k, p, q) : INFINITY;
        if (d < best) {
            best = d;
            at = e;
        }
    }
    return at;
}

/* Both ends drawn in together, then each by itself. */
static Ends min_square_error(const Seen *s, Ends all, bool symmetric)
{
    enum { STEPS = 100 };
    Ends best = all;
    double least = square_error(s, all);
    for (int which = 0; which < (symmetric ? 1 : 3); which++) {
        Ends from = best;
        for (int k = 1; k < STEPS; k++) {
            double part = 1 - (double)k / STEPS;
            Ends e = {which == 2 ? from.lo : from.lo * part, which == 1 ? from.hi : from.hi * part};
            double error = square_error(s, e);
            if (error < least) {
                least = error;
                best = e;
            }
        }
    }
    return best;
}

static Ends symmetric_of(Ends e)
{
    double most = fmax(fabs(e.lo), fabs(e.hi));
    return (Ends){-most, most};
}

static Ends choose_range(const ValueRanges *r, const Seen *s)
{
    Ends all = {(double)s->lo, (double)s->hi}, e = all;
    Ends wide = r->symmetric ? symmetric_of(all) : all;
    if (!s->bin || !(s->most > 0))
        return wide;
    switch (r->method) {
    case RANGE_PERCENTILE:
        e = r->symmetric ? percentile_symmetric(s) : percentile_range(s);
        break;
    case RANGE_ENTROPY:
        e = entropy_range(s, wide);
        break;
    case RANGE_MSE:
        e = min_square_error(s, wide, r->symmetric);
        break;
    default:
        return wide;
    }
    e = (Ends){fmax(e.lo, wide.lo), fmin(e.hi, wide.hi)};
    return r->symmetric ? symmetric_of(e) : e;
}

bool value_ranges_of(const ValueRanges *r, TensorId id, double *ret_lo, double *ret_hi)
{
    const Seen *s = &r->seen[id];
    if (!(s->lo <= s->hi))
        return false;
    Ends e = choose_range(r, s);
    *ret_lo = e.lo;
    *ret_hi = e.hi;
    return true;
}

/* ---- writing ---- */

Status value_ranges_write(const ValueRanges *r, size_t images, const char *path, Diag *diag)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "method", range_method_name(r->method));
    cJSON_AddBoolToObject(root, "symmetric", r->symmetric);
    cJSON_AddNumberToObject(root, "images", (double)images);
    cJSON *list = cJSON_AddObjectToObject(root, "ranges");
    for (size_t i = 0; i < r->graph->ntensor; i++) {
        double e[2];
        if (value_ranges_of(r, (TensorId)i, &e[0], &e[1]))
            cJSON_AddItemToObject(list, r->graph->tensor[i].name, cJSON_CreateDoubleArray(e, 2));
    }
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    return file_out_write_text(path, text, diag);
}
