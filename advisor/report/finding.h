/* Iterates over the recommendations and observations of a result tree.
 *
 * All pointers are into the tree. */
#ifndef ADVISOR_REPORT_FINDING_H
#define ADVISOR_REPORT_FINDING_H

#include "advisor/message/json.h"
#include "advisor/message/phrase.h"

/* Recommendations, then observations, for those who list both: `last` NULL begins, NULL ends. */
const cJSON *finding_next(const cJSON *result, const cJSON *last);
/* True for an observation: it has no rank and no gain. */
bool finding_is_observation(const cJSON *finding);

/* False for what no setting of the SDK in use can change. */
bool finding_has_action(const cJSON *finding);

/* How the predicted gain is to be said: as predicted, "at most", "at least", "estimated". */
PhraseId gain_phrase(const cJSON *gain);

/* What runs say of what is there now, {lo, mid, hi}; of older results what they were in the runs
 * themselves, {lo, median, hi}.  NULL where nothing was run. */
const cJSON *gain_verified(const cJSON *gain);
/* The middle of either; false where there is none. */
bool gain_middle(const cJSON *interval, double *ret);

#endif
