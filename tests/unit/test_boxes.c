/* Heads of detectors by their shapes, and boxes that agree or do not. */
#include "advisor/measure/boxes.h"

#include "graph/base/arena.h"
#include "tests/unit/check.h"

#include <string.h>

enum { N = 16 };

static Head *head(Arena *a, const int64_t size[][2], size_t n)
{
    Graph *g = ARENA_NEW(a, Graph);
    g->tensor = ARENA_ARRAY(a, Tensor, n + 1);
    TensorId *output = ARENA_ARRAY(a, TensorId, n + 1);
    for (size_t i = 0; i < n; i++) {
        Dim *dim = ARENA_ARRAY(a, Dim, 3);
        dim[0].value = 1;
        dim[1].value = size[i][0];
        dim[2].value = size[i][1];
        g->tensor[i].shape.rank = 3;
        g->tensor[i].shape.dim = dim;
        g->tensor[i].dtype = DT_FLOAT32;
        output[i] = (TensorId)i;
    }
    g->ntensor = g->noutput = n;
    g->output = output;
    return head_of(a, g);
}

static bool compare(Head *h, const double *x, const double *y, double *boxes, double *same)
{
    const double *before[2] = {x, x + (size_t)4 * N}, *after[2] = {y, y + (size_t)4 * N};
    return boxes_compare(h, before, after, boxes, same);
}

/* Two of three boxes of a row each; the third is the first, a little moved and less sure. */
static void rows_with_object(Arena *a)
{
    double x[N][7] = {{10, 10, 8, 8, 0.9, 0.9, 0.1},
                      {40, 40, 8, 8, 0.9, 0.1, 0.9},
                      {11, 10, 8, 8, 0.8, 0.9, 0.1}};
    double y[N][7], boxes, same;
    Head *h = head(a, (const int64_t[][2]){{N, 7}}, 1);
    /* 16 rows of 7 are boxes, objectness and two classes */
    CHECK(h != NULL);
    if (!h)
        return;
    memcpy(y, x, sizeof x);
    /* the third is suppressed, the others are themselves */
    CHECK(compare(h, x[0], y[0], &boxes, &same) && boxes == 4 && same == 4);
    y[1][0] = 42; /* 6 of 10 columns are both's */
    /* an IoU of 0.6 is the same */
    CHECK(compare(h, x[0], y[0], &boxes, &same) && same == 4);
    y[1][0] = 43; /* 5 of 11 */
    /* one of 5 / 11 is not */
    CHECK(compare(h, x[0], y[0], &boxes, &same) && same == 2);
    y[1][0] = 40;
    y[1][5] = 0.95; /* now of the first class */
    /* nor is another class */
    CHECK(compare(h, x[0], y[0], &boxes, &same) && boxes == 4 && same == 2);
    y[1][4] = 0.26; /* 0.26 * 0.95 is less than a quarter */
    /* what is hardly there is no box */
    CHECK(compare(h, x[0], y[0], &boxes, &same) && boxes == 3 && same == 2);
    y[1][4] = 3;
    /* what is beyond 1 is no score */
    CHECK(!compare(h, x[0], y[0], &boxes, &same));
}

static void columns(Arena *a)
{
    double x[6][N] = {{0}}, y[6][N], boxes, same;
    Head *h = head(a, (const int64_t[][2]){{6, N}}, 1);
    /* 6 rows of 16 are boxes and two classes */
    CHECK(h != NULL);
    if (!h)
        return;
    x[0][3] = x[1][3] = 20;
    x[2][3] = x[3][3] = 10;
    x[5][3] = 0.5;
    memcpy(y, x, sizeof x);
    /* the fourth column is a box */
    CHECK(compare(h, x[0], y[0], &boxes, &same) && boxes == 2 && same == 2);
    y[5][3] = 0.2;
    /* and gone in one of both */
    CHECK(compare(h, x[0], y[0], &boxes, &same) && boxes == 1 && same == 0);
}

/* Boxes and, behind them, scores of the background and two classes. */
static void pair(Arena *a, bool corners)
{
    double x[N * 7] = {0}, y[N * 7], boxes, same;
    Head *h = head(a, (const int64_t[][2]){{N, 4}, {N, 3}}, 2);
    /* 16 rows of 4 and of 3 are boxes and classes */
    CHECK(h != NULL);
    if (!h)
        return;
    for (int i = 0; i < N; i++) { /* 4 wide, from 10 on */
        x[4 * i] = corners ? 10 : 12;
        x[4 * i + 1] = 10 * i + (corners ? 0 : 2);
        x[4 * i + 2] = corners ? 14 : 4;
        x[4 * i + 3] = corners ? 10 * i + 4 : 4;
        x[4 * N + 3 * i] = 0.9; /* the background is nothing to look for */
    }
    x[4 * N + 3 * 2 + 1] = x[4 * N + 3 * 9 + 2] = 0.6;
    memcpy(y, x, sizeof x);
    /* two rows are boxes */
    CHECK(compare(h, x, y, &boxes, &same) && boxes == 4 && same == 4);
    y[4 * 9] += 1; /* as corners it is 3 wide: 3 of 4; as a centre it moves: 3 of 5 */
    /* a little aside is the same */
    CHECK(compare(h, x, y, &boxes, &same) && same == 4);
    y[4 * 9] += 1.5; /* 1.5 of 4, and 1.5 of 6.5 */
    /* further aside is not */
    CHECK(compare(h, x, y, &boxes, &same) && same == 2);
}

/* Numbers are shares of the sides where more than nine boxes of ten have none beyond 2: of 16, with
 * one whose height alone is 3, but not with two.  (0.5, 0.5, 0.2, 0.4) of 100 x 50 pixels. */
static void units(Arena *a)
{
    for (int far = 1; far <= 2; far++) {
        double x[N][7] = {{0.5, 0.5, 0.2, 0.4, 0.9, 0.9, 0.1}};
        DetectionBox list[HEAD_BOXES];
        Head *h = head(a, (const int64_t[][2]){{N, 7}}, 1);
        const double *of[2] = {x[0], NULL};
        for (int i = 1; i <= far; i++)
            x[i][3] = 3;
        CHECK(boxes_of(h, of, 100, 50, list) == 1);
        double wide = far == 1 ? 100 : 1, high = far == 1 ? 50 : 1;
        CHECK_NEAR(list[0].x0, 0.4 * wide, 1e-9);
        CHECK_NEAR(list[0].x1, 0.6 * wide, 1e-9);
        CHECK_NEAR(list[0].y0, 0.3 * high, 1e-9);
        CHECK_NEAR(list[0].y1, 0.7 * high, 1e-9);
        /* Once decided it stays: a later picture may show nothing else. */
        x[1][3] = x[2][3] = far == 1 ? 3 : 0;
        CHECK(boxes_of(h, of, 100, 50, list) == 1);
        CHECK_NEAR(list[0].x1, 0.6 * wide, 1e-9);
    }
}

int main(void)
{
    Arena *a = arena_new(0);
    Head *h;
    rows_with_object(a);
    units(a);
    columns(a);
    pair(a, true);
    pair(a, false);
    /* 1,000 scores are no boxes */ h = head(a, (const int64_t[][2]){{1, 1000}}, 1);
    CHECK(!h);
    /* boxes without classes are none */ h = head(a, (const int64_t[][2]){{N, 4}}, 1);
    CHECK(!h);
    arena_free(a);
    return check_failures() != 0;
}
