/* Compares two compiled graphs of one network layer by layer. */
#pragma once

#include "advisor/act/diff/diff.h"

/* Adds a part of kind "layer" for each piece of the network that both, or one of them, have. Layers
 * that share a node of the model, or a weight, do the same work, however they were fused; a
 * reformat belongs to the layer that it is for.  "how" says what else changed: how many layers
 * there were, and the types that they read and make. */
void diff_layers(Arena *a, cJSON *list, const ResultStepList *old, const ResultStepList *new);
