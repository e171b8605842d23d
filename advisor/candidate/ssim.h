/* Measures how similar two images are by SSIM (Z. Wang et al., 2004).
 *
 * It is the mean, over every window of 11 x 11 inside the image and over the channels, of the
 * similarity of luminance, contrast and structure, weighted by a Gaussian of 1.5 pixels. */
#pragma once

#include "graph/base/arena.h"

/* Images as planes of rows of pixels; `last`: the channels of a pixel are adjacent. */
typedef struct {
    size_t planes, height, width;
    bool last;
} ImageForm;

/* 1: equal. `peak`: from black to white. Both sides are at least 11. */
double ssim(Arena *scratch, const double *x, const double *y, const ImageForm *f, double peak);
