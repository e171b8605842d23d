/* Pairs, resampled together. */
#include "advisor/measure/scores.h"

#include "advisor/say/json.h"
#include "graph/base/random.h"
#include "graph/base/statistics.h"

#include <math.h>
#include <string.h>

enum { RESAMPLES = 1000, STREAM = 0x73636f72 };

struct Scores {
    Arena *arena;
    ScoresKind kind;
    const char *of;
    double *before, *after;
    size_t n, before_cap, after_cap;
};

/* Sums over some runs, and what is made of them. */
typedef struct {
    double before, after, runs;
} Sums;

typedef struct {
    const char *metric, *unit, *metric_before; /* of the model as it is; NULL: it is all there is */
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
    [SCORES_METRIC] = {"metric", "value", "metric_before", mean_after, share_lost},
};

Scores *scores_new(Arena *a, ScoresKind of_kind, const char *of)
{
    Scores *s = ARENA_NEW(a, Scores);
    *s = (Scores){.arena = a, .kind = of_kind, .of = of};
    return s;
}

void scores_add(Scores *s, double before, double after)
{
    size_t same = s->n;
    *VEC_PUSH(s->arena, s->before, s->n, s->before_cap) = before;
    *VEC_PUSH(s->arena, s->after, same, s->after_cap) = after;
}

size_t scores_count(const Scores *s)
{
    return s->n;
}

/* ---- kept ---- */

cJSON *scores_runs(const Scores *s, size_t from)
{
    cJSON *o = cJSON_CreateObject();
    int n = (int)(s->n - from);
    cJSON_AddStringToObject(o, "metric", kind[s->kind].metric);
    cJSON_AddStringToObject(o, "of", s->of);
    cJSON_AddItemToObject(o, "before", cJSON_CreateDoubleArray(s->before + from, n));
    cJSON_AddItemToObject(o, "after", cJSON_CreateDoubleArray(s->after + from, n));
    return o;
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
    return true;
}

/* ---- told ---- */

static void add(Sums *to, const Scores *s, size_t i)
{
    to->before += s->before[i];
    to->after += s->after[i];
    to->runs += 1;
}

typedef struct {
    double before, value, loss;
} Drawn;

static Drawn drawn_of(const Scores *s, const Sums *sums)
{
    return (Drawn){sums->before / sums->runs, kind[s->kind].value(sums), kind[s->kind].loss(sums)};
}

static double within(double share)
{
    return fmin(fmax(share, 0), 1);
}

/* What may be lost although no run differs. */
static double loss_behind(const Scores *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->before[i] > s->after[i] || s->before[i] < s->after[i])
            return 0;
    return s->kind == SCORES_METRIC ? 0 : 1 - share_behind((double)s->n);
}

static AccuracyFigure figure(const Scores *s, const char *metric, double value, double *drawn)
{
    bool share = s->kind != SCORES_METRIC;
    sort_reals(drawn, RESAMPLES);
    AccuracyFigure f = {metric, kind[s->kind].unit, value, quantile_sorted(drawn, RESAMPLES, 0.05),
                        quantile_sorted(drawn, RESAMPLES, 0.95)};
    if (share && value >= 1)
        f.lo = share_behind((double)s->n);
    if (share && value <= 0)
        f.hi = 1 - share_behind((double)s->n);
    return f;
}

static void resample(const Scores *s, uint64_t seed, double *before, double *value, double *loss)
{
    for (size_t r = 0; r < RESAMPLES; r++) {
        Sums sums = {0};
        for (size_t i = 0; i < s->n; i++)
            add(&sums, s, random_below(random_bits(seed, STREAM, r, i), s->n));
        Drawn d = drawn_of(s, &sums);
        before[r] = d.before;
        value[r] = d.value;
        loss[r] = d.loss;
    }
}

static void more(Accuracy *x, AccuracyFigure f)
{
    if (x->nmore < ACCURACY_MORE)
        x->more[x->nmore++] = f;
}

void scores_tell(const Scores *s, Accuracy *x, uint64_t seed)
{
    const Kind *k = &kind[s->kind];
    double *draw = ARENA_ARRAY(s->arena, double, 3 * RESAMPLES), *value = draw + RESAMPLES,
           *loss = value + RESAMPLES;
    Sums all = {0};
    for (size_t i = 0; i < s->n; i++)
        add(&all, s, i);
    bool drawn = s->n == x->images && all.before > 0; /* boxes, on all images */
    if (!x->known || s->n == 0 || (s->kind == SCORES_BOXES && !drawn))
        return;
    resample(s, seed, draw, value, loss);
    Drawn d = drawn_of(s, &all);
    AccuracyFigure head = figure(s, k->metric, d.value, value);
    sort_reals(loss, RESAMPLES);
    if (x->exact) {
        more(x, head);
        return;
    }
    more(x, x->head);
    if (k->metric_before)
        more(x, figure(s, k->metric_before, d.before, draw));
    x->head = head;
    x->output = s->of;
    x->loss = within(d.loss);
    x->loss_lo = within(quantile_sorted(loss, RESAMPLES, 0.05));
    x->loss_hi = within(fmax(quantile_sorted(loss, RESAMPLES, 0.95), loss_behind(s)));
}
