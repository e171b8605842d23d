/* Measures what a trace shows between the steps of one inference.
 *
 * Time between the end of one step and the begin of the next is the runtime's: queues, wake-ups,
 * submitting a task.  It depends on which kinds of steps meet (transfers of one direction follow
 * each other at once, a task is submitted first), so it is gathered per pair of kinds. */
#pragma once

#include "graph/compile/program.h"
#include "trace/stats/stats.h"

/* What a step begins after, and what ends before it: SIDE_EDGE is the inference itself. */
typedef enum { SIDE_EDGE, SIDE_HOST, SIDE_H2D, SIDE_NPU, SIDE_D2H, SIDE_COUNT } Side;

typedef struct {
    double ns[SIDE_COUNT][SIDE_COUNT]; /* mean of one, in the median inference; [before][after] */
    bool known[SIDE_COUNT][SIDE_COUNT];
    double submit_ns; /* SendOperandTriple of all tasks, a part of the above: an I/O thread does it,
                         as it does transfers */
    double launch_ns; /* Total - Run of all tasks of the median inference: the NPU is held, and
                         brings tensors in and out; < 0: not measured */
} Handoffs;

/* Adds one inference's to a gathering of at most `capacity` of them, which lives in `a`. */
typedef struct HandoffSamples HandoffSamples;
HandoffSamples *handoffs_open(Arena *a, size_t capacity);
void handoffs_gather(HandoffSamples *h, Arena *scratch, const TraceStats *s,
                     const InferenceStat *inference);
Handoffs handoffs_close(HandoffSamples *h);

/* Takes what tasks of `p` waited for others on the NPU off the gaps before them. */
void handoffs_without(Handoffs *h, const Program *p, double waiting_ns);

/* Whether the trace shows every pair that the program's steps make. */
bool handoffs_cover(const Handoffs *h, const Program *p);

/* Sum over the program's steps, each at most `most` (what is longer is no hand-off).  A pair that
 * the trace does not show takes as long as what else comes before such a step, or as the mean. */
double handoffs_sum_ns(const Handoffs *h, const Program *p, double most);
