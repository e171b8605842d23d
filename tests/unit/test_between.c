/* The search between batches, on builds of one law: a task of n images takes 100 + 10 n ns.  What
 * is taken is taken here, not compiled. */
#include "advisor/candidate/search/search_state.h"
#include "tests/unit/check.h"

#include <math.h>
#include <string.h>

enum { BUILDS_MOST = 600 };

static Arena *arena;
static int64_t taken[BUILDS_MOST];
static size_t changes[BUILDS_MOST]; /* of each */
static double promised;             /* by every bound; 0: what it says */
static size_t ntaken;
static int64_t does_not_fit; /* from this batch on; 0: all do */
static bool blind;           /* nothing better is found */

static Build *build_of(int64_t batch)
{
    Build *x = ARENA_NEW(arena, Build);
    double ns = 100 + 10 * (double)batch;
    x->pe = 1;
    x->batch = batch;
    x->fits = !does_not_fit || batch < does_not_fit;
    x->alone = x->loaded = (QueueDemand){.npu_ns = ns,
                                         .npu_servers = 1,
                                         .host_servers = 1,
                                         .pcie_servers = 1,
                                         .npu_regularity = 1,
                                         .host_regularity = 1,
                                         .pcie_regularity = 1};
    x->latency_ns = ns;
    x->images = (double)batch;
    x->parts = 1;
    x->cap = 1;
    return x;
}

/* ---- what search_state.c has, without compiling ---- */

static void weigh(SearchState *r, const Build *x)
{
    TunePoint p = front_point(r->s, x, 1, 1);
    if (x->fits && front_meets_limit(&p, r->g) &&
        (!r->out->found || p.per_s > r->out->best.per_s)) {
        r->out->best = p;
        r->out->found = true;
    }
}

const Build *search_add(SearchState *r, const PartSet *set, int pe, int64_t batch)
{
    Build *x = build_of(batch);
    CHECK(ntaken < BUILDS_MOST && pe == 1);
    x->set = *set;
    changes[ntaken] = space_set_count(set);
    taken[ntaken++] = batch;
    if (!blind)
        weigh(r, x);
    return x;
}

double search_bound(const SearchState *r, double bound)
{
    if (promised > 0)
        return promised;
    return bound > r->out->best.per_s ? bound / r->out->best.per_s - 1 : 0;
}

/* ---- */

typedef struct {
    WhatIf w;
    Space space;
    Goal goal;
    Builds builds;
    Build *build[8];
    Search search;
    SearchState state;
} Between;

/* These batches were taken; what is asked for is the most within `limit_ns`. */
static Between *between(const int64_t *batch, size_t n, double limit_ns)
{
    Between *x = ARENA_NEW(arena, Between);
    x->w.baseline.variant.run = (RunOptions){.workers = 1, .devices = 1};
    x->space = (Space){.w = &x->w, .open = {[AXIS_BATCH] = true}};
    x->goal = (Goal){OBJECTIVE_THROUGHPUT, limit_ns};
    x->builds = (Builds){.a = arena, .build = x->build, .nbuild = n};
    x->search = (Search){.builds = &x->builds};
    x->state = (SearchState){.a = arena, .out = &x->search, .s = &x->space, .g = &x->goal};
    for (size_t i = 0; i < n; i++) {
        x->build[i] = build_of(batch[i]);
        weigh(&x->state, x->build[i]);
    }
    ntaken = 0;
    return x;
}

static bool took(Between *x, size_t n, const int64_t *batch)
{
    search_between(&x->state);
    for (size_t i = 0; i < ntaken; i++)
        if (i >= n || taken[i] != batch[i])
            printf("  %zu: %lld\n", i, (long long)taken[i]);
    return ntaken == n && (n == 0 || !memcmp(taken, batch, n * sizeof *batch));
}

/* Of 1, 8 and 16 images 8 keep 250 ns (180 ns), 16 (260 ns) do not; up to 15 do.  Between 1 and 8
 * nothing makes more than 8 do; the middle of 8 and 16 is 12 (220 ns), then 14, then 15, and
 * between 15 and 16 there is none. */
