/* Declares what the files share that map a vendor's graph to ONNX. Private to
 * graph/import/. */
#pragma once

#include "graph/import/vendor_graph.h"
#include "graph/onnx/onnx_emit.h"

enum { VENDOR_OPSET = 13 };

typedef struct {
    Arena *arena;
    const VendorGraph *g;
    const uint8_t *file; /* where its bytes begin */
    OnnxEmit emit;
    StrMap name;         /* names in use, of tensors */
    StrMap node;         /* names in use, of nodes */
    StrMap host;         /* nodes that run on the host */
    const char **stored; /* by tensor: its values as they are; NULL: no node made it yet */
    const char **real;   /* by tensor: the real numbers */
    const VendorOp *op;  /* at work */
    unsigned made;       /* nodes of it */
    int64_t opset;       /* of ONNX: that of the models in the file, at least VENDOR_OPSET */
    const char *fact;    /* the first fault of the operator at work; NULL: none */
} VendorMap;

/* A name that nothing else in `taken` has, and of tensors. */
const char *vendor_map_name_in(Arena *a, StrMap *taken, const char *wanted);
const char *vendor_map_name(VendorMap *m, const char *wanted);

/* Adds a node of the operator at work; its name is made here. */
void vendor_map_node(VendorMap *m, EmitNode n);
/* The node's name, for nodes that are written field by field. */
const char *vendor_map_node_name(VendorMap *m);

/* Real numbers, or values where it is not quantized, of input or output `i` of the operator at
 * work. */
const char *vendor_map_in(VendorMap *m, size_t i);
const VendorTensor *vendor_map_in_tensor(const VendorMap *m, size_t i);
const VendorTensor *vendor_map_out_tensor(const VendorMap *m, size_t i);

/* The name that the operator's node writes for output `i`, and what follows it: clipping where
 * it has one, and QuantizeLinear. */
const char *vendor_map_result(VendorMap *m, size_t i);
void vendor_map_end(VendorMap *m, size_t i, const char *result);

/* The operator at work, which only makes real numbers of its input. */
void vendor_map_dequantize(VendorMap *m);

/* Constants without a tensor. */
const char *vendor_map_integers(VendorMap *m, const int64_t *v, size_t n);
const char *vendor_map_float(VendorMap *m, double v);
const char *vendor_map_floats(VendorMap *m, const float *v, size_t n);

/* The tensor's constant with its axes in the order of `axes` ("NCHW"), as real numbers, without the
 * first `left_out` of them, which are 1. */
const char *vendor_map_weights(VendorMap *m, uint32_t tensor, const char *axes, int left_out);

/* The operator at work: false where it has no form in ONNX; sets m->fact where it is damaged. */
bool vendor_map_operator(VendorMap *m);
/* The node of its ONNX model. */
void vendor_map_host(VendorMap *m);
