/* Emits the rows of a machine of rows. Shared by rows_program.c, rows_join.c and rows_emit.c. */
#pragma once

#include "graph/compile/compile_emit.h"
#include "graph/compile/machine.h"

/* Joins operators as the machine's table does: Ir.word is then the word of the whole. */
void rows_join(Compile *c);

/* Replaces the words where the vendor's table tells them (Node.told) and no edit changed the op. */
void rows_take_told(const CompileEmit *e);

/* Where operators are emitted: the step that is open, and who made which value within it. */
typedef struct {
    CompileEmit *e;
    StepId step;
    LowOpId *maker; /* per value */
    LowOpId before; /* the row before of the same operator; LOWOP_NONE */
} RowEmit;

/* Emits the low-level operators of an op, one for each row that its words become. */
void rows_emit_words(const RowEmit *at, IrId ir, const char *words, RowForm of);
