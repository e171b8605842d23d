/* Checks the figures of plans by hand, which routes remain, and the rows of plans that are found.
 */
#include "advisor/candidate/search/plan.h"

#include "cost_model/costs.h"
#include "cost_model/predict.h"
#include "graph/base/xml.h"
#include "graph/compile/compile.h"
#include "graph/infer/shape.h"
#include "tests/unit/check.h"
#include "tests/unit/model_build.h"

#include <math.h>

/* ---- figures after a plan ---- */

#define CHECK_INTERVAL(found, lo_, mid_, hi_)                                                      \
    do {                                                                                           \
        Interval x_ = (found);                                                                     \
        CHECK_NEAR(x_.lo, lo_, 1e-12);                                                             \
        CHECK_NEAR(x_.mid, mid_, 1e-12);                                                           \
        CHECK_NEAR(x_.hi, hi_, 1e-12);                                                             \
    } while (0)

/* Now 100, of which 20 are unattributed; the baseline is predicted to take 60, of which 20 too. */
static PlanSet set_of(Objective o)
{
    return (PlanSet){.goal = {.objective = o},
                     .now = {.latency_ns = 100,
                             .per_s = 10,
                             .unattributed_ns = 20,
                             .base_ns = 60,
                             .base_per_s = 40}};
}

/* u + (now - u) * plan / baseline, without u in plan and baseline: 20 + 80 * 20 / 40 = 60; each ns
 * that is saved counts 80 / 40 = 2.  A saving of 10 to 30 leaves 40 to 80, which is known to 0.12
 * of 60 where the plan's own law is exact: 60 - 7.2 and 60 + 7.2. */
static void check_latency(void)
{
    PlanSet s = set_of(OBJECTIVE_LATENCY);
    Plan p = {.point = {.latency_ns = 40, .per_s = 50},
              .gain = {.gain = {10, 20, 30}},
              .law = {40, 40, 40}};
    plan_set_predicted(&s, &p);
    CHECK_INTERVAL(p.predicted, 52.8, 60, 67.2);
    CHECK_INTERVAL(p.latency_ns, 52.8, 60, 67.2);
    CHECK_INTERVAL(p.per_s, 12.5, 12.5, 12.5); /* 10 * 50 / 40 */
    CHECK(p.source == SOURCE_PREDICTED && plan_saves(&s, &p) == 40);
    p.law = (Interval){0, 40, 90}; /* a wide law says less than the saving */
    plan_set_predicted(&s, &p);
    CHECK_INTERVAL(p.predicted, 40, 60, 80);
    s.now.noise = 0.5; /* now is 75 to 125, so 60 is 45 to 75 beside that: 15, 20 and 25 */
    plan_set_predicted(&s, &p);
    CHECK_INTERVAL(p.predicted, 35, 60, 85);
    s.now.noise = 0;
    p.application_ns = (Interval){1, 5, 9};
    CHECK_NEAR(plan_value(&s, &p), 65, 1e-12);
    CHECK_NEAR(plan_saves(&s, &p), 40, 1e-12);
    /* Without u it is a share of now: 100 * 40 / 60; so it is where u exceeds the baseline. */
    s.now.unattributed_ns = 0;
    plan_set_predicted(&s, &p);
    CHECK_NEAR(p.latency_ns.mid, 200 / 3.0, 1e-12);
    s.now.unattributed_ns = 60;
    plan_set_predicted(&s, &p);
    CHECK_NEAR(p.latency_ns.mid, 200 / 3.0, 1e-12);
}

/* now * plan / baseline: 10 * 60 / 40 = 15 per second; 50 to 70 are 12.5 to 17.5, but 0.12 of 15 is
 * 1.8. */
static void check_rate(void)
{
    PlanSet s = set_of(OBJECTIVE_THROUGHPUT);
    Plan p = {.point = {.latency_ns = 40, .per_s = 60},
              .gain = {.gain = {10, 20, 30}},
              .law = {60, 60, 60}};
    plan_set_predicted(&s, &p);
    CHECK_INTERVAL(p.per_s, 13.2, 15, 16.8);
    CHECK_INTERVAL(p.latency_ns, 60, 60, 60);
    CHECK(plan_value(&s, &p) == 15 && plan_saves(&s, &p) == 5);
}

