/* Finds the folder of the running program and programs beside it. */
#pragma once

#include "graph/base/arena.h"

/* Its folder, links followed, without the final slash, in `a`; also where /proc is not mounted.
 * NULL when that cannot be told. */
const char *executable_folder(Arena *a);

/* Path of another program in that folder, in `a`; NULL as above. */
const char *executable_sibling(Arena *a, const char *name);
