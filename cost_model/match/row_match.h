/* Tells which row of a table is which operator or host step of a program, on machines of rows.
 *
 * A row has a word of the machine, shapes, and the name of the first ONNX node that it was made of,
 * or of the tensor that it hands over.  Exports of one network name nodes differently, and rows of
 * one word and shapes take the same time: a name counts where word and output agree; of the others
 * the k-th row of a word and shapes is the k-th operator of them.  */
#pragma once

#include "graph/compile/program.h"
#include "trace/stats/stats.h"

typedef enum { ROWS_OF_NPU, ROWS_OF_HOST } RowsOf;

/* ret[i] for span i of an inference's NPU operators or host spans: the op or step, or MATCH_NONE.
 */
void match_rows(Arena *a, const Program *p, RowsOf of, const OpSpan *span, uint32_t nspan,
                uint32_t *ret);

/* A row of that name is of the node: of the end of its path, or of what the compiler made of it. */
bool match_row_is_called(const char *row, const char *node);
