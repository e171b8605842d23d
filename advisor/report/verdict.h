/* Formats the verdict of a result as one sentence, the same in every output. */
#ifndef ADVISOR_REPORT_VERDICT_H
#define ADVISOR_REPORT_VERDICT_H

#include "advisor/report/summary.h"
#include "advisor/message/phrase.h"

const char *verdict_sentence(Phrase *buf, const cJSON *result, const Summary *d,
                             const Language *lang);

/* Where nothing can be said: no cost is known, or a rule did not come to its end. */
const char *verdict_undecided(Phrase *buf, const cJSON *result, const Summary *d,
                              const Language *lang);

#endif
