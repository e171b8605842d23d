/* Matches boxes image by image and ranks them over all images at the end. */
#include "advisor/measure/average_precision.h"

#include "advisor/message/json.h"

enum { STEPS = 10, COUNT_MAX = 100, RECALLS = 101 };

/* A predicted box: bit k of `right` and of `aside` is for the k-th IoU. */
typedef struct {
    double score;
    int64_t class;
    uint32_t right, aside, picture;
} Hit;

/* Objects of a class on an image, crowds excluded. */
typedef struct {
    int64_t class, n;
    uint32_t picture;
} Count;

struct AveragePrecision {
    Arena *arena;
    Hit *hit;
    Count *count;
    size_t nhit, hit_cap, ncount, count_cap;
    uint32_t pictures;
    size_t *order;                          /* of hits: by class, the best first */
    double *precise[STEPS], *recall[STEPS]; /* room for those that are right */
    bool sorted;
};

AveragePrecision *average_precision_new(Arena *a)
{
    AveragePrecision *p = ARENA_NEW(a, AveragePrecision);
    *p = (AveragePrecision){.arena = a};
    return p;
}

/* ---- one image ---- */

static double box_area(const DetectionBox *b)
{
    return fmax(0, b->x1 - b->x0) * fmax(0, b->y1 - b->y0);
}

/* IoU; for a crowd, the share of the box that lies on it. */
static double box_overlap(const DetectionBox *drawn, const LabeledBox *t)
{
    const DetectionBox *b = &t->box;
    double w = fmin(drawn->x1, b->x1) - fmax(drawn->x0, b->x0),
           h = fmin(drawn->y1, b->y1) - fmax(drawn->y0, b->y0), both = w > 0 && h > 0 ? w * h : 0,
           all = t->crowd ? box_area(drawn) : box_area(drawn) + box_area(b) - both;
    return both > 0 && all > 0 ? both / all : 0;
}

/* The object that a box takes at an IoU: the nearest that is free, else a crowd; nthere: none. */
static size_t taken_by(const DetectionBox *drawn, const LabeledBox *there, size_t nthere,
                       const bool *taken, double least)
{
    size_t best = nthere;
    double most = fmin(least, 1 - 1e-10);
    for (int crowd = 0; crowd < 2 && best == nthere; crowd++)
        for (size_t i = 0; i < nthere; i++) {
            bool fits = there[i].crowd == (crowd == 1) && there[i].box.class == drawn->class;
            double o = fits && (crowd || !taken[i]) ? box_overlap(drawn, &there[i]) : -1;
            if (o >= most) {
                most = o;
                best = i;
            }
        }
    return best;
}

static void match_at(Hit *hit, const DetectionBox *found, const size_t *of, size_t n,
                     const LabeledBox *there, size_t nthere, int step)
{
    Arena *scratch = arena_new(0);
    bool *taken = ARENA_ARRAY(scratch, bool, nthere + 1);
    double least = 0.5 + step * ((0.95 - 0.5) / (STEPS - 1));
    memset(taken, 0, (nthere + 1) * sizeof *taken);
    for (size_t i = 0; i < n; i++) {
        size_t k = taken_by(&found[of[i]], there, nthere, taken, least);
        if (k == nthere)
            continue;
        taken[k] = true;
        hit[i].right |= !there[k].crowd ? 1U << step : 0;
        hit[i].aside |= there[k].crowd ? 1U << step : 0;
    }
    arena_free(scratch);
}

/* The number of earlier boxes of that class on the image. */
static size_t rank_of(const AveragePrecision *p, size_t first, int64_t class)
{
    size_t n = 0;
    for (size_t i = first; i < p->nhit; i++)
        n += p->hit[i].class == class;
    return n;
}

static void count_object(AveragePrecision *p, int64_t class, int64_t n)
{
    for (size_t i = p->ncount; i-- > 0 && p->count[i].picture == p->pictures;)
        if (p->count[i].class == class) {
            p->count[i].n += n;
            return;
        }
    *VEC_PUSH(p->arena, p->count, p->ncount, p->count_cap) = (Count){class, n, p->pictures};
}

