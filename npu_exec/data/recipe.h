/* Declares how an image becomes the values of an input. */
#pragma once

#include "npu_exec/data/image.h"
#include "npu_exec/values/value.h"

typedef enum { FIT_STRETCH, FIT_CROP, FIT_LETTERBOX, FIT_CORNER } Fit;
typedef enum { ORDER_RGB, ORDER_BGR } ChannelOrder;

typedef struct {
    const char *name;
    Fit fit;
    double shorter; /* FIT_CROP: the shorter side of the image, in sides of the input */
    uint8_t fill;
    double mean[3], deviation[3];
    ChannelOrder order;
    bool codes; /* an input of bytes takes the codes of the values, not the pixels */
} Recipe;

extern const Recipe recipe_table[];
extern const size_t nrecipe;

/* "imagenet", or one with other parts: "ssd,mean=127,std=128,order=bgr"; "std=58:57:57" for each
 * channel, "fit=stretch|crop|letterbox|corner", "shorter=1.143", "fill=114", "feed=codes|pixels".
 */
Status recipe_parse(const char *text, Recipe *ret, Diag *diag);

/* Whether an image can be put into a value of that type and shape: [n, c, h, w] or [n, h, w, c]
 * with one or three channels, floats or uint8.  Sets where the channels are. */
typedef struct {
    int64_t channels, height, width;
    bool channels_last;
} Frame;
bool recipe_frame(DType dtype, int32_t rank, const int64_t *dim, Frame *ret);

/* Where an image is in the frame: its sides once resized, and its first pixel, which may be
 * outside. */
typedef struct {
    int64_t width, height, left, top;
} Placed;
Placed recipe_place(const Recipe *r, const Image *m, const Frame *f);

/* The image as the values of one batch item of the frame; `to` has room for them.  If it shrinks,
 * each pixel is the mean of those that it covers, weighted by a triangle, and rounded to a byte.
 * `bytes`: these are the values, since an input of bytes has mean and deviation inside the model.
 * One channel is 0.299 R + 0.587 G + 0.114 B, with the first mean and deviation. */
void recipe_apply(const Recipe *r, const Image *m, const Frame *f, bool bytes, float *to);
