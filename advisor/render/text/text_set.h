/* Prints the models of a run, one line each, and why some did not pass. */
#pragma once

#include "advisor/report/render.h"

/* `summary` is that of result_set_summary. */
void text_set(FILE *out, const cJSON *summary, const View *view);
