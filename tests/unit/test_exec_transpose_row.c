/* Channels side by side into rows and back, against the definition, for every number of rows and
 * many widths. */
#include "npu_exec/sim/transpose_row.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { WIDEST = 70, MOST_STEP = 3 * TRANSPOSE_ROW_PLANES };

static uint8_t pixels[WIDEST * MOST_STEP + TRANSPOSE_ROW_PLANES], other[sizeof pixels];
static uint8_t lines[TRANSPOSE_ROW_PLANES][WIDEST + TRANSPOSE_ROW_PLANES];

/* Bytes of which each neighbour is another. */
static void fill(uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (uint8_t)(i * 131 + i / 256 * 7 + 1);
}

static bool to_rows(size_t step, size_t w, size_t nrow)
{
    uint8_t *row[TRANSPOSE_ROW_PLANES];
    bool right = true;
    fill(pixels, sizeof pixels);
    memset(lines, 0, sizeof lines);
    for (size_t i = 0; i < nrow; i++)
        row[i] = lines[i];
    transpose_row_to_planes(pixels, step, w, nrow, row);
    for (size_t i = 0; i < TRANSPOSE_ROW_PLANES; i++)
        for (size_t at = 0; at < sizeof lines[i]; at++)
            right &= lines[i][at] == (i < nrow && at < w ? pixels[at * step + i] : 0);
    return right;
}

/* What lies between the pixels' bytes stays. */
static bool to_pixels(size_t step, size_t w, size_t nrow)
{
    const uint8_t *row[TRANSPOSE_ROW_PLANES];
    bool right = true;
    fill(pixels, sizeof pixels);
    memcpy(other, pixels, sizeof other);
    fill((uint8_t *)lines, sizeof lines);
    for (size_t i = 0; i < nrow; i++)
        row[i] = lines[i];
    transpose_row_to_pixels(row, nrow, w, step, pixels);
    for (size_t at = 0; at < w; at++)
        for (size_t i = 0; i < nrow; i++)
            other[at * step + i] = lines[i][at];
    for (size_t i = 0; i < sizeof pixels; i++)
        right &= pixels[i] == other[i];
    return right;
}

int main(void)
{
    long wrong[2] = {0};
    for (size_t nrow = 1; nrow <= TRANSPOSE_ROW_PLANES; nrow++)
        for (size_t step = nrow; step <= nrow + TRANSPOSE_ROW_PLANES; step++)
            for (size_t w = 1; w <= WIDEST; w += w < 2 * TRANSPOSE_ROW_PLANES + 2 ? 1 : 7) {
                wrong[0] += !to_rows(step, w, nrow);
                wrong[1] += !to_pixels(step, w, nrow);
            }
    printf("%s: into rows, %ld wrong\n", wrong[0] ? "FAILED" : "ok", wrong[0]);
    printf("%s: into pixels, %ld wrong\n", wrong[1] ? "FAILED" : "ok", wrong[1]);
    return wrong[0] || wrong[1];
}
