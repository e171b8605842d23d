/* Checks which findings a gate counts, which are suppressed, and what plans cost in accuracy. */
#include "tests/unit/gate_messages.h"
#include "advisor/options/config.h"

/* ---- findings ---- */

#define NONE       "findings of level warn or above <= 0: 0 [0] holds"
#define FAILED_ONE "findings of level warn or above <= 0: 1 [1] fails"
#define OPEN       "findings of level warn or above <= 0: unknown [] undecided"
#define OPEN_OF_0  "findings of level warn or above <= 0: 0 [0] undecided"

#define PREDICT(low, middle, high)                                                                 \
    .predicted = &(const ResultInterval)                                                           \
    {                                                                                              \
        .lo = (low), .mid = (middle), .hi = (high)                                                 \
    }
#define ALONE(...) OF_MODEL, .alone = {__VA_ARGS__}
#define NEEDS(...) OF_MODEL, .needs = LIST(char *const, __VA_ARGS__)
/* Work by hand of that predicted saving. */
#define BY_HAND(...) INFERENCES(9), .by_hand = LIST(ResultHandWork, FOUND(WARN, ALONE(__VA_ARGS__)))

static void findings(void)
{
    const struct {
        const char *why;
        Result result;
        const char *expected;
    } check[] = {
        {"without a gain", {WITH(FOUND(WARN, OF_MODEL))}, FAILED_ONE},
        {"more severe", {WITH(FOUND(ERROR, OF_MODEL))}, FAILED_ONE},
        {"less severe", {WITH(FOUND(INFO, OF_MODEL))}, NONE},
        {"two",
         {WITH(FOUND(WARN, OF_MODEL), FOUND(ERROR, OF_MODEL))},
         "findings of level warn or above <= 0: 2 [2] fails"},
        {"an observation",
         {INFERENCES(9), .observations = LIST(ResultObservation, {.fingerprint = "o",
                                                                  .group = "compute",
                                                                  .level = RESULT_LEVEL_WARN,
                                                                  .fix = {.text = "do"}})},
         NONE},
        {"nothing to do",
         {WITH({.id = 1, .fingerprint = "f", .level = RESULT_LEVEL_WARN, .fix = {.text = ""}})},
         NONE},
        {"of the run", {WITH(FOUND(WARN, .group = RESULT_GROUP_EVIDENCE))}, NONE},
        {"of the runtime, by a setting",
         {WITH(FOUND(WARN, .group = RESULT_GROUP_RUNTIME))},
         FAILED_ONE},
        {"suppressed",
         {WITH(FOUND(WARN, OF_MODEL, .suppression = &(const ResultSuppression){.reason = "r"}))},
         NONE},
        {"needs accuracy", {WITH(FOUND(WARN, NEEDS("input", "accuracy")))}, FAILED_ONE},
        {"needs retraining", {WITH(FOUND(WARN, NEEDS("accuracy", "retrain")))}, NONE},
        {"saves", {WITH(FOUND(WARN, ALONE(PREDICT(1, 1, 1))))}, FAILED_ONE},
        {"may save nothing", {WITH(FOUND(WARN, ALONE(PREDICT(0, 1, 1))))}, NONE},
        /* By hand: an upper bound, which begins at 0. */
        {"a bound", {BY_HAND(PREDICT(0, 0, 1))}, FAILED_ONE},
        {"a bound of nothing", {BY_HAND(PREDICT(0, 0, 0))}, NONE},
        /* The trace is too short to tell: undecided, unless it would save nothing. */
        {"hidden", {TRACED, WITH(FOUND(WARN, ALONE(PREDICT(0, 1, 1))))}, OPEN_OF_0},
        {"of no middle", {TRACED, WITH(FOUND(WARN, ALONE(PREDICT(0, 0, 0))))}, NONE},
        {"hidden, of less", {TRACED, WITH(FOUND(INFO, ALONE(PREDICT(0, 1, 1))))}, NONE},
        /* No rule was applied, or nothing is known. */
        {"no evidence", {PASSED}, OPEN},
        {"no rule", {INFERENCES(9)}, OPEN},
        {"a rule that found nothing", {INFERENCES(9), PASSED}, NONE},
        {"a rule that was suppressed",
         {INFERENCES(9), .suppressed = LIST(ResultSuppressed, {.reason = RESULT_REASON_SMALL})},
         NONE},
        {"a rule that was turned off",
         {INFERENCES(9),
          .suppressed = LIST(ResultSuppressed, {.reason = RESULT_REASON_CONFIGURED})},
         OPEN},
        {"of another set-up",
         {WITH(FOUND(WARN, OF_MODEL)), .evidence = {.refuted = RESULT_REFUTED_SETUP}},
         OPEN},
        {"a step of unknown cost",
         {INFERENCES(9), PASSED, .steps = LIST(ResultStep, STEP(HOST, "", UNKNOWN))},
         OPEN_OF_0},
        {"a step of measured cost",
         {INFERENCES(9), PASSED, .steps = LIST(ResultStep, STEP(HOST, "", MEASURED))},
         NONE},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++)
        check_same(check[i].why, judged(&check[i].result, &(GateRequest){.fail_on = "warn"}),
                   check[i].expected);
    check_same(
        "of any level",
        judged(&(const Result){WITH(FOUND(INFO, OF_MODEL))}, &(GateRequest){.fail_on = "info"}),
        "findings of level info or above <= 0: 1 [1] fails");
}

