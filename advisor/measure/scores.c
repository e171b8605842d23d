/* Resamples the pairs of scores together and takes the quantiles of their means. */
#include "advisor/measure/scores.h"

#include "advisor/message/json.h"
#include "graph/base/random.h"
#include "graph/base/statistics.h"

enum { RESAMPLES = 1000, STREAM = 0x73636f72 };

struct Scores {
    Arena *arena;
    ScoresKind kind;
    const char *of;
    double *before, *after;
    size_t n, before_cap, after_cap;
    /* SCORES_MAP: the boxes; the lists above then hold whether an image differs. */
    AveragePrecision *drawn[2];
};

/* Sums over some runs. */
typedef struct {
    double before, after, runs;
} Sums;

typedef struct {
    const char *metric, *unit, *metric_before; /* of the baseline; NULL: none */
    double (*value)(const Sums *s);
    double (*loss)(const Sums *s);
} Kind;

static double mean_after(const Sums *s)
{
    return s->after / s->runs;
}

static double mean_lost(const Sums *s)
{
    return (s->before - s->after) / s->runs;
}

static double share_lost(const Sums *s)
{
    double lost = s->before - s->after;
    return fabs(s->before) > 0 ? lost / fabs(s->before) : lost > 0;
}

/* Where no box was drawn nothing differs. */
static double share_after(const Sums *s)
{
    return s->before > 0 ? s->after / s->before : 1;
}

static double rest_of_share(const Sums *s)
{
    return 1 - share_after(s);
}

static const Kind kind[] = {
    [SCORES_TOP1] = {"top1", "share", "top1_before", mean_after, mean_lost},
    [SCORES_BOXES] = {"box_agreement", "share", NULL, share_after, rest_of_share},
    [SCORES_MAP] = {"map", "share", "map_before", NULL, NULL},
    [SCORES_METRIC] = {"metric", "value", "metric_before", mean_after, share_lost},
};
static_assert(sizeof kind / sizeof *kind == SCORES_METRIC + 1, "a row for each kind");

Scores *scores_new(Arena *a, ScoresKind of_kind, const char *of)
{
    assert((unsigned)of_kind <= SCORES_METRIC && of);
    Scores *s = ARENA_NEW(a, Scores);
    *s = (Scores){.arena = a, .kind = of_kind, .of = of};
    for (int k = 0; k < 2 && of_kind == SCORES_MAP; k++)
        s->drawn[k] = average_precision_new(a);
    return s;
}

void scores_add(Scores *s, double before, double after)
{
    size_t same = s->n;
    *VEC_PUSH(s->arena, s->before, s->n, s->before_cap) = before;
    *VEC_PUSH(s->arena, s->after, same, s->after_cap) = after;
}

void scores_add_boxes(Scores *s, DetectionList before, DetectionList after, const LabeledBox *there,
                      size_t nthere)
{
    average_precision_add(s->drawn[0], before.box, before.n, there, nthere);
    average_precision_add(s->drawn[1], after.box, after.n, there, nthere);
    scores_add(s, 0, !average_precision_same(s->drawn[0], s->drawn[1], s->n));
}

size_t scores_count(const Scores *s)
{
    return s->n;
}

/* ---- kept ---- */

cJSON *scores_runs(const Scores *s, size_t from)
{
    cJSON *o = cJSON_CreateObject();
    assert(from <= s->n);
    int n = (int)(s->n - from);
    cJSON_AddStringToObject(o, "metric", kind[s->kind].metric);
    cJSON_AddStringToObject(o, "of", s->of);
    cJSON_AddItemToObject(o, "before", cJSON_CreateDoubleArray(s->before + from, n));
    cJSON_AddItemToObject(o, "after", cJSON_CreateDoubleArray(s->after + from, n));
    cJSON *drawn = s->kind == SCORES_MAP ? cJSON_AddArrayToObject(o, "drawn") : NULL;
    for (size_t i = from; drawn && i < s->n; i++)
        for (int k = 0; k < 2; k++)
            cJSON_AddItemToArray(drawn, average_precision_to_json(s->drawn[k], i));
    return o;
}

/* Restores the boxes of each run, before and after. */
static bool restore_drawn(Scores *s, const cJSON *list, int runs)
{
    const cJSON *picture;
    int k = 0;
    bool ok = cJSON_IsArray(list) && cJSON_GetArraySize(list) == 2 * runs;
    cJSON_ArrayForEach(picture, list)
    {
        ok = ok && average_precision_restore(s->drawn[k], picture);
        k = !k;
    }
    return ok;
}

bool scores_restore(Scores *s, const cJSON *runs)
{
    const cJSON *before = json_at(runs, "before"), *after = json_at(runs, "after"), *x, *y;
    if (strcmp(json_text(runs, "metric", ""), kind[s->kind].metric) ||
        strcmp(json_text(runs, "of", ""), s->of) || !cJSON_IsArray(before) ||
        !cJSON_IsArray(after) || cJSON_GetArraySize(before) != cJSON_GetArraySize(after))
        return false;
    for (x = before->child, y = after->child; x && y; x = x->next, y = y->next) {
        if (!cJSON_IsNumber(x) || !cJSON_IsNumber(y))
            return false;
        scores_add(s, x->valuedouble, y->valuedouble);
    }
    return s->kind != SCORES_MAP ||
           restore_drawn(s, json_at(runs, "drawn"), cJSON_GetArraySize(before));
}

