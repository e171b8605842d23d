/* Computes how a tensor is laid out in the NPU's memory and on the way there.
 *
 * Sizes saturate at SIZE_CAP, so that the shapes of a hostile model cannot overflow a sum. */
#pragma once

#include "graph/compile/machine.h"
#include "graph/model/model.h"

#define SIZE_CAP (INT64_C(1) << 40)

int64_t layout_size_mul(int64_t a, int64_t b); /* both >= 0 */
int64_t layout_size_add(int64_t a, int64_t b);

/* A tensor as the NPU sees it, all images. */
typedef struct {
    int64_t n, c, h, w;
} Geometry;

/* Meaning of each axis, as letters of N, C, H, W.  Of images by position: C, NC, NCW, NCHW; above
 * four axes those between the first and the last two are C. */
enum { LETTERS_MAX = 64 };
void layout_letters(const Shape *s, char letter[LETTERS_MAX]);

/* For tensors that are not images: the first axis is N only if it counts the model's images, else
 * the slices share it with the rest (otherwise a matrix of many rows fills one SRAM per row). */
void layout_has_free_letters(const Shape *s, int64_t images, char letter[LETTERS_MAX]);

/* Product of the dimensions per letter; `images` multiplies N.  Needs a known shape. */
Geometry layout_geometry(const Shape *s, const char *letter, int64_t images);

int64_t layout_elements(const Geometry *g);

/* The six axes N, Ho, Co, Hi, Ci, W (unlower.h of the vendor's MLPerf v1.1 submission): Ho*Co
 * slices hold Hi = H/Ho rows of Ci = C/Co channels, rounded up; widths are padded.  Ho is 8 when
 * there are fewer channels than slices and at least 8 rows, else 1 (12 of the 12 published
 * SSD-MobileNet outputs); an image that would take more than 8 MiB lies in the parts that take
 * least: a figure between 640 x 640 and the 1280 x 1280 of which published times leave no room for
 * more; whatever the SRAM, so that more of it never means more traffic. */
typedef struct {
    int ho, co;
    int64_t hi, ci, w_padded;
    int64_t bytes; /* int8 */
} Lowered;

Lowered layout_lower(const Machine *m, int pe, const Geometry *g);

/* Parts that the height is dealt to where the channels do not fill the slices: 8, or the largest
 * power of two below it that divides the slices. */
int layout_height_parts(int slices);

int64_t layout_padded_width(const Machine *m, int64_t w);
/* Bytes of an int8 tensor in plain order with padded width. */
int64_t layout_padded_bytes(const Machine *m, const Geometry *g);

/* SRAM of one program. */
int64_t layout_sram_bytes(const Machine *m, int pe);
