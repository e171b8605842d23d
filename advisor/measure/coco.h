/* Reads the objects of each image from COCO annotations (instances_*.json). */
#pragma once

#include "advisor/measure/average_precision.h"

typedef struct Coco Coco;

/* Reads the only instances_*.json in `dir` or dir/annotations; *ret is NULL without one.
 * STATUS_INPUT, with the position in the file, for an invalid one. */
Status coco_open(Arena *a, const char *dir, Coco **ret, Diag *diag);

size_t coco_categories(const Coco *c);

/* Whether a head with that many classes fits: class k is the k-th category where the numbers agree,
 * else that with id k + 1, for a head with a background and room for all ids (TensorFlow's). */
bool coco_fits(Coco *c, int64_t classes, bool background);

/* The annotations of an image whose `file_name` is its path in the data or the end of it, in
 * classes of the head. False: not in the file. */
typedef struct {
    const LabeledBox *box;
    size_t nbox;
    int64_t width, height; /* 0: unknown */
} CocoImage;
bool coco_image(const Coco *c, const char *file, CocoImage *ret);
