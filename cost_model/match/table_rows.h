/* Tells the nodes of a model which rows the vendor's compiler made of them, by its table: a program
 * for a machine of rows then has the joins and the CPU operators of that table. */
#pragma once

#include "graph/compile/machine.h"
#include "graph/import/imported.h"
#include "graph/model/model.h"

/* Sets Node.told, by names, and notes how many rows have a node.  STATUS_INPUT: fewer than half. */
Status table_rows_tell(Model *m, const Machine *machine, const Imported *table, Notes *notes,
                       Diag *diag);
