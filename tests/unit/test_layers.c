/* Drawings of graphs small enough to be drawn by hand. */
#include "advisor/render/html/layers.h"
#include "tests/unit/check.h"

#include <stdbool.h>

enum { COUNT_MAX = 4096 };

static bool is_at(const Layers *l, size_t i, uint32_t layer, double column)
{
    const LayerPosition *p = &l->place[i];
    bool ok = p->layer == layer && !(p->column < column) && !(p->column > column);
    if (!ok)
        printf("  %zu is at %u, %g\n", i, p->layer, p->column);
    return ok;
}

static bool spans(const Layers *l, double left, double right)
{
    return !(l->left < left) && !(l->left > left) && !(l->right < right) && !(l->right > right);
}

static void check_few(Arena *a)
{
    Layers l = layers_arrange(a, 0, NULL, 0);
    CHECK(l.nplace == 0 && l.nlayer == 0 && spans(&l, 0, 0));
    l = layers_arrange(a, 1, NULL, 0);
    CHECK(l.nplace == 1 && l.nlayer == 1 && is_at(&l, 0, 0, 0) && spans(&l, 0, 0));
    CHECK(l.place[0].route == UINT32_MAX);
    l = layers_arrange(a, 2, NULL, 0); /* as they come, 1 apart, the middle at 0 */
    CHECK(l.nlayer == 1 && is_at(&l, 0, 0, -0.5) && is_at(&l, 1, 0, 0.5) && spans(&l, -0.5, 0.5));
}

/* Layers settle whatever the order of the edges is. */
static void check_order_of_edges(Arena *a)
{
    const LayerEdge edge[] = {{2, 3}, {1, 2}, {0, 1}};
    Layers l = layers_arrange(a, 4, edge, 3);
    CHECK(l.nplace == 4 && l.nlayer == 4);
    for (uint32_t i = 0; i < 4; i++)
        CHECK(is_at(&l, i, i, 0));
}

/* An edge past two layers goes through two dummies, beside what lies there; that past none has
 * none. */
static void check_dummies(Arena *a)
{
    const LayerEdge edge[] = {{0, 1}, {1, 2}, {2, 3}, {0, 3}};
    Layers l = layers_arrange(a, 4, edge, 4);
    CHECK(l.nnode == 4 && l.nplace == 6 && l.nlayer == 4 && spans(&l, -0.5, 0.5));
    CHECK(is_at(&l, 1, 1, -0.5) && is_at(&l, 4, 1, 0.5) && is_at(&l, 2, 2, -0.5) &&
          is_at(&l, 5, 2, 0.5));
    CHECK(l.place[4].route == 3 && l.place[5].route == 3 && l.place[3].route == UINT32_MAX);
}

/* 0 -> 5 comes down on the left, from dummy to dummy, as 1 -> 2 -> 3 does on the right. */
static void check_way_of_dummies(Arena *a)
{
    const LayerEdge edge[] = {{1, 2}, {2, 3}, {3, 4}, {3, 5}, {0, 5}};
    Layers l = layers_arrange(a, 6, edge, 5);
    CHECK(l.nplace == 8 && is_at(&l, 6, 1, -0.5) && is_at(&l, 2, 1, 0.5) && is_at(&l, 7, 2, -0.5) &&
          is_at(&l, 3, 2, 0.5));
    CHECK(is_at(&l, 5, 3, -0.5) && is_at(&l, 4, 3, 0.5) && is_at(&l, 0, 0, -0.5));
}

/* 0 -> 3 and 1 -> 2 do not cross where 3 is on the left; three layers with 2 and 3 in the middle,
 * 4 and 5 below, crossed twice. */
static void check_crossings(Arena *a)
{
    const LayerEdge two[] = {{1, 2}, {0, 3}}, three[] = {{1, 2}, {0, 3}, {3, 4}, {2, 5}};
    Layers l = layers_arrange(a, 4, two, 2);
    CHECK(is_at(&l, 0, 0, -0.5) && is_at(&l, 1, 0, 0.5) && is_at(&l, 3, 1, -0.5) &&
          is_at(&l, 2, 1, 0.5));
    l = layers_arrange(a, 6, three, 4);
    CHECK(is_at(&l, 0, 0, -0.5) && is_at(&l, 3, 1, -0.5) && is_at(&l, 4, 2, -0.5) &&
          is_at(&l, 5, 2, 0.5));
}

