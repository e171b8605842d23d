/* Operators of a trace, most expensive first: time, what it computed and moved, shapes.  The
 * questions are those of MegEngine's profile_analyze. */
#ifndef ADVISOR_TABLES_TRACE_OPERATORS_H
#define ADVISOR_TABLES_TRACE_OPERATORS_H

#include "graph/model/model.h"
#include "trace/stats/stats.h"

#include <regex.h>

typedef struct {
    const char *name, *op; /* op NULL: the name is all there is; of a type's row, the type */
    const char *node;      /* ONNX node of the model, or NULL */
    SpanKind kind;
    uint64_t count;            /* runs; of an aggregate, operators */
    double time_ns;            /* self time per inference, or in all where there is no inference */
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
} Aggregate;

typedef struct {
    const Model *model; /* NULL: only what the trace says; else shapes are inferred */
    bool by_type;       /* one row per type; `aggregate` is then not NONE */
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

/* Whether `order` is one of the words. */
bool operator_order_is_known(const char *order);

double operator_flops(const OperatorRow *r);     /* 1/s, 0 unknown */
double operator_bandwidth(const OperatorRow *r); /* bytes/s, 0 unknown */

#endif
