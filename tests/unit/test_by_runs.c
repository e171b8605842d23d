/* The choice by runs: what ran best, what is as good and asks less, and limits that runs keep. */
#include "advisor/candidate/search/tune.h"
#include "tests/unit/check.h"

#include <string.h>

enum { POINTS = 4 };

static Build build[POINTS];
static TunedPoint front[POINTS];

/* Points with a change each, that take as long and make as much; the later ask more. */
static Tune tune_of(Objective o, double limit_ns, size_t n, const double *ran)
{
    memset(build, 0, sizeof build);
    memset(front, 0, sizeof front);
    for (size_t i = 0; i < n; i++) {
        build[i].batch = 1;
        front[i] = (TunedPoint){.npart = 1,
                                .point = {.build = &build[i],
                                          .workers = 1,
                                          .devices = 1,
                                          .latency_ns = 10,
                                          .per_s = 100,
                                          .changes = 10 + i},
                                .verified = {.n = ran[i] > 0, .before = ran[i]}};
    }
    return (Tune){
        .goal = {o, limit_ns}, .front = front, .nfront = n, .predicted = n - 1, .chosen = n - 1};
}

static size_t chosen(Tune t)
{
    tune_choose_by_runs(&t);
    return t.chosen;
}

static void as_run(void)
{
    double ran[] = {200, 0};
    Tune t = tune_of(OBJECTIVE_LATENCY, 0, 2, ran);
    front[0].verified.share = (Interval){0.125, 0.25, 0.5};
    Interval x = tune_run_interval(&t, &front[0]);
    CHECK(x.lo == 100 && x.mid == 150 && x.hi == 175);
    t.goal.objective = OBJECTIVE_THROUGHPUT;
    x = tune_run_interval(&t, &front[0]);
    CHECK(x.lo == 225 && x.mid == 250 && x.hi == 300);
    front[0].verified.share = (Interval){-0.5, 0, 0.25};
    x = tune_run_interval(&t, &front[0]);
    CHECK(x.lo == 100 && x.mid == 200 && x.hi == 250);
    x = tune_run_interval(&t, &front[1]);
    CHECK(x.lo == 0 && x.mid == 0 && x.hi == 0);
}

/* Within 2 % the one that asks least; the one that was predicted, if it is among them. */
static void as_good(void)
{
    double later[] = {102, 100, 150}, worse[] = {102.1, 100, 150}, best[] = {100, 101, 150},
           among[] = {100, 101.5, 102}, alone[] = {150, 150, 100};
    Tune t = tune_of(OBJECTIVE_LATENCY, 0, 3, later);
    tune_choose_by_runs(&t);
    CHECK(t.chosen == 0 && t.nrun == 3 && t.nkept == 3);
    CHECK(chosen(tune_of(OBJECTIVE_LATENCY, 0, 3, worse)) == 1);
    CHECK(chosen(tune_of(OBJECTIVE_LATENCY, 0, 3, best)) == 0);
    CHECK(chosen(tune_of(OBJECTIVE_LATENCY, 0, 3, among)) == 2);
    CHECK(chosen(tune_of(OBJECTIVE_LATENCY, 0, 3, alone)) == 2);
    /* The predicted one comes first, and what asks less follows. */
    t = tune_of(OBJECTIVE_LATENCY, 0, 3, among);
    t.predicted = 0;
    front[0].point.changes = 30;
    CHECK(chosen(t) == 0);
    /* More a second is better. */
    double more[] = {98, 100, 50}, less[] = {97.9, 100, 50};
    CHECK(chosen(tune_of(OBJECTIVE_THROUGHPUT, 0, 3, more)) == 0);
    CHECK(chosen(tune_of(OBJECTIVE_THROUGHPUT, 0, 3, less)) == 1);
    t = tune_of(OBJECTIVE_THROUGHPUT, 0, 3, more);
    front[0].point.changes = 12;
    CHECK(chosen(t) == 1);
}

