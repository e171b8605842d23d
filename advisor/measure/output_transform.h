/* Converts an output that a runner wrote to the values that the application then reads.
 *
 * 8-bit values are scaled, axes put back in order, and padded columns left out. */
#pragma once

#include "graph/compile/options.h"
#include "graph/onnx/value_file.h"

enum { OUTPUT_TRANSFORM_MAX_RANK = 8 };
#define OUTPUT_NONE SIZE_MAX

/* Which output of the graph has that name; OUTPUT_NONE. */
size_t output_transform_index(const Graph *g, const char *name);

typedef struct {
    ValueFile file;
    size_t runs, count;                      /* numbers of a run, as read */
    int32_t rank;                            /* of one run … */
    int64_t dim[OUTPUT_TRANSFORM_MAX_RANK];  /* … as read … */
    int64_t step[OUTPUT_TRANSFORM_MAX_RANK]; /* … and how far apart they are in the file */
    int64_t stride;                          /* from run to run, in the file */
    bool coded;
    double scale, zero;
    double *scales; /* with zero points, for nscale indices along an axis; NULL: `scale`, `zero` */
    int64_t nscale, apart; /* distance of these indices in the file */
} OutputTransform;

/* Output `name` of a model that was run with `o` (whose edits `m` has already), out of `folder`. */
Status output_transform_open(Arena *a, const Model *m, const CompileOptions *o, const char *name,
                             const char *folder, OutputTransform *ret, Diag *diag);
void output_transform_close(OutputTransform *x);

/* Drops columns of `y` beyond those of `x`. STATUS_INPUT where the shapes do not fit. */
Status output_transform_fit(const OutputTransform *x, OutputTransform *y, const char *name,
                            Diag *diag);

/* The numbers of one run. */
void output_transform_read(const OutputTransform *x, size_t run, double *to);

/* Writes all runs as a NumPy array whose first axis counts them, in float32 where values change. */
Status output_transform_save(const OutputTransform *x, const char *path, Diag *diag);
