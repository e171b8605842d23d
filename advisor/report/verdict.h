/* Formats the verdict of a result as one sentence, the same in every output. */
#ifndef ADVISOR_REPORT_VERDICT_H
#define ADVISOR_REPORT_VERDICT_H

#include "advisor/message/phrase.h"
#include "advisor/report/summary.h"

const char *verdict_sentence(Phrase *buf, const Result *r, const Summary *d, const Language *lang);

/* The sentence where no cost is known, or a rule was stopped. */
const char *verdict_undecided(Phrase *buf, const Result *r, const Summary *d, const Language *lang);

#endif
