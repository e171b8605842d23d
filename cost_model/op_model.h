/* Models the time of a low-level operator as a sum of terms, each a figure times an amount of work.
 *
 * The work comes from the program and the machine alone, so a fit of the figures is a linear
 * problem, and a doubled figure doubles its term. */
#ifndef COST_MODEL_OP_MODEL_H
#define COST_MODEL_OP_MODEL_H

#include "cost_model/costs.h"
#include "cost_model/terms.h"
#include "graph/compile/program.h"

typedef enum { PART_LOAD, PART_COMPUTE, PART_STORE, PART_COUNT } OpPart;

/* What limits a step or op. LIMIT(id, key) */
#define LIMITS(X)                                                                                  \
    X(UNKNOWN, "unknown")                                                                          \
    X(MAC, "mac")                                                                                  \
    X(VECTOR, "vector")                                                                            \
    X(SRAM, "sram")                                                                                \
    X(DRAM, "dram")                                                                                \
    X(PCIE, "pcie")                                                                                \
    X(LAUNCH, "launch")                                                                            \
    X(HOST, "host")

typedef enum {
#define X(id, key) LIMIT_##id,
    LIMITS(X)
#undef X
        LIMIT_COUNT
} Limit;
const char *limit_key(Limit l);

typedef struct {
    const char *name;
    int figure; /* index in COSTS */
    Limit limit;
    OpPart part;
    bool split; /* two fused PEs share it: divided by 1 + phi */
} TermInfo;
extern const TermInfo term_table[TERM_COUNT];

/* What the ops of one program have in common. */
typedef struct {
    const Program *program;
    double ns_per_cycle;
    double share;          /* 1 / (1 + phi (PEs - 1)): what is left of a split term */
    double overflow_ratio; /* bytes that do not fit SRAM per byte of weights */
    double row_bytes;      /* figure `row` */
    const Costs *costs;
    int64_t sram_bytes;
} OpModel;

OpModel op_model(const Program *p, const Costs *c);

/* Work of the op per term: ns = figure * work. */
void op_work(const OpModel *m, const LowOp *op, double work[TERM_COUNT]);

/* Bytes of an int8 map as laid out over the slices: the best split of height and channels between
 * them, and the width padded. */
double lowered_bytes(const Machine *m, int pe, int64_t n, int64_t c, int64_t h, int64_t w);

/* The same with every row longer by `longer` bytes: what moving the map through a unit takes. */
double op_row_bytes(const Machine *m, int pe, double longer, int64_t n, int64_t c, int64_t h,
                    int64_t w);

/* Cycles of the MAC array of one PE for the op, in the better of its two modes and the best split
 * of slices between height and channels; before kappa. 0 for what multiplies nothing. */
double op_mac_cycles(const Machine *m, const LowOp *op);

/* What an op of the kind takes however small it is, without kind factors. */
Interval op_fixed_ns(const Costs *c, LowOpKind kind);

/* The figure that says how far the model is off for ops like this one (residual_…): the further
 * from what was fitted, the wider. */
int op_residual_figure(const LowOp *op);

#endif
