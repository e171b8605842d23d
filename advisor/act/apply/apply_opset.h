/* Makes of a float model what the vendor's quantizer takes: fixed dimensions, opset 13, an IR
 * version that it reads, and value_info. */
#pragma once

#include "advisor/act/apply/apply.h"
#include "graph/edit/opset.h"

/* `apply --opset 13`: binds the dimensions of --dim, converts, and only then makes the folder:
 * STATUS_INPUT, and no file, when a node has no equal form. Notes name what the quantizer refuses
 * all the same. */
Status apply_opset_write(Arena *a, const AdviseRequest *q, const char *folder, Applied *ret,
                         OpsetReport *ret_report, Diag *diag);

/* The conversion alone, for a bundle: *m becomes an edited copy.  STATUS_INPUT names the first node
 * without an equal form; a node that the quantizer refuses in any form is in the report. */
Status apply_opset_convert(Arena *a, Model **m, Sdk sdk, Notes *notes, OpsetReport *ret_report,
                           Diag *diag);
/* A section of CHANGES.md: what became of each operator. */
void apply_opset_put(FILE *out, Arena *a, const Language *lang, const OpsetReport *report,
                     const Model *converted, Sdk sdk);
