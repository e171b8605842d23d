/* Adds what a table of RKNN tells by itself to the result of its model.
 *
 * Work by hand and evidence of the table stand beside the plans of the model, but for rules that
 * the model has in another form. */
#pragma once

#include "graph/base/arena.h"
#include "advisor/report/result.h"

/* The result of the model with the table as its trace, completed; in `a`. */
const Result *table_advice_join(Arena *a, const Result *model, const Result *table);
