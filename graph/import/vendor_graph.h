/* Holds the graph that the vendor's quantizer of SDK 0.9 writes, as its .dfg or its DOT tells it.
 *
 * Both files give the same description, so that they can be compared.  What a DOT does not have is
 * the bytes of constants, the ranges of a per-axis tensor but for the first, and the scales of a
 * Resize.  Operators are in an order in which each comes after what it reads. */
#pragma once

#include "graph/base/file.h"
#include "graph/model/dtype.h"
#include "graph/onnx/onnx_wire.h"

enum {
    VENDOR_MAX_RANK = 8,
    VENDOR_MAX_ITEMS = 1 << 18,
    VENDOR_MAX_PORTS = 1 << 16,
    VENDOR_DOT_LIMIT_MIB = 64,
    VENDOR_WORDS_MAX = 4 /* that an attribute can be */
};
#define VENDOR_NONE UINT32_MAX

/* ---- operators */

typedef enum {
#define VENDOR_OP(id, number, name, map, attributes) VENDOR_##id,
#include "graph/import/vendor_ops.def"
    VENDOR_OTHER, /* one that the table lacks: a number of a .dfg, a name of a DOT */
    VENDOR_OP_KINDS
} VendorOpKind;

typedef enum {
#define VENDOR_ATTRIBUTE(id, word, kind, member) ATTRIBUTE_##id,
#include "graph/import/vendor_attributes.def"
    VENDOR_ATTRIBUTES
} VendorAttribute;

/* Sets of them. */
enum {
#define VENDOR_ATTRIBUTE(id, word, kind, member) HAS_##id = 1 << ATTRIBUTE_##id,
#include "graph/import/vendor_attributes.def"
};

typedef enum { PAD_ZERO, PAD_LOWEST } VendorPadValue;
typedef enum { DEPTH_CRD, DEPTH_DCR } VendorDepthMode;
typedef enum { RESIZE_NEAREST, RESIZE_LINEAR } VendorResizeMode;
typedef enum {
    COORDINATES_HALF_PIXEL,
    COORDINATES_PYTORCH_HALF_PIXEL,
    COORDINATES_ALIGN_CORNERS,
    COORDINATES_ASYMMETRIC,
    COORDINATES_MODES
} VendorCoordinates;
typedef enum {
    NEAREST_ROUND_PREFER_FLOOR,
    NEAREST_ROUND_PREFER_CEIL,
    NEAREST_FLOOR,
    NEAREST_CEIL,
    NEAREST_MODES
} VendorNearest;

typedef struct {
    int64_t top, left, bottom, right;
} VendorPads;
typedef struct {
    int64_t h, w;
} VendorPair;
typedef struct {
    double min, max; /* of a clipping -inf and inf where there is none */
} VendorRange;
typedef struct {
    int64_t *item;
    size_t count;
} VendorIntegers;

/* Those of the operator's set have a meaning; and alpha of Elu, which a DOT does not have: 0 there.
 */
typedef struct {
    VendorPads pads;
    VendorPair stride, kernel, dilation;
    VendorRange clipping; /* real numbers, applied to the result */
    int64_t groups, axis; /* axis: position in the shape */
    double beta, alpha, epsilon, cubic, extrapolation;
    VendorIntegers axes, permutation, offsets, steps;
    VendorIntegers axis_pads; /* before and after, for each axis */
    VendorPadValue pad_value, value;
    VendorDepthMode depth_mode;
    VendorResizeMode resize_mode;
    VendorCoordinates coordinates;
    VendorNearest nearest;
    bool exclude_outside, last_index, trans_a, trans_b;
} VendorAttributes;

/* What is read or written, in order. */
typedef struct {
    uint32_t *tensor;
    size_t count, cap;
} VendorPorts;

typedef struct {
    VendorOpKind kind;
    const char *name; /* as in the file; may be empty */
    const char *type; /* the vendor's name; of VENDOR_OTHER the name in a DOT or "operator 77" */
    VendorPorts input, output;
    VendorAttributes attribute;
    const char *onnx_type; /* of VENDOR_ONNX_RUNTIME: the type of the ONNX operator; else NULL */
    uint32_t model;        /* the constant that is its ONNX model; else VENDOR_NONE */
} VendorOp;

/* ---- tensors */

