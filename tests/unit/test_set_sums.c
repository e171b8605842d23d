/* Checks sums over many results: rules and host operators by model, one SDK against the next. */
#include "advisor/render/tables/set_summary.h"
#include "advisor/message/json.h"
#include "tests/unit/check.h"

#include <string.h>

static Arena *arena;

typedef struct {
    const char *file, *settings;
    const Result *result; /* NULL: it has none */
} Model;

static cJSON *sums_of(const Model *m, size_t n)
{
    SetSums *s = set_sums_new(arena);
    cJSON *o = cJSON_CreateObject();
    for (size_t i = 0; i < n; i++)
        set_sums_add(s, &(ResultEntry){.file = m[i].file, .settings = m[i].settings}, m[i].result);
    set_sums_write(s, o);
    return o;
}

/* Rows as "text number …" by the keys. */
static const char *told(const cJSON *list, const char *const *key)
{
    const char *all = "";
    const cJSON *x;
    cJSON_ArrayForEach(x, list)
    {
        all = arena_printf(arena, "%s%s", all, *all ? "; " : "");
        for (const char *const *k = key; *k; k++) {
            double v;
            all = json_number(x, *k, &v) ? arena_printf(arena, "%s%s%g", all, k > key ? " " : "", v)
                                         : arena_printf(arena, "%s%s%s", all, k > key ? " " : "",
                                                        json_text(x, *k, "-"));
        }
    }
    return all;
}

static const char *const rule_key[] = {"rule_id", "title", "unit", "models", "gain", NULL};
static const char *const host_key[] = {"op", "models", "steps", "ns", "measured_steps", NULL};
static const char *const sdk_key[] = {"old",  "new",    "models",   "faster", "slower",
                                      "same", "broken", "repaired", NULL};

typedef struct {
    const char *rule;
    ResultUnit unit;
    double saves; /* 0: its row is merged with the next one */
    bool retrains;
} Row;

/* A change for each row, all in one plan, which is recommended. */
static const Result *of_plan(const Row *row, size_t n)
{
    static const char *const retrain[] = {"retrain"};
    ResultChange *change = ARENA_ARRAY(arena, ResultChange, n);
    ResultPlanChange *in_plan = ARENA_ARRAY(arena, ResultPlanChange, n);
    ResultInterval *saves = ARENA_ARRAY(arena, ResultInterval, n);
    ResultPlan *plan = ARENA_NEW(arena, ResultPlan);
    Result *r = ARENA_NEW(arena, Result);
    for (size_t i = 0; i < n; i++) {
        saves[i] = (ResultInterval){0, row[i].saves, 99};
        in_plan[i] =
            (ResultPlanChange){.id = (int64_t)i, .saves = row[i].saves > 0 ? &saves[i] : NULL};
        change[i] = (ResultChange){.id = (int64_t)i,
                                   .rule_id = row[i].rule,
                                   .title = "T",
                                   .needs = {retrain, row[i].retrains},
                                   .alone.unit = row[i].unit};
    }
    *plan = (ResultPlan){.recommended = true, .changes = {in_plan, n}};
    *r = (Result){.changes = {change, n}, .plans = {plan, 1}};
    return r;
}
#define OF_PLAN(...)                                                                               \
    of_plan((const Row[]){__VA_ARGS__}, sizeof((const Row[]){__VA_ARGS__}) / sizeof(Row))
#define NS(rule, saves)                                                                            \
    {                                                                                              \
        rule, RESULT_UNIT_NS, saves, false                                                         \
    }
#define PER_S(rule, saves)                                                                         \
    {                                                                                              \
        rule, RESULT_UNIT_PER_S, saves, false                                                      \
    }

/* A rule counts once for each model, with all that its changes save there; work by hand with the
 * most.  Merged rows and retraining count nowhere. */
static void rules(void)
{
    const ResultHandWork by_hand = {
        .rule_id = "R5", .title = "T", .up_to.value = 2, .alone.unit = RESULT_UNIT_NS};
    const Result hand = {.by_hand = {&by_hand, 1}};
    const Model m[] = {
        {"a", NULL, OF_PLAN(NS("R1", 10), NS("R1", 5), NS("R2", 7), NS("R3", 0))},
        {"b", NULL, OF_PLAN(NS("R2", 0.5), PER_S("R1", 3), {"R4", RESULT_UNIT_NS, 9, true})},
        {"c", NULL, OF_PLAN(NS("R0", 1))},
        {"d", NULL, &hand},
        {"e", NULL, NULL}};
    cJSON *o = sums_of(m, sizeof m / sizeof *m);
    CHECK(same_text(told(json_at(o, "rules"), rule_key),
                    "R2 T ns 2 7.5; R0 T ns 1 1; R1 T ns 1 15; R1 T per_s 1 3; R5 T ns 1 2"));
    cJSON_Delete(o);
    o = sums_of(NULL, 0);
    CHECK(same_text(told(json_at(o, "rules"), rule_key), "") && json_at(o, "host") &&
          json_at(o, "sdks"));
    cJSON_Delete(o);
}

