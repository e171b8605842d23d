/* Lists the operators of a trace, most expensive first: time, what each computed and moved, shapes.
 * The questions are those of MegEngine's profile_analyze.
 *
 * Where the file tells an operator's type apart from its name, a name is one operator; where it
 * does not (LowLevelConv2d, Quantize), every run within an inference is one.  With the program that
 * the trace shows, each of the program's operators has a separate row. */
#pragma once

#include "cost_model/reconcile.h"
#include "trace/stats/stats.h"

#include <regex.h>

typedef struct {
    const char *name, *op; /* op NULL: the name is all there is; of a type's row, the type */
    const char *node;      /* ONNX node of the model, or NULL */
    SpanKind kind;
    bool is_mean;              /* of `count` runs, the file has no more; 0: unknown */
    uint64_t count;            /* runs in the files; of an aggregate, operators per inference */
    double time_ns;            /* self time per inference, or in all where there is no inference */
    double launch_ns;          /* per inference, of the host for what runs on a device; 0: none */
    double operators;          /* per inference: 1, or the runs of a name that is a kind */
    double least_ns, most_ns;  /* the part of time_ns of the shortest and the longest of them */
    double share, cumulative;  /* of all operators' time, 0..1 */
    double flop, memory_bytes; /* in that time; 0: unknown */
    const char *in_shapes, *out_shapes; /* or NULL */
} OperatorRow;

typedef enum {
    AGGREGATE_NONE,
    AGGREGATE_SUM,
    AGGREGATE_MEAN,
    AGGREGATE_MAX,
    AGGREGATE_MIN
} Aggregate; /* of the operators of host and NPU apart: the same work may be in both */

typedef struct {
    const Model *model;        /* NULL: only what the trace says; else shapes are inferred */
    Model *loaded;             /* the same, to infer shapes in */
    const Program *program;    /* of the model, as the trace shows it; NULL: not known */
    const Reconciliation *rec; /* of program and trace, beside it */
    bool by_type;              /* one row per type; `aggregate` is then not NONE */
    Aggregate aggregate;
    const char *order;     /* "time", "+time" (ascending), count, computation, flops, memory,
                              bandwidth, name */
    double min_ns, max_ns; /* keep operators within; 0: no bound */
    const char *const *type;
    size_t ntype;        /* keep these types; none: all */
    const regex_t *name; /* keep names that match, or NULL */
} OperatorQuery;

/* Rows in `a`.  FLOP/s is flop / time_ns * 1e9, where both are known. */
OperatorRow *trace_operators(Arena *a, const TraceStats *s, const OperatorQuery *q,
                             size_t *ret_count);

/* trace_program_rows.c: a row for each operator of the program that was measured, and one for each
 * name with runs of other operators.  `row` has room for all of them. */
size_t trace_program_op_rows(Arena *a, const TraceStats *s, const OperatorQuery *q,
                             OperatorRow *row);

/* Whether `order` is one of the words. */
bool trace_operator_order_known(const char *order);

double trace_operator_flops(const OperatorRow *r);     /* 1/s, 0 unknown */
double trace_operator_bandwidth(const OperatorRow *r); /* bytes/s, 0 unknown */
