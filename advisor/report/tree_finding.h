/* Iterates over the recommendations and observations of a result tree.
 *
 * All pointers are into the tree. */
#ifndef ADVISOR_REPORT_TREE_FINDING_H
#define ADVISOR_REPORT_TREE_FINDING_H

#include "advisor/message/json.h"
#include "advisor/message/phrase.h"

/* Recommendations, then observations: `last` NULL begins, NULL ends. */
const cJSON *tree_finding_next(const cJSON *result, const cJSON *last);
/* True for an observation: it has no rank and no saving. */
bool tree_finding_is_observation(const cJSON *finding);

/* False where the SDK in use has no setting for it. */
bool tree_finding_has_action(const cJSON *finding);

/* The phrase for a predicted saving: predicted, bound, lower bound or estimate. */
PhraseId tree_gain_phrase(const cJSON *gain);

/* The measured saving, {lo, mid, hi}; of older results {lo, median, hi}; NULL: not run. */
const cJSON *tree_gain_verified(const cJSON *gain);
/* The middle of either; false where there is none. */
bool tree_gain_middle(const cJSON *interval, double *ret);

#endif
