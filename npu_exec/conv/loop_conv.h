/* Convolves bytes with loops of this program, a tile of output rows at a time. */
#ifndef NPU_EXEC_CONV_LOOP_CONV_H
#define NPU_EXEC_CONV_LOOP_CONV_H

#include "npu_exec/conv/conv_shape.h"

typedef struct LoopConv LoopConv;

/* Of an image of bytes `x`; pads before the image are not negative.  NULL where memory ends. */
LoopConv *loop_conv_make(const ConvShape *s, DType x, const ConvWeights *w);
/* Whether it has no copy of the weights, but reads them where they lie. */
bool loop_conv_borrows_weights(const LoopConv *c);
/* What its sums are too large by, of each of m channels. */
void loop_conv_zero_offsets(const LoopConv *c, int32_t zero_x, int32_t *ret_less);
/* Of x[n][h * w][c], what lies outside being zero_x, a byte's, and the weights that it was made of.
 * False where memory ends: nothing is promised of what was taken. */
bool loop_conv_run(LoopConv *c, const uint8_t *x, int32_t zero_x, const void *weights,
                   ConvConsumer *take, void *user);
void loop_conv_free(LoopConv *c); /* accepts NULL */

#endif
