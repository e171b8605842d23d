/* Gives changes, work by hand and observations one form. */
#include "advisor/report/finding.h"

#include "graph/base/libc.h"
#include "advisor/message/figure.h"
#include "advisor/report/summary.h"

size_t finding_count(const Result *r)
{
    return r->changes.count + r->by_hand.count + r->observations.count;
}

/* What a change and work by hand tell alike; an observation has fewer fields. */
#define ALL_FIELDS(x)                                                                              \
    .id = (x)->id, .rule_id = (x)->rule_id, .fingerprint = (x)->fingerprint, .title = (x)->title,  \
    .why = (x)->why, .risk = (x)->risk, .group = result_group_words[(x)->group],                   \
    .where = &(x)->where, .fix = &(x)->fix, .occurrences = &(x)->occurrences,                      \
    .needs = &(x)->needs, .alone = &(x)->alone, .suppression = (x)->suppression,                   \
    .level = (x)->level

static ReportedFinding of_change(const ResultChange *x)
{
    return (ReportedFinding){.change = x, ALL_FIELDS(x)};
}

static ReportedFinding of_hand_work(const ResultHandWork *x)
{
    return (ReportedFinding){.by_hand = x, ALL_FIELDS(x)};
}

static ReportedFinding of_observation(const ResultObservation *x)
{
    return (ReportedFinding){.observation = x,
                             .rule_id = x->rule_id,
                             .fingerprint = x->fingerprint,
                             .title = x->title,
                             .why = x->why,
                             .group = x->group,
                             .where = &x->where,
                             .fix = &x->fix,
                             .occurrences = &x->occurrences,
                             .suppression = x->suppression,
                             .level = x->level};
}

ReportedFinding finding_at(const Result *r, size_t i)
{
    size_t n = r->changes.count, hand = r->by_hand.count;
    assert(i < finding_count(r));
    return i < n          ? of_change(&r->changes.item[i])
           : i < n + hand ? of_hand_work(&r->by_hand.item[i - n])
                          : of_observation(&r->observations.item[i - n - hand]);
}

bool finding_has_action(const ResultFix *fix)
{
    return *fix->text != '\0';
}

const char *finding_alone(Phrase *buf, const ResultGain *gain, const Language *lang)
{
    const char *unit = result_unit_words[gain->unit];
    const ResultInterval *x = gain->predicted;
    Figure f;
    if (!x)
        return gain->reason_if_null;
    if (gain->basis == RESULT_BASIS_BOUND)
        return phrase_format(buf, lang, PHRASE_ALONE_BOUND, figure_value(&f, x->hi, unit), NULL);
    PhraseId gains = gain->unit == RESULT_UNIT_PER_S ? PHRASE_ALONE_ADDS : PHRASE_ALONE_SAVES;
    bool loses = x->mid <= -1e-3; /* less is printed as 0 */
    return phrase_format(buf, lang, loses ? PHRASE_ALONE_LOSES : gains,
                         loses ? figure_interval(&f, -x->hi, -x->mid, -x->lo, unit)
                               : figure_interval(&f, x->lo, x->mid, x->hi, unit),
                         NULL);
}

bool finding_needs_retraining(const ReportedFinding *x)
{
    return x->needs && summary_needs(x->needs, "retrain");
}

/* The row of a change in the recommended plan, else in the first that holds it. */
static const ResultPlanChange *row_of(const Result *r, int64_t id, const ResultPlan **ret_plan)
{
    const ResultPlanChange *found = NULL;
    for (size_t i = 0; i < r->plans.count; i++) {
        const ResultPlan *p = &r->plans.item[i];
        for (size_t k = 0; k < p->changes.count; k++)
            if (p->changes.item[k].id == id && (!found || p->recommended)) {
                found = &p->changes.item[k];
                *ret_plan = p;
            }
    }
    return found;
}

bool finding_saving(const Result *r, const ReportedFinding *x, FindingSaving *ret)
{
    const ResultPlan *plan = NULL;
    *ret = (FindingSaving){.unit = summary_unit(r)};
    if (x->by_hand) {
        double most = x->by_hand->up_to.value;
        ret->value = (ResultInterval){0, most, most};
        ret->source = RESULT_SOURCE_PREDICTED;
        ret->up_to = true;
        return true;
    }
    const ResultPlanChange *row = x->change ? row_of(r, x->change->id, &plan) : NULL;
    if (!row || !row->saves)
        return false;
    ret->value = *row->saves;
    ret->source = row->source;
    ret->plan = plan;
    return true;
}

bool finding_may_not_help(const Result *r, const ResultInterval *saves)
{
    return !r->rate && saves->lo <= 0;
}

void finding_marks(const Result *r, const ReportedFinding *x, const ResultInts **ret_steps,
                   const ResultInts **ret_operators)
{
    static const ResultInts none = {NULL, 0};
    const ResultPlan *plan = NULL;
    const ResultPlanChange *row = x->change ? row_of(r, x->change->id, &plan) : NULL;
    *ret_steps = row              ? &row->steps
                 : x->by_hand     ? &x->by_hand->steps
                 : x->observation ? &x->observation->steps
                                  : &none;
    *ret_operators = row              ? &row->operators
                     : x->by_hand     ? &x->by_hand->operators
                     : x->observation ? &x->observation->operators
                                      : &none;
}