static void narrows(void)
{
    static const int64_t batch[] = {1, 8, 16}, back[] = {16, 8, 1}, middle[] = {12, 14, 15};
    Between *x = between(batch, 3, 250);
    CHECK(took(x, 3, middle) && x->search.best.build->batch == 15 && x->search.searched.gap == 0);
    x = between(back, 3, 250);
    CHECK(took(x, 3, middle));
    x = between(batch, 3, 259.9); /* 15 is the last in any case */
    CHECK(took(x, 3, middle));
    x = between(batch, 3, 260); /* 16 itself */
    CHECK(took(x, 0, NULL));
    x = between(batch, 3, 179.9); /* 8 do not: 7 of 170 ns are the most */
    static const int64_t first[] = {4, 6, 7};
    CHECK(took(x, 3, first) && x->search.best.build->batch == 7);
    x = between(batch, 1, 250);
    CHECK(took(x, 0, NULL) && x->search.searched.gap == 0);
    static const int64_t close[] = {14, 15, 16};
    x = between(close, 3, 240);
    CHECK(took(x, 0, NULL));
    static const int64_t two[] = {13, 15};
    x = between(two, 2, 240);
    static const int64_t fourteen[] = {14};
    CHECK(took(x, 1, fourteen));
}

/* Nothing else is asked, or may be changed, or was found. */
static void nothing(void)
{
    static const int64_t batch[] = {1, 16};
    for (int k = 0; k < 5; k++) {
        Between *x = between(batch, 2, 250);
        if (k == 1)
            x->goal.objective = OBJECTIVE_LATENCY;
        x->goal.limit_ns = k == 2 ? 0 : 250;
        x->space.open[AXIS_BATCH] = k != 3;
        x->search.found = k != 4;
        search_between(&x->state);
        CHECK((ntaken > 0) == (k == 0));
    }
}

/* What does not fit bounds nothing; neighbours are of the same changes in the same mode. */
static void neighbours(void)
{
    static const int64_t batch[] = {1, 16};
    does_not_fit = 16;
    CHECK(took(between(batch, 2, 250), 0, NULL));
    does_not_fit = 0;
    Between *x = between(batch, 2, 250);
    x->build[1]->pe = 2;
    CHECK(took(x, 0, NULL));
    x = between(batch, 2, 250);
    x->build[1]->set.way[PARTS_MAX - 1] = 1;
    CHECK(took(x, 0, NULL));
    static const int64_t same[] = {8, 8, 9};
    CHECK(took(between(same, 3, 185), 0, NULL));
    /* Half of it does not fit, and below it lies nothing better. */
    static const int64_t more[] = {1, 32}, half[] = {16, 8, 12, 14, 15};
    does_not_fit = 33;
    CHECK(took(between(more, 2, 250), 5, half));
    does_not_fit = 0;
}

/* Where nothing that is taken helps, it ends after 256: what is left is the gap. */
static void ends(void)
{
    static const int64_t batch[] = {1, 1 << 20};
    Between *x = between(batch, 2, 1e9);
    x->search.best = front_point(&x->space, x->build[0], 1, 1);
    blind = true;
    search_between(&x->state);
    double most = (1 << 20) * 1e9 / (100 + 10 * (double)(1 << 20));
    CHECK(ntaken == 256);
    CHECK_NEAR(x->search.searched.gap, most / (1e9 / 110) - 1, 1e-7); /* of nearly the last */
    x = between(batch, 2, 1e9);
    x->search.best = front_point(&x->space, x->build[0], 1, 1);
    x->search.searched.gap = 1000; /* of the search before */
    search_between(&x->state);
    CHECK(x->search.searched.gap == 1000);
    blind = false;
}

/* Of gaps that promise the same, the first. */
static void first_of_equals(void)
{
    static const int64_t batch[] = {8, 16, 8, 16};
    Between *x = between(batch, 4, 250);
    x->build[0]->set.way[0] = x->build[1]->set.way[0] = 1;
    search_between(&x->state);
    CHECK(ntaken > 2 && taken[0] == 12 && changes[0] == 1);
    CHECK(taken[1] == 12 && changes[1] == 0);
}

/* 0.5 % more is not worth looking for. */
static void tolerance(void)
{
    static const int64_t batch[] = {8, 16};
    for (int k = 0; k < 2; k++) {
        Between *x = between(batch, 2, 250);
        double bound = front_point(&x->space, x->build[1], 1, 1).per_s;
        x->search.best.per_s = bound / (k ? 1.0051 : 1.0049);
        blind = true;
        search_between(&x->state);
        blind = false;
        CHECK((ntaken > 0) == k && x->search.searched.gap == 0);
    }
    Between *x = between(batch, 2, 250);
    promised = CHOICE_TOLERANCE;
    CHECK(took(x, 0, NULL) && x->search.searched.gap == 0);
    promised = 0;
}

int main(void)
{
    arena = arena_new(0);
    narrows();
    nothing();
    neighbours();
    ends();
    first_of_equals();
    tolerance();
    arena_free(arena);
    return check_failures() != 0;
}
