/* Checks the front of a search: which points stay, which one represents equals, what is simpler. */
#include "advisor/candidate/search/front.h"
#include "tests/unit/check.h"

#include <string.h>

static Arena *arena;
static Build one = {.batch = 1}, four = {.batch = 4};

/* Each asks for more than the one before. */
enum {
    FREE = NEED_NONE,
    FEED = NEED_INPUT,
    REWORK = NEED_INPUT | NEED_OUTPUT,
    RETRAIN = NEED_INPUT | NEED_OUTPUT | NEED_RETRAIN
};

static TunePoint point(double per_s, double latency_ns, NeedSet needs)
{
    return (TunePoint){.build = &one,
                       .workers = 1,
                       .devices = 1,
                       .per_s = per_s,
                       .latency_ns = latency_ns,
                       .needs = needs};
}

static const char *needs_text(NeedSet needs)
{
    const char *word[NEED_KINDS], *text = "";
    size_t n = need_words(needs, word);
    for (size_t i = 0; i < n; i++)
        text = arena_printf(arena, "%s%s%s", text, i ? "+" : "", word[i]);
    return n ? text : "-";
}

/* "rate latency needs changes/workers/devices/batch" of each that stays. */
static const char *front(TunePoint *p, size_t n)
{
    const PointList l = {.a = arena, .point = p, .n = n};
    size_t kept;
    const TunePoint *f = front_of(arena, &l, &kept);
    const char *all = "";
    for (size_t i = 0; i < kept; i++)
        all = arena_printf(arena, "%s%s%g %g %s %zu/%d/%d/%lld", all, i ? "; " : "", f[i].per_s,
                           f[i].latency_ns, needs_text(f[i].needs), f[i].changes, f[i].workers,
                           f[i].devices, (long long)f[i].build->batch);
    return all;
}

/* Slower and no less latency, no fewer needs: beaten. */
static void beaten(void)
{
    TunePoint p[] = {point(100, 10, FREE), point(200, 20, FREE), point(150, 20, FREE),
                     point(150, 25, FREE)};
    CHECK(same_text(front(p, 4), "100 10 - 0/1/1/1; 200 20 - 0/1/1/1"));
    CHECK(same_text(front(p, 0), ""));
    p[2].latency_ns = 19;
    CHECK(same_text(front(p, 3), "100 10 - 0/1/1/1; 150 19 - 0/1/1/1; 200 20 - 0/1/1/1"));
    /* A point with fewer needs stays beside a better one. */
    TunePoint q[] = {point(200, 10, REWORK), point(100, 20, FEED), point(90, 30, FEED),
                     point(50, 40, FREE), point(40, 5, RETRAIN)};
    CHECK(same_text(front(q, 5), "40 5 input+output+retrain 0/1/1/1; 50 40 - 0/1/1/1; 100 20 input "
                                 "0/1/1/1; 200 10 input+output 0/1/1/1"));
    /* Fewer needs beat more where nothing else is better. */
    TunePoint r[] = {point(200, 10, FREE), point(100, 10, RETRAIN)};
    CHECK(same_text(front(r, 2), "200 10 - 0/1/1/1"));
    TunePoint s[] = {point(200, 10, RETRAIN), point(100, 10, FREE)};
    CHECK(same_text(front(s, 2), "100 10 - 0/1/1/1; 200 10 input+output+retrain 0/1/1/1"));
}

/* Sets of which none holds the other are not compared: both points stay. */
static void unlike_needs(void)
{
    TunePoint p[] = {point(200, 10, NEED_INPUT | NEED_ACCURACY), point(100, 20, NEED_OUTPUT)};
    CHECK(same_text(front(p, 2), "100 20 output 0/1/1/1; 200 10 input+accuracy 0/1/1/1"));
    p[1].needs |= NEED_INPUT | NEED_ACCURACY;
    CHECK(same_text(front(p, 2), "200 10 input+accuracy 0/1/1/1"));
}

/* Of equal ones, the order that decides: needs, changes, position. */
static void equal(void)
{
    TunePoint p[] = {point(100, 10, FEED), point(100, 10, FREE)};
    CHECK(same_text(front(p, 2), "100 10 - 0/1/1/1"));
    TunePoint q[] = {point(100, 10, FREE), point(100, 10, FREE)};
    q[0].changes = 2;
    q[1].changes = 1;
    CHECK(same_text(front(q, 2), "100 10 - 1/1/1/1"));
}

