/* Tells what single nodes cost, as far as the program keeps them apart. */
#pragma once

#include "passes/pass.h"

/* Per node the predicted ns of the host steps and low-level ops whose first node it is.  0 for
 * nodes that are folded, fused into an earlier node, or in a free part of a program: removing them
 * saves nothing.  In `a`. */
const double *node_times(Arena *a, const PassInput *in);

/* A finding at a node: its first output as tensor and as "result", its operator, and its time. */
Finding *finding_at_node(const PassInput *in, FindingList *out, const char *kind, NodeId node,
                         double ns);
