/* Decodes the outputs of common detector heads and compares the boxes of two runs.
 *
 * A head is recognised by its shape for one image: N rows of 4 + 1 + C (centre, size, objectness, C
 * classes; YOLOv5 to v7 and YOLOX), 4 + C rows of N (centre, size, C classes; YOLOv8 and later), or
 * two outputs, N rows of 4 (corners, or centre and size) and N of C classes of which the first is
 * the background (SSD).  Scores are 0 to 1: outputs that are not decoded yet are not recognised. */
#ifndef ADVISOR_MEASURE_BOXES_H
#define ADVISOR_MEASURE_BOXES_H

#include "advisor/measure/average_precision.h"
#include "graph/model/model.h"

typedef struct Head Head;

/* Of the outputs of a model; NULL: none that is known. */
Head *head_of(Arena *a, const Graph *g);

/* Which outputs it reads: output[0] … output[n - 1], n of 1 or 2. */
size_t head_outputs(const Head *h, const size_t **ret);
/* How many numbers the i-th of them has. */
size_t head_numbers(const Head *h, size_t i);

/* The classes it tells apart; `ret_background`: before its first one a score of nothing. */
int64_t head_classes(const Head *h, bool *ret_background);

/* The boxes of one output, as a detector is judged by labels: from a score of 0.001 on and after
 * suppression at IoU 0.6, the best first, classes from 0 on without the background; in pixels of an
 * input of that width and height.  list[HEAD_BOXES]; -1: these are no scores. */
enum { HEAD_BOXES = 300 };
int64_t boxes_of(Head *h, const double *const out[2], int64_t width, int64_t height,
                 DetectionBox *list);

/* Boxes, from 0.25 on and after suppression at IoU 0.45, of an image's outputs before and after a
 * change: how many there are in both, and how many of them have another of their class with an IoU
 * of 0.5, each once.  False: these are no scores. */
bool boxes_compare(Head *h, const double *const before[2], const double *const after[2],
                   double *ret_boxes, double *ret_same);

#endif
