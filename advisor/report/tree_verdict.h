/* Formats the verdict of a result as one sentence, the same in every output. */
#ifndef ADVISOR_REPORT_TREE_VERDICT_H
#define ADVISOR_REPORT_TREE_VERDICT_H

#include "advisor/report/tree_summary.h"
#include "advisor/message/phrase.h"

const char *tree_verdict_sentence(Phrase *buf, const cJSON *result, const TreeSummary *d,
                                  const Language *lang);

/* The sentence where no cost is known, or a rule was stopped. */
const char *tree_verdict_undecided(Phrase *buf, const cJSON *result, const TreeSummary *d,
                                   const Language *lang);

#endif