/* As many requests under way: at half the rate each takes twice as long. */
static void limits(void)
{
    double ran[] = {50, 40, 20};
    Tune t = tune_of(OBJECTIVE_THROUGHPUT, 20, 3, ran);
    tune_choose_by_runs(&t);
    CHECK(t.chosen == 0 && t.nrun == 3 && t.nkept == 1);
    t = tune_of(OBJECTIVE_THROUGHPUT, 25, 3, ran);
    tune_choose_by_runs(&t);
    CHECK(t.nkept == 2);
    t = tune_of(OBJECTIVE_THROUGHPUT, 19.9, 3, ran);
    tune_choose_by_runs(&t);
    CHECK(t.chosen == 2 && t.nrun == 3 && t.nkept == 0);
    /* The prediction has to keep it too. */
    t = tune_of(OBJECTIVE_THROUGHPUT, 25, 3, ran);
    front[0].point.latency_ns = 25.1;
    front[0].point.per_s = 1;
    CHECK(chosen(t) == 1);
    t = tune_of(OBJECTIVE_LATENCY, 45, 3, ran);
    tune_choose_by_runs(&t);
    CHECK(t.chosen == 2 && t.nkept == 2);
}

static void left_as_it_is(void)
{
    double ran[] = {100, 0, 200}, none[] = {0, 0, 0}, both[] = {100, 100, 200};
    Tune t = tune_of(OBJECTIVE_LATENCY, 0, 3, ran);
    tune_choose_by_runs(&t);
    CHECK(t.chosen == 0 && t.nrun == 2 && t.nkept == 2);
    t = tune_of(OBJECTIVE_LATENCY, 0, 3, none);
    tune_choose_by_runs(&t);
    CHECK(t.chosen == 2 && t.nrun == 0 && t.nkept == 0);
    /* What serves a rate, and where nothing was predicted to keep the limit. */
    t = tune_of(OBJECTIVE_LATENCY, 0, 3, ran);
    t.rate.images_per_s = 1;
    tune_choose_by_runs(&t);
    CHECK(t.chosen == 2 && t.nrun == 0);
    t = tune_of(OBJECTIVE_LATENCY, 0, 3, ran);
    t.predicted = t.chosen = 3;
    tune_choose_by_runs(&t);
    CHECK(t.chosen == 3 && t.nrun == 0);
    /* Accuracy was measured of one choice of changes: it goes with it, and others are left. */
    t = tune_of(OBJECTIVE_LATENCY, 0, 3, both);
    build[0].set.way[PARTS_MAX - 1] = 1;
    front[2].accuracy.known = true;
    tune_choose_by_runs(&t);
    CHECK(t.chosen == 1 && t.nrun == 3 && t.nkept == 2);
    CHECK(front[1].accuracy.known && !front[0].accuracy.known);
    t = tune_of(OBJECTIVE_LATENCY, 0, 3, both);
    build[0].set.way[0] = 1;
    CHECK(chosen(t) == 0);
}

/* The run as it is ran beside each of the others: the mean of what it took there. */
static void beside(void)
{
    double ran[] = {0, 100, 110};
    Tune t = tune_of(OBJECTIVE_LATENCY, 105, 3, ran);
    front[0].npart = 0;
    front[1].verified.share.mid = -0.5;
    front[2].verified.share.mid = -0.5;
    tune_choose_by_runs(&t);
    CHECK(t.chosen == 0 && t.nkept == 1 && t.nrun == 3);
    t = tune_of(OBJECTIVE_LATENCY, 104.9, 3, ran);
    front[0].npart = 0;
    front[1].verified.share.mid = -0.5;
    front[2].verified.share.mid = -0.5;
    tune_choose_by_runs(&t);
    CHECK(t.chosen == 2 && t.nkept == 0);
}

