/* Lists the terms whose sum is the time of a low-level operator. */
#ifndef COST_MODEL_TERMS_H
#define COST_MODEL_TERMS_H

/* TERM(id, name, figure, limit, part of the op, split between fused PEs).  Two terms may share a
 * figure: a calibration can then tell them apart. */
#define TERMS(X)                                                                                   \
    X(MAC, "mac", mac_kappa, MAC, COMPUTE, true)                                                   \
    X(OP, "op", op_ns, LAUNCH, COMPUTE, false)                                                     \
    X(DEPTHWISE_OP, "depthwise_op", depthwise_op_ns, LAUNCH, COMPUTE, false)                       \
    X(PAD, "pad", pad_ns, LAUNCH, COMPUTE, false)                                                  \
    X(TRANSPOSE, "transpose", transpose_ns, LAUNCH, COMPUTE, false)                                \
    X(VIEW, "view", view_ns, LAUNCH, COMPUTE, false)                                               \
    X(VECTOR, "vector", vector_ps, VECTOR, COMPUTE, true)                                          \
    X(FETCH, "fetch", fetch_ps, SRAM, COMPUTE, true)                                               \
    X(CONCAT, "concat", concat_ps, SRAM, COMPUTE, true)           /* the second input */           \
    X(CONCAT_MORE, "concat_more", concat_ps, SRAM, COMPUTE, true) /* each one after it */          \
    X(WEIGHT, "weight", weight_ns_per_byte, DRAM, LOAD, false)                                     \
    X(OVERFLOW, "overflow", overflow_ns_per_byte, DRAM, LOAD, false)                               \
    X(SPILL, "spill", spill_ns_per_byte, DRAM, STORE, false)

typedef enum {
#define X(id, name, figure, limit, part, split) TERM_##id,
    TERMS(X)
#undef X
        TERM_COUNT
} Term;

/* -1 when there is none of that name. */
int term_from_name(const char *name);

#endif