/* 20 points from 100 to 195: 12 at even steps of at least 5 % in rate.  (195 / 100)^(1 / 12) is
 * 1.0572: from 195 down the next is 184.4 or less: 180, 170, 160, 150, 140, 130, 120, 110, 100. */
static void thinned(void)
{
    TunePoint p[20];
    for (int i = 0; i < 20; i++)
        p[i] = point(100 + 5 * i, 10 + i, FREE);
    CHECK(same_text(front(p, 20),
                    "100 10 - 0/1/1/1; 110 12 - 0/1/1/1; 120 14 - 0/1/1/1; 130 16 - 0/1/1/1; "
                    "140 18 - 0/1/1/1; 150 20 - 0/1/1/1; 160 22 - 0/1/1/1; 170 24 - 0/1/1/1; "
                    "180 26 - 0/1/1/1; 195 29 - 0/1/1/1"));
    /* None closer than 5 %: of 100, 104, 108 the ends, and 104 is 3.8 % below 108. */
    TunePoint q[] = {point(100, 10, FREE), point(104, 20, FREE), point(108, 30, FREE)};
    CHECK(same_text(front(q, 3), "100 10 - 0/1/1/1; 108 30 - 0/1/1/1"));
    q[1].per_s = 102.8; /* 108 / 102.8 is more than 1.05 */
    CHECK(same_text(front(q, 3), "100 10 - 0/1/1/1; 102.8 20 - 0/1/1/1; 108 30 - 0/1/1/1"));
    /* Each set of needs keeps its ends. */
    TunePoint r[] = {point(100, 10, FREE), point(104, 20, FREE), point(106, 30, FREE),
                     point(107, 25, FEED)};
    CHECK(same_text(front(r, 4), "100 10 - 0/1/1/1; 106 30 - 0/1/1/1; 107 25 input 0/1/1/1"));
}

/* Within half a percent the simplest stands for all. */
static void simplest(void)
{
    TunePoint p[] = {point(1000, 1000, FEED), point(995, 1004, FREE)};
    CHECK(same_text(front(p, 2), "995 1004 - 0/1/1/1"));
    p[1].per_s = 994;
    CHECK(same_text(front(p, 2), "994 1004 - 0/1/1/1; 1000 1000 input 0/1/1/1"));
    p[1].per_s = 995;
    p[1].latency_ns = 1006;
    CHECK(same_text(front(p, 2), "995 1006 - 0/1/1/1; 1000 1000 input 0/1/1/1"));
    /* Fewer changes, workers, a smaller batch, less latency; in this order. */
    TunePoint q[] = {point(1000, 1000, FREE), point(999, 1001, FREE)};
    q[0].changes = 2;
    q[1].changes = 1;
    q[1].workers = 9;
    CHECK(same_text(front(q, 2), "999 1001 - 1/9/1/1"));
    q[0].changes = 1;
    CHECK(same_text(front(q, 2), "1000 1000 - 1/1/1/1"));
    q[1].workers = 1;
    q[0].build = &four;
    CHECK(same_text(front(q, 2), "999 1001 - 1/1/1/1"));
}

static void simpler(void)
{
    TunePoint x = point(1, 10, FEED), y = x;
    CHECK(front_compare_needs(&x, &y) == 0 && !front_is_simpler(&x, &y));
    y.devices = 3;
    CHECK(front_compare_needs(&x, &y) == -2 && front_compare_needs(&y, &x) == 2);
    CHECK(front_is_simpler(&x, &y) && !front_is_simpler(&y, &x));
    y.needs = FREE; /* fewer cards count more than fewer needs */
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
    TunePoint x = point(7, 10, FREE);
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
    /* 10 of the runtime and 4 of the application: 14. */
    Build cut = {.batch = 1, .application_ns = {1, 4, 9}};
    x.build = &cut;
    CHECK(front_value(&x, OBJECTIVE_LATENCY) == 14 && front_value(&x, OBJECTIVE_THROUGHPUT) == 7);
    CHECK(front_meets_limit(&x, &(Goal){.limit_ns = 14}) &&
          !front_meets_limit(&x, &(Goal){.limit_ns = 13.9}));
}

int main(void)
{
    arena = arena_new(0);
    beaten();
    unlike_needs();
    equal();
    thinned();
    simplest();
    simpler();
    goals();
    arena_free(arena);
    return check_failures() != 0;
}
