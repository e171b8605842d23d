/* Checks the figures that all outputs share: now, the plans, and what each finding saves. */
#include "advisor/report/finding.h"
#include "advisor/report/summary.h"
#include "tests/unit/check.h"
#include "tests/unit/report_parts.h"

#define NOW_4MS NOW(MEASURED, 4000000, 250)

/* 4 ms / 2.5 ms = 1.6; 400 / 250 = 1.6 as well. */
static void check_factor(void)
{
    const struct {
        Result result;
        double now, after, factor;
    } row[] = {
        {{LATENCY, NOW_4MS, PLANS(PLAN(SAME_OUTPUTS, 2.5e6, 400, RECOMMENDED))}, 4e6, 2.5e6, 1.6},
        {{RATE, NOW_4MS, PLANS(PLAN(SAME_OUTPUTS, 2.5e6, 400, RECOMMENDED))}, 250, 400, 1.6},
        /* Of a part of unknown cost no factor is known; neither without now or a plan. */
        {{LATENCY, NOW_4MS, PLANS(PLAN(SAME_OUTPUTS, 2.5e6, 400, RECOMMENDED, .at_least = true))},
         4e6,
         2.5e6,
         0},
        {{LATENCY, PLANS(PLAN(SAME_OUTPUTS, 2.5e6, 400, RECOMMENDED))}, 0, 0, 0},
        {{LATENCY, NOW_4MS}, 4e6, 0, 0},
        /* Of an engine, now is the sum of its layers. */
        {{LATENCY, .compiled = &(const ResultCompiled){.sum_ns = {7000, true}}}, 7000, 0, 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        Summary d = summary_of(&row[i].result);
        CHECK_NEAR(d.now, row[i].now, 1e-12);
        CHECK_NEAR(d.after, row[i].after, 1e-12);
        CHECK_NEAR(d.factor, row[i].factor, 1e-12);
        CHECK(d.known == (row[i].now > 0));
    }
}

static void check_plans(void)
{
    const Result r = {LATENCY, NOW_4MS,
                      PLANS(PLAN(SAME_OUTPUTS, 3e6, 1), PLAN(NEW_OUTPUTS, 2e6, 1, RECOMMENDED),
                            PLAN(RETRAIN, 1e6, 1))};
    Summary d = summary_of(&r);
    CHECK(d.plan == &r.plans.item[1] && d.other == &r.plans.item[0]);
    CHECK(d.retrain == &r.plans.item[2] && d.source == RESULT_SOURCE_MEASURED);
    CHECK(same_text(d.unit, "ns") && !d.throughput);
}

#define INTERVAL(lo, mid, hi)                                                                      \
    &(const ResultInterval)                                                                        \
    {                                                                                              \
        lo, mid, hi                                                                                \
    }
#define SAVES(number, from, interval)                                                              \
    {                                                                                              \
        .id = number, .saves = interval, .source = RESULT_SOURCE_##from                            \
    }
#define ROWS(...) .changes = LIST(ResultPlanChange, __VA_ARGS__)

/* Change 1 is in both plans, 2 and 3 in one each; the row of 4 is merged with the next one. */
static const Result found = {
    LATENCY,
    PLANS({.id = "aa",
           ROWS(SAVES(1, SIMULATED, INTERVAL(1, 2, 3)), SAVES(2, SIMULATED, NULL),
                SAVES(3, SIMULATED, INTERVAL(4, 5, 6)))},
          {.id = "bb",
           RECOMMENDED,
           ROWS(SAVES(1, MEASURED, INTERVAL(7, 8, 9)), SAVES(4, MEASURED, NULL))}),
    .changes = LIST(ResultChange, {.id = 1}, {.id = 2}, {.id = 3}, {.id = 4}),
    .by_hand = LIST(ResultHandWork, {.id = 5, .up_to = {RESULT_UNIT_NS, 10}}),
    .observations = LIST(ResultObservation, {.rule_id = "R"})};

/* One figure: of the recommended plan, else of the one that holds the change; the most of work by
 * hand; none of a merged row or an observation. */
static void check_saving(void)
{
    const struct {
        bool known, up_to;
        double mid, hi;
        ResultSource source;
        const char *plan;
    } want[] = {
        {true, false, 8, 9, RESULT_SOURCE_MEASURED, "bb"},
        {false, false, 0, 0, RESULT_SOURCE_UNSET, NULL},
        {true, false, 5, 6, RESULT_SOURCE_SIMULATED, "aa"},
        {false, false, 0, 0, RESULT_SOURCE_UNSET, NULL},
        {true, true, 10, 10, RESULT_SOURCE_PREDICTED, NULL},
        {false, false, 0, 0, RESULT_SOURCE_UNSET, NULL},
    };
    CHECK(finding_count(&found) == sizeof want / sizeof *want);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        FindingSaving s;
        ReportedFinding x = finding_at(&found, i);
        CHECK(finding_saving(&found, &x, &s) == want[i].known && s.up_to == want[i].up_to);
        CHECK(s.value.mid == want[i].mid && s.value.hi == want[i].hi && s.source == want[i].source);
        CHECK(same_text(s.plan ? s.plan->id : "-", want[i].plan ? want[i].plan : "-"));
        CHECK(same_text(s.unit, "ns"));
    }
}

static void check_kinds(void)
{
    const ResultChange retrained = {.needs = TEXTS("accuracy", "retrain")};
    const Result r = {.changes = {&retrained, 1}};
    ReportedFinding change = finding_at(&found, 0), hand = finding_at(&found, 4),
                    observation = finding_at(&found, 5), retrain = finding_at(&r, 0);
    CHECK(change.change && change.id == 1 && !change.by_hand && !change.observation);
    CHECK(hand.by_hand && hand.id == 5 && !hand.change);
    CHECK(observation.observation && observation.id == 0 && !observation.alone);
    CHECK(finding_needs_retraining(&retrain) && !finding_needs_retraining(&change) &&
          !finding_needs_retraining(&observation));
}

/* Steps of the host are named after their operator: 0.5 + 0.25. */
static void check_host_share(void)
{
    const Result r = {
        .breakdown = LIST(ResultBreakdown, {.kind = "Quantize", .share = 0.5},
                          {.kind = "Softmax", .share = 0.25}, {.kind = "npu", .share = 0.1},
                          {.kind = "transfer", .share = 0.05}, {.kind = "runtime", .share = 0.04},
                          {.kind = "queueing", .share = 0.03}, {.kind = "other", .share = 0.02},
                          {.kind = "unattributed", .share = 0.01})};
    const Result none = {LATENCY};
    double share;
    CHECK(summary_host_share(&r, &share));
    CHECK_NEAR(share, 0.75, 1e-12);
    CHECK(!summary_host_share(&none, &share));
}

int main(void)
{
    check_factor();
    check_plans();
    check_saving();
    check_kinds();
    check_host_share();
    return check_failures() != 0;
}