/* The day itself is in time. */
static void suppressions(void)
{
    static const struct {
        const char *fingerprint, *until, *expected;
    } check[] = {
        {"f", NULL, "suppression f >= 1: 1 [1] holds"},
        {"f", "2027-01-31", "suppression f >= 1: 1 [1] holds"},
        {"f", "2027-01-30", "suppression f in time >= 1: 0 [1] fails"},
        {"held", NULL, "suppression held >= 1: 1 [1] holds"},
        {"observed", NULL, "suppression observed >= 1: 1 [1] holds"},
        {"stale", NULL, "suppression stale >= 1: 0 [0] fails"},
    };
    const Result result = {WITH(FOUND(WARN, OF_MODEL)),
                           .suppressed = LIST(ResultSuppressed, {.fingerprint = "held"}),
                           .observations = LIST(ResultObservation, {.fingerprint = "observed"})};
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        const Suppression s = {
            .fingerprint = check[i].fingerprint, .reason = "known", .until = check[i].until};
        const GateRequest q = {.suppression = &s, .nsuppression = 1, .today = "2027-01-31"};
        check_same(check[i].fingerprint, judged(&result, &q), check[i].expected);
    }
}

/* ---- accuracy ---- */

#define LOSS(...)                                                                                  \
    {                                                                                              \
        .accuracy = &(const ResultAccuracy)                                                        \
        {                                                                                          \
            .unit = RESULT_ACCURACY_UNIT_SHARE, .loss = { __VA_ARGS__ }                            \
        }                                                                                          \
    }
#define DB(low, middle, high)                                                                      \
    {                                                                                              \
        .accuracy = &(const ResultAccuracy)                                                        \
        {                                                                                          \
            .unit = RESULT_ACCURACY_UNIT_SHARE,                                                    \
            .more =                                                                                \
                LIST(ResultAccuracyFigure, {.unit = RESULT_ACCURACY_UNIT_SHARE},                   \
                     {RESULT_ACCURACY_METRIC_SQNR, RESULT_ACCURACY_UNIT_DB, middle, low, high},    \
                     {.unit = RESULT_ACCURACY_UNIT_SHARE})                                         \
        }                                                                                          \
    }
/* A plan of rows with these losses. */
#define PLAN(route_, ...)                                                                          \
    {                                                                                              \
        .route = RESULT_ROUTE_##route_, .changes = LIST(ResultPlanChange, __VA_ARGS__)             \
    }
#define ROWS(...)  .plans = LIST(ResultPlan, PLAN(SAME_OUTPUTS, __VA_ARGS__))
#define UNMEASURED .changes = LIST(ResultChange, {.accuracy_reason = "no images"})