/* ---- results ---- */

static void add_pair(Sums *to, const Scores *s, size_t i)
{
    to->before += s->before[i];
    to->after += s->after[i];
    to->runs += 1;
}

typedef struct {
    double before, value, loss;
    double before50, value50; /* SCORES_MAP: at IoU 0.5 */
} Drawn;

static Drawn drawn_of(const Scores *s, const Sums *sums, const uint32_t *times)
{
    if (s->kind == SCORES_MAP) {
        MeanPrecision x = average_precision_mean(s->drawn[0], times),
                      y = average_precision_mean(s->drawn[1], times);
        return (Drawn){x.map, y.map, x.map - y.map, x.map50, y.map50};
    }
    return (Drawn){sums->before / sums->runs, kind[s->kind].value(sums), kind[s->kind].loss(sums),
                   0, 0};
}

static double clamp_share(double share)
{
    return fmin(fmax(share, 0), 1);
}

/* The possible loss although no run differs. */
static double max_unseen_loss(const Scores *s)
{
    return s->kind == SCORES_METRIC ||
                   LIST_ANY(i, s->n, s->before[i] > s->after[i] || s->before[i] < s->after[i])
               ? 0
               : 1 - comparer_share_bound((double)s->n);
}

static AccuracyFigure score_figure(const Scores *s, const char *metric, double value, double *drawn)
{
    bool share = s->kind == SCORES_TOP1 || s->kind == SCORES_BOXES;
    statistics_sort_reals(drawn, RESAMPLES);
    AccuracyFigure f = {metric, kind[s->kind].unit, value,
                        statistics_quantile(drawn, RESAMPLES, 0.05),
                        statistics_quantile(drawn, RESAMPLES, 0.95)};
    if (share && value >= 1)
        f.lo = comparer_share_bound((double)s->n);
    if (share && value <= 0)
        f.hi = 1 - comparer_share_bound((double)s->n);
    return f;
}

/* RESAMPLES of each figure. */
typedef struct {
    double *before, *value, *loss, *before50, *value50;
} Draws;

static Draws draw_resamples(const Scores *s, uint64_t seed)
{
    double *room = ARENA_ARRAY(s->arena, double, 5 * RESAMPLES);
    Draws to = {room, room + RESAMPLES, room + 2 * RESAMPLES, room + 3 * RESAMPLES,
                room + 4 * RESAMPLES};
    uint32_t *times = ARENA_ARRAY(s->arena, uint32_t, s->n + 1);
    for (size_t r = 0; r < RESAMPLES; r++) {
        Sums sums = {0};
        memset(times, 0, s->n * sizeof *times);
        for (size_t i = 0; i < s->n; i++) {
            size_t k = random_below(random_bits(seed, STREAM, r, i), s->n);
            times[k]++;
            add_pair(&sums, s, k);
        }
        Drawn d = drawn_of(s, &sums, times);
        to.before[r] = d.before;
        to.value[r] = d.value;
        to.loss[r] = d.loss;
        to.before50[r] = d.before50;
        to.value50[r] = d.value50;
    }
    return to;
}

static void append_figure(Accuracy *x, AccuracyFigure f)
{
    if (x->nmore < ACCURACY_MORE)
        x->more[x->nmore++] = f;
}

/* Whether there is a score; for boxes, one of all images. */
static bool is_told(const Scores *s, const Accuracy *x, const Sums *all)
{
    if (!x->known || s->n == 0)
        return false;
    if (s->kind == SCORES_MAP)
        return average_precision_mean(s->drawn[0], NULL).known;
    return s->kind != SCORES_BOXES || (s->n == x->images && all->before > 0);
}

void scores_apply(const Scores *s, Accuracy *x, uint64_t seed)
{
    const Kind *k = &kind[s->kind];
    Sums all = {0};
    for (size_t i = 0; i < s->n; i++)
        add_pair(&all, s, i);
    if (!is_told(s, x, &all))
        return;
    Draws draws = draw_resamples(s, seed);
    Drawn d = drawn_of(s, &all, NULL);
    AccuracyFigure head = score_figure(s, k->metric, d.value, draws.value);
    statistics_sort_reals(draws.loss, RESAMPLES);
    append_figure(x, x->exact ? head : x->head);
    if (!x->exact && k->metric_before)
        append_figure(x, score_figure(s, k->metric_before, d.before, draws.before));
    if (s->kind == SCORES_MAP)
        append_figure(x, score_figure(s, "map50", d.value50, draws.value50));
    if (s->kind == SCORES_MAP && !x->exact)
        append_figure(x, score_figure(s, "map50_before", d.before50, draws.before50));
    if (x->exact)
        return;
    x->head = head;
    x->output = s->of;
    x->loss = clamp_share(d.loss);
    x->loss_lo = clamp_share(statistics_quantile(draws.loss, RESAMPLES, 0.05));
    x->loss_hi =
        clamp_share(fmax(statistics_quantile(draws.loss, RESAMPLES, 0.95), max_unseen_loss(s)));
}
