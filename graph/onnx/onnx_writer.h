/* Declares what the files of the ONNX writer share. Private to graph/onnx/onnx_write*.c. */
#pragma once

#include "graph/onnx/onnx.h"
#include "graph/onnx/pb_writer.h"

typedef struct {
    Arena *arena;
    const Model *model;
    const Graph *graph; /* the top one */
    bool keeps_folder;  /* written beside the original: external data stays where it is */
    Diag *diag;
} Writer;

/* STATUS_INPUT: "path: KIND 'name': cannot be written: fact". */
Status writer_refuse(Writer *w, const char *kind, const char *name, const char *fact);

/* Each appends one field of that number to `out`; a failure has said why. */
/* ValueInfoProto from the type and shape that are known now. */
Status writer_value(Writer *w, PbWriter *out, uint32_t number, const Tensor *t);
/* TensorProto with the constant's bytes in raw_data. */
Status writer_const(Writer *w, PbWriter *out, uint32_t number, const char *name, const Const *c,
                    const Shape *s);
/* NodeProto of a node of `g`: the original's bytes where it has not changed. */
Status writer_node(Writer *w, PbWriter *out, const Graph *g, const Node *n);