/* Times and rates below one of their unit are times and rates. */
static void small(void)
{
    double slow[] = {0.5, 0.25, 0.125, 0}, none[] = {0, 0, 0};
    Tune t = tune_of(OBJECTIVE_THROUGHPUT, 0, 3, slow);
    tune_choose_by_runs(&t);
    CHECK(t.chosen == 0 && t.nrun == 3 && t.nkept == 3);
    t = tune_of(OBJECTIVE_LATENCY, 0.25, 3, slow);
    for (size_t i = 0; i < 3; i++)
        front[i].point.latency_ns = 0.01;
    tune_choose_by_runs(&t);
    CHECK(t.chosen == 2 && t.nkept == 2);
    t = tune_of(OBJECTIVE_THROUGHPUT, 0, POINTS, slow);
    front[3].undecided = true;
    CHECK(tune_ends_before(&t, 3));
    double rising[] = {0.125, 0.25, 0.5, 0};
    t = tune_of(OBJECTIVE_THROUGHPUT, 0, POINTS, rising);
    front[3].undecided = true;
    CHECK(!tune_ends_before(&t, 3));
    t = tune_of(OBJECTIVE_LATENCY, 0, 3, none);
    front[0].npart = 0;
    tune_choose_by_runs(&t);
    CHECK(t.chosen == 2 && t.nrun == 0);
    /* What lies behind the front is no part of it. */
    double first[] = {100, 0, 110};
    t = tune_of(OBJECTIVE_LATENCY, 105, 3, first);
    front[1].npart = 0;
    front[0].verified.share.mid = front[2].verified.share.mid = -0.5;
    front[3].verified = (Verified){.n = 1, .before = 1000};
    tune_choose_by_runs(&t);
    CHECK(t.chosen == 1 && t.nkept == 1 && t.nrun == 3);
}

/* Two that ran worse than what ran before them end it, where the next is undecided. */
static void ends(void)
{
    static const struct {
        double ran[POINTS];
        size_t at;
        bool decided, ends;
    } list[] = {
        {{100, 90, 80, 0}, 3, false, true},   {{100, 90, 80, 0}, 3, true, false},
        {{100, 90, 80, 0}, 2, false, false},  {{100, 90, 100, 0}, 3, false, false},
        {{100, 90, 99.9, 0}, 3, false, true}, {{100, 100, 80, 0}, 3, false, false},
        {{100, 99.9, 80, 0}, 3, false, true}, {{90, 100, 80, 0}, 3, false, false},
        {{100, 0, 80, 0}, 3, false, false},   {{100, 80, 0, 0}, 3, false, true},
        {{100, 90, 80, 0}, 1, false, false},  {{100, 90, 80, 0}, 0, false, false},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        Tune t = tune_of(OBJECTIVE_THROUGHPUT, 0, POINTS, list[i].ran);
        front[list[i].at].undecided = !list[i].decided;
        CHECK(tune_ends_before(&t, list[i].at) == list[i].ends);
        CHECK(t.nfront == (list[i].ends ? list[i].at : POINTS));
    }
}

/* Fewer cards before less effort, fewer changes, fewer workers, a smaller batch, less latency. */
static void simpler(void)
{
    Build small = {.batch = 1}, large = {.batch = 2};
    TunePoint x = {.build = &small,
                   .workers = 2,
                   .devices = 2,
                   .latency_ns = 10,
                   .per_s = 5,
                   .effort = APPLY_CHECK,
                   .changes = 2},
              y = x;
    CHECK(!front_is_simpler(&x, &y) && front_compare_needs(&x, &y) == 0);
    y.latency_ns = 11;
    CHECK(front_is_simpler(&x, &y) && !front_is_simpler(&y, &x));
    x.build = &large;
    CHECK(!front_is_simpler(&x, &y) && front_is_simpler(&y, &x));
    y.workers = 3;
    CHECK(front_is_simpler(&x, &y) && !front_is_simpler(&y, &x));
    x.changes = 3;
    CHECK(!front_is_simpler(&x, &y) && front_is_simpler(&y, &x));
    y.effort = APPLY_MANUAL;
    CHECK(front_is_simpler(&x, &y) && !front_is_simpler(&y, &x));
    CHECK(front_compare_needs(&x, &y) == -1 && front_compare_needs(&y, &x) == 1);
    x.devices = 4;
    CHECK(!front_is_simpler(&x, &y) && front_is_simpler(&y, &x));
    CHECK(front_compare_needs(&x, &y) == 2 && front_compare_needs(&y, &x) == -2);
    Goal g = {OBJECTIVE_THROUGHPUT, 0};
    CHECK(front_meets_limit(&x, &g));
    g.limit_ns = 10;
    CHECK(front_meets_limit(&x, &g) && !front_meets_limit(&y, &g));
    CHECK(front_value(&x, OBJECTIVE_LATENCY) == 10 && front_value(&x, OBJECTIVE_THROUGHPUT) == 5);
    CHECK(front_is_better(OBJECTIVE_LATENCY, 1, 2) && !front_is_better(OBJECTIVE_LATENCY, 2, 1));
    CHECK(front_is_better(OBJECTIVE_THROUGHPUT, 2, 1) &&
          !front_is_better(OBJECTIVE_THROUGHPUT, 1, 2));
    CHECK(!front_is_better(OBJECTIVE_LATENCY, 1, 1) &&
          !front_is_better(OBJECTIVE_THROUGHPUT, 1, 1));
}

