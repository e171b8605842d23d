/* Ranking: how good a detector's boxes are beside what pictures show, as COCO counts it: the mean
 * over categories of the area under precision by recall, at IoU 0.5 to 0.95 in steps of 0.05 and at
 * 0.5, with at most 100 boxes per category and picture, of objects of every size.  A box on a crowd
 * counts neither way. */
#ifndef ADVISOR_MEASURE_RANKING_H
#define ADVISOR_MEASURE_RANKING_H

#include "graph/base/diag.h"

#include <cjson/cJSON.h>

/* A box as corners. */
typedef struct {
    double x0, y0, x1, y1, score;
    int64_t class;
} Box;

/* One that is there; `box.score` means nothing. */
typedef struct {
    Box box;
    bool crowd;
} TrueBox;

typedef struct Ranking Ranking;

Ranking *ranking_new(Arena *a);

/* One more picture, its boxes from the best on. */
void ranking_add(Ranking *p, const Box *found, size_t nfound, const TrueBox *there, size_t nthere);

/* A picture as it was counted, and the same put in: false where it is none. */
cJSON *ranking_picture(const Ranking *p, size_t picture);
bool ranking_restore(Ranking *p, const cJSON *picture);

/* Whether pictures at the same place were counted alike. */
bool ranking_same(const Ranking *x, const Ranking *y, size_t picture);

typedef struct {
    double map, map50; /* 0 to 1 */
    bool known;        /* an object that is no crowd is there */
} MeanPrecision;

/* Each picture as often as `times` says; NULL: once. */
MeanPrecision ranking_mean(Ranking *p, const uint32_t *times);

#endif
