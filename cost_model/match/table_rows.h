/* Tells the nodes of a model which rows the vendor's compiler made of them, by its table, so that a
 * program for a machine of rows has the rows and the CPU operators of that table. */
#pragma once

#include "graph/compile/options.h"
#include "graph/import/imported.h"
#include "graph/model/model.h"

/* Rows but those of inputs and outputs, and how many of them are named after a node. */
typedef struct {
    size_t all, named;
} RowsTold;

/* Sets Node.told, by names; the operators are those of the model compiled without the table.  A
 * product that no row is named after stays as it is.  STATUS_INPUT: fewer than half are named. */
Status table_rows_tell(Model *m, const Machine *machine, const CompileOptions *o,
                       const Imported *table, RowsTold *ret, Diag *diag);
