/* What a set of results is told by: a short row for each model, for the terminal and for the page.
 */
#ifndef ADVISOR_RESULT_SET_SUMMARY_H
#define ADVISOR_RESULT_SET_SUMMARY_H

#include "advisor/result/result_set.h"
#include "graph/base/language.h"

/* {status, counts[4] by exit status, models[{model, file|null, settings|null, status, error|null,
 * verdict, grade|null, now|null, measured, unit, rule_id|null, title|null, gain|null, failed[]}]}:
 * `now` and `gain` in `unit`, `failed` the assertions of the gate that did not pass.  The caller
 * owns the tree. */
cJSON *result_set_summary(const ResultSet *set, const Language *lang);

#endif
