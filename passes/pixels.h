/* Tells the layout and value range of an input or output, and whether it is an image.  Read off
 * the operators around it, never off its name. */
#pragma once

#include "graph/model/model.h"

/* "nchw", "nhwc", "other" (no four axes) or "unknown". */
const char *pixels_input_layout(const Graph *g, TensorId input);
const char *pixels_output_layout(const Graph *g, TensorId output);

/* "0..1", "0..255", "other" (another range is proven) or "unknown". */
const char *pixels_output_range(const Model *m, TensorId output);

/* Channels, height and width of a shape in a layout; DIM_UNKNOWN each where they cannot be told. */
typedef struct {
    int64_t c, h, w;
} Pixels;
Pixels pixels_of(const Shape *s, const char *layout);

/* "yes": 1, 3 or (inputs) 4 channels of at least 16 x 16; "no"; "unknown" when a size is. */
const char *pixels_are_image(const Pixels *p, bool is_input);

enum {
    PIXELS_IMAGE_MIN = 16,
    PIXELS_CHANNELS_MAX = 4
}; /* both axes of an image have at least 16 pixels, 1 to 4 channels: assumed */
