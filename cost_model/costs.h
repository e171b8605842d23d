/* Costs: every figure of the cost model, the <costs> part of rules/targets/NAME.xml, with unit,
 * range, kind and source.  Read by cost_model/ alone; a calibration overrides by name only. */
#ifndef COST_MODEL_COSTS_H
#define COST_MODEL_COSTS_H

#include "graph/dtype.h"
#include "graph/machine.h"

typedef enum {
    KIND_DATASHEET, KIND_CONFIG, KIND_PUBLISHED_FIT, KIND_DOCS_TRACE, KIND_ASSUMED, KIND_CALIBRATED
} FigureKind;

typedef struct {
    double lo, mid, hi;
} Interval; /* lo <= mid <= hi */

/* The figures by name, exactly those of the file: COST(field, xml name, unit). A missing one is an
 * error; an unknown one in the file too, so that no figure is silently unused. */
#define COSTS(X)                                                                                   \
    X(clock_hz, "clock", "Hz")                                                                     \
    X(mac_kappa, "mac_kappa", "1")             /* cycles spent per ideal cycle of the MAC array */ \
    X(depthwise_kappa, "depthwise_kappa", "1")                                                     \
    X(op_ns, "op", "ns")                       /* fixed cost of one low-level op (c0) */           \
    X(view_ns, "view", "ns")                   /* Reshape, Slice, Expand that move nothing */      \
    X(pad_ns, "pad", "ns")                                                                         \
    X(transpose_ns, "transpose", "ns")                                                             \
    X(vector_ps, "vector", "ps")               /* per element, pass and PE */                      \
    X(concat_ps, "concat", "ps")               /* per element per input beyond 2, per PE */        \
    X(fusion_phi, "fusion_phi", "1")           /* what a second PE adds to the first */            \
    X(dram_bytes_per_s, "dram_bandwidth", "B/s")                                                   \
    X(dram_efficiency, "dram_efficiency", "1")                                                     \
    X(spill_ns_per_byte, "spill", "ns/B")                                                          \
    X(overflow_ns_per_byte, "overflow", "ns/B") /* weights that do not fit, once per task */       \
    X(launch_ns, "launch", "ns")               /* submit and complete one task: Total - Run */     \
    X(pcie_bytes_per_s, "pcie_bandwidth", "B/s")                                                   \
    X(pcie_ns, "pcie_latency", "ns")           /* per transfer */                                  \
    X(gap_ns, "gap", "ns")                     /* hand-off between stages of the runtime */        \
    X(worker_cap_old, "worker_cap_old", "1")   /* workers that still help before SDK 0.10 */

typedef struct {
    const char *name, *unit, *source;
    FigureKind kind;
} FigureInfo;

/* t = fixed_ns + per_unit_ns * n, n counted in `unit`. */
typedef struct {
    const char *op;       /* "Quantize" …, "operator" for an ONNX op on the CPU */
    DType from, to;       /* DT_UNKNOWN: any */
    Sdk since, until;     /* [since, until), 0 open */
    const char *unit;     /* "element", "byte-in", "byte-out", "byte", "mac" */
    Interval fixed_ns, per_unit_ns;
    FigureInfo info;
} HostCost;

typedef struct {
#define X(field, name, unit) Interval field;
    COSTS(X)
#undef X
    HostCost *host;
    size_t nhost;
    FigureInfo *info; /* in the order of COSTS */
    const char *source_path;
    const char *calibration; /* path, or NULL */
} Costs;

/* `calibration` may be NULL. */
Status costs_load(Arena *a, const char *target, const char *calibration, Costs **ret, Diag *diag);

/* The law for a host step, or NULL when nothing covers it (its cost is then unknown). */
const HostCost *costs_for_host(const Costs *c, Sdk sdk, const char *op, DType from, DType to);

#endif
