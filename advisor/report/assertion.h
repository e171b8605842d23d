/* Says an assertion of the gate in a sentence, for the screen and every other form. */
#pragma once

#include "advisor/message/phrase.h"
#include "advisor/report/result.h"

/* "latency_ns: expected <= 5.00 ms, found 33.9 ms (30 values, 21.8 ms to 68.0 ms): why" */
const char *assertion_sentence(Arena *a, const ResultAssertion *x, const Language *lang);
