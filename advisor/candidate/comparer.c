/* Sums the differences of each run and resamples the runs at the end. */
#include "advisor/candidate/comparer.h"

#include "advisor/message/json.h"
#include "advisor/candidate/ssim.h"
#include "graph/base/random.h"
#include "graph/base/statistics.h"
#include "graph/model/dtype.h"

enum { RESAMPLES = 1000, STREAM = 0x61636375, MIN_SIDE = 16 };

typedef enum { OF_ANSWERS, OF_CLASSES, OF_IMAGE, OF_VALUES } Kind;

/* Of one run. */
typedef struct {
    double error2, signal2, after2, product; /* sums of squares, and of products */
    double largest;                          /* difference */
    double same;                             /* share of the answers that are the same */
    double lo, hi;                           /* range of the baseline's output */
    double ssim;                             /* of an image; else 0 */
} Run;

struct Comparer {
    Arena *arena;
    const char *name;
    Kind kind;
    size_t width;   /* numbers among which the greatest is the answer */
    ImageForm form; /* of an image */
    Run *run;
    size_t nrun, cap, count; /* count: numbers in a run */
    char first[65];          /* digest of the baseline's first output; "": none yet */
    bool constant;
};

size_t comparer_class_count(const Shape *s)
{
    size_t longer = 0, n = 1;
    for (int32_t i = 1; i < s->rank; i++) {
        longer += s->dim[i].value != 1;
        n *= s->dim[i].value > 0 ? (size_t)s->dim[i].value : 1;
    }
    return longer == 1 ? n : 0;
}

/* One or three channels of at least MIN_SIDE pixels each way. */
static bool is_picture(const Shape *s, ImageForm *ret)
{
    bool last = s->rank == 4 && (s->dim[3].value == 1 || s->dim[3].value == 3);
    int64_t channels = s->rank != 4 ? 0 : last ? s->dim[3].value : s->dim[1].value;
    if (channels != 1 && channels != 3)
        return false;
    int64_t height = s->dim[last ? 1 : 2].value, width = s->dim[last ? 2 : 3].value;
    *ret = (ImageForm){(size_t)channels, (size_t)height, (size_t)width, last};
    return height >= MIN_SIDE && width >= MIN_SIDE;
}

static Kind output_kind(DType dtype, const Shape *s, ImageForm *ret_form)
{
    if (dtype_is_integer(dtype) || dtype == DT_BOOL)
        return OF_ANSWERS;
    if (comparer_class_count(s))
        return OF_CLASSES;
    return is_picture(s, ret_form) ? OF_IMAGE : OF_VALUES;
}

Comparer *comparer_new(Arena *a, const char *name, DType dtype, const Shape *shape)
{
    Comparer *c = ARENA_NEW(a, Comparer);
    *c = (Comparer){.arena = a, .name = name, .constant = true};
    c->kind = output_kind(dtype, shape, &c->form);
    c->width = c->kind == OF_CLASSES ? comparer_class_count(shape) : 1;
    return c;
}

size_t comparer_argmax(const double *x, size_t n)
{
    assert(n > 0);
    size_t k = 0;
    for (size_t i = 1; i < n; i++)
        k = x[i] > x[k] ? i : k;
    return k;
}

static double share_same(const Comparer *c, const double *x, const double *y, size_t n)
{
    double same = 0;
    size_t rows = c->width ? n / c->width : 0;
    if (c->kind == OF_CLASSES) {
        for (size_t i = 0; i < rows; i++)
            same += comparer_argmax(x + i * c->width, c->width) ==
                    comparer_argmax(y + i * c->width, c->width);
        return rows ? same / (double)rows : 1;
    }
    for (size_t i = 0; i < n; i++)
        same += x[i] == y[i];
    return n ? same / (double)n : 1;
}

/* Two that are no numbers alike, or infinite alike, do not differ. */
static double value_difference(double x, double y)
{
    if (x == y || (isnan(x) && isnan(y)))
        return 0;
    return isfinite(x - y) ? x - y : 1e30;
}

static double finite_or_0(double x)
{
    return isfinite(x) ? x : 0;
}

static void track_constant(Comparer *c, const double *before, size_t n)
{
    char digest[sizeof c->first];
    if (!c->constant)
        return;
    sha256_hex(before, n * sizeof *before, digest);
    if (!*c->first) {
        c->count = n;
        memcpy(c->first, digest, sizeof digest);
    }
    c->constant = n == c->count && !strcmp(c->first, digest);
}

/* The largest value: 1 for images of 0 to 1, 255 for pixels; else the whole range. */
static double peak_between(double lo, double hi)
{
    double slack = 0.25;
    if (lo >= -slack && hi <= 1 + slack)
        return 1;
    return lo >= -slack * 255 && hi <= (1 + slack) * 255 ? 255 : hi - lo;
}

/* The mean over the images of a run. */
static double mean_ssim(const Comparer *c, const double *before, const double *after, size_t n,
                        double peak)
{
    size_t one = c->form.planes * c->form.height * c->form.width, images = 0;
    double sum = 0;
    Arena *scratch = arena_new(0);
    for (; (images + 1) * one <= n; images++)
        sum += ssim(scratch, before + images * one, after + images * one, &c->form, peak);
    arena_free(scratch);
    return images && isfinite(sum) ? sum / (double)images : 0;
}