static void accuracy(void)
{
    const struct {
        bool in_db;
        double limit;
        Result result;
        const char *expected;
    } check[] = {
        {false,
         0.01,
         {ROWS(LOSS(0, 0.005, 0.01))},
         "accuracy_loss <= 0.01: 0.005 [0 0.005 0.01] holds"},
        {false,
         0.01,
         {ROWS(LOSS(0, 0.005, 0.011))},
         "accuracy_loss <= 0.01: 0.005 [0 0.005 0.011] undecided"},
        {false,
         0.01,
         {ROWS(LOSS(0.01, 0.02, 0.03))},
         "accuracy_loss <= 0.01: 0.02 [0.01 0.02 0.03] undecided"},
        {false,
         0.01,
         {ROWS(LOSS(0.011, 0.02, 0.03))},
         "accuracy_loss <= 0.01: 0.02 [0.011 0.02 0.03] fails"},
        /* The worst of all rows and plans. */
        {false,
         0.01,
         {ROWS(LOSS(0, 0.001, 0.002), LOSS(0, 0.004, 0.006), LOSS(0, 0.003, 0.005))},
         "accuracy_loss <= 0.01: 0.004 [0 0.004 0.006] holds"},
        {false,
         0.01,
         {.plans = LIST(ResultPlan, PLAN(SAME_OUTPUTS, LOSS(0, 0.001, 0.002)),
                        PLAN(NEW_OUTPUTS, LOSS(0.02, 0.03, 0.04)))},
         "accuracy_loss <= 0.01: 0.03 [0.02 0.03 0.04] fails"},
        /* Retraining is never advised. */
        {false,
         0.01,
         {.plans = LIST(ResultPlan, PLAN(RETRAIN, LOSS(0.02, 0.03, 0.04)))},
         "accuracy_loss <= 0.01: 0 [] holds"},
        {false,
         0.01,
         {ROWS({.accuracy = &(const ResultAccuracy){.exact = true, .loss = {1, 1, 1}}})},
         "accuracy_loss <= 0.01: 0 [] holds"},
        /* What was not measured. */
        {false, 0.01, {UNMEASURED}, "accuracy_loss <= 0.01: unknown [] undecided"},
        {false,
         0.01,
         {UNMEASURED, ROWS(LOSS(0, 0.001, 0.002))},
         "accuracy_loss <= 0.01: 0.001 [0 0.001 0.002] undecided"},
        {false,
         0.01,
         {.compiled = &(const ResultCompiled){.layers = 1}},
         "accuracy_loss <= 0.01: unknown [] undecided"},
        {false,
         0.01,
         {.incomplete = LIST(ResultIncomplete, {.kind = RESULT_INCOMPLETE_KIND_RULE})},
         "rule complete to the end: unknown [] undecided; accuracy_loss <= 0.01: 0 [] holds"},
        {false,
         0.01,
         {.incomplete = LIST(ResultIncomplete, {.kind = RESULT_INCOMPLETE_KIND_ACCURACY})},
         "accuracy complete to the end: unknown [] undecided; "
         "accuracy_loss <= 0.01: unknown [] undecided"},
        /* Levels: the least is the worst. */
        {true, 30, {ROWS(DB(30, 32, 35))}, "accuracy_db >= 30: 32 [35 32 30] holds"},
        {true, 30, {ROWS(DB(29, 32, 35))}, "accuracy_db >= 30: 32 [35 32 29] undecided"},
        {true, 30, {ROWS(DB(27, 28, 30))}, "accuracy_db >= 30: 28 [30 28 27] undecided"},
        {true, 30, {ROWS(DB(27, 28, 29))}, "accuracy_db >= 30: 28 [29 28 27] fails"},
        {true,
         30,
         {ROWS(DB(40, 41, 42), DB(31, 32, 35), DB(35, 36, 37))},
         "accuracy_db >= 30: 32 [35 32 31] holds"},
        {true,
         30,
         {ROWS({.accuracy =
                    &(const ResultAccuracy){
                        .unit = RESULT_ACCURACY_UNIT_DB, .lo = 31, .value = 32, .hi = 33}})},
         "accuracy_db >= 30: 32 [33 32 31] holds"},
        {true, 30, {EMPTY}, "accuracy_db >= 30: 200 [] holds"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++)
        check_same(
            "accuracy",
            judged(&check[i].result, &(GateRequest){.loss_text = check[i].in_db ? "30dB" : "1%",
                                                    .loss_limit = check[i].limit,
                                                    .loss_in_db = check[i].in_db}),
            check[i].expected);
}

int main(void)
{
    arena = arena_new(0);
    findings();
    suppressions();
    accuracy();
    arena_free(arena);
    return check_failures() != 0;
}
