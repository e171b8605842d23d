/* Adds products of bytes, four by one instruction that is exact in 32 bits (AVX-512 with VNNI). */
#ifndef NPU_EXEC_CONV_BYTE_SUMS_H
#define NPU_EXEC_CONV_BYTE_SUMS_H

#include "npu_exec/conv/conv_shape.h"

enum { BYTE_CHANNELS = 16, BYTE_PIXELS = 6 }; /* of a block of weights; at once, at most */
enum { BYTE_OVERREAD = 4 }; /* bytes behind the last one that may be read, whatever they are */

/* What a pixel of the output sees: runs of bytes that lie one behind the other, in fours, the last
 * of them with weights of 0 for what lies behind it. */
typedef struct {
    const int64_t *run; /* where each begins, from a pixel's first byte on */
    int64_t nrun, fours;
} ByteWindow;

bool byte_sums_supported(void);

/* Sums of bytes x[pixel] and signed weights that lie
 * [block][run][four][BYTE_CHANNELS][4]: of one block, or of two where there are more channels than
 * one has.  To be called where byte_sums_supported(). */
void byte_sums(const ByteWindow *k, const void *const x[BYTE_PIXELS], int64_t npixel,
               const int8_t *w, const SumBlock *to);

/* The sum of x[i] * w[i] of a pixel and a channel. */
int32_t byte_row(const uint8_t *x, const int8_t *w, int64_t n);

/* ---- each channel by itself ---- */

enum { BYTE_DEPTHWISE_CHANNELS = 64 }; /* side by side */

/* Pixels of a line of an image, `step` bytes from one to the next. */
typedef struct {
    const uint8_t *at;
    int64_t step;
} ByteLine;

/* ret[pixel][BYTE_DEPTHWISE_CHANNELS][4] of four lines, the bits `flip` of each byte turned; of n
 * channels, what is behind them is whatever it is. */
void byte_interleave_lines(const ByteLine line[4], int64_t npixel, int64_t n, uint8_t flip,
                           uint8_t *ret);

/* sum[pixel][BYTE_DEPTHWISE_CHANNELS], with room for a multiple of 4 pixels, of x[pixel * step],
 * whose runs are taps [BYTE_DEPTHWISE_CHANNELS][4], and weights [run][BYTE_DEPTHWISE_CHANNELS][4];
 * of n channels, likewise. */
void byte_sums_depthwise(const ByteWindow *k, const uint8_t *x, int64_t step, int64_t npixel,
                         const int8_t *w, int64_t n, int32_t *ret_sum);

#endif