/* Runs save 10 %, 25 % and 50 % of what is not unattributed: 20 + 80 * 0.75 = 80. */
static void check_run(void)
{
    const Build build = {.images = 2, .latency_ns = 30};
    PlanSet s = set_of(OBJECTIVE_LATENCY);
    Plan p = {.point = {.build = &build, .workers = 3},
              .verified = {.share = {0.1, 0.25, 0.5}, .n = 30, .simulated = true}};
    plan_set_run(&s, &p);
    CHECK_INTERVAL(p.latency_ns, 60, 80, 92);
    CHECK_INTERVAL(p.per_s, 12.5, 12.5, 12.5); /* as many requests in flight: 10 * 100 / 80 */
    CHECK(p.source == SOURCE_SIMULATED);
    /* A run whose baseline takes 100 has the unattributed time as well: 100 * 0.75 = 75. */
    p.verified.before = 100;
    plan_set_run(&s, &p);
    CHECK_INTERVAL(p.latency_ns, 50, 75, 90);
    /* One that takes 80, where now is known to a quarter: half of it goes, so that half of the
     * difference is noise: (100 - 0.5 * 20) * 0.5 = 45. */
    s.now.noise = 0.25;
    p.verified.before = 80;
    CHECK_NEAR(plan_run_left(&s, &p, 0.5), 45, 1e-12);
    s.goal.objective = OBJECTIVE_THROUGHPUT;
    p.verified.simulated = false;
    plan_set_run(&s, &p);
    CHECK_INTERVAL(p.per_s, 11, 12.5, 15);
    CHECK_NEAR(p.latency_ns.mid, 1e9 * 2 * 3 / 12.5, 1e-12); /* 6 images in flight */
    CHECK(p.source == SOURCE_MEASURED);
}

/* ---- routes ---- */

/* What the routes take (0: there is none), and the application's share of the second. */
typedef struct {
    double value[ROUTE_COUNT], share;
    const char *kept, *recommended;
} Routes;

static const char *recommended_route(const PlanSet *s)
{
    const Plan *p = plan_recommended(s);
    return p ? route_name(p->route) : "none";
}

static void check_choice(Arena *a, Objective o, const Routes *x)
{
    PlanSet s = set_of(o);
    const char *kept = "";
    for (int r = 0; r < ROUTE_COUNT; r++) {
        Plan p = {.route = (Route)r,
                  .nrow = 1,
                  .latency_ns.mid = x->value[r],
                  .per_s.mid = x->value[r],
                  .application_ns.mid = r == ROUTE_NEW_OUTPUTS ? x->share : 0};
        if (x->value[r] > 0)
            s.plan[s.nplan++] = p;
    }
    plan_choose(&s, 0.01);
    for (size_t i = 0; i < s.nplan; i++)
        kept = arena_printf(a, "%s%s%s", kept, i ? " " : "", route_name(s.plan[i].route));
    check_same("kept", kept, x->kept);
    check_same("recommended", recommended_route(&s), x->recommended);
}

static void check_routes(Arena *a)
{
    static const Routes latency[] = {
        /* New outputs take 10 % less than 80: 72; recommended from 20 % less on: 64. */
        {{80, 72.1, 0}, 0, "same_outputs", "same_outputs"},
        {{80, 71.9, 0}, 0, "same_outputs new_outputs", "same_outputs"},
        {{80, 64.1, 0}, 0, "same_outputs new_outputs", "same_outputs"},
        {{80, 63.9, 0}, 0, "same_outputs new_outputs", "new_outputs"},
        /* With the application's share: 50 + 14.1 and 50 + 13.9, and 50 + 22.1. */
        {{80, 50, 0}, 14.1, "same_outputs new_outputs", "same_outputs"},
        {{80, 50, 0}, 13.9, "same_outputs new_outputs", "new_outputs"},
        {{80, 50, 0}, 22.1, "same_outputs", "same_outputs"},
        /* Retraining is compared with the route before it, and never recommended. */
        {{80, 60, 54.1}, 0, "same_outputs new_outputs", "new_outputs"},
        {{80, 60, 53.9}, 0, "same_outputs new_outputs retrain", "new_outputs"},
        {{80, 75, 71.9}, 0, "same_outputs retrain", "same_outputs"},
        {{0, 0, 50}, 0, "retrain", "none"},
        /* Of now, 100, a first plan saves at least 1 %. */
        {{99.1, 0, 0}, 0, "", "none"},
        {{98.9, 0, 0}, 0, "same_outputs", "same_outputs"},
        {{99.1, 90, 0}, 0, "new_outputs", "new_outputs"},
        {{120, 0, 0}, 0, "", "none"},
    };
    /* Of a rate 10 % and 20 % above 20, now 10. */
    static const Routes rate[] = {
        {{20, 21.9, 0}, 0, "same_outputs", "same_outputs"},
        {{20, 22.1, 0}, 0, "same_outputs new_outputs", "same_outputs"},
        {{20, 24.1, 26}, 0, "same_outputs new_outputs", "new_outputs"},
        {{10.05, 0, 0}, 0, "", "none"},
    };
    for (size_t i = 0; i < sizeof latency / sizeof *latency; i++)
        check_choice(a, OBJECTIVE_LATENCY, &latency[i]);
    for (size_t i = 0; i < sizeof rate / sizeof *rate; i++)
        check_choice(a, OBJECTIVE_THROUGHPUT, &rate[i]);
}

