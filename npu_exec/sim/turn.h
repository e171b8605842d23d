/* Turning a line of pixels, channels side by side, into rows, one per channel, and back: bytes. */
#ifndef NPU_EXEC_SIM_TURN_H
#define NPU_EXEC_SIM_TURN_H

#include <stddef.h>
#include <stdint.h>

enum { TURN_ROWS = 16 }; /* at once, at most */

/* Where the group of TURN_ROWS after the one at `at` begins, of n in all: the last one ends with
 * them, and may do some twice. */
static inline size_t turn_next(size_t at, size_t n)
{
    at += TURN_ROWS;
    return at < n && at + TURN_ROWS > n ? n - TURN_ROWS : at;
}

/* Channels of `w` pixels, `step` bytes from pixel to pixel, to and from `nrow` rows of w bytes.
 * What is read and what is written do not overlap. */
void turn_to_rows(const uint8_t *pixels, size_t step, size_t w, size_t nrow, uint8_t *const *row);
void turn_to_pixels(const uint8_t *const *row, size_t nrow, size_t w, size_t step,
                    uint8_t *ret_pixels);

#endif
