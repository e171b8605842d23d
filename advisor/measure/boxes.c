/* Recognises a head, decodes and suppresses its boxes, and matches those of two outputs. */
#include "advisor/measure/boxes.h"

enum { COUNT_MAX = 1000, MIN_ROWS = 16 };
static const double SAME_IOU = 0.5;

/* The limits of kept boxes. */
typedef struct {
    double score, overlap; /* minimum score, and the IoU from which the lower score is dropped */
} Keep;
static const Keep DRAWN = {0.25, 0.45}, JUDGED = {0.001, 0.6};

struct Head {
    enum { ROWS_WITH_OBJECT, COLUMNS, PAIR } kind;
    size_t output[2];
    int64_t n, classes;
    enum { UNDECIDED, CORNERS, CENTRE } form; /* of a pair's boxes */
    enum { UNSEEN, PIXELS, SHARES } unit;     /* of their numbers: shares of the sides */
};

/* ---- which head ---- */

/* [1, rows, columns] of floats. */
static bool is_table(const Tensor *t, int64_t *ret_rows, int64_t *ret_columns)
{
    if (t->shape.rank != 3 || t->shape.dim[0].value != 1 || t->dtype != DT_FLOAT32)
        return false;
    *ret_rows = t->shape.dim[1].value;
    *ret_columns = t->shape.dim[2].value;
    return *ret_rows > 0 && *ret_columns > 0;
}

static bool match_single_output(const Graph *g, size_t i, Head *h)
{
    int64_t rows, columns;
    if (!is_table(&g->tensor[g->output[i]], &rows, &columns))
        return false;
    bool turned = columns > rows;
    int64_t n = turned ? columns : rows, wide = turned ? rows : columns, fixed = turned ? 4 : 5;
    *h = (Head){turned ? COLUMNS : ROWS_WITH_OBJECT, {i, i}, n, wide - fixed, CENTRE, UNSEEN};
    return n >= MIN_ROWS && h->classes >= 1;
}

static bool match_output_pair(const Graph *g, size_t i, size_t k, Head *h)
{
    int64_t n, four, rows, classes;
    if (i == k || !is_table(&g->tensor[g->output[i]], &n, &four) ||
        !is_table(&g->tensor[g->output[k]], &rows, &classes) || four != 4 || rows != n)
        return false;
    *h = (Head){PAIR, {i, k}, n, classes, UNDECIDED, UNSEEN};
    return n >= MIN_ROWS && classes >= 2 && classes != 4;
}

Head *head_of(Arena *a, const Graph *g)
{
    Head *h = ARENA_NEW(a, Head);
    for (size_t i = 0; i < g->noutput; i++)
        if (LIST_ANY(k, g->noutput, match_output_pair(g, i, k, h)))
            return h;
    return LIST_ANY(i, g->noutput, match_single_output(g, i, h)) ? h : NULL;
}

size_t head_outputs(const Head *h, const size_t **ret)
{
    *ret = h->output;
    return h->kind == PAIR ? 2 : 1;
}

size_t head_numbers(const Head *h, size_t i)
{
    int64_t wide = h->kind == COLUMNS            ? h->classes + 4
                   : h->kind == ROWS_WITH_OBJECT ? h->classes + 5
                   : i == 0                      ? 4
                                                 : h->classes;
    return (size_t)(h->n * wide);
}

int64_t head_classes(const Head *h, bool *ret_background)
{
    *ret_background = h->kind == PAIR;
    return h->classes - *ret_background;
}

/* ---- decoding ---- */

/* Number k of row i. */
static double head_value(const Head *h, const double *const out[2], int64_t i, int64_t k)
{
    if (h->kind == COLUMNS)
        return out[0][k * h->n + i];
    if (h->kind == ROWS_WITH_OBJECT)
        return out[0][i * (h->classes + 5) + k];
    return k < 4 ? out[0][i * 4 + k] : out[1][i * h->classes + k - 4];
}

/* The best class of a row and its score; false if a value is not a score. */
static bool best_of(const Head *h, const double *const out[2], int64_t i, DetectionBox *b)
{
    const double slack = 0.02; /* int8 values may exceed 0 and 1 */
    bool object = h->kind == ROWS_WITH_OBJECT, good = true;
    int64_t first = h->kind == PAIR; /* the background is none */
    b->score = -1;
    for (int64_t c = 0; c < h->classes; c++) {
        double s = head_value(h, out, i, c + 4 + object);
        good &= s >= -slack && s <= 1 + slack;
        if (c >= first && s > b->score) {
            b->score = s;
            b->class = c;
        }
    }
    if (object) {
        double s = head_value(h, out, i, 4);
        good &= s >= -slack && s <= 1 + slack;
        b->score *= s;
    }
    return good;
}

