/* Finds the data files that ship (rules, schemas, targets, languages, silicons). */
#pragma once

#include "graph/base/diag.h"

/* Path of a data file such as "targets/warboy.xml" below the rules folder: in $NPU_ADVISE_DATA
 * where that is set, and nowhere else then; else beside the binary (../rules), else in
 * ../share/npu-advise, else in the data folder of the build.  Never the working directory. */
char *data_path(Arena *a, const char *below_rules);

/* The same below npu_exec/silicon. */
char *data_silicon_path(Arena *a, const char *name);
bool data_has_silicon(Arena *a, const char *chip);

/* STATUS_USAGE, with where the data were looked for and what to do, where `path`, which is of one
 * of the two above, is not there. */
Status data_check(const char *path, Diag *diag);
