/* Says an assertion of the gate in a sentence, for the screen and every other form. */
#pragma once

#include "advisor/message/figure.h"
#include "advisor/message/phrase.h"
#include "advisor/report/result.h"

/* A value in the unit of the limit: "5.00 ms". */
const char *assertion_amount(Figure *f, const ResultAssertion *x, double v);

/* Whether an assertion fails because of that finding. */
bool assertion_fails_for(const ResultAssertionList *list, const char *fingerprint);

/* "<= 5.00 ms" */
const char *assertion_expected(Arena *a, const ResultAssertion *x);

/* "latency_ns: expected <= 5.00 ms, found 33.9 ms (30 values, 21.8 ms to 68.0 ms)" */
const char *assertion_found(Phrase *buf, Arena *a, const ResultAssertion *x, const Language *lang);

/* The same, and why. */
const char *assertion_sentence(Arena *a, const ResultAssertion *x, const Language *lang);
