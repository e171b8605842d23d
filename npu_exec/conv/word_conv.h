/* A convolution of bytes in 16-bit words, a slab of output rows at a time: where no instruction
 * adds products of bytes exactly. */
#ifndef NPU_EXEC_CONV_WORD_CONV_H
#define NPU_EXEC_CONV_WORD_CONV_H

#include "npu_exec/conv/conv_shape.h"

typedef struct WordConv WordConv;

/* Of an image of bytes `x`; it has its own copy of the weights; pads before the image are not
 * negative.  NULL where memory ends. */
WordConv *word_conv_make(const ConvShape *s, DType x, const ConvWeights *w);
/* Of x[n][h * w][c] less zero_x, a byte's.  False where memory ends: nothing is promised of what
 * was taken. */
bool word_conv_run(WordConv *c, const uint8_t *x, int32_t zero_x, ConvTake *take, void *user);
void word_conv_free(WordConv *c); /* accepts NULL */

#endif
