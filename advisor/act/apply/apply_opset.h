/* Converts a model to opset 13 and writes it into a folder with CHANGES.md, which lists what became
 * of each operator. */
#pragma once

#include "advisor/act/apply/apply.h"
#include "graph/edit/opset.h"

/* Binds the dimensions of --dim, converts, and only then makes the folder: STATUS_INPUT, and no
 * file, when a node has no equal form. Notes name what the quantizer refuses all the same. */
Status apply_opset_write(Arena *a, const AdviseRequest *q, const char *folder, Applied *ret,
                         OpsetReport *ret_report, Diag *diag);
