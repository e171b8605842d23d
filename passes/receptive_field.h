/* Computes how far around an output pixel the network reads its input. */
#pragma once

#include "graph/model/model.h"

typedef struct {
    bool local;          /* every output pixel depends on a neighbourhood of bounded size */
    const char *why_not; /* operator type that reads the whole image, if not local */
    int64_t halo[2];     /* input pixels on either side that an output pixel may depend on: H, W */
    int64_t
        granule[2]; /* input pixels of one pixel of the smallest map: parts begin at multiples */
} ReceptiveField;

/* Needs shapes.  `input` is an image of four axes, height and width last or (nhwc) in the middle.
 * Linear in nodes; an operator that is not known to be local is not. */
ReceptiveField receptive_field(Arena *a, const Graph *g, TensorId input);
