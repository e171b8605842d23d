/* Chooses the recommendations to apply from the user's list, adds those that they build on and
 * refuses conflicts. */
#include "advisor/act/apply/apply.h"

#include "advisor/report/summary.h"
#include "advisor/rules/lever.h"
#include "graph/options/option.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Arena *a;
    const Result *result;
    ApplyChange *change;
    size_t count, cap;
} Choose;

static void add_change(Choose *c, ApplyChange x)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->change[i].fix == x.fix) /* each has its own */
            return;
    *VEC_PUSH(c->a, c->change, c->count, c->cap) = x;
}

static void add_recommendation(Choose *c, const ResultRecommendation *rec)
{
    add_change(c, (ApplyChange){rec->rule_id, rec->fingerprint, rec->title, rec->risk, rec->levers,
                                &rec->fix, &rec->gain, rec});
}

static void add_held(Choose *c, const ResultSuppressed *held)
{
    add_change(c, (ApplyChange){held->rule_id, held->fingerprint, held->title, held->risk,
                                held->levers, held->fix, &held->gain, NULL});
}

/* `rank` is 0 for suppressed advice. */
static bool is_named(const char *rule_id, const char *fingerprint, int64_t rank, const char *word,
                     size_t len)
{
    const char *const name[] = {rule_id, fingerprint};
    for (int i = 0; i < 2; i++)
        if (strlen(name[i]) == len && !strncmp(name[i], word, len))
            return true;
    char *end;
    return rank > 0 && strtol(word, &end, 10) == rank && end == word + len;
}

static bool can_be_had(const ResultSuppressed *held)
{
    return held->fix &&
           (held->reason == RESULT_REASON_SMALL || held->reason == RESULT_REASON_UNCERTAIN);
}

static Status add_named(Choose *c, const char *word, size_t len, Diag *diag)
{
    const ResultRecommendationList *recs = &c->result->recommendations;
    const ResultSuppressedList *suppressed = &c->result->suppressed;
    bool any = false;
    assert(len <= strlen(word));
    for (size_t i = 0; i < recs->count; i++) {
        const ResultRecommendation *rec = &recs->item[i];
        if (!is_named(rec->rule_id, rec->fingerprint, rec->rank, word, len))
            continue;
        add_recommendation(c, rec);
        any = true;
    }
    /* What was held back because something else does for it can be had instead of that. */
    for (size_t i = 0; i < suppressed->count && !any; i++) {
        const ResultSuppressed *held = &suppressed->item[i];
        if (!is_named(held->rule_id, held->fingerprint, 0, word, len) || !can_be_had(held))
            continue;
        add_held(c, held);
        any = true;
    }
    if (any)
        return STATUS_OK;
    return diag_set(diag, STATUS_USAGE, NULL, option_flag(OPTION_SET),
                    "'%.*s' is not a rank, rule or fingerprint of this result's recommendations",
                    (int)len, word);
}

static void add_usual(Choose *c)
{
    const ResultRecommendationList *recs = &c->result->recommendations;
    for (size_t i = 0; i < recs->count; i++)
        if (summary_is_combined(c->result, &recs->item[i]))
            add_recommendation(c, &recs->item[i]);
}

/* All of the combination and nothing else: then its number of workers goes before that of a part,
 * which was chosen for the host as it is. */
static const char *combined_workers(const Choose *c)
{
    const ResultCombined *combined = c->result->combined;
    size_t n = 0;
    for (size_t i = 0; i < c->count; i++)
        n += c->change[i].recommendation &&
             summary_is_combined(c->result, c->change[i].recommendation);
    if (!combined || n != c->count || n != combined->ranks.count)
        return NULL;
    for (size_t i = 0; i < combined->levers.count; i++)
        if (lever_find(combined->levers.item[i].lever) == LEVER_WORKERS)
            return combined->levers.item[i].value;
    return NULL;
}

/* What the recommendation comes on top of. */
static void add_below(Choose *c, const ResultInts *ranks)
{
    const ResultRecommendationList *recs = &c->result->recommendations;
    for (size_t i = 0; i < ranks->count; i++)
        for (size_t k = 0; k < recs->count; k++)
            if (recs->item[k].rank == ranks->item[i])
                add_recommendation(c, &recs->item[k]);
}

static bool conflicts_with(const ApplyChange *a, const ApplyChange *b)
{
    const ResultTexts *ids = a->recommendation ? &a->recommendation->conflicts_with : NULL;
    for (size_t i = 0; ids && i < ids->count; i++)
        if (!strcmp(ids->item[i], b->rule_id))
            return true;
    return false;
}

static Status check_conflicts(const Choose *c, Diag *diag)
{
    for (size_t i = 0; i < c->count; i++)
        for (size_t k = 0; k < c->count; k++)
            if (i != k && conflicts_with(&c->change[i], &c->change[k]))
                return diag_set(diag, STATUS_USAGE, NULL, option_flag(OPTION_SET),
                                "%s and %s exclude each other; choose one", c->change[i].rule_id,
                                c->change[k].rule_id);
    return STATUS_OK;
}

Status apply_choose(Arena *a, const Result *r, const char *list, Chosen *ret, Diag *diag)
{
    Choose c = {.a = a, .result = r};
    if (!list)
        add_usual(&c);
    for (const char *word = list; word && *word;) {
        size_t len = strcspn(word, ",");
        Status st = add_named(&c, word, len, diag);
        if (st)
            return st;
        word += len + (word[len] == ',');
    }
    if (c.count == 0)
        return diag_set(diag, STATUS_UNDECIDED, NULL, NULL, "there is no recommendation to apply");
    for (size_t i = 0; i < c.count; i++)
        if (c.change[i].recommendation)
            add_below(&c, &c.change[i].recommendation->on_top_of);
    *ret = (Chosen){c.change, c.count, combined_workers(&c), r->target, r->sdk, r->options};
    return check_conflicts(&c, diag);
}

static const ResultGain *gain_of(Arena *a, const ResultPartGain *of)
{
    ResultGain *gain = of ? ARENA_NEW(a, ResultGain) : NULL;
    if (gain)
        *gain = (ResultGain){.unit = of->unit, .predicted = &of->predicted};
    return gain;
}

void apply_choose_point(Arena *a, const ResultTune *tune, const ResultPoint *point, Chosen *ret)
{
    ApplyChange *list = ARENA_ARRAY(a, ApplyChange, point->parts.count);
    for (size_t i = 0; i < point->parts.count; i++) {
        const ResultPart *part = &point->parts.item[i];
        list[i] = (ApplyChange){
            part->rule_id, part->fingerprint,      part->title, part->risk, part->levers,
            &part->fix,    gain_of(a, part->gain), NULL};
    }
    *ret = (Chosen){list, point->parts.count, NULL, tune->target, tune->sdk, tune->options};
}
