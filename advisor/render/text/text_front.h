/* Prints the Pareto front of the configurations that were looked at. */
#ifndef ADVISOR_RENDER_TEXT_TEXT_FRONT_H
#define ADVISOR_RENDER_TEXT_TEXT_FRONT_H

#include "advisor/render/text/text_out.h"
#include "advisor/report/result.h"

void text_front(TextOut *t, const Result *r);

#endif
