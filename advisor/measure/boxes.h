/* Decodes the outputs of common detector heads and compares the boxes of two runs.
 *
 * A head is recognised by its shape for one image: N rows of 4 + 1 + C (centre, size, objectness, C
 * classes; YOLOv5 to v7 and YOLOX), 4 + C rows of N (centre, size, C classes; YOLOv8 and later), or
 * two outputs, N rows of 4 (corners, or centre and size) and N of C classes of which the first is
 * the background (SSD).  Scores are 0 to 1: outputs that are not decoded yet are not recognised. */
#pragma once

#include "advisor/measure/average_precision.h"
#include "graph/model/model.h"

typedef struct Head Head;

/* Of the outputs of a model; NULL: none that is known. */
Head *head_of(Arena *a, const Graph *g);

/* The indices of the 1 or 2 outputs that it reads; returns their number. */
size_t head_outputs(const Head *h, const size_t **ret);
/* The number of values of the i-th of them. */
size_t head_numbers(const Head *h, size_t i);

/* The number of classes; `ret_background`: the first score is the background's. */
int64_t head_classes(const Head *h, bool *ret_background);

/* The boxes of one image for mean average precision: scores from 0.001, suppression at IoU 0.6,
 * best first, classes from 0 without the background; in pixels of an input of that size.
 * list[HEAD_BOXES]; -1: the values are not scores. */
enum { HEAD_BOXES = 300 };
int64_t boxes_of(Head *h, const double *const out[2], int64_t width, int64_t height,
                 DetectionBox *list);

/* Compares the boxes of an image before and after a change (scores from 0.25, suppression at IoU
 * 0.45): their number in both, and how many match one of their class at IoU 0.5. False: the values
 * are not scores. */
bool boxes_compare(Head *h, const double *const before[2], const double *const after[2],
                   double *ret_boxes, double *ret_same);
