/* Running a program: fork and exec, no shell, with a time limit. */
#ifndef ADVISOR_PROCESS_H
#define ADVISOR_PROCESS_H

#include "graph/base/diag.h"

/* Runs argv (NULL-terminated; argv[0] is looked up in PATH unless it has a slash) with stdin and
 * stdout on /dev/null.  Its first line on stderr goes into the error.  STATUS_INPUT when it cannot
 * be started, ends with another status than 0, or takes longer than limit_s. */
Status process_run(const char *const *argv, int limit_s, Diag *diag);

/* A fresh folder below $TMPDIR or /tmp, in `a`. */
Status temp_folder_make(Arena *a, const char **ret_path, Diag *diag);

/* Removes the folder and the plain files in it. */
void temp_folder_remove(const char *path);

/* Path of a program that stands beside this one, in `a`; NULL when that cannot be told. */
const char *program_beside(Arena *a, const char *name);

#endif
