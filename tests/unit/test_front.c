/* The front of a search: which points stay, which stands for those as good, what is simpler. */
#include "advisor/candidate/search/front.h"
#include "tests/unit/check.h"

#include <string.h>

static Arena *arena;
static Build one = {.batch = 1}, four = {.batch = 4};

static TunePoint point(double per_s, double latency_ns, Applicability effort)
{
    return (TunePoint){.build = &one,
                       .workers = 1,
                       .devices = 1,
                       .per_s = per_s,
                       .latency_ns = latency_ns,
                       .effort = effort};
}

/* "rate latency effort changes/workers/devices/batch" of each that stays. */
static const char *front(TunePoint *p, size_t n)
{
    const PointList l = {.a = arena, .point = p, .n = n};
    size_t kept;
    const TunePoint *f = front_of(arena, &l, &kept);
    const char *all = "";
    for (size_t i = 0; i < kept; i++)
        all = arena_printf(arena, "%s%s%g %g %d %zu/%d/%d/%lld", all, i ? "; " : "", f[i].per_s,
                           f[i].latency_ns, (int)f[i].effort, f[i].changes, f[i].workers,
                           f[i].devices, (long long)f[i].build->batch);
    return all;
}

/* Slower and no less latency, by no less effort: beaten. */
static void beaten(void)
{
    TunePoint p[] = {point(100, 10, APPLY_SAFE), point(200, 20, APPLY_SAFE),
                     point(150, 20, APPLY_SAFE), point(150, 25, APPLY_SAFE)};
    CHECK(same_text(front(p, 4), "100 10 0 0/1/1/1; 200 20 0 0/1/1/1"));
    CHECK(same_text(front(p, 0), ""));
    p[2].latency_ns = 19;
    CHECK(same_text(front(p, 3), "100 10 0 0/1/1/1; 150 19 0 0/1/1/1; 200 20 0 0/1/1/1"));
    /* What asks less stays beside what is better. */
    TunePoint q[] = {point(200, 10, APPLY_MANUAL), point(100, 20, APPLY_CHECK),
                     point(90, 30, APPLY_CHECK), point(50, 40, APPLY_SAFE),
                     point(40, 5, APPLY_RETRAIN)};
    CHECK(same_text(front(q, 5),
                    "40 5 3 0/1/1/1; 50 40 0 0/1/1/1; 100 20 1 0/1/1/1; 200 10 2 0/1/1/1"));
    /* Less effort beats more, where nothing else is better. */
    TunePoint r[] = {point(200, 10, APPLY_SAFE), point(100, 10, APPLY_RETRAIN)};
    CHECK(same_text(front(r, 2), "200 10 0 0/1/1/1"));
    TunePoint s[] = {point(200, 10, APPLY_RETRAIN), point(100, 10, APPLY_SAFE)};
    CHECK(same_text(front(s, 2), "100 10 0 0/1/1/1; 200 10 3 0/1/1/1"));
}

/* Of equal ones, the order of what decides: effort, changes, who comes first. */
static void equal(void)
{
    TunePoint p[] = {point(100, 10, APPLY_CHECK), point(100, 10, APPLY_SAFE)};
    CHECK(same_text(front(p, 2), "100 10 0 0/1/1/1"));
    TunePoint q[] = {point(100, 10, APPLY_SAFE), point(100, 10, APPLY_SAFE)};
    q[0].changes = 2;
    q[1].changes = 1;
    CHECK(same_text(front(q, 2), "100 10 0 1/1/1/1"));
}

/* 20 points from 100 to 195: 12 at even steps of at least 5 % in rate.  (195 / 100)^(1 / 12) is
 * 1.0572: from 195 down the next is 184.4 or less: 180, 170, 160, 150, 140, 130, 120, 110, 100. */
static void thinned(void)
{
    TunePoint p[20];
    for (int i = 0; i < 20; i++)
        p[i] = point(100 + 5 * i, 10 + i, APPLY_SAFE);
    CHECK(same_text(front(p, 20),
                    "100 10 0 0/1/1/1; 110 12 0 0/1/1/1; 120 14 0 0/1/1/1; 130 16 0 0/1/1/1; "
                    "140 18 0 0/1/1/1; 150 20 0 0/1/1/1; 160 22 0 0/1/1/1; 170 24 0 0/1/1/1; "
                    "180 26 0 0/1/1/1; 195 29 0 0/1/1/1"));
    /* None closer than 5 %: of 100, 104, 108 the ends, and 104 is 3.8 % below 108. */
    TunePoint q[] = {point(100, 10, APPLY_SAFE), point(104, 20, APPLY_SAFE),
                     point(108, 30, APPLY_SAFE)};
    CHECK(same_text(front(q, 3), "100 10 0 0/1/1/1; 108 30 0 0/1/1/1"));
    q[1].per_s = 102.8; /* 108 / 102.8 is more than 1.05 */
    CHECK(same_text(front(q, 3), "100 10 0 0/1/1/1; 102.8 20 0 0/1/1/1; 108 30 0 0/1/1/1"));
    /* Each effort has ends of its own. */
    TunePoint r[] = {point(100, 10, APPLY_SAFE), point(104, 20, APPLY_SAFE),
                     point(106, 30, APPLY_SAFE), point(107, 25, APPLY_CHECK)};
    CHECK(same_text(front(r, 4), "100 10 0 0/1/1/1; 106 30 0 0/1/1/1; 107 25 1 0/1/1/1"));
}

