/* Lowers the ops of a segment to low-level ops. Shared by compile_lower.c, compile_lowop.c and
 * compile_window.c. */
#pragma once

#include "graph/compile/compile_emit.h"

/* One segment being lowered. */
typedef struct {
    CompileEmit *e;
    Compile *c;
    Step *step;
} Lower;

/* A window over H and W; of one axis it is a window over W. */
typedef struct {
    int64_t k[2], stride[2], dilation[2]; /* of H and W */
    int64_t pad[2];                       /* before and after together */
} SpatialWindow;

#define WINDOW_OF_ONE ((SpatialWindow){{1, 1}, {1, 1}, {1, 1}, {0, 0}})

/* Kernel, stride, dilation and padding of a convolution or pool; 1x1 for what has no window. */
SpatialWindow lower_read_window(const Compile *c, const Ir *op);
bool lower_window_pads(const SpatialWindow *w);

/* v, but at least lo and at most INT32_MAX, because attributes may be hostile. */
int64_t lower_bounded(int64_t v, int64_t lo);

/* Input that holds the weights: quantized forms have scales before it. */
uint32_t lower_weight_index(const Node *n);

/* ---- compile_lowop.c ---- */

/* A new buffer for the value, which it now lies in. */
uint32_t lower_new_buffer(Lower *l, ValueId v);

/* Producers within the segment, ascending and once each: insertion into a short list. */
void lower_add_dep(LowOpId *dep, uint32_t *n, LowOpId id);

/* Appends an op that reads the `nin` buffers; its outputs follow with lower_add_output.  The
 * pointer is good until the next op is added. */
LowOp *lower_add_op(Lower *l, LowOpKind kind, const uint32_t *in, uint32_t nin);
void lower_add_output(Lower *l, LowOp *op, uint32_t buf);
void lower_add_nodes(Lower *l, LowOp *op, IrId ir);

/* Makes the op a view: its output lies where its input lies. */
void lower_make_view(Lower *l, LowOp *op, uint32_t in, uint32_t out);

/* An op between two buffers of one value: Pad, Mask, Lower …  Returns the new buffer. */
uint32_t lower_add_between(Lower *l, LowOpKind kind, IrId ir, uint32_t in, const Geometry *g);
/* The same as a view of the input's buffer. */
uint32_t lower_add_view(Lower *l, LowOpKind kind, IrId ir, uint32_t in, const Geometry *g);
