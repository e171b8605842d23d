/* Declares the parts of a result in text, each in a file text_<what>.c, and what they share. */
#pragma once

#include "advisor/message/phrase.h"
#include "advisor/message/text_out.h"
#include "advisor/report/render.h"
#include "advisor/report/summary.h"

/* Of a compiled graph, which has `compiled`: its time and slowest layers; after the answer, what
 * limits it. */
void text_compiled(TextOut *t, const Result *r);
void text_compiled_limits(TextOut *t, const Result *r);

/* The plans, retraining in one line, and work by hand.  `view` has commands. */
void text_plans(TextOut *t, const Result *r, const Summary *d, const View *view);

/* How many items of work by hand are shown without `verbose`: of those that save too little, one
 * only where nothing else is shown. */
size_t text_by_hand_shown(const Result *r, const Summary *d);

/* Why and where of each finding, observations and suppressed changes. */
void text_details(TextOut *t, const Result *r);

/* The Pareto front, the highest throughput first: the points of plans and a few others, all with
 * `verbose`. */
void text_front(TextOut *t, const Result *r, const View *view);

/* The status, how many assertions hold, each one that does not with expected, found and all values,
 * and the states of findings against a baseline.  Nothing where no gate was asked for.  With
 * `verbose` those that hold as well. */
void text_gate(TextOut *t, const ResultGate *gate, bool verbose);

enum { TEXT_LABEL = 10 }; /* columns of a label */

/* One line about what limits the answer. */
void text_note(TextOut *t, const char *note);

/* "and 3 more" rows; nothing of 0. */
void text_more(TextOut *t, size_t indent, size_t left);
