/* Prints a compiled graph with its measured times as text. */
#ifndef ADVISOR_RENDER_TEXT_TEXT_COMPILED_H
#define ADVISOR_RENDER_TEXT_TEXT_COMPILED_H

#include "advisor/render/text/text_out.h"
#include "advisor/report/render.h"
#include "advisor/report/summary.h"

/* The whole result, which has `compiled`. */
void text_compiled(TextOut *t, const Result *r);

#endif
