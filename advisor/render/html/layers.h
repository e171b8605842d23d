/* Lays out an acyclic graph for a drawing, top to bottom.
 *
 * Longest-path layers, dummies where an edge passes a layer, barycentre sweeps against crossings
 * (Sugiyama, Tagawa, Toda).  Linear in nodes, edges and dummies per sweep; same input, same
 * drawing. */
#pragma once

#include "graph/base/arena.h"

typedef struct {
    uint32_t from, to; /* from < to: nodes are given in a topological order */
} LayerEdge;

typedef struct {
    uint32_t layer; /* 0 at the top */
    double column;  /* centre; layers are centred on 0, neighbours are 1 apart */
    uint32_t route; /* dummies: number of the edge they lie on; nodes: UINT32_MAX */
} LayerPosition;

typedef struct {
    LayerPosition *place; /* nodes first, then dummies, those of an edge from top to bottom */
    size_t nnode, nplace;
    uint32_t nlayer;
    double left, right; /* least and greatest column */
} Layers;

/* Edges that would need more than LAYERS_DUMMIES dummies in all get none. */
enum { LAYERS_DUMMIES = 4000 };

Layers layers_arrange(Arena *a, size_t nnode, const LayerEdge *edge, size_t nedge);