#define STEP(kind_, op_, ...)                                                                      \
    {                                                                                              \
        .kind = RESULT_STEP_KIND_##kind_, .op = op_, __VA_ARGS__                                   \
    }
#define MEASURED(ns)                                                                               \
    .measured_ns = &(const ResultMeasuredNs)                                                       \
    {                                                                                              \
        .median = ns                                                                               \
    }
#define PREDICTED(ns)                                                                              \
    .predicted_ns = &(const ResultIntervalNs)                                                      \
    {                                                                                              \
        .mid = ns                                                                                  \
    }
#define STEPS(...)                                                                                 \
    &(const Result)                                                                                \
    {                                                                                              \
        .steps = {                                                                                 \
            (const ResultStep[]){__VA_ARGS__},                                                     \
            sizeof((const ResultStep[]){__VA_ARGS__}) / sizeof(ResultStep)                         \
        }                                                                                          \
    }

static void host(void)
{
    const Model m[] = {
        {"a", NULL,
         STEPS(STEP(HOST, "Add", MEASURED(10), PREDICTED(99)), STEP(HOST, "Add", PREDICTED(5)),
               STEP(NPU, "Add", MEASURED(10)), STEP(HOST, "Mul", .predicted_ns = NULL))},
        {"b", NULL,
         STEPS(STEP(HOST, "Add", MEASURED(1)), STEP(HOST, "Softmax", MEASURED(20)),
               STEP(HOST, "Relu", MEASURED(16)))}};
    cJSON *o = sums_of(m, 2);
    CHECK(same_text(told(json_at(o, "host"), host_key),
                    "Softmax 1 1 20 1; Add 2 3 16 2; Relu 1 1 16 1"));
    cJSON_Delete(o);
}

#define LATENCY(ns)                                                                                \
    &(const Result)                                                                                \
    {                                                                                              \
        .prediction = &(const ResultPrediction)                                                    \
        {                                                                                          \
            .latency_ns.mid = ns                                                                   \
        }                                                                                          \
    }

/* Beyond 1 %: 1009 of 1000 is the same, 1011 is slower. */
static void sdks(void)
{
    const Model m[] = {{"a", "sdk=0.9 batch=1", LATENCY(1000)},
                       {"a", "sdk=0.10 batch=1", LATENCY(1009)},
                       {"b", "batch=1 sdk=0.10", LATENCY(1011)},
                       {"b", "batch=1 sdk=0.9", LATENCY(1000)},
                       {"c", "sdk=0.9", LATENCY(1000)},
                       {"c", "sdk=0.10", LATENCY(989)},
                       {"d", "sdk=0.9", LATENCY(1000)},
                       {"d", "sdk=0.10", LATENCY(991)},
                       {"e", "sdk=0.9", LATENCY(1000)},
                       {"e", "sdk=0.10", NULL},
                       {"f", "sdk=0.9", NULL},
                       {"f", "sdk=0.10", LATENCY(1000)},
                       {"g", "sdk=0.9", NULL},
                       {"g", "sdk=0.10", NULL},
                       /* Of one SDK, without any, and with other settings. */
                       {"h", "sdk=0.9", LATENCY(1)},
                       {"i", "batch=1", LATENCY(1)},
                       {"i", NULL, LATENCY(2)},
                       {"j", "sdk=0.9 batch=1", LATENCY(1)},
                       {"j", "sdk=0.10 batch=2", LATENCY(2)},
                       /* Each against the next one that is there. */
                       {"k", "sdk=0.10", LATENCY(30)},
                       {"k", "sdk=0.8", LATENCY(10)},
                       {"k", "sdk=0.9", LATENCY(20)},
                       {"l", "sdk=0.8", LATENCY(10)},
                       {"l", "sdk=0.10", LATENCY(10)}};
    cJSON *o = sums_of(m, sizeof m / sizeof *m);
    CHECK(same_text(told(json_at(o, "sdks"), sdk_key),
                    "0.9 0.10 7 1 2 2 1 1; 0.8 0.9 1 0 1 0 0 0; 0.8 0.10 1 0 0 1 0 0"));
    cJSON_Delete(o);
}

int main(void)
{
    arena = arena_new(0);
    rules();
    host();
    sdks();
    arena_free(arena);
    return check_failures() != 0;
}
