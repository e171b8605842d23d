/* Merges the pieces of a partition into segments. Shared by compile_partition.c and
 * compile_merge.c. */
#pragma once

#include "graph/compile/compile_state.h"

/* Unites pieces (numbers per NPU op) that pass a value directly and have no other way between them;
 * numbers them anew by first op.  Returns how many there are. */
uint32_t compile_merge(const Compile *c, uint32_t *piece);
