/* Holds a verified TensorFlow Lite file as arrays.
 *
 * Reading copies names, shapes and lists of indices into the arena, and checks them once: offsets
 * and lengths (flat.h), then every index, count and size.  After that nothing can lead out of an
 * array.  Weights stay in the file: a buffer is a view.  Source of the fields: schema.fbs of
 * google-ai-edge/LiteRT, schema version 3. */
#pragma once

#include "graph/model/dtype.h"
#include "graph/onnx/onnx_wire.h"
#include "graph/tflite/flat.h"

enum {
    TFLITE_MAX_RANK = 16,
    TFLITE_NO_TENSOR = -1, /* an omitted input */
};

/* BuiltinOperator. */
typedef enum {
#define TFLITE_OP(number, name, options, map) TFL_##name = number,
#include "graph/tflite/tflite_ops.def"
    TFL_COUNT
} TfliteCode;

/* Affine: real = scale * (stored - zero point), per tensor or along an axis. */
typedef struct {
    const float *scale; /* NULL: not quantised */
    const int64_t *zero_point;
    uint32_t count; /* 1, or the tensor's dimension `axis` */
    int32_t axis;
} TfliteQuant;

typedef struct {
    const char *name; /* unique in the file's main part; may be made up */
    DType dtype;
    int32_t rank;         /* RANK_UNKNOWN where the file does not say */
    const int32_t *shape; /* >= 0; -1: not known before it runs */
    TfliteQuant quant;
    bool is_variable, is_sparse;
    bool has_buffer;  /* a constant */
    Bytes bytes;      /* of a constant; data NULL when they lie in another file */
    size_t bytes_at;  /* where they are in the file */
    uint32_t buffer;  /* its index: tensors may share one */
    int32_t producer; /* operator, or -1 */
    bool is_input;
} TfliteTensor;

typedef struct {
    TfliteCode code;               /* TFL_CUSTOM for a number that is not in the list, too */
    const char *name;              /* "CONV_2D"; a custom operator's own */
    const int32_t *input, *output; /* tensors; TFLITE_NO_TENSOR in inputs alone */
    uint32_t ninput, noutput;
    FlatTable option; /* absent when it has none or they are another operator's */
    Bytes custom;     /* options of a custom operator, as they are */
    uint32_t index;   /* place in the file */
} TfliteOperator;

typedef struct {
    const char *name;
    TfliteTensor *tensor;
    uint32_t ntensor;
    const int32_t *input, *output;
    uint32_t ninput, noutput;
    TfliteOperator *op;
    uint32_t nop;
} TfliteGraph;

typedef struct {
    const char *name;
    uint64_t bytes;
} TfliteMetadata;

typedef struct {
    Flat flat;
    const uint8_t *whole; /* the file, more than 2 GiB of it too: buffers may come after them */
    size_t whole_bytes;
    const char *path;
    const char *description;
    TfliteGraph *graph; /* [0] is the main one */
    uint32_t ngraph;
    const TfliteMetadata *metadata;
    uint32_t nmetadata;
    const char *const *signature; /* keys */
    uint32_t nsignature;
    uint64_t constant_bytes; /* of all buffers that tensors use, each counted once */
    uint32_t nmissing;       /* constants whose bytes lie in another file */
} TfliteFile;

/* Whether the bytes claim to be one: its identifier. */
bool tflite_recognise(const uint8_t *data, size_t size);

/* Reads and verifies; the file's bytes must outlive *ret.  STATUS_INPUT with one line that names
 * the byte, the operator or the tensor. */
Status tflite_read(Arena *a, const char *path, const uint8_t *data, size_t size, TfliteFile *ret,
                   Diag *diag);

/* Fields of an operator's options; the fallback where it has none. */
int32_t tflite_option(TfliteFile *f, const TfliteOperator *op, unsigned field, int32_t fallback);
int32_t tflite_option_byte(TfliteFile *f, const TfliteOperator *op, unsigned field);
float tflite_option_float(TfliteFile *f, const TfliteOperator *op, unsigned field, float fallback);

/* Whether anything gives it a value. */
static inline bool tflite_has_value(const TfliteTensor *t)
{
    return t->producer >= 0 || t->is_input || t->has_buffer || t->is_variable;
}

/* Elements of a shape; -1 when it is not known. */
int64_t tflite_elements(const TfliteTensor *t);

/* The i-th integer of a constant of int32 or int64; false when it is none or has no bytes. */
bool tflite_integer(const TfliteTensor *t, int64_t i, int64_t *ret);