void average_precision_add(AveragePrecision *p, const DetectionBox *found, size_t nfound,
                           const LabeledBox *there, size_t nthere)
{
    Arena *scratch = arena_new(0);
    size_t first = p->nhit, *of = ARENA_ARRAY(scratch, size_t, nfound + 1), n = 0;
    for (size_t i = 0; i < nfound; i++)
        if (rank_of(p, first, found[i].class) < COUNT_MAX) {
            *VEC_PUSH(p->arena, p->hit, p->nhit, p->hit_cap) =
                (Hit){found[i].score, found[i].class, 0, 0, p->pictures};
            of[n++] = i;
        }
    for (int step = 0; step < STEPS; step++)
        match_at(p->hit + first, found, of, n, there, nthere, step);
    for (size_t i = 0; i < nthere; i++)
        if (!there[i].crowd)
            count_object(p, there[i].box.class, 1);
    assert(n <= nfound && p->nhit >= first);
    p->pictures++;
    p->sorted = false;
    arena_free(scratch);
}

/* ---- kept ---- */

static size_t first_hit(const AveragePrecision *p, size_t picture)
{
    return LIST_BOUND(i, p->nhit, p->hit[i].picture < picture);
}

/* {"there":[class, n, …],"drawn":[class, score, right, aside, …]} */
cJSON *average_precision_to_json(const AveragePrecision *p, size_t picture)
{
    cJSON *o = cJSON_CreateObject(), *there = cJSON_AddArrayToObject(o, "there"),
          *drawn = cJSON_AddArrayToObject(o, "drawn");
    for (size_t i = 0; i < p->ncount; i++)
        if (p->count[i].picture == picture) {
            cJSON_AddItemToArray(there, cJSON_CreateNumber((double)p->count[i].class));
            cJSON_AddItemToArray(there, cJSON_CreateNumber((double)p->count[i].n));
        }
    for (size_t i = first_hit(p, picture); i < p->nhit && p->hit[i].picture == picture; i++) {
        const Hit *h = &p->hit[i];
        const double v[] = {(double)h->class, h->score, h->right, h->aside};
        for (size_t k = 0; k < sizeof v / sizeof *v; k++)
            cJSON_AddItemToArray(drawn, cJSON_CreateNumber(v[k]));
    }
    return o;
}

/* The next n numbers of a list; false: there are not as many. */
static bool read_some(const cJSON **at, double *v, int n)
{
    for (int k = 0; k < n; k++, *at = (*at)->next) {
        if (!*at || !cJSON_IsNumber(*at))
            return false;
        v[k] = (*at)->valuedouble;
    }
    return true;
}

static bool is_whole(double v, double most)
{
    return v >= 0 && v <= most && floor(v) >= v;
}

bool average_precision_restore(AveragePrecision *p, const cJSON *picture)
{
    const cJSON *there = json_at(picture, "there"), *drawn = json_at(picture, "drawn");
    const double bits = (1 << STEPS) - 1, most = 1e9;
    double v[4];
    if (!cJSON_IsArray(there) || !cJSON_IsArray(drawn))
        return false;
    for (const cJSON *at = there->child; at;) {
        if (!read_some(&at, v, 2) || !is_whole(v[0], most) || !is_whole(v[1], most))
            return false;
        count_object(p, (int64_t)v[0], (int64_t)v[1]);
    }
    for (const cJSON *at = drawn->child; at;) {
        if (!read_some(&at, v, 4) || !is_whole(v[0], most) || !is_whole(v[2], bits) ||
            !is_whole(v[3], bits))
            return false;
        *VEC_PUSH(p->arena, p->hit, p->nhit, p->hit_cap) =
            (Hit){v[1], (int64_t)v[0], (uint32_t)v[2], (uint32_t)v[3], p->pictures};
    }
    p->pictures++;
    p->sorted = false;
    return true;
}

bool average_precision_same(const AveragePrecision *x, const AveragePrecision *y, size_t picture)
{
    size_t i = first_hit(x, picture), k = first_hit(y, picture);
    for (;; i++, k++) {
        bool more = i < x->nhit && x->hit[i].picture == picture,
             others = k < y->nhit && y->hit[k].picture == picture;
        if (!more || !others)
            return more == others;
        const Hit *a = &x->hit[i], *b = &y->hit[k];
        if (a->class != b->class || a->right != b->right || a->aside != b->aside ||
            a->score < b->score || a->score > b->score)
            return false;
    }
}

/* ---- all images ---- */

typedef struct {
    const Hit *hit;
    size_t index;
} Ranked;

ORDER_BY(by_class_and_score, Ranked, COMPARE(a->hit->class, b->hit->class),
         COMPARE(b->hit->score, a->hit->score), COMPARE(a->index, b->index))

ORDER_BY(by_class, Count, COMPARE(a->class, b->class))