static void decode_box(const Head *h, const double *const out[2], int64_t i, DetectionBox *b)
{
    double v[4];
    for (int64_t k = 0; k < 4; k++)
        v[k] = head_value(h, out, i, k);
    bool centre = h->form != CORNERS;
    b->x0 = centre ? v[0] - v[2] / 2 : v[0];
    b->y0 = centre ? v[1] - v[3] / 2 : v[1];
    b->x1 = centre ? v[0] + v[2] / 2 : v[2];
    b->y1 = centre ? v[1] + v[3] / 2 : v[3];
}

/* Corners are ordered; centres and sizes only by chance. */
static void decide_form(Head *h, const double *boxes)
{
    int64_t ordered = LIST_SUM(
        int64_t, i, h->n, boxes[4 * i + 2] > boxes[4 * i] && boxes[4 * i + 3] > boxes[4 * i + 1]);
    h->form = 10 * ordered > 9 * h->n ? CORNERS : CENTRE;
}

ORDER_BY(by_score, DetectionBox, COMPARE(b->score, a->score), COMPARE(a->x0, b->x0))

static double iou(const DetectionBox *a, const DetectionBox *b)
{
    double w = fmin(a->x1, b->x1) - fmax(a->x0, b->x0), h = fmin(a->y1, b->y1) - fmax(a->y0, b->y0);
    double both = w > 0 && h > 0 ? w * h : 0;
    double all = (a->x1 - a->x0) * (a->y1 - a->y0) + (b->x1 - b->x0) * (b->y1 - b->y0) - both;
    return all > 0 ? both / all : 0;
}

static bool is_suppressed(const DetectionBox *kept, size_t n, const DetectionBox *b, double overlap)
{
    return LIST_ANY(i, n, kept[i].class == b->class && iou(&kept[i], b) > overlap);
}

/* The best boxes, up to HEAD_BOXES; -1: the values are not scores. */
static int64_t decode_boxes(const Head *h, const double *const out[2], Keep keep,
                            DetectionBox *list)
{
    Arena *scratch = arena_new(SIZE_MAX);
    DetectionBox *all = ARENA_ARRAY(scratch, DetectionBox, (size_t)h->n + 1);
    size_t n = 0, kept = 0;
    bool good = true;
    for (int64_t i = 0; i < h->n && good; i++) {
        good = best_of(h, out, i, &all[n]);
        if (!good || all[n].score < keep.score)
            continue;
        decode_box(h, out, i, &all[n++]);
    }
    ORDER_LIST(all, n, by_score);
    for (size_t i = 0; i < n && i < COUNT_MAX && kept < HEAD_BOXES; i++)
        if (!is_suppressed(list, kept, &all[i], keep.overlap))
            list[kept++] = all[i];
    arena_free(scratch);
    return good ? (int64_t)kept : -1;
}

/* Decides form and unit from the output of one image. */
static void decide_head_units(Head *h, const double *const out[2])
{
    int64_t small = 0;
    if (h->form == UNDECIDED)
        decide_form(h, out[0]);
    if (h->unit != UNSEEN)
        return;
    for (int64_t i = 0; i < h->n; i++) {
        bool within = LIST_ALL(k, 4, fabs(head_value(h, out, i, k)) <= 2);
        small += within;
    }
    h->unit = 10 * small > 9 * h->n ? SHARES : PIXELS;
}

int64_t boxes_of(Head *h, const double *const out[2], int64_t width, int64_t height,
                 DetectionBox *list)
{
    decide_head_units(h, out);
    int64_t n = decode_boxes(h, out, JUDGED, list);
    double x = h->unit == SHARES ? (double)width : 1, y = h->unit == SHARES ? (double)height : 1;
    for (int64_t i = 0; i < n; i++) {
        const DetectionBox *b = &list[i];
        list[i] = (DetectionBox){b->x0 * x, b->y0 * y, b->x1 * x,
                                 b->y1 * y, b->score,  b->class - (h->kind == PAIR)};
    }
    return n;
}

/* ---- matching ---- */

static int64_t match_boxes(const DetectionBox *a, int64_t na, DetectionBox *b, int64_t nb)
{
    int64_t same = 0;
    for (int64_t i = 0; i < na; i++) {
        DetectionBox *best = NULL;
        for (int64_t k = 0; k < nb; k++)
            if (b[k].class == a[i].class && iou(&a[i], &b[k]) >= SAME_IOU &&
                (!best || iou(&a[i], &b[k]) > iou(&a[i], best)))
                best = &b[k];
        if (best)
            best->class = -1; /* taken */
        same += best != NULL;
    }
    return same;
}

bool boxes_compare(Head *h, const double *const before[2], const double *const after[2],
                   double *ret_boxes, double *ret_same)
{
    DetectionBox a[HEAD_BOXES], b[HEAD_BOXES];
    decide_head_units(h, before);
    int64_t na = decode_boxes(h, before, DRAWN, a), nb = decode_boxes(h, after, DRAWN, b);
    bool ok = na >= 0 && nb >= 0;
    *ret_boxes = ok ? (double)(na + nb) : 0;
    *ret_same = ok ? 2 * (double)match_boxes(a, na, b, nb) : 0;
    return ok;
}
