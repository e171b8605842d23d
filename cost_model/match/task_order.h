/* Finds the order of a task's operators that explains a trace best.
 *
 * A compiler chooses the order of parallel branches, and an exporter may write them in another:
 * only the producers of an operator's inputs must come before it.  The order of the program is kept
 * unless another one explains kinds and times so much better that chance does not. */
#pragma once

#include "graph/compile/program.h"

/* What a trace shows of a task, in order of time. */
typedef struct {
    LowOpKind kind; /* LOWOP_KIND_COUNT: none of ours */
    bool free;      /* costs nothing to skip */
    double ns;      /* 0: not told */
} TracedOp;

/* A task as compiled, beside what a trace shows of it. */
typedef struct {
    const LowOp *op;
    uint32_t nop;
    LowOpId first;       /* id of op[0]: deps are ids */
    const double *op_ns; /* predicted, of op[i] */
    const TracedOp *seen;
    uint32_t nseen;
    double off[LOWOP_KIND_COUNT]; /* ln(measured / predicted) of all of a kind: another chip */
} TracedTask;

/* Fills `off` from all else. */
void task_order_fit_scale(TracedTask *t);

/* How much less likely the task is, in the logarithm, where op[i] was skipped, or is seen[k]. */
#define ORDER_SKIP 4.0
double task_order_deviation(const TracedTask *t, uint32_t i, uint32_t k);

/* The least that any order can leave: every kind by its times alone. */
double task_order_min_cost(Arena *a, const TracedTask *t);

/* ret[0..nop): indices into op, in an order that respects dependences and explains what was seen
 * about as well as any, ops of no cost as early as possible.  Returns the cost of leaving the
 * program's order, in the same unit; infinite where too much runs in parallel. */
double task_order(Arena *a, const TracedTask *t, uint32_t *ret);
