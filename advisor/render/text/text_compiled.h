/* Prints a compiled graph with its measured times as text. */
#pragma once

#include "advisor/render/text/text_out.h"
#include "advisor/report/render.h"
#include "advisor/report/summary.h"

/* The whole result, which has `compiled`. */
void text_compiled(TextOut *t, const Result *r);
