/* Computes the mean average precision of a detector as COCO defines it.
 *
 * It is the mean over categories of the area under precision by recall, at IoU 0.5 to 0.95 in steps
 * of 0.05 and at 0.5, with at most 100 boxes per category and image, for objects of every size.  A
 * box on a crowd counts neither way. */
#pragma once

#include "graph/base/diag.h"

#include <cjson/cJSON.h>

/* A box as corners. */
typedef struct {
    double x0, y0, x1, y1, score;
    int64_t class;
} DetectionBox;

/* An annotated box; `box.score` is unused. */
typedef struct {
    DetectionBox box;
    bool crowd;
} LabeledBox;

typedef struct AveragePrecision AveragePrecision;

AveragePrecision *average_precision_new(Arena *a);

/* Adds an image, its boxes by descending score. */
void average_precision_add(AveragePrecision *p, const DetectionBox *found, size_t nfound,
                           const LabeledBox *there, size_t nthere);

/* The counts of an image, and their restoration: false for invalid JSON. */
cJSON *average_precision_to_json(const AveragePrecision *p, size_t picture);
bool average_precision_restore(AveragePrecision *p, const cJSON *picture);

/* Whether images of the same index have the same counts. */
bool average_precision_same(const AveragePrecision *x, const AveragePrecision *y, size_t picture);

typedef struct {
    double map, map50; /* 0 to 1 */
    bool known;        /* an object that is no crowd is there */
} MeanPrecision;

/* Each image `times` times; NULL: once. */
MeanPrecision average_precision_mean(AveragePrecision *p, const uint32_t *times);