/* Within half a percent the simplest stands for all. */
static void simplest(void)
{
    TunePoint p[] = {point(1000, 1000, APPLY_CHECK), point(995, 1004, APPLY_SAFE)};
    CHECK(same_text(front(p, 2), "995 1004 0 0/1/1/1"));
    p[1].per_s = 994;
    CHECK(same_text(front(p, 2), "994 1004 0 0/1/1/1; 1000 1000 1 0/1/1/1"));
    p[1].per_s = 995;
    p[1].latency_ns = 1006;
    CHECK(same_text(front(p, 2), "995 1006 0 0/1/1/1; 1000 1000 1 0/1/1/1"));
    /* Fewer changes, workers, a smaller batch, less latency; in this order. */
    TunePoint q[] = {point(1000, 1000, APPLY_SAFE), point(999, 1001, APPLY_SAFE)};
    q[0].changes = 2;
    q[1].changes = 1;
    q[1].workers = 9;
    CHECK(same_text(front(q, 2), "999 1001 0 1/9/1/1"));
    q[0].changes = 1;
    CHECK(same_text(front(q, 2), "1000 1000 0 1/1/1/1"));
    q[1].workers = 1;
    q[0].build = &four;
    CHECK(same_text(front(q, 2), "999 1001 0 1/1/1/1"));
}

static void simpler(void)
{
    TunePoint x = point(1, 10, APPLY_CHECK), y = x;
    CHECK(front_compare_needs(&x, &y) == 0 && !front_is_simpler(&x, &y));
    y.devices = 3;
    CHECK(front_compare_needs(&x, &y) == -2 && front_compare_needs(&y, &x) == 2);
    CHECK(front_is_simpler(&x, &y) && !front_is_simpler(&y, &x));
    y.effort = APPLY_SAFE; /* fewer cards go before less effort */
    CHECK(front_is_simpler(&x, &y));
    y.devices = 1;
    CHECK(front_compare_needs(&x, &y) == 1 && front_is_simpler(&y, &x));
    y = x;
    y.changes = 1;
    CHECK(front_is_simpler(&x, &y) && !front_is_simpler(&y, &x));
    y = x;
    y.workers = 2;
    CHECK(front_is_simpler(&x, &y) && !front_is_simpler(&y, &x));
    y = x;
    y.build = &four;
    CHECK(front_is_simpler(&x, &y) && !front_is_simpler(&y, &x));
    y = x;
    y.latency_ns = 11;
    CHECK(front_is_simpler(&x, &y) && !front_is_simpler(&y, &x));
}

static void goals(void)
{
    TunePoint x = point(7, 10, APPLY_SAFE);
    CHECK(front_value(&x, OBJECTIVE_LATENCY) == 10 && front_value(&x, OBJECTIVE_THROUGHPUT) == 7);
    CHECK(front_is_better(OBJECTIVE_LATENCY, 1, 2) && !front_is_better(OBJECTIVE_LATENCY, 2, 1) &&
          !front_is_better(OBJECTIVE_LATENCY, 1, 1));
    CHECK(front_is_better(OBJECTIVE_THROUGHPUT, 2, 1) &&
          !front_is_better(OBJECTIVE_THROUGHPUT, 1, 2) &&
          !front_is_better(OBJECTIVE_THROUGHPUT, 1, 1));
    CHECK(front_meets_limit(&x, &(Goal){.limit_ns = 10}) &&
          !front_meets_limit(&x, &(Goal){.limit_ns = 9.9}) &&
          front_meets_limit(&x, &(Goal){.limit_ns = 0}) &&
          !front_meets_limit(&x, &(Goal){.limit_ns = 1}) &&
          !front_meets_limit(&x, &(Goal){.limit_ns = 0.5}));
}

int main(void)
{
    arena = arena_new(0);
    beaten();
    equal();
    thinned();
    simplest();
    simpler();
    goals();
    arena_free(arena);
    return check_failures() != 0;
}
