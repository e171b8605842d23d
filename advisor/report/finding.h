/* Iterates over the recommendations and observations of a result, and reads their savings.
 *
 * All pointers are into the result. */
#ifndef ADVISOR_REPORT_FINDING_H
#define ADVISOR_REPORT_FINDING_H

#include "advisor/message/phrase.h"
#include "advisor/report/result.h"

/* What a recommendation and an observation both have. */
typedef struct {
    const ResultRecommendation *recommendation; /* NULL: an observation, without rank and saving */
    const ResultObservation *observation;       /* NULL: a recommendation */
    const char *rule_id, *fingerprint, *title, *why, *group;
    const ResultWhere *where; /* the first place */
    const ResultFix *fix;
    const ResultPlaceList *places;
    const ResultSuppression *suppression; /* NULL: none */
    ResultApplicability applicability;
    ResultLevel level;
} ReportedFinding;

size_t finding_count(const Result *r);

/* Recommendations, then observations: i < finding_count(r). */
ReportedFinding finding_at(const Result *r, size_t i);
ReportedFinding finding_of_recommendation(const ResultRecommendation *recommendation);
ReportedFinding finding_of_observation(const ResultObservation *observation);

/* False where the SDK in use has no setting for it. */
bool finding_has_action(const ResultFix *fix);

/* The phrase for a predicted saving: predicted, bound, lower bound or estimate. */
PhraseId gain_phrase(const ResultGain *gain);

/* The measured saving, relative to now where that is known; false where nothing was run (`v` is
 * NULL). */
bool gain_verified(const ResultVerified *v, ResultInterval *ret);

#endif