/* Of the columns -1.5 … 1.5 above, 4 has the last: 1.5.  5 has the last two: 1, the mean, though
 * their sum is 2.  So 5 is left of 4; and below, nothing moves what is above. */
static void check_means(Arena *a)
{
    const LayerEdge edge[] = {{3, 4}, {2, 5}, {3, 5}};
    Layers l = layers_arrange(a, 6, edge, 3);
    CHECK(is_at(&l, 5, 1, -0.5) && is_at(&l, 4, 1, 0.5) && spans(&l, -1.5, 1.5));
    for (uint32_t i = 0; i < 4; i++)
        CHECK(is_at(&l, i, 0, i - 1.5));
    /* Of the first 5 has -1.5, of the first two 4 has -1. */
    l = layers_arrange(a, 6, (const LayerEdge[]){{0, 4}, {1, 4}, {0, 5}}, 3);
    CHECK(is_at(&l, 5, 1, -0.5) && is_at(&l, 4, 1, 0.5));
}

/* 4 has 1 and 3 above it, 5 has 2: both means are 0, so 4 stays on the left.  Upwards 1 and 3 have
 * -0.5 and 2 has 0.5: now no line crosses another.  Of 0 above them all three have the same. */
static void check_upwards(Arena *a)
{
    const LayerEdge edge[] = {{3, 4}, {0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 5}};
    Layers l = layers_arrange(a, 6, edge, 6);
    CHECK(l.nplace == 6 && l.nlayer == 3 && spans(&l, -1, 1));
    CHECK(is_at(&l, 0, 0, 0) && is_at(&l, 1, 1, -1) && is_at(&l, 3, 1, 0) && is_at(&l, 2, 1, 1) &&
          is_at(&l, 4, 2, -0.5) && is_at(&l, 5, 2, 0.5));
    l = layers_arrange(a, 5, (const LayerEdge[]){{0, 3}, {2, 3}, {1, 4}}, 3);
    CHECK(is_at(&l, 0, 0, -1) && is_at(&l, 2, 0, 0) && is_at(&l, 1, 0, 1));
}

/* A chain and one edge past all of it. */
static Layers past(Arena *a, uint32_t nnode, size_t more)
{
    static LayerEdge edge[2 * COUNT_MAX];
    size_t n = 0;
    for (uint32_t i = 1; i < nnode; i++)
        edge[n++] = (LayerEdge){i - 1, i};
    edge[n++] = (LayerEdge){0, nnode - 1};
    for (size_t i = 0; i < more; i++)
        edge[n++] = (LayerEdge){0, 2};
    return layers_arrange(a, nnode, edge, n);
}

/* Past n nodes between its ends it needs n dummies. */
static void check_most(Arena *a)
{
    Layers l = past(a, LAYERS_DUMMIES + 2, 0);
    CHECK(l.nplace == l.nnode + LAYERS_DUMMIES);
    CHECK(is_at(&l, l.nplace - 1, LAYERS_DUMMIES, 0.5));
    l = past(a, LAYERS_DUMMIES + 3, 0);
    CHECK(l.nplace == l.nnode && l.nlayer == LAYERS_DUMMIES + 3);
    l = past(a, LAYERS_DUMMIES + 1, 2); /* one is left for the next, and none for the third */
    CHECK(l.nplace == l.nnode + LAYERS_DUMMIES);
}

int main(void)
{
    Arena *a = arena_new(0);
    check_few(a);
    check_order_of_edges(a);
    check_dummies(a);
    check_way_of_dummies(a);
    check_crossings(a);
    check_means(a);
    check_upwards(a);
    check_most(a);
    arena_free(a);
    return check_failures() != 0;
}
