/* Prints plans as tables, work by hand, and with --verbose what each finding is about. */
#pragma once

#include "advisor/render/text/text_out.h"
#include "advisor/report/render.h"
#include "advisor/report/summary.h"

/* The plans, retraining in one line, and work by hand.  `view` has commands. */
void text_plans(TextOut *t, const Result *r, const Summary *d, const View *view);

/* Why and where of each finding, observations and suppressed changes. */
void text_details(TextOut *t, const Result *r);
