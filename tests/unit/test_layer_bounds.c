/* What advice about layers may gain: each layer once, no more than is computed, and what is too
 * little to be advice. */
#include "advisor/advise/compiled/bounds.h"
#include "tests/unit/check.h"
#include "tests/unit/layer_chain.h"

#include <string.h>

static Arena *arena;

/* Five layers of 10, 20, 30, 40 and an unknown time, of which an event of the profiler is 2 each.
 */
static Made *five(void)
{
    Made *m = chain(arena, 5, DT_FLOAT16);
    memcpy(m->ns, (double[]){10, 20, 30, 40, LAYER_UNTIMED}, 5 * sizeof(double));
    m->of.sum_ns = m->of.joined_ns = 100;
    m->of.event_ns = 2;
    m->of.timed = 4;
    return m;
}

static Occurrence place(const uint32_t *removes, size_t nremoves, const uint32_t *changes,
                        size_t nchanges, double ns)
{
    Occurrence p = {0};
    p.bound.removes = (uint32_t *)removes;
    p.bound.nremoves = nremoves;
    p.bound.changes = (uint32_t *)changes;
    p.bound.nchanges = nchanges;
    p.bound.ns = ns;
    return p;
}

static bool lists(const uint32_t *found, size_t nfound, const uint32_t *expected, size_t n)
{
    return nfound == n && (n == 0 || memcmp(found, expected, n * sizeof *found) == 0);
}

static void one_place(void)
{
    Made *m = five();
    static const uint32_t removes[] = {3, 1, 1}, changes[] = {0, 1, 9};
    Occurrence p = place(removes, 3, changes, 3, 0);
    Bound b = bound_of_occurrence(arena, &m->of, &p);
    /* 20 + 40 vanish, 10 more would change; a layer that vanishes does not change as well. */
    CHECK(b.known && b.removable_ns == 60 && b.at_most_ns == 70);
    CHECK(lists(b.removes, b.nremoves, (uint32_t[]){1, 3}, 2));
    CHECK(lists(b.changes, b.nchanges, (uint32_t[]){0}, 1));
    CHECK(b.removable_without_events_ns == 56 && b.at_most_without_events_ns == 64);
    CHECK(b.other_ns == 0);
    /* Of unknown time, and of none. */
    static const uint32_t untimed[] = {4};
    p = place(untimed, 1, NULL, 0, 0);
    b = bound_of_occurrence(arena, &m->of, &p);
    CHECK(!b.known && b.at_most_ns == 0 && b.nremoves == 1);
    p = place(NULL, 0, NULL, 0, 0);
    b = bound_of_occurrence(arena, &m->of, &p);
    CHECK(!b.known && b.nremoves == 0 && b.nchanges == 0);
    /* Time that is of no layer. */
    p = place(NULL, 0, untimed, 1, 7);
    b = bound_of_occurrence(arena, &m->of, &p);
    CHECK(b.known && b.removable_ns == 0 && b.at_most_ns == 7 && b.other_ns == 7);
    CHECK(b.at_most_without_events_ns == 7);
}

/* No more than the engine computes; what is of no layer comes on top. */
static void capped(void)
{
    Made *m = five();
    static const uint32_t all[] = {0, 1, 2, 3};
    Occurrence p = place(all, 4, NULL, 0, 5);
    m->times.stage[ENGINE_COMPUTE] = (EngineStage){.known = true, .mean = 50};
    Bound b = bound_of_occurrence(arena, &m->of, &p);
    CHECK(b.removable_ns == 50 && b.at_most_ns == 55);
    CHECK(b.removable_without_events_ns == 50 && b.at_most_without_events_ns == 55);
    m->times.stage[ENGINE_COMPUTE].known = false;
    b = bound_of_occurrence(arena, &m->of, &p);
    CHECK(b.removable_ns == 100 && b.at_most_ns == 105 && b.removable_without_events_ns == 92);
}

static void several(void)
{
    Made *m = five();
    static const uint32_t first[] = {0, 1}, second[] = {1, 2};
    Occurrence p[] = {place(first, 2, second, 2, 3), place(second, 2, first, 2, 8)};
    const Match match = {.place = p, .nplace = 2};
    Bound b = bound_of_match(arena, &m->of, &match);
    CHECK(b.removable_ns == 60 && b.at_most_ns == 68 && b.other_ns == 8);
    CHECK(lists(b.removes, b.nremoves, (uint32_t[]){0, 1, 2}, 3) && b.nchanges == 0);
    b = bound_of_occurrence(arena, &m->of, &p[0]);
    CHECK(b.removable_ns == 30 && b.at_most_ns == 63 && b.other_ns == 3);
    CHECK(lists(b.changes, b.nchanges, (uint32_t[]){2}, 1));
}

/* Advice is a share, a time, and twice what the profiler itself costs, at least. */
static void small(void)
{
    Made *m = five();
    Bound b = {.at_most_ns = 5};
    CHECK(!bound_is_small(arena, &m->of, &b, 0.05, 5));
    CHECK(bound_is_small(arena, &m->of, &b, 0.051, 5));
    CHECK(bound_is_small(arena, &m->of, &b, 0.05, 5.1));
    m->of.event_ns = 2.5;
    CHECK(!bound_is_small(arena, &m->of, &b, 0.05, 0));
    m->of.event_ns = 2.6;
    CHECK(bound_is_small(arena, &m->of, &b, 0.05, 0));
    m->of.event_ns = m->of.sum_ns = 0;
    CHECK(!bound_is_small(arena, &m->of, &b, 1, 5));
    CHECK(bound_is_small(arena, &m->of, &b, 1.1, 5));
}

int main(void)
{
    arena = arena_new(0);
    one_place();
    capped();
    several();
    small();
    arena_free(arena);
    return check_failures() != 0;
}
