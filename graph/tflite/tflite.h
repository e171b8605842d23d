/* Reads and verifies TensorFlow Lite models, and maps them to a Model.
 *
 * Weights stay in the mapped file, but for those whose axes lie in another order (convolutions of
 * more than 1x1) and those of half precision.  Every node is called by its operator and its place
 * ("CONV_2D 12"), every value by its tensor.  What ONNX cannot say stays an operator of the domain
 * "tflite": named, and unknown. */
#pragma once

#include "graph/model/model.h"
#include "graph/tflite/tflite_file.h"

/* Opens a model of any form (ONNX, TensorFlow Lite, .dfg), recognised by its content.  As
 * onnx_load; model_close ends it. */
Status model_load(Arena *a, const char *path, Notes *notes, Model **ret_model, Diag *diag);

/* The same from memory; `bytes` must outlive the model. */
Status model_load_bytes(Arena *a, const char *path, const uint8_t *bytes, size_t size, Notes *notes,
                        Model **ret_model, Diag *diag);

/* The file as bytes of an ONNX model whose large constants are external data at `weights`. */
Status tflite_map(Arena *a, TfliteFile *f, const char *weights, Bytes *ret, Diag *diag);
