/* Gives recommendations and observations one form. */
#include "advisor/report/finding.h"

#include <assert.h>

size_t finding_count(const Result *r)
{
    return r->recommendations.count + r->observations.count;
}

ReportedFinding finding_of_recommendation(const ResultRecommendation *x)
{
    return (ReportedFinding){
        .recommendation = x,
        .rule_id = x->rule_id,
        .fingerprint = x->fingerprint,
        .title = x->title,
        .why = x->why,
        .group = result_group_words[x->group],
        .where = &x->where,
        .fix = &x->fix,
        .places = &x->places,
        .suppression = x->suppression,
        .applicability = x->applicability,
        .level = x->level,
    };
}

ReportedFinding finding_of_observation(const ResultObservation *x)
{
    return (ReportedFinding){
        .observation = x,
        .rule_id = x->rule_id,
        .fingerprint = x->fingerprint,
        .title = x->title,
        .why = x->why,
        .group = x->group,
        .where = &x->where,
        .fix = &x->fix,
        .places = &x->places,
        .suppression = x->suppression,
        .applicability = x->applicability,
        .level = x->level,
    };
}

ReportedFinding finding_at(const Result *r, size_t i)
{
    size_t n = r->recommendations.count;
    assert(i < finding_count(r));
    return i < n ? finding_of_recommendation(&r->recommendations.item[i])
                 : finding_of_observation(&r->observations.item[i - n]);
}

bool finding_has_action(const ResultFix *fix)
{
    return *fix->text != '\0';
}

PhraseId gain_phrase(const ResultGain *gain)
{
    if (gain->at_least)
        return PHRASE_GAIN_AT_LEAST;
    return gain->basis == RESULT_BASIS_BOUND      ? PHRASE_GAIN_AT_MOST
           : gain->basis == RESULT_BASIS_STAND_IN ? PHRASE_GAIN_ESTIMATED
                                                  : PHRASE_GAIN_PREDICTED;
}

bool gain_verified(const ResultVerified *v, ResultInterval *ret)
{
    if (!v)
        return false;
    *ret = v->now ? *v->now : (ResultInterval){v->lo, v->median, v->hi};
    return true;
}
