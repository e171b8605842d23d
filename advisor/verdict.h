/* The verdict in one sentence, the same in every output. */
#ifndef ADVISOR_VERDICT_H
#define ADVISOR_VERDICT_H

#include "advisor/digest.h"
#include "advisor/phrase.h"

const char *verdict_sentence(Phrase *buf, const cJSON *result, const Digest *d, const char *lang);

#endif
