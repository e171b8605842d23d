/* Writes an edited model as a TensorFlow Lite file. */
#pragma once

#include "graph/model/model.h"

/* Writes what `edited`, made of `original` (a model read from a .tflite) by edits, is as a .tflite,
 * where such a file can say it: other outputs, or the codes that it quantises its inputs to or
 * dequantises its outputs from as inputs and outputs; operators that no output needs go.  All the
 * rest of the file is kept, byte by byte.  What was written is read again, and must take and give
 * the same tensors with the same operators and multiplications.  *ret_done false, with nothing
 * written, where the edits are of another kind.  STATUS_USAGE where `original` is a .dfg, which is
 * quantized again instead. */
Status tflite_write(Arena *a, const Model *original, const Model *edited, const char *path,
                    bool *ret_done, Diag *diag);