/* ---- rows ---- */

/* images -> Conv -> Relu -> Conv -> y, compiled for the default target. */
typedef struct {
    Arena *a;
    Machine *machine;
    Costs *costs;
    Model *model;
    Variant variant;
    WhatIf w;
} Bench;

static Model *make_model(Arena *a)
{
    ModelBuild b = {0};
    Notes notes;
    Diag diag;
    notes_init(&notes, a);
    build_input(&b, "images", 1, DIMS(1, 3, 64, 64));
    build_weight(&b, "w", DIMS(16, 3, 1, 1));
    build_weight(&b, "v", DIMS(8, 16, 1, 1));
    build_node(&b, "Conv", "images w", "c", NULL, 0);
    build_node(&b, "Relu", "c", "r", NULL, 0);
    build_node(&b, "Conv", "r v", "y", NULL, 0);
    build_output(&b, "y");
    return build_load(&b, a, &notes, &diag);
}

static bool open_bench(Bench *b, Objective o)
{
    static const char target[] = "rules/targets/warboy.xml";
    Notes notes;
    Diag diag = {0};
    Program *p = NULL;
    notes_init(&notes, b->a);
    b->model = make_model(b->a);
    b->variant = (Variant){.run = {.workers = 1, .devices = 1}};
    compile_options_init(&b->variant.compile);
    if (!b->model || machine_load(b->a, target, &b->machine, &diag) ||
        costs_load(b->a, target, NULL, &b->costs, &diag) ||
        compile_model(b->a, b->model, b->machine, &b->variant.compile, &notes, &p, &diag)) {
        printf("  %s\n", diag.text);
        return false;
    }
    b->w = (WhatIf){.model = b->model, .machine = b->machine, .costs = b->costs, .objective = o};
    whatif_open(&b->w, &b->variant, p, predict(b->a, p, b->costs, &b->variant.run));
    return true;
}

/* Two rules that each try one setting: feed uint8, return int8. */
enum { FEED, RETURN, CHANGES };
static const Rule rules[CHANGES] = {{.id = "NPU101", .order = 1}, {.id = "NPU108", .order = 2}};
static const char *const fingerprints[CHANGES] = {"NPU101-0123456789ab", "NPU108-cdef01234567"};

static Proposal propose(Bench *b, int change, Match *m, Attempt *t, Occurrence *at)
{
    t->set = ARENA_NEW(b->a, LeverSetting);
    t->nset = 1;
    t->set[0] = change == FEED ? lever_setting(b->a, LEVER_INPUT_DTYPE, "0", "uint8")
                               : lever_setting(b->a, LEVER_OUTPUT_DTYPE, "0", "int8");
    *at = (Occurrence){.step = STEP_NONE, .node = NODE_NONE, .tensor = TENSOR_NONE, .attempt = t};
    *m = (Match){.rule = &rules[change], .place = at, .nplace = 1, .attempt = t, .nattempt = 1};
    return proposal_try(b->a, &b->w, m, fingerprints[change]);
}

/* The plans for these changes in this order; each holds its proposals as long as the arena. */
static PlanSet *find_plans(Bench *b, const int order[CHANGES], NeedSet needs, PlanNow now)
{
    PlanSet *s = ARENA_NEW(b->a, PlanSet);
    Proposal *list = ARENA_ARRAY(b->a, Proposal, CHANGES);
    Match *m = ARENA_ARRAY(b->a, Match, CHANGES);
    Attempt *t = ARENA_ARRAY(b->a, Attempt, CHANGES);
    Occurrence *at = ARENA_ARRAY(b->a, Occurrence, CHANGES);
    for (int i = 0; i < CHANGES; i++)
        list[i] = propose(b, order[i], &m[i], &t[i], &at[i]);
    plan_find(s, b->a,
              &(PlanRequest){.w = &b->w,
                             .proposal = list,
                             .nproposal = CHANGES,
                             .said = &b->variant,
                             .needs = needs,
                             .goal = {.objective = b->w.objective},
                             .now = now,
                             .work = SEARCH_WORK_PLAN,
                             .min_share = 0.01});
    return s;
}

