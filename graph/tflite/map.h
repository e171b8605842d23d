/* Declares what the files map_*.c share, which map TensorFlow Lite to ONNX. Private to
 * graph/tflite/.
 *
 * TensorFlow Lite computes in NHWC, the rest of the house in NCHW.  A value may therefore exist in
 * two layouts, PLAIN (the file's) and FIRST (channels first, of four dimensions), and where it is
 * quantised both as stored and as the real number that it represents.  Each form is made when it is
 * first asked for, once: so the layout changes where it must (between a convolution and a reshape
 * that mixes the axes, at the graph's ends) and nowhere else.  Quantisation, which TensorFlow Lite
 * keeps with tensors, becomes QuantizeLinear and DequantizeLinear. */
#pragma once

#include "graph/onnx/onnx_emit.h"
#include "graph/tflite/tflite_file.h"

typedef enum { PLAIN, FIRST, LAYOUTS } TfliteLayout;

typedef struct {
    const TfliteTensor *tensor;
    const char *name; /* unique in the model */
    const char *stored[LAYOUTS], *real[LAYOUTS];
    TfliteLayout native; /* the one that it was made in */
    bool is_output;      /* of the whole model: its name is that of the PLAIN, stored form */
    int64_t shape[TFLITE_MAX_RANK]; /* -1 unknown */
    int rank;                       /* RANK_UNKNOWN */
} TfliteValue;

/* One graph of the file being mapped: the main one, or one that an operator refers to. */
typedef struct TfliteScope {
    const struct TfliteScope *outer;
    const TfliteGraph *graph;
    TfliteValue *value; /* by tensor */
} TfliteScope;

typedef struct Mapper {
    Arena *arena;
    TfliteFile *file;
    OnnxEmit emit;
    StrMap name; /* taken ones */
    TfliteScope *scope;
    const TfliteOperator *op; /* at work */
    unsigned made;            /* nodes of the operator at work */
    Status status;            /* the first fault; everything after it does nothing */
    Diag *diag;
} Mapper;

/* ---- values (map_value.c) */
/* Value of input or output i of the operator at work; NULL when it is omitted. */
TfliteValue *map_in(Mapper *m, uint32_t i);
TfliteValue *map_out(Mapper *m, uint32_t i);
bool map_value_is_constant(const TfliteValue *v);
bool map_value_is_quantized(
    const TfliteValue *v); /* 8-bit or 32-bit integers that represent reals */
/* The value as real numbers (or as stored, where it is not quantised), in that layout. */
const char *map_value_real(Mapper *m, TfliteValue *v, TfliteLayout layout);
const char *map_value_stored(Mapper *m, TfliteValue *v, TfliteLayout layout);
/* A constant of four dimensions as real numbers, transposed: result axis i is axis perm[i]. */
const char *map_value_weights(Mapper *m, TfliteValue *v, const int perm[4]);
/* The node QuantizeLinear or DequantizeLinear with the parameters of the tensor. */
void map_convert(Mapper *m, TfliteValue *v, TfliteLayout layout, const char *op, const char *in,
                 const char *out);
/* At most TFLITE_MAX_RANK integers of a constant, none beyond 2^40; -1: not such a constant. */
int map_value_integers(const TfliteValue *v, int64_t ret[TFLITE_MAX_RANK]);
/* Whether both layouts are the same bytes: no more than one of C and HxW is not 1. */
bool map_value_layouts_agree(const TfliteValue *v);

/* ---- nodes (map_node.c) */
/* A name that nothing else has. */
const char *map_name(Mapper *m, const char *wanted);
/* Emits a node of the operator at work: its name is made of the operator's and the place in the
 * file.  n->name may add a word.  */
void map_node(Mapper *m, EmitNode n);
/* A name for a value between two nodes of the operator at work. */
const char *map_between(Mapper *m, const char *what);
/* Named as the operator at work is, which readers know where the file has no name for the value. */
const char *map_own_value(Mapper *m);
/* New constants. */
const char *map_integers(Mapper *m, const int64_t *v, size_t n);
const char *map_integer(Mapper *m, int64_t v); /* without dimensions */
const char *map_float(Mapper *m, double v);
/* The name that the node writes whose result is output i in that layout; then the output's other
 * forms, once the node is there: fused activation first when `activation` is not 0. */
const char *map_result(Mapper *m, uint32_t i, TfliteLayout layout);
void map_done(Mapper *m, uint32_t i, TfliteLayout layout);
/* Emits the node whose only result is output 0 in that layout, and what follows it; true. */
bool map_single(Mapper *m, TfliteLayout layout, EmitNode n);
/* The same with a fused activation after it. */
bool map_fused(Mapper *m, int32_t activation, TfliteLayout layout, EmitNode n);
/* For several nodes, of which the last one writes what map_before names. */
const char *map_before(Mapper *m, int32_t activation, TfliteLayout layout);
void map_after(Mapper *m, const char *before, int32_t activation, TfliteLayout layout);
/* Adds a Cast with that word in its name; returns `out`. */
const char *map_cast_to(Mapper *m, const char *word, const char *in, DType to, const char *out);
/* The output is the value `name`, as it is (no node but one that quantises). */
void map_alias(Mapper *m, uint32_t i, TfliteLayout layout, const char *name);
/* STATUS_INPUT: "path: operator 12 (CONV_2D): fact". */
void map_refuse(Mapper *m, const char *fact);

/* Axis of NHWC in NCHW; the same for PLAIN. */
int64_t map_axis(TfliteLayout layout, int64_t axis);
/* `axis` of a rank, negative ones from its end; -1 when out of range. */
int64_t map_wrap(int64_t axis, int rank);
/* FIRST when all outputs and inputs of activations have four dimensions and one is FIRST. */
TfliteLayout map_layout(Mapper *m);

/* ---- operators (map_*.c): false when this one cannot be said in ONNX, and stays opaque */
typedef bool MapOperator(Mapper *m, const TfliteOperator *op);
#define TFLITE_OP(number, name, options, map) MapOperator map;
#include "graph/tflite/tflite_ops.def"