void comparer_add(Comparer *c, const double *before, const double *after, size_t n)
{
    Run r = {.lo = INFINITY, .hi = -INFINITY};
    for (size_t i = 0; i < n; i++) {
        double off = value_difference(before[i], after[i]), x = finite_or_0(before[i]),
               y = finite_or_0(after[i]);
        r.error2 += off * off;
        r.signal2 += x * x;
        r.after2 += y * y;
        r.product += x * y;
        r.largest = fmax(r.largest, fabs(off));
        r.lo = fmin(r.lo, x);
        r.hi = fmax(r.hi, x);
    }
    r.same = share_same(c, before, after, n);
    if (c->kind == OF_IMAGE)
        r.ssim = mean_ssim(c, before, after, n, peak_between(r.lo, r.hi));
    track_constant(c, before, n);
    *VEC_PUSH(c->arena, c->run, c->nrun, c->cap) = r;
}

/* ---- kept ---- */

size_t comparer_count(const Comparer *c)
{
    return c->nrun;
}

/* One list for the members of a run, there and back. */
#define MEMBERS(X) X(error2) X(signal2) X(after2) X(product) X(largest) X(same) X(lo) X(hi) X(ssim)
enum {
#define X(member) AT_##member,
    MEMBERS(X)
#undef X
        RUN_MEMBERS
};

cJSON *comparer_runs(const Comparer *c, size_t from)
{
    cJSON *o = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(o, "runs");
    cJSON_AddStringToObject(o, "output", c->name);
    cJSON_AddNumberToObject(o, "count", (double)c->count);
    cJSON_AddStringToObject(o, "first", c->first);
    cJSON_AddBoolToObject(o, "constant", c->constant);
    for (size_t i = from; i < c->nrun; i++) {
        const double v[RUN_MEMBERS] = {
#define X(member) [AT_##member] = c->run[i].member,
            MEMBERS(X)
#undef X
        };
        cJSON_AddItemToArray(list, cJSON_CreateDoubleArray(v, RUN_MEMBERS));
    }
    return o;
}

static bool restore_run(Comparer *c, const cJSON *of)
{
    double v[RUN_MEMBERS];
    bool ok = cJSON_IsArray(of) && cJSON_GetArraySize(of) == RUN_MEMBERS;
    for (int k = 0; ok && k < RUN_MEMBERS; k++) {
        const cJSON *x = cJSON_GetArrayItem(of, k);
        ok = cJSON_IsNumber(x);
        v[k] = ok ? x->valuedouble : 0;
    }
    if (!ok)
        return false;
    *VEC_PUSH(c->arena, c->run, c->nrun, c->cap) = (Run){
#define X(member) .member = v[AT_##member],
        MEMBERS(X)
#undef X
    };
    return true;
}

bool comparer_restore(Comparer *c, const cJSON *runs)
{
    const cJSON *of;
    bool ok = !strcmp(json_text(runs, "output", ""), c->name) &&
              strlen(json_text(runs, "first", "")) == sizeof c->first - 1;
    if (!ok)
        return false;
    c->count = (size_t)json_number_or(runs, "count", 0);
    c->constant = cJSON_IsTrue(json_at(runs, "constant"));
    memcpy(c->first, json_text(runs, "first", ""), sizeof c->first);
    cJSON_ArrayForEach(of, json_at(runs, "runs")) ok = ok && restore_run(c, of);
    return ok;
}

/* ---- figures ---- */

static double decibels(double signal2, double error2)
{
    double db = error2 > 0 ? 10 * log10(signal2 / error2) : ACCURACY_DB_MAX;
    return db > -ACCURACY_DB_MAX ? fmin(db, ACCURACY_DB_MAX) : -ACCURACY_DB_MAX;
}

static double peak_of(const Comparer *c)
{
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < c->nrun; i++) {
        lo = fmin(lo, c->run[i].lo);
        hi = fmax(hi, c->run[i].hi);
    }
    return peak_between(lo, hi);
}

/* Sums over some runs, from which figures are computed. */
typedef struct {
    double error2, signal2, after2, product, same, ssim, runs;
    double peak, count; /* of the comparer: largest possible value, numbers in a run */
} Sums;

static void add_run_sums(Sums *s, const Run *r)
{
    s->error2 += r->error2;
    s->signal2 += r->signal2;
    s->after2 += r->after2;
    s->product += r->product;
    s->same += r->same;
    s->ssim += r->ssim;
    s->runs += 1;
}

typedef double Measure(const Sums *s);

static double measure_same(const Sums *s)
{
    return s->same / s->runs;
}

static double measure_psnr(const Sums *s)
{
    return decibels(s->peak * s->peak * s->runs * s->count, s->error2);
}

static double measure_sqnr(const Sums *s)
{
    return decibels(s->signal2, s->error2);
}

