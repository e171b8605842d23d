/* Recognises what exporters write as several operators, by connections, never by name. */
#pragma once

#include "passes/pattern_parts.h"

/* One walk of each recogniser over the graph. */
Patterns patterns_find(Arena *a, const Graph *g);

/* ---- the recognisers, one file each ---- */

void pattern_norms(Patterns *p);          /* "LayerNorm", "RMSNorm", "InstanceNorm" */
void pattern_attention(Patterns *p);      /* "attention" */
void pattern_input_channels(Patterns *p); /* "input normalisation", "channel selection" */
void pattern_shuffles(Patterns *p);       /* "channel shuffle" */
