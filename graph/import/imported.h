/* Holds a graph that another compiler made, as its file describes it.
 *
 * Four forms, recognised by content: our own lowered.json (`compile --emit json`), DOT as the
 * vendor's compiler writes it with --dot-graph (structure only) or its quantizer does (all but the
 * bytes of constants), TensorRT's layer list (--exportLayerInfo), and the performance tables of
 * RKNN.  What a form does not say stays unknown: -1, NULL or IMPORT_NONE. */
#pragma once

#include "graph/base/file.h"
#include "graph/model/dtype.h"

enum { IMPORT_LIMIT_MIB = 64, IMPORT_MAX_DEPTH = 200, IMPORT_MAX_ITEMS = 1 << 20 };
#define IMPORT_NONE UINT32_MAX

typedef enum { IMPORT_LOWERED, IMPORT_DOT, IMPORT_TENSORRT, IMPORT_RKNN } ImportKind;

/* What an operator does with its time. */
typedef enum {
    WORK_UNKNOWN,  /* the form does not say */
    WORK_COMPUTE,  /* computes on the accelerator */
    WORK_HOST,     /* runs on the CPU */
    WORK_TRANSFER, /* moves between host and device */
    WORK_LAYOUT,   /* changes the order in memory and nothing else */
    WORK_RENAME,   /* would change the order, but needs no copy */
    WORK_VIEW,     /* another shape of the same bytes */
    WORK_TYPE,     /* quantizes or dequantizes: a gap in the int8 part */
    WORK_COPY,     /* pads, slices or joins: moves bytes, the order in memory stays */
    WORK_CAST,     /* another type, neither quantized before nor after */
    WORK_COUNT
} ImportWork;
const char *import_work_name(ImportWork w); /* "compute" "layout" … */

enum { IMPORT_RANK_MAX = 8 };

typedef struct {
    const char *name;
    const char *format;           /* layout and type in the words of the file, or NULL */
    DType dtype;                  /* of `format`; DT_UNKNOWN */
    const char *layout;           /* of `format`, short: "CHW" "HWC8" "CHW32" …; NULL unknown */
    int64_t dim[IMPORT_RANK_MAX]; /* as the file has them, -1 unknown */
    int rank;                     /* -1 unknown, or more than IMPORT_RANK_MAX */
    bool on_host;                 /* lies in the memory of the host */
    bool bound;                   /* an input or output of the engine */
    int64_t bytes;                /* real ones, -1 unknown */
    uint32_t producer;            /* operator, or IMPORT_NONE */
    uint32_t nconsumer;
    bool crosses; /* made or read in more than one subgraph */
} ImportTensor;

/* What a layer of an engine says of itself beside its type; NULL, 0 or -1 where it does not. */
typedef struct {
    const char *operation; /* ParameterType: Convolution, Pooling … */
    const char *origin;    /* of a reformat: REFORMAT, QDQ, SLICE, CAST … */
    const char *tactic;    /* name of the kernel */
    const char *plugin;
    const char *const *node; /* ONNX nodes that it was made of, by its metadata */
    size_t nnode;
    int64_t out_maps, groups; /* -1 unknown */
    int64_t stream;           /* 0 the main one */
    DType weights;
    bool transposes;  /* a shuffle that changes the order of axes */
    bool tells_axes;  /* whether it does is in the file */
    bool pads_lowest; /* a padding with minus infinity */
} ImportLayer;

typedef struct {
    const char *name;
    const char *type;  /* in the words of the file, or NULL */
    const char *kind;  /* IMPORT_LOWERED: "host" "h2d" "npu" "d2h"; NULL elsewhere */
    ImportLayer layer; /* of an engine; all unknown elsewhere */
    ImportWork work;
    uint32_t subgraph;        /* index, or IMPORT_NONE */
    uint32_t *input, *output; /* tensors */
    size_t ninput, noutput, input_cap, output_cap;
} ImportOp;

typedef struct Imported {
    Arena *arena;
    ImportKind kind;
    const char *path;
    const char *target, *sdk;         /* IMPORT_LOWERED */
    const struct VendorGraph *vendor; /* of the vendor's quantizer (vendor_graph.h); else NULL */
    const struct RknnTable *rknn;     /* IMPORT_RKNN (rknn_table.h); else NULL */
    bool names_only;                  /* a layer list without details: no operator has a type */
    size_t nprofile; /* optimisation profiles of an engine; the first alone is kept */
    ImportOp *op;
    size_t nop, op_cap;
    ImportTensor *tensor;
    size_t ntensor, tensor_cap;
    const char **subgraph; /* names, in order of appearance */
    size_t nsubgraph, subgraph_cap;
    size_t ncrossing; /* tensors with `crosses` */
    size_t ncut;      /* pairs of subgraphs with a tensor from one to the other */
} Imported;

/* The first of an operator's inputs or outputs; NULL: it has none. */
static inline const ImportTensor *import_first(const Imported *g, const uint32_t *id, size_t n)
{
    return n ? &g->tensor[id[0]] : NULL;
}

/* Whether the file is one of these forms.  A .dfg is none: it has all that a model has, and is
 * read as one (vendor_model.h). */
bool imported_recognise(InFile file);

/* Whether it is a graph of the vendor's quantizer, as .dfg or DOT: imported_read then gives
 * Imported.vendor, too.  A beginning of 64 KiB is enough. */
bool imported_is_vendor(InFile file);

/* Reads it; everything lives in `a`.  STATUS_INPUT names file, place and fact. */
Status imported_read(Arena *a, InFile file, Imported **ret, Diag *diag);

/* The layers that a verbose log of TensorRT lists ("Engine Layer Information:"), put into a graph
 * that has names only; by name.  How many of them were found there; 0 where the log has no list, or
 * is none. */
size_t imported_take_log(Imported *g, const char *text, size_t size);
