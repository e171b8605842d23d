/* Predicts the work that a change moves from the runtime to the application.
 *
 * The application may do it, or less of it: a tail that the graph ends before, the scaling of
 * quantized outputs, another layout (design: "The application's share").  All figures are those of
 * the target (Costs), never of this machine. */
#pragma once

#include "advisor/candidate/whatif.h"

/* Time per task that the trial adds to the application of the baseline; zero where the runtime does
 * all that it did.  lo: one pass over what is handed over; hi: all of the work, operator by
 * operator on one thread; mid: hi for tails and layouts, lo for scaling, and for the head of a
 * detector lo + hi * min(1, EDIT_BOXES_KEPT / anchors). */
Interval application_share_ns(const WhatIf *w, const Trial *t);

/* The time of all conversions that the runtime does at the graph's inputs and outputs. */
double application_boundary_ns(const Program *p, const Prediction *t);

/* Marks the nodes that depend on a tensor; one that the graph lacks has none. */
void application_mark_nodes(const Graph *g, const char *tensor, bool *node);

/* Multiplications per task downstream of the cuts among the options' edits. */
double application_macs(Arena *scratch, const Model *m, const CompileOptions *o);
