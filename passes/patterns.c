/* Runs all recognisers in order, so that the first one that marks a node keeps it. */
#include "passes/patterns.h"

Patterns patterns_find(Arena *a, const Graph *g)
{
    static void (*const recogniser[])(Patterns *) = {pattern_norms, pattern_attention,
                                                     pattern_input_channels, pattern_shuffles};
    Patterns p = {g, ARENA_ARRAY(a, const char *, g->nnode + 1),
                  ARENA_ARRAY(a, NodeId, g->nnode + 1)};
    for (size_t i = 0; i < sizeof recogniser / sizeof *recogniser; i++)
        recogniser[i](&p);
    return p;
}
