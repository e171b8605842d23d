/* Tells of a row of RKNN's layer table what a span of it has. */
#pragma once

#include "graph/import/imported.h"
#include "trace/readers/span.h"

/* Type and shapes of row i, in `a`. */
const OpDetail *rknn_row_detail(Arena *a, const Imported *g, size_t i);