typedef struct {
    int rank;
    int64_t dim[VENDOR_MAX_RANK]; /* the outermost first */
    char axis[VENDOR_MAX_RANK];   /* 'N' 'C' 'H' 'W', or 0 in a plain shape */
} VendorShape;

typedef enum { SOURCE_NAMES, SOURCE_NONE, SOURCE_UNKNOWN } VendorSource;

typedef struct {
    uint32_t id; /* in the file */
    const char *name;
    VendorShape shape;
    DType dtype;
    bool quantized;           /* has ranges: u8, i8 and i32 have */
    const VendorRange *range; /* nrange of them; a DOT has the first only */
    size_t nrange, nscale;    /* nscale: 1, or the size of `axis` */
    int axis;                 /* position in the shape that has a range each; -1: one for all */
    bool is_constant;
    size_t constant_bytes;
    Bytes constant; /* a view of the file; of a DOT without data */
    VendorSource source;
    const char *const *source_name; /* tensors of the ONNX model; INITIALIZER_OUTPUT_INDEX */
    size_t nsource;
    uint32_t producer; /* operator, or VENDOR_NONE */
} VendorTensor;

typedef enum { VENDOR_FILE_DFG, VENDOR_FILE_DOT } VendorFile;

typedef struct VendorGraph {
    Arena *arena;
    const char *path;
    VendorFile file;
    VendorOp *op;
    size_t nop, op_cap;
    VendorTensor *tensor; /* by id */
    size_t ntensor, tensor_cap;
    VendorPorts input, output;
} VendorGraph;

/* Whether the bytes begin as a .dfg, and whether they are a DOT with the vendor's HTML labels; a
 * beginning of 64 KiB is enough. */
bool vendor_graph_is_dfg(const uint8_t *data, size_t size);
bool vendor_graph_is_dot(const uint8_t *data, size_t size);

/* Reads either; the file's bytes must outlive the graph, which lives in `a`.  STATUS_INPUT names
 * the file, the place and the fact: the checksum, an older generation, an index, a size, a range.
 */
Status vendor_graph_read(Arena *a, InFile file, VendorGraph **ret, Diag *diag);

/* Scale and zero point of range `i` (below nrange) of a quantized tensor: real = scale * (stored -
 * zero point). */
double vendor_tensor_scale(const VendorTensor *t, size_t i);
int64_t vendor_tensor_zero_point(const VendorTensor *t, size_t i);

/* Elements of the shape: at most 2^40. */
int64_t vendor_shape_elements(const VendorShape *s);

/* "1x3x32x32 NxCxHxW", "1x16x1024". */
const char *vendor_shape_text(Arena *a, const VendorShape *s);

/* Whether it runs on the host: an operator of ONNX Runtime, or one that reads or writes a value
 * that is not quantized. */
bool vendor_op_on_host(const VendorGraph *g, const VendorOp *op);

/* ---- the tables */

typedef struct {
    uint32_t number;
    const char *name;
    uint32_t attributes; /* set of HAS_… */
} VendorOpRow;

/* Row of a kind below VENDOR_OTHER. */
const VendorOpRow *vendor_op_row(VendorOpKind kind);
/* VENDOR_OTHER for a number or a name that the table lacks. */
VendorOpKind vendor_op_numbered(uint32_t number);
VendorOpKind vendor_op_named(const char *name);
/* Attributes that an operator of the kind has: none of VENDOR_OTHER. */
uint32_t vendor_op_attributes(VendorOpKind kind);

typedef enum {
    VALUE_INTEGER,
    VALUE_REAL,
    VALUE_PAIR,
    VALUE_PADS,
    VALUE_RANGE,
    VALUE_INTEGERS,
    VALUE_WORD,
    VALUE_FLAG
} VendorValueKind;

typedef struct {
    const char *word; /* in a DOT */
    const char *name; /* in dfg.proto */
    VendorValueKind kind;
    size_t offset;            /* in VendorAttributes */
    const char *const *words; /* of VALUE_WORD, by value, up to NULL */
} VendorAttributeRow;

const VendorAttributeRow *vendor_attribute_row(VendorAttribute id);
/* By its name in dfg.proto; VENDOR_ATTRIBUTES for none. */
VendorAttribute vendor_attribute_named(const char *name);

/* "stride: 1x1" … as it is shown; every digit of reals. */
const char *vendor_attribute_text(Arena *a, const VendorOp *op, VendorAttribute id);
