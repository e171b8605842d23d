/* Prints a compiled graph with its measured times as text. */
#ifndef ADVISOR_RENDER_TEXT_TEXT_COMPILED_H
#define ADVISOR_RENDER_TEXT_TEXT_COMPILED_H

#include "advisor/report/tree_summary.h"
#include "advisor/report/render.h"
#include "advisor/render/text/text_out.h"

/* The whole result, `compiled` of which is an object. */
void text_compiled(TextOut *t, const cJSON *r, const TreeSummary *d, const View *view);

#endif
