/* Prints the recommendations of a result as text, and what follows them. */
#ifndef ADVISOR_RENDER_TEXT_TEXT_FINDING_H
#define ADVISOR_RENDER_TEXT_TEXT_FINDING_H

#include "advisor/render/text/text_out.h"
#include "advisor/report/render.h"
#include "advisor/report/result.h"

/* At most view->top of them, three lines each (more with view->verbose), then what all gain
 * together, and how many are not shown. */
void text_findings(TextOut *t, const Result *r, const View *view);

/* What was too small or held back, and the counts of rules. */
void text_tail(TextOut *t, const Result *r, const View *view);

#endif