static double sum_of_rows(const Plan *p)
{
    double sum = 0;
    for (size_t i = 0; i < p->nrow; i++)
        sum += p->row[i].saves.mid;
    return sum;
}

/* Latency is whole nanoseconds: the rows add up to now less after without a rest. */
static void check_rows_of_latency(const PlanSet *s)
{
    CHECK(s->nplan > 0);
    for (size_t i = 0; i < s->nplan; i++) {
        const Plan *p = &s->plan[i];
        CHECK(p->nrow > 0 && sum_of_rows(p) == round(s->now.latency_ns) - round(p->latency_ns.mid));
    }
}

static const PlanNow measured = {
    .latency_ns = 12345678, .per_s = 81, .source = SOURCE_MEASURED, .unattributed_ns = 34567};

/* An id belongs to the changes and settings, in whatever order they are listed. */
static void check_ids(Bench *b)
{
    static const int one[] = {FEED, RETURN}, other[] = {RETURN, FEED};
    PlanSet *x = find_plans(b, one, NEED_ALL, measured),
            *y = find_plans(b, other, NEED_ALL, measured);
    CHECK(x->nplan == 2 && y->nplan == 2);
    for (size_t i = 0; i < x->nplan && i < y->nplan; i++) {
        CHECK(strlen(x->plan[i].id) == 8 && strspn(x->plan[i].id, "0123456789"
                                                                  "abcdef") == 8);
        CHECK(same_text(x->plan[i].id, y->plan[i].id));
    }
    CHECK(strcmp(x->plan[0].id, x->plan[1].id) != 0);
}

static void check_found(Bench *b)
{
    static const int order[] = {FEED, RETURN};
    PlanSet *s = find_plans(b, order, NEED_ALL, measured);
    CHECK(s->nplan == 2 && s->plan[0].nrow == 1 && s->plan[1].nrow == 2);
    CHECK(s->plan[0].needs == (NEED_INPUT | NEED_ACCURACY));
    CHECK(s->plan[1].needs == (NEED_INPUT | NEED_ACCURACY | NEED_OUTPUT));
    CHECK(s->plan[1].settings.nset == 2 && s->plan[1].application_ns.mid > 0);
    check_rows_of_latency(s);
    /* Without a trace now is the prediction itself. */
    s = find_plans(b, order, NEED_ALL, (PlanNow){.source = SOURCE_PREDICTED});
    CHECK(s->now.latency_ns == s->search.baseline.latency_ns && s->now.per_s == s->now.base_per_s);
    check_rows_of_latency(s);
    /* Without leave to change inputs or accuracy there is none. */
    s = find_plans(b, order, NEED_OUTPUT, measured);
    CHECK(s->nplan == 0 && !plan_recommended(s));
    s = find_plans(b, order, NEED_INPUT | NEED_ACCURACY, measured);
    CHECK(s->nplan == 1 && plan_recommended(s) == &s->plan[0]);
}

/* Of a rate, settings make rows too: they add up to after less now. */
static void check_found_rate(Bench *b)
{
    static const int order[] = {FEED, RETURN};
    PlanSet *s = find_plans(b, order, NEED_ALL, measured);
    CHECK(s->nplan > 0);
    for (size_t i = 0; i < s->nplan; i++) {
        const Plan *p = &s->plan[i];
        CHECK_NEAR(sum_of_rows(p), p->per_s.mid - s->now.per_s, 1e-9);
        for (size_t k = 0; k < p->nrow; k++)
            CHECK(!p->row[k].part || p->row[k].needs != NEED_NONE);
    }
}

static void check_search(Objective o, void (*check)(Bench *b))
{
    Bench b = {.a = arena_new(0)};
    bool open = open_bench(&b, o);
    CHECK(open);
    if (open) {
        check(&b);
        whatif_close(&b.w);
    }
    if (b.model)
        model_close(b.model);
    arena_free(b.a);
}

int main(void)
{
    Arena *a = arena_new(0);
    xml_startup();
    check_latency();
    check_rate();
    check_run();
    check_routes(a);
    check_search(OBJECTIVE_LATENCY, check_ids);
    check_search(OBJECTIVE_LATENCY, check_found);
    check_search(OBJECTIVE_THROUGHPUT, check_found_rate);
    arena_free(a);
    return check_failures() != 0;
}
