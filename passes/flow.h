/* Finds the minimum cut of a network by maximum flow.
 *
 * Of all cuts of least capacity the one with the smallest side of the source is given.  Capacities
 * are integers, so that the result is the same everywhere. */
#pragma once

#include "graph/base/arena.h"

#define FLOW_INFINITE (INT64_MAX / 4)

typedef struct Flow Flow;

/* Vertices are 0 … n-1; lives in `a`. */
Flow *flow_new(Arena *a, size_t n);

/* A one-way edge; capacity >= 0, at most FLOW_INFINITE, which no cut goes through. */
void flow_edge(Flow *f, size_t from, size_t to, int64_t capacity);

/* Per vertex: it is on the source's side.  *ret_capacity: of the cut.  NULL when it takes more than
 * `work_limit` steps. */
bool *flow_cut(Flow *f, size_t source, size_t sink, size_t work_limit, int64_t *ret_capacity);
