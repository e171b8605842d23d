/* Declares weights in the order in which the loops read them. */
#ifndef NPU_EXEC_CONV_LOOP_WEIGHTS_H
#define NPU_EXEC_CONV_LOOP_WEIGHTS_H

#include "npu_exec/conv/conv_shape.h"

#include <stddef.h>

/* How they are multiplied, and how they lie: in blocks of channels, in fours of bytes that are
 * added at once or in pairs of words.
 *
 *   side by side  [group][block][run][four or pair][channel][4 or 2]
 *   apart         [block][four lines of taps][tap of a line][channel][4] as bytes,
 *                 [block][pair of taps][channel][2] as words */
typedef struct {
    bool bytes;          /* unsigned ones times signed ones, else words */
    bool apart;          /* each channel by itself */
    bool by_row;         /* a run is all that a window sees of a line, else a tap of it */
    bool wide;           /* weights are words, too, not signed bytes */
    int64_t nrun, steps; /* runs of a window, each of so many fours or pairs */
    int64_t channels;    /* of a block */
    int64_t blocks;      /* of a group */
    size_t block;        /* bytes */
    uint8_t *data;       /* NULL where they are read where they lie: rows of signed bytes */
    int32_t *sum;        /* of each output channel */
} LoopWeights;

/* With `borrows` they are not copied.  False where memory ends; to be freed, made or not. */
bool loop_weights_make(const ConvShape *s, const ConvWeights *w, bool borrows, LoopWeights *ret);
void loop_weights_free(LoopWeights *w);

#endif
