/* Imported: a graph that a compiler made elsewhere, as far as its file tells.
 *
 * Three forms, recognised by content: our own lowered.json (`compile --emit json`), DOT as the
 * vendor's compiler writes it with --dot-graph (structure only), and TensorRT's layer list
 * (--exportLayerInfo).  What a form does not say stays unknown: -1, NULL or IMPORT_NONE. */
#ifndef GRAPH_IMPORT_IMPORTED_H
#define GRAPH_IMPORT_IMPORTED_H

#include "graph/base/diag.h"
#include "graph/base/file.h"

#include <stdint.h>

enum { IMPORT_LIMIT_MIB = 64, IMPORT_MAX_DEPTH = 200, IMPORT_MAX_ITEMS = 1 << 20 };
#define IMPORT_NONE UINT32_MAX

typedef enum { IMPORT_LOWERED, IMPORT_DOT, IMPORT_TENSORRT } ImportKind;

/* What an operator does with its time. */
typedef enum {
    WORK_UNKNOWN,  /* the form does not say */
    WORK_COMPUTE,  /* computes on the accelerator */
    WORK_HOST,     /* runs on the CPU */
    WORK_TRANSFER, /* moves between host and device */
    WORK_LAYOUT,   /* changes the order in memory and nothing else */
    WORK_RENAME,   /* would change the order, but needs no copy */
    WORK_VIEW,     /* another shape of the same bytes */
    WORK_TYPE,     /* quantizes or dequantizes: a gap in what is int8 */
    WORK_COUNT
} ImportWork;
const char *import_work_name(ImportWork w); /* "compute" "layout" … */

typedef struct {
    const char *name;
    const char *format; /* layout and type in the words of the file, or NULL */
    int64_t bytes;      /* real ones, -1 unknown */
    uint32_t producer;  /* operator, or IMPORT_NONE */
    uint32_t nconsumer;
    bool crosses; /* made or read in more than one subgraph */
} ImportTensor;

typedef struct {
    const char *name;
    const char *type; /* in the words of the file, or NULL */
    ImportWork work;
    uint32_t subgraph;        /* index, or IMPORT_NONE */
    uint32_t *input, *output; /* tensors */
    size_t ninput, noutput, input_cap, output_cap;
} ImportOp;

typedef struct Imported {
    Arena *arena;
    ImportKind kind;
    const char *path;
    const char *target, *sdk; /* IMPORT_LOWERED */
    ImportOp *op;
    size_t nop, op_cap;
    ImportTensor *tensor;
    size_t ntensor, tensor_cap;
    const char **subgraph; /* names, in order of appearance */
    size_t nsubgraph, subgraph_cap;
    size_t ncrossing; /* tensors with `crosses` */
    size_t ncut;      /* pairs of subgraphs with a tensor from one to the other */
} Imported;

/* Whether the file is one of the three forms. */
bool imported_recognise(InFile file);

/* Reads it; everything lives in `a`.  STATUS_INPUT names file, place and fact. */
Status imported_read(Arena *a, InFile file, Imported **ret, Diag *diag);

#endif
