/* Emits steps, program tensors and low-level ops from placed ops. */
#pragma once

#include "graph/compile/compile_state.h"

/* How a value gets from plain order into the NPU's layout, or back. */
typedef enum {
    LOWERING_NONE,    /* the application has the lowered layout (remove_lower, remove_unlower) */
    LOWERING_NPU,     /* Lower / Unlower on the NPU */
    LOWERING_NPU_PAD, /* the same, and the host pads or slices the width */
    LOWERING_HOST,    /* Lower / Unlower on the host */
} LoweringSide;

/* What has been made of a value so far; PTENSOR_NONE: not yet. */
typedef struct {
    PTensorId base;  /* on the host as fed, or as a host op made it */
    PTensorId int8;  /* on the host, int8 in plain order */
    PTensorId real;  /* on the host, float in plain order */
    PTensorId ready; /* on the host, as it goes to or came from the NPU */
    LoweringSide way;
    bool exported;  /* `ready` came from the NPU */
    bool host_int8; /* `int8` was made by a host op */
} Forms;

/* A buffer in SRAM: what one low-level op writes and others read. */
typedef struct {
    uint32_t root;       /* a view lies in its input's buffer; itself otherwise */
    LowOpId maker;       /* op that writes it; LOWOP_NONE: it came with a transfer */
    LowOpId first, last; /* of all that lies in it; set by sram_schedule for roots */
    int64_t bytes;       /* of all images; while scheduling of one group of them */
    int64_t whole;       /* of all images */
    TensorId tensor;
    Geometry g;
    Lowered lowered;
} LowBuf;
#define BUF_NONE   UINT32_MAX
#define LOWOP_NONE UINT32_MAX

/* Per low-level op: its buffers, as ranges of Emit.op_buf, and its weights as they lie in SRAM. */
typedef struct {
    uint32_t first, nin, nout; /* nin inputs, then nout outputs */
    int64_t weight_bytes;      /* per slice copies and padding included */
} LowUse;

typedef struct CompileEmit {
    Compile *c;
    Program *p;
    size_t step_cap, tensor_cap, op_cap;
    Forms *form;          /* per value */
    uint32_t *buf_of;     /* per value, in the segment being lowered; BUF_NONE */
    IrId *read_by;        /* per value: the host op that reads it and was emitted last */
    NodeId **nodes_of_ir; /* per op: its nodes, ascending, and how many */
    uint32_t *nnodes_of_ir;
    NodeId *first_of_value; /* per value: its NODE_VALUE nodes, chained */
    NodeId *next_of_value;  /* per node */
    LowBuf *buf;
    size_t nbuf, buf_cap;
    uint32_t *op_buf;
    size_t nop_buf, op_buf_cap;
    LowUse *use; /* per low-level op */
    size_t use_cap, nuse;
} CompileEmit;

/* ---- compile_emit.c ---- */
Step *compile_emit_step(CompileEmit *e, StepKind kind, HostOp host_op);
/* Tells which input of the model the value is that a step takes in, or which output. */
void compile_emit_mark_io(const Compile *c, Step *s, ValueId v, bool in);
/* Copies the lists into the step, fills deps, bytes and elements from the program tensors. */
void compile_emit_step_io(CompileEmit *e, Step *s, const PTensorId *in, uint32_t nin,
                          const PTensorId *out, uint32_t nout);
/* The nodes of each op; what no step has taken: conversions that became scales of int8 ops. */
void compile_emit_index_nodes(CompileEmit *e);
void compile_emit_folded(CompileEmit *e);
PTensorId compile_emit_tensor(CompileEmit *e, ValueId v, DType type, Layout layout);

/* ---- compile_order.c ---- */

/* Units of work: segments first, then host ops. */
typedef struct {
    uint32_t nunit;    /* segments first, then host ops */
    uint32_t *unit_of; /* per op */
    IrId *op;          /* ops grouped by unit, ascending */
    uint32_t *first;   /* per unit: into op; [nunit] is the end */
    uint32_t *order, nordered;
} Units;
Units compile_order_units(const Compile *c);

/* ---- compile_boundary.c: which conversions a value needs on its way in and out ---- */
LoweringSide compile_boundary_lowering(const Compile *c, ValueId v, bool is_output);
/* The value on the host in float (or its own type), for a host op or the application. */
PTensorId compile_boundary_real(CompileEmit *e, ValueId v);
/* The value on the host in int8. */
PTensorId compile_boundary_int8(CompileEmit *e, ValueId v);
/* The value on the host, ready for the transfer to the NPU. */
PTensorId compile_boundary_ready(CompileEmit *e, ValueId v);
/* After D2H of the value: Unlower or Slice, as its way says. */
void compile_boundary_outputs(CompileEmit *e, ValueId v);
bool compile_dequantizes_on_npu(const Compile *c, ValueId v);
bool compile_value_read_on_host(const Compile *c, ValueId v);

/* ---- compile_lower.c ---- */
/* What goes into and comes out of a segment, and who reads what goes in first. */
typedef struct {
    const ValueId *import;
    const IrId *reader;
    const ValueId *export;
    size_t nimport, nexport;
} SegmentEdges;
/* Emits the low-level ops of a segment's NPU step. */
void lower_segment(CompileEmit *e, Step *s, const IrId *op, size_t nop, const SegmentEdges *edges);

/* ---- compile_sram.c ---- */
void sram_schedule(CompileEmit *e);
