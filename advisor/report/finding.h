/* Iterates over the recommendations and observations of a result tree.
 *
 * All pointers are into the tree. */
#ifndef ADVISOR_REPORT_FINDING_H
#define ADVISOR_REPORT_FINDING_H

#include "advisor/message/json.h"
#include "advisor/message/phrase.h"

/* Recommendations, then observations: `last` NULL begins, NULL ends. */
const cJSON *finding_next(const cJSON *result, const cJSON *last);
/* True for an observation: it has no rank and no saving. */
bool finding_is_observation(const cJSON *finding);

/* False where the SDK in use has no setting for it. */
bool finding_has_action(const cJSON *finding);

/* The phrase for a predicted saving: predicted, bound, lower bound or estimate. */
PhraseId gain_phrase(const cJSON *gain);

/* The measured saving, {lo, mid, hi}; of older results {lo, median, hi}; NULL: not run. */
const cJSON *gain_verified(const cJSON *gain);
/* The middle of either; false where there is none. */
bool gain_middle(const cJSON *interval, double *ret);

#endif
