/* Compiles a Model with CompileOptions to a Program. */
#pragma once

#include "graph/compile/program.h"

/* Needs: a loaded model (its own types and shapes; nothing inferred yet is fine).
 * Does: applies o->edit, binds dimensions, infers, folds, places, partitions, inserts boundary
 * chains, lowers, allocates SRAM.  The program lives in `a` and refers to `m`, `machine` and
 * messages in the arena of `notes` (NULL: they are not kept), which all must outlive it.
 * Fails with STATUS_USAGE for an option that names what is not there (input, output, permutation of
 * another rank, compiler key that this SDK refuses), STATUS_UNDECIDED when a needed dimension is
 * unbound (naming --dim). */
Status compile_model(Arena *a, const Model *m, const Machine *machine, const CompileOptions *o,
                     Notes *notes, Program **ret, Diag *diag);

/* The same, with the program's own model in another arena than the program: it may outlive it. */
typedef struct {
    Arena *program, *model;
} CompileArenas;
Status compile_model_in_arenas(CompileArenas arenas, const Model *m, const Machine *machine,
                               const CompileOptions *o, Notes *notes, Program **ret, Diag *diag);

/* The name or names ("Mul+Add") of the support table for an operator that it has under others;
 * NULL. */
const char *support_alias(const char *op);
