/* Reads the objects of each image from COCO annotations (instances_*.json). */
#ifndef ADVISOR_MEASURE_COCO_H
#define ADVISOR_MEASURE_COCO_H

#include "advisor/measure/average_precision.h"

typedef struct Coco Coco;

/* The only instances_*.json in `dir` or in dir/annotations; *ret is NULL where there is none.
 * STATUS_INPUT, with the place in the file, where it is not whole or does not go together. */
Status coco_open(Arena *a, const char *dir, Coco **ret, Diag *diag);

size_t coco_categories(const Coco *c);

/* Whether a head of so many classes tells these categories: class k is the k-th of `categories`
 * where there are as many, else the one whose number is k + 1, of a head with a background and
 * room for all numbers (TensorFlow's).  Asked once. */
bool coco_fits(Coco *c, int64_t classes, bool background);

/* What is on a picture, by its path in the data: its `file_name` is that path or the end of it.
 * Classes are those of a head that fits.  False: the file does not name it. */
typedef struct {
    const LabeledBox *box;
    size_t nbox;
    int64_t width, height; /* 0: not told */
} CocoImage;
bool coco_image(const Coco *c, const char *file, CocoImage *ret);

#endif