/* ---- the front ---- */

typedef struct {
    double per_s, latency_ns;
    Applicability effort;
    size_t changes;
} Seen;

/* "RATE/LATENCY …" of the front of these. */
static bool front_is(const Seen *seen, size_t n, const char *expected)
{
    static const Build one = {.batch = 1};
    Arena *a = arena_new(0);
    PointList l = {.a = a};
    for (size_t i = 0; i < n; i++)
        *VEC_PUSH(a, l.point, l.n, l.cap) = (TunePoint){.build = &one,
                                                        .workers = 1,
                                                        .devices = 1,
                                                        .per_s = seen[i].per_s,
                                                        .latency_ns = seen[i].latency_ns,
                                                        .effort = seen[i].effort,
                                                        .changes = seen[i].changes};
    size_t count = 0;
    const TunePoint *p = front_of(a, &l, &count);
    const char *text = "";
    for (size_t i = 0; i < count; i++)
        text = arena_printf(a, "%s%s%g/%g", text, i ? " " : "", p[i].per_s, p[i].latency_ns);
    bool same = !strcmp(text, expected);
    if (!same)
        printf("  '%s', not '%s'\n", text, expected);
    arena_free(a);
    return same;
}
#define FRONT(expected, ...)                                                                       \
    CHECK(front_is((const Seen[]){__VA_ARGS__},                                                    \
                   sizeof((const Seen[]){__VA_ARGS__}) / sizeof(Seen), expected))

static void fronts(void)
{
    FRONT("100/10", {100, 10, 0, 0});
    /* By ascending rate; what is slower and takes as long is beaten. */
    FRONT("100/10 200/20", {200, 20, 0, 0}, {100, 10, 0, 0}, {150, 30, 0, 0}, {95, 10, 0, 0});
    /* Less effort beats more, and not the other way round. */
    FRONT("90/5 100/10", {100, 10, 0, 0}, {90, 5, 1, 0}, {80, 15, 1, 0}, {80, 5, 2, 0});
    FRONT("80/15 100/10", {100, 10, 1, 0}, {80, 15, 0, 0});
    /* Within half a hundredth the simplest stands for all: 199 of 200 and 20.1 of 20
     * are the ends. */
    FRONT("199/20.09", {200, 20, 0, 1}, {199, 20.09, 0, 0});
    FRONT("200/20", {200, 20, 0, 1}, {198.9, 20.09, 0, 0});
    FRONT("200/20", {200, 20, 0, 1}, {199, 20.11, 0, 0});
    FRONT("100/10", {100, 10, 0, 0}, {100.2, 10.02, 0, 0});
    /* The most effort, and rates below one. */
    FRONT("50/5 100/10", {100, 10, 0, 0}, {50, 5, 3, 0}, {49.9, 6, 3, 0});
    FRONT("0.1/100 0.2/200", {0.1, 100, 0, 0}, {0.195, 199, 0, 0}, {0.2, 200, 0, 0});
    /* Its ends, and steps of a twentieth: 110 / 1.05 = 104.8. */
    FRONT("100/100 104/104 110/110", {100, 100, 0, 0}, {102, 102, 0, 0}, {103, 103, 0, 0},
          {104, 104, 0, 0}, {105, 105, 0, 0}, {107, 107, 0, 0}, {110, 110, 0, 0});
    /* Over a factor of 4096, steps of 2: below 4096 come 2040, 17 and 8. */
    FRONT("1/1 8/8 17/17 2040/2040 4096/4096", {1, 1, 0, 0}, {8, 8, 0, 0}, {16, 16, 0, 0},
          {17, 17, 0, 0}, {2040, 2040, 0, 0}, {2060, 2060, 0, 0}, {4096, 4096, 0, 0});
}

int main(void)
{
    as_run();
    as_good();
    limits();
    left_as_it_is();
    beside();
    small();
    ends();
    simpler();
    fronts();
    return check_failures() != 0;
}