static void sort_all(AveragePrecision *p)
{
    Arena *scratch = arena_new(SIZE_MAX);
    Ranked *ranked = ARENA_ARRAY(scratch, Ranked, p->nhit + 1);
    for (size_t i = 0; i < p->nhit; i++)
        ranked[i] = (Ranked){&p->hit[i], i};
    ORDER_LIST(ranked, p->nhit, by_class_and_score);
    p->order = ARENA_ARRAY(p->arena, size_t, p->nhit + 1);
    size_t right = LIST_SUM(size_t, i, p->nhit, p->hit[i].right != 0);
    for (int k = 0; k < STEPS; k++) {
        p->precise[k] = ARENA_ARRAY(p->arena, double, right + 1);
        p->recall[k] = ARENA_ARRAY(p->arena, double, right + 1);
    }
    for (size_t i = 0; i < p->nhit; i++)
        p->order[i] = ranked[i].index;
    p->sorted = true;
    arena_free(scratch);
}

/* Precision by recall at one IoU, at the boxes that are right: between them it only falls. */
typedef struct {
    double right, wrong, *precise, *recall;
    size_t n;
} Curve;

static double area_under(Curve *c)
{
    double sum = 0;
    size_t k = 0;
    for (size_t i = c->n; i-- > 1;)
        c->precise[i - 1] = fmax(c->precise[i - 1], c->precise[i]);
    for (int r = 0; r < RECALLS; r++) {
        double wanted = r == RECALLS - 1 ? 1 : r * 0.01;
        while (k < c->n && c->recall[k] < wanted)
            k++;
        sum += k < c->n ? c->precise[k] : 0;
    }
    return sum / RECALLS;
}

/* Adds a box that is right, or aside, at some IoU; `wrong`: weight of those that are at none. */
static void draw_on(Curve curve[STEPS], const Hit *h, double weight, double wrong, double objects)
{
    for (int step = 0; step < STEPS; step++) {
        Curve *c = &curve[step];
        bool right = h->right >> step & 1;
        if (h->aside >> step & 1)
            continue;
        *(right ? &c->right : &c->wrong) += weight;
        if (right) {
            c->recall[c->n] = c->right / objects;
            c->precise[c->n++] = c->right / (c->right + c->wrong + wrong);
        }
    }
}

/* Of hits order[from] … order[to - 1]. */
static void draw_all(const AveragePrecision *p, size_t from, size_t to, double objects,
                     const uint32_t *times, Curve curve[STEPS])
{
    double wrong = 0;
    for (int step = 0; step < STEPS; step++)
        curve[step] = (Curve){.recall = p->recall[step], .precise = p->precise[step]};
    for (size_t i = from; i < to; i++) {
        const Hit *h = &p->hit[p->order[i]];
        double weight = times ? times[h->picture] : 1;
        if (!h->right && !h->aside)
            wrong += weight;
        else if (weight > 0)
            draw_on(curve, h, weight, wrong, objects);
    }
}

/* Objects of the class of list[*at]; moves *at past it. */
static double objects_of(const Count *list, size_t n, size_t *at, const uint32_t *times)
{
    double objects = 0;
    int64_t class = list[*at].class;
    for (; *at < n && list[*at].class == class; ++*at)
        objects += (double)list[*at].n * (times ? times[list[*at].picture] : 1);
    return objects;
}

MeanPrecision average_precision_mean(AveragePrecision *p, const uint32_t *times)
{
    MeanPrecision m = {0};
    double classes = 0;
    size_t hit = 0;
    Arena *scratch = arena_new(0);
    Count *list = ARENA_ARRAY(scratch, Count, p->ncount + 1);
    if (!p->sorted)
        sort_all(p);
    if (p->ncount)
        memcpy(list, p->count, p->ncount * sizeof *list);
    ORDER_LIST(list, p->ncount, by_class);
    for (size_t at = 0; at < p->ncount;) {
        int64_t class = list[at].class;
        double objects = objects_of(list, p->ncount, &at, times);
        while (hit < p->nhit && p->hit[p->order[hit]].class < class)
            hit++;
        size_t end = hit;
        while (end < p->nhit && p->hit[p->order[end]].class == class)
            end++;
        Curve curve[STEPS];
        if (objects > 0)
            draw_all(p, hit, end, objects, times, curve);
        for (int step = 0; step < STEPS && objects > 0; step++) {
            double under = area_under(&curve[step]);
            m.map += under / STEPS;
            m.map50 += step == 0 ? under : 0;
        }
        classes += objects > 0;
    }
    arena_free(scratch);
    if (classes > 0)
        m = (MeanPrecision){m.map / classes, m.map50 / classes, true};
    return m;
}
