/* Builds the command line that reproduces a result from the result alone. */
#pragma once

#include "advisor/report/result.h"
#include "graph/base/arena.h"

/* The words after the program's name, quoted for a shell.  `path`: of the model, whose folder holds
 * its traces too; NULL: the names without folders.  A setting that the trace or a default
 * decides is left out: the same command decides it again. */
char *command_words(Arena *a, const Result *r, const char *path);

/* What plans are for and may need, as options, each after a space; "" where it is as usual. */
const char *command_goals(Arena *a, const Result *r);

/* "npu-advise apply m.onnx --plan 0b7742e9 --output fixed".  `words`: as command_words, as they
 * were typed; NULL: from the result.  What lies in that folder is not written over. */
char *command_apply(Arena *a, const Result *r, const char *words, const char *plan);

/* `word` as one word of a POSIX shell, shown plainly. */
const char *command_shell_word(Arena *a, const char *word);

/* "[[0,3,1,2]]", as --permute-input spells it. */
const char *command_permutation(Arena *a, const ResultIntLists *list);
