/* A compiled graph with its measured times, as text. */
#ifndef ADVISOR_TEXT_TEXT_COMPILED_H
#define ADVISOR_TEXT_TEXT_COMPILED_H

#include "advisor/digest/digest.h"
#include "advisor/digest/render.h"
#include "advisor/text/text_out.h"

/* The whole result, `compiled` of which is an object. */
void text_compiled(TextOut *t, const cJSON *r, const Summary *d, const View *view);

#endif