static double measure_cosine(const Sums *s)
{
    double both = sqrt(s->signal2) * sqrt(s->after2);
    return both > 0 ? s->product / both : s->error2 > 0 ? 0 : 1;
}

static double measure_rms(const Sums *s)
{
    return s->count > 0 ? sqrt(s->error2 / (s->runs * s->count)) : 0;
}

static double measure_ssim(const Sums *s)
{
    return s->ssim / s->runs;
}

/* One row per metric. */
static const struct {
    const char *name, *unit;
    Measure *measure;
} metric[] = {
#define METRIC(name, unit, measure) {name, unit, measure_##measure},
#include "advisor/candidate/comparer_metrics.def"
};
enum { TOP1, ANSWERS, PSNR, SQNR, COSINE, RMS, SSIM };
static_assert(sizeof metric / sizeof *metric == SSIM + 1, "a row for each metric");
static const int head_of[] = {
    [OF_ANSWERS] = ANSWERS, [OF_CLASSES] = TOP1, [OF_IMAGE] = PSNR, [OF_VALUES] = SQNR};
static_assert(sizeof head_of / sizeof *head_of == OF_VALUES + 1, "a head metric for each kind");

double comparer_share_bound(double n)
{
    return pow(0.05, 1 / n);
}

static AccuracyFigure resampled_figure(const Comparer *c, int k, uint64_t seed)
{
    double *value = ARENA_ARRAY(c->arena, double, RESAMPLES);
    const Sums none = {.peak = peak_of(c), .count = (double)c->count};
    Sums all = none;
    for (size_t i = 0; i < c->nrun; i++)
        add_run_sums(&all, &c->run[i]);
    for (size_t r = 0; r < RESAMPLES; r++) {
        Sums s = none;
        for (size_t i = 0; i < c->nrun; i++)
            add_run_sums(&s, &c->run[random_below(random_bits(seed, STREAM, r, i), c->nrun)]);
        value[r] = metric[k].measure(&s);
    }
    statistics_sort_reals(value, RESAMPLES);
    assert(c->nrun > 0);
    AccuracyFigure f = {metric[k].name, metric[k].unit, metric[k].measure(&all),
                        statistics_quantile(value, RESAMPLES, 0.05),
                        statistics_quantile(value, RESAMPLES, 0.95)};
    if (metric[k].measure == measure_same && f.value == 1)
        f.lo = comparer_share_bound((double)c->nrun);
    if (metric[k].measure == measure_same && f.value == 0)
        f.hi = 1 - comparer_share_bound((double)c->nrun);
    return f;
}

static AccuracyFigure largest_difference(const Comparer *c)
{
    double most = 0;
    for (size_t i = 0; i < c->nrun; i++)
        most = fmax(most, c->run[i].largest);
    return (AccuracyFigure){"max_difference", "value", most, most, most};
}

static double loss_of(const char *unit, double value)
{
    double loss = strcmp(unit, "dB") ? 1 - value : pow(10, -value / 20);
    return fmin(fmax(loss, 0), 1);
}

static Accuracy output_accuracy(const Comparer *c, uint64_t seed)
{
    int head = head_of[c->kind];
    Accuracy x = {.known = true, .output = c->name, .images = c->nrun};
    x.head = resampled_figure(c, head, seed);
    x.loss = loss_of(x.head.unit, x.head.value);
    x.loss_lo = loss_of(x.head.unit, x.head.hi);
    x.loss_hi = loss_of(x.head.unit, x.head.lo);
    x.constant = c->constant && c->nrun > 1;
    static_assert(RMS - SQNR + 3 <= ACCURACY_MORE, "room for the largest difference and SSIM too");
    x.more[x.nmore++] = largest_difference(c);
    for (int k = SQNR; k <= RMS; k++)
        if (k != head)
            x.more[x.nmore++] = resampled_figure(c, k, seed);
    if (c->kind == OF_IMAGE)
        x.more[x.nmore++] = resampled_figure(c, SSIM, seed);
    return x;
}

static bool is_equal(const Comparer *c)
{
    return largest_difference(c).value <= 0;
}

Accuracy comparer_result(Comparer *const *list, size_t n, uint64_t seed)
{
    Accuracy worst = {0};
    bool equal = n > 0;
    for (size_t i = 0; i < n; i++) {
        if (list[i]->nrun == 0)
            return (Accuracy){0};
        equal = equal && is_equal(list[i]);
        if (is_equal(list[i]))
            continue;
        Accuracy x = output_accuracy(list[i], seed);
        if (!worst.known || x.loss > worst.loss)
            worst = x;
    }
    if (!equal)
        return worst;
    AccuracyFigure none = {"max_difference", "value", 0, 0, 0};
    return (Accuracy){.known = n > 0,
                      .exact = true,
                      .output = n ? list[0]->name : NULL,
                      .head = none,
                      .images = n ? list[0]->nrun : 0};
}

const AccuracyFigure *accuracy_in(const Accuracy *x, const char *unit)
{
    if (!strcmp(x->head.unit, unit))
        return &x->head;
    return LIST_FIND(i, x->more, x->nmore, !strcmp(x->more[i].unit, unit));
}
