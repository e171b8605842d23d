/* Tells which span of one inference is which step or operator of the program. */
#pragma once

#include "graph/compile/program.h"
#include "trace/stats/stats.h"

enum {
    MATCH_MAX_CELLS = 1 << 22, /* of the alignment; longer tasks are matched by kind and order */
};
#define MATCH_NONE UINT32_MAX

/* The operator that a span is about, free of the vendor's other names for it (TableLookup is a
 * Dequantize, WriteToDram is "h2d"). */
const char *match_host_name(const char *span_name);

/* Node name -> step, of the steps that are one ONNX node on the host; names that two nodes have are
 * no names. */
StrMap match_node_names(Arena *a, const Program *p);

/* ret[i] for span i of the inference's host spans: the step, or MATCH_NONE.  Where the file tells
 * operator types, a span of a node's name and type is that node.  Of the others, the k-th span of a
 * name (or operator type), by operator index and then time, is the k-th step of that name; a name
 * whose counts differ matches nothing, because its spans are ambiguous. */
void match_host(Arena *a, const Program *p, const StrMap *node_name, const OpSpan *span,
                uint32_t nspan, uint32_t *ret);

/* ret[i] for span i of the execution: op of the NPU step, or MATCH_NONE.  Aligns the sequences
 * of kinds; views cost nothing to skip.  `op_ns`: predicted times of the program's ops, which
 * tell branches that run in another order (task_order.h); NULL: the program's order. */
void match_task(Arena *a, const Program *p, const Step *step, const double *op_ns,
                const OpSpan *span, uint32_t nspan, uint32_t *ret);
