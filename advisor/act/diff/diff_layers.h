/* Compares two compiled graphs of one network layer by layer. */
#ifndef ADVISOR_ACT_DIFF_DIFF_LAYERS_H
#define ADVISOR_ACT_DIFF_DIFF_LAYERS_H

#include "advisor/act/diff/diff.h"

/* Adds a part of kind "layer" for each piece of the network that both, or one of them, have. Layers
 * that share a node of the model, or a weight, do the same work, however they were fused; a
 * reformat belongs to the layer that it is for.  "how" says what else changed: how many layers
 * there were, and the types that they read and make. */
void diff_layers(Arena *a, cJSON *list, const ResultStepList *old, const ResultStepList *new);

#endif
