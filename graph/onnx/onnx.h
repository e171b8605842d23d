/* Reads and writes ONNX files.
 *
 * Reading: the bytes are mapped, walked once by a wire-level guard (depth, lengths, counts), and
 * only the messages of the skeleton go to protobuf-c; weights are never copied.  What is not
 * ONNX but looks like a model (TFLite, DFG, ENF, ORT, TensorFlow .pb, a git-LFS pointer, HTML)
 * is recognised and named with the conversion to run. */
#pragma once

#include "graph/model/model.h"
#include "graph/onnx/onnx_wire.h"

/* Limits, each named in the error that it causes. */
enum {
    ONNX_MAX_DEPTH = 100,       /* nested messages */
    ONNX_MAX_NODES = 1 << 21,   /* in all graphs together */
    ONNX_MAX_INLINED = 1 << 18, /* nodes that come from model-local functions */
    ONNX_MAX_TENSORS = 1 << 22,
    ONNX_MAX_ATTRIBUTES =
        1024, /* of one node or function; they are looked up one after the other */
    ONNX_MAX_RANK = 64,
    ONNX_MAX_NAME_BYTES = 1 << 20,
    ONNX_NEWEST_IR = 13, /* newer ones are read with a note */
    ONNX_NEWEST_OPSET = 25,
};

/* Loads, sorts topologically, inlines model-local functions, resolves external data (a missing
 * file is a note and leaves Const.data NULL; a path out of the model's folder, links followed, is
 * an error that reads nothing).  Types and shapes are those that the file declares for graph inputs
 * and initializers; everything else is unknown until shape_infer. The model lives in `a`; call
 * model_close to unmap the file.  Notes go to `notes`. */
Status onnx_load(Arena *a, const char *path, Notes *notes, Model **ret_model, Diag *diag);

/* The same from memory (fuzzing, stdin); `bytes` must outlive the model. */
Status onnx_load_bytes(Arena *a, const char *path, const uint8_t *bytes, size_t size, Notes *notes,
                       Model **ret_model, Diag *diag);

/* Loads a model that was made in memory from a file of another format: external data at
 * ONNX_OWN_FILE are bytes of that file.  Both must outlive the model. */
#define ONNX_OWN_FILE "the file itself"
Status onnx_load_made(Arena *a, const char *path, Bytes made, Bytes own_file, Notes *notes,
                      Model **ret_model, Diag *diag);

/* Whether a regular file begins as an ONNX model does: its first field is the IR version.  For
 * those who expect something else and want to say so. */
bool onnx_begins(const char *path);

void model_close(Model *m);

/* Writes `m` (possibly edited) as valid ONNX.  Unedited nodes and weights are copied by byte range
 * from the original file; stored intermediate shapes are dropped where an edit made them stale. */
Status onnx_write(const Model *m, const char *path, Diag *diag);

/* The same to a stream; external data that is there is written into the model. */
Status onnx_write_stream(const Model *m, FILE *out, Diag *diag);
