/* Two results held against each other: figures by their intervals, kinds of work, findings; of
 * compiled graphs, layers that do the same work however they were fused. */
#include "advisor/act/diff/diff.h"
#include "graph/base/arena.h"
#include "tests/unit/check.h"

#include <string.h>

static Arena *arena;

static const char *value_of(const cJSON *v)
{
    double mid;
    if (!json_number(v, "mid", &mid))
        return "-";
    return json_at(v, "lo") ? arena_printf(arena, "%.9g (%.9g %.9g)", mid,
                                           json_number_or(v, "lo", 9), json_number_or(v, "hi", 9))
                            : arena_printf(arena, "%.9g", mid);
}

/* "kind name: old, new, change verdict [how]" */
static const char *told(const cJSON *list)
{
    const char *all = "";
    const cJSON *x;
    cJSON_ArrayForEach(x, list)
    {
        double change;
        const char *how = json_text(x, "how", "");
        all = arena_printf(
            arena, "%s%s%s%s%s: %s, %s, %s %s%s%s", all, *all ? "; " : "", json_text(x, "kind", ""),
            json_at(x, "kind") ? " " : "", json_text(x, "name", "?"), value_of(json_at(x, "old")),
            value_of(json_at(x, "new")),
            json_number(x, "change", &change) ? arena_printf(arena, "%+.9g", change) : "-",
            json_text(x, "verdict", "?"), *how ? " " : "", how);
    }
    return *all ? all : "nothing";
}

static const char *findings_of(const cJSON *list)
{
    const char *all = "";
    const cJSON *x;
    cJSON_ArrayForEach(x, list)
    {
        double was, is;
        all = arena_printf(arena, "%s%s%s %s %s %s: %s, %s %s", all, *all ? "; " : "",
                           json_text(x, "rule_id", "-"), json_text(x, "fingerprint", "-"),
                           json_text(x, "title", "-"), json_text(x, "state", "-"),
                           json_number(x, "old", &was) ? arena_printf(arena, "%g", was) : "-",
                           json_number(x, "new", &is) ? arena_printf(arena, "%g", is) : "-",
                           json_text(x, "unit", "-"));
    }
    return *all ? all : "nothing";
}

static cJSON *compared(const Result *old, const Result *new)
{
    return diff_results(old, new, "old.json", "new.json");
}

/* The figures of either side that are not 0, which stands for those that a row does not name. */
static const char *told_figures(const Result *old, const Result *new)
{
    cJSON *d = compared(old, new), *list = cJSON_GetObjectItem(d, "metrics"), *next;
    for (cJSON *x = list->child; x; x = next) {
        next = x->next;
        if (json_number_or(x, "old.mid", 0) == 0 && json_number_or(x, "new.mid", 0) == 0)
            cJSON_Delete(cJSON_DetachItemViaPointer(list, x));
    }
    const char *said = told(list);
    cJSON_Delete(d);
    return said;
}

#define LATENCY(mid_, lo_, hi_)                                                                    \
    {                                                                                              \
        .prediction = &(const ResultPrediction)                                                    \
        {                                                                                          \
            .latency_ns = {.lo = lo_, .mid = mid_, .hi = hi_ }                                     \
        }                                                                                          \
    }
#define RATE(mid_, lo_, hi_)                                                                       \
    {                                                                                              \
        .prediction = &(const ResultPrediction)                                                    \
        {                                                                                          \
            .throughput_per_s = {.lo = lo_, .mid = mid_, .hi = hi_ }                               \
        }                                                                                          \
    }
#define MEASURED(...)                                                                              \
    {                                                                                              \
        .measured = &(const ResultMeasured)                                                        \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define COMPILED(compute_, latency_, sum_, reformat_)                                              \
    {                                                                                              \
        .compiled = &(const ResultCompiled)                                                        \
        {                                                                                          \
            .sum_ns = {sum_, true},                                                                \
            .stages = {.compute = &(const ResultStage){.mean = compute_},                          \
                       .latency = &(const ResultStage){.mean = latency_}},                         \
            .reformats.ns = reformat_                                                              \
        }                                                                                          \
    }
#define NOTHING                                                                                    \
    {                                                                                              \
        .target = NULL                                                                             \
    }

/* The doubt of two predictions is about the same machine: slower, or faster, is what both ends say.
 * A p99 is compared of 100 inferences or more. */
static void figures(void)
{
    const struct {
        Result old, new;
        const char *expected;
    } check[] = {
        {LATENCY(100, 90, 110), LATENCY(120, 91, 130),
         "prediction.latency_ns: 100 (90 110), 120 (91 130), +20 slower"},
        {LATENCY(100, 90, 110), LATENCY(120, 90, 130),
         "prediction.latency_ns: 100 (90 110), 120 (90 130), +20 same"},
        {LATENCY(100, 90, 110), LATENCY(80, 70, 109),
         "prediction.latency_ns: 100 (90 110), 80 (70 109), -20 faster"},
        {LATENCY(100, 90, 110), LATENCY(80, 70, 110),
         "prediction.latency_ns: 100 (90 110), 80 (70 110), -20 same"},
        {RATE(100, 90, 110), RATE(120, 111, 130),
         "prediction.throughput_per_s: 100 (90 110), 120 (111 130), +20 better"},
        {RATE(100, 90, 110), RATE(80, 70, 89),
         "prediction.throughput_per_s: 100 (90 110), 80 (70 89), -20 worse"},
        {LATENCY(100, 90, 110), NOTHING, "prediction.latency_ns: 100 (90 110), -, - gone"},
        {NOTHING, LATENCY(100, 90, 110), "prediction.latency_ns: -, 100 (90 110), - added"},
        {NOTHING, NOTHING, "nothing"},
        {MEASURED(.inferences = 100, .latency_ns = {.median = 9, .p99 = 10}, .npu_ns = 5),
         MEASURED(.inferences = 99, .latency_ns = {.median = 8, .p99 = 10}, .npu_ns = 6),
         "measured.latency_ns.median: 9, 8, -1 faster; measured.npu_ns: 5, 6, +1 slower"},
        {MEASURED(.inferences = 100, .latency_ns = {.median = 9, .p99 = 10}, .npu_ns = 5),
         MEASURED(.inferences = 100, .latency_ns = {.median = 8, .p99 = 10}, .npu_ns = 6),
         "measured.latency_ns.median: 9, 8, -1 faster; measured.latency_ns.p99: 10, 10, +0 same; "
         "measured.npu_ns: 5, 6, +1 slower"},
        {MEASURED(.host_ns = 1, .io_ns = 2, .unattributed_ns = 3),
         MEASURED(.host_ns = 2, .io_ns = 1, .unattributed_ns = 4),
         "measured.host_ns: 1, 2, +1 slower; measured.io_ns: 2, 1, -1 faster; "
         "measured.unattributed_ns: 3, 4, +1 slower"},
        {{.prediction = &(const ResultPrediction){.npu_ns = {9, 9, 9},
                                                  .host_ns = {4, 4, 4},
                                                  .io_ns = {1, 9, 99}}},
         {.prediction = &(const ResultPrediction){.npu_ns = {10, 10, 10},
                                                  .host_ns = {3, 3, 3},
                                                  .io_ns = {10, 10, 10}}},
         "prediction.npu_ns: 9 (9 9), 10 (10 10), +1 slower; prediction.host_ns: 4 (4 4), 3 (3 "
         "3), -1 faster; prediction.io_ns: 9 (1 99), 10 (10 10), +1 same"},
        {COMPILED(1, 2, 4, 3), COMPILED(2, 1, 3, 4),
         "compiled.stages.compute.mean: 1, 2, +1 slower; compiled.stages.latency.mean: 2, 1, -1 "
         "faster; compiled.sum_ns: 4, 3, -1 faster; compiled.reformats.ns: 3, 4, +1 slower"},
        {COMPILED(1, 2, 4, 3),
         {.compiled = &(const ResultCompiled){.reformats.ns = 3}},
         "compiled.stages.compute.mean: 1, -, - gone; compiled.stages.latency.mean: 2, -, - gone; "
         "compiled.sum_ns: 4, -, - gone; compiled.reformats.ns: 3, 3, +0 same"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++)
        check_same("figure", told_figures(&check[i].old, &check[i].new), check[i].expected);
}

/* What has no interval is exact: beside one that has, it is never the same but where both are. */
static void exact_figures(void)
{
    cJSON *list = cJSON_CreateArray();
    diff_add(list, NULL, "a", "ns", (DiffValue){true, true, false, 1, 9, 99},
             (DiffValue){true, false, false, 10, 10, 10});
    diff_add(list, NULL, "b", "ns", (DiffValue){true, false, false, 9, 9, 9},
             (DiffValue){true, false, false, 9.5, 9.5, 9.5});
    check_same("exact", told(list), "a: 9 (1 99), 10, +1 slower; b: 9, 9.5, +0.5 slower");
    cJSON_Delete(list);
}

#define STEPS(...)                                                                                 \
    {                                                                                              \
        (const ResultStep[]){__VA_ARGS__},                                                         \
            sizeof((const ResultStep[]){__VA_ARGS__}) / sizeof(ResultStep)                         \
    }
#define PREDICTED(kind_, op_, mid_, lo_, hi_)                                                      \
    {                                                                                              \
        .kind = RESULT_STEP_KIND_##kind_, .op = op_, .predicted_ns = &(const ResultIntervalNs)     \
        {                                                                                          \
            .lo = lo_, .mid = mid_, .hi = hi_                                                      \
        }                                                                                          \
    }
#define BOTH_TIMES(measured, predicted)                                                            \
    {                                                                                              \
        .kind = RESULT_STEP_KIND_NPU, .op = "both",                                                \
        .measured_ns =                                                                             \
            &(const ResultMeasuredNs){.median = measured, .lo = measured, .hi = measured},         \
        .predicted_ns = &(const ResultIntervalNs)                                                  \
        {                                                                                          \
            predicted, predicted, predicted                                                        \
        }                                                                                          \
    }

/* Two Adds of 10 +- 3 and 20 +- 4 are 30 +- 5; what is measured goes before what is predicted; the
 * largest change comes first, and what is gone counts whole. */
static void kinds_of_work(void)
{
    const Result old = {
        .steps = STEPS(PREDICTED(HOST, "Add", 10, 7, 13), PREDICTED(HOST, "Add", 20, 16, 24),
                       PREDICTED(HOST, "Mul", 40, 40, 40), PREDICTED(NPU, "npu", 5, 5, 5),
                       {.kind = RESULT_STEP_KIND_D2H, .op = "read"}, BOTH_TIMES(7, 9))};
    const Result new = {.steps = STEPS(PREDICTED(HOST, "Add", 60, 56, 63),
                                       PREDICTED(NPU, "npu", 5, 5, 5),
                                       PREDICTED(HOST, "Softmax", 33, 33, 33), BOTH_TIMES(8, 1))};
    cJSON *d = compared(&old, &new);
    check_same(
        "parts", told(json_at(d, "parts")),
        "host Mul: 40 (40 40), -, - gone; host Softmax: -, 33 (33 33), - added; "
        "host Add: 30 (25 35), 60 (56 63), +30 slower; npu both: 7 (7 7), 8 (8 8), +1 slower; "
        "d2h read: -, -, - unknown; npu npu: 5 (5 5), 5 (5 5), +0 same");
    check_same("names",
               arena_printf(arena, "%s %s %s %g", json_text(d, "kind", ""), json_text(d, "old", ""),
                            json_text(d, "new", ""), json_number_or(d, "diff_version", 0)),
               "result old.json new.json 1");
    cJSON_Delete(d);
}

#define FOUND(number, name, ...)                                                                   \
    (const ResultChange)                                                                           \
    {                                                                                              \
        .id = number, .rule_id = "R", .fingerprint = name, .title = "T", .alone = { __VA_ARGS__ }  \
    }
#define SAVES(mid_, lo_, hi_)                                                                      \
    .unit = RESULT_UNIT_NS, .predicted = &(const ResultInterval)                                   \
    {                                                                                              \
        .lo = lo_, .mid = mid_, .hi = hi_                                                          \
    }
#define UNKNOWN .unit = RESULT_UNIT_NS

/* The changes that have a name, in a plan where each saves as much as alone. */
static Result of_changes(const ResultChange list[2])
{
    size_t n = !list[0].fingerprint ? 0 : !list[1].fingerprint ? 1 : 2;
    ResultPlanChange *row = ARENA_ARRAY(arena, ResultPlanChange, 2);
    ResultPlan *plan = ARENA_NEW(arena, ResultPlan);
    for (size_t i = 0; i < n; i++)
        row[i] = (ResultPlanChange){.id = list[i].id, .saves = list[i].alone.predicted};
    *plan = (ResultPlan){.recommended = true, .changes = {row, n}};
    return (Result){.changes = {list, n}, .plans = {plan, 1}};
}

static void check_findings(const Result *old, const Result *new, const char *expected)
{
    cJSON *d = compared(old, new);
    check_same("finding", findings_of(json_at(d, "findings")), expected);
    cJSON_Delete(d);
}

/* Improved: alone it saves less than before, by more than both intervals.  The figures are those in
 * the plans. */
static void findings(void)
{
    const struct {
        ResultChange old[2], new[2];
        const char *expected;
    } check[] = {
        {{FOUND(1, "f", SAVES(100, 90, 110))},
         {FOUND(1, "f", SAVES(80, 70, 89))},
         "R f T improved: 100, 80 ns"},
        {{FOUND(1, "f", SAVES(100, 90, 110))},
         {FOUND(1, "f", SAVES(80, 70, 90))},
         "R f T unchanged: 100, 80 ns"},
        {{FOUND(1, "f", SAVES(100, 90, 110))},
         {FOUND(1, "f", SAVES(120, 111, 130))},
         "R f T grown: 100, 120 ns"},
        {{FOUND(1, "f", SAVES(100, 90, 110))},
         {FOUND(1, "f", SAVES(120, 110, 130))},
         "R f T unchanged: 100, 120 ns"},
        {{FOUND(1, "f", SAVES(100, 90, 110))},
         {FOUND(1, "f", UNKNOWN)},
         "R f T unchanged: 100, - ns"},
        {{FOUND(1, "f", UNKNOWN)},
         {FOUND(1, "f", SAVES(100, 90, 110))},
         "R f T unchanged: -, 100 ns"},
        {{FOUND(1, "f", UNKNOWN)}, {{.id = 0}}, "R f T gone: -, - ns"},
        {{{.id = 0}},
         {FOUND(1, "f", .unit = RESULT_UNIT_PER_S, .predicted = &(const ResultInterval){7, 7, 7})},
         "R f T new: -, 7 per_s"},
        {{FOUND(1, "f", UNKNOWN), FOUND(2, "g", UNKNOWN)},
         {FOUND(1, "h", UNKNOWN), FOUND(2, "g", UNKNOWN)},
         "R h T unchanged: -, - ns; R g T unchanged: -, - ns"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        const Result old = of_changes(check[i].old), new = of_changes(check[i].new);
        check_findings(&old, &new, check[i].expected);
    }
}

/* Of work by hand the figure is the most that it saves. */
static void hand_work(void)
{
    const ResultHandWork was = {.rule_id = "R",
                                .fingerprint = "f",
                                .title = "T",
                                .up_to = {RESULT_UNIT_NS, 110},
                                .alone = {SAVES(50, 0, 110)}};
    ResultHandWork is = was;
    is.up_to.value = 90;
    const Result old = {.by_hand = {&was, 1}}, new = {.by_hand = {&is, 1}}, none = {.target = NULL};
    check_findings(&old, &new, "R f T unchanged: 110, 90 ns");
    check_findings(&none, &new, "R f T new: -, 90 ns");
}

/* ---- layers ---- */

static const ResultLayerTensor int8 = {.dtype = "int8"}, float32 = {.dtype = "float32"};

#define OF_TYPES(name_, in, out, nout, ...)                                                        \
    {                                                                                              \
        .kind = RESULT_STEP_KIND_LAYER, .op = "conv",                                              \
        .layer = &(const ResultLayer){.name = name_, .inputs = {in, 1}, .outputs = {out, nout}},   \
        __VA_ARGS__                                                                                \
    }
#define MEAN(mean_)                                                                                \
    .measured_ns = &(const ResultMeasuredNs)                                                       \
    {                                                                                              \
        .median = mean_, .lo = mean_, .hi = mean_, .mean = { mean_, true }                         \
    }
#define LAYER(name, mean) OF_TYPES(name, &int8, &int8, 1, MEAN(mean))
#define WIDE(name, mean)  OF_TYPES(name, &float32, NULL, 0, MEAN(mean))
#define UNTIMED(name_)                                                                             \
    {                                                                                              \
        .kind = RESULT_STEP_KIND_LAYER, .layer = &(const ResultLayer)                              \
        {                                                                                          \
            .name = name_                                                                          \
        }                                                                                          \
    }
#define TEXTS(...)                                                                                 \
    {                                                                                              \
        (const char *const[]){__VA_ARGS__},                                                        \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)                            \
    }
#define OF(nodes, name, mean) OF_TYPES(name, &int8, &int8, 1, MEAN(mean), .onnx_nodes = nodes)

static const char *told_layers(ResultStepList old, ResultStepList new)
{
    const ResultCompiled compiled = {.kind = RESULT_KIND_TENSORRT};
    const Result a = {.compiled = &compiled, .steps = old},
                 b = {.compiled = &compiled, .steps = new};
    cJSON *d = compared(&a, &b);
    const char *said = told(json_at(d, "parts"));
    cJSON_Delete(d);
    return said;
}

static void layers(void)
{
    const struct {
        const char *what;
        ResultStepList old, new;
        const char *expected;
    } check[] = {
        {"by name", STEPS(LAYER("conv1", 10), LAYER("conv2", 20)),
         STEPS(LAYER("conv2", 25), LAYER("conv1", 9)),
         "layer conv2: 20, 25, +5 slower; layer conv1: 10, 9, -1 faster"},
        {"fused", STEPS(LAYER("conv1", 10), LAYER("relu1", 2)), STEPS(LAYER("conv1 + relu1", 9)),
         "layer conv1: 12, 9, -3 faster 2 layers, now 1"},
        {"taken apart", STEPS(LAYER("a + b + c", 9)),
         STEPS(LAYER("a", 3), LAYER("b", 4), LAYER("c", 5)),
         "layer a + b + c: 9, 12, +3 slower 1 layer, now 3"},
        {"over a third", STEPS(LAYER("a + b", 5), LAYER("c", 5)),
         STEPS(LAYER("a", 5), LAYER("b + c", 5)), "layer a + b: 10, 10, +0 same"},
        {"a reformat",
         STEPS(LAYER("conv1", 10), LAYER("Reformatting CopyNode for Input Tensor 0 to conv1", 3)),
         STEPS(LAYER("conv1", 10)), "layer conv1: 13, 10, -3 faster 2 layers, now 1"},
        {"a reformat for nothing", STEPS(LAYER("Reformatting CopyNode", 3)), STEPS(LAYER("to", 3)),
         "layer Reformatting CopyNode: 3, -, - gone; layer to: -, 3, - added"},
        {"no reformat", STEPS(LAYER("Reformat to conv1", 3)), STEPS(LAYER("conv1", 1)),
         "layer Reformat to conv1: 3, -, - gone; layer conv1: -, 1, - added"},
        {"other types", STEPS(LAYER("conv1", 10)), STEPS(WIDE("conv1", 20)),
         "layer conv1: 10, 20, +10 slower int8 to int8, now float32 to ?"},
        {"the longest says the types", STEPS(LAYER("a", 10), WIDE("b", 11)),
         STEPS(LAYER("a + b", 9)),
         "layer a: 21, 9, -12 faster 2 layers, now 1; float32 to ?, now int8 to int8"},
        {"the first of as long", STEPS(LAYER("a", 10), WIDE("b", 10)), STEPS(LAYER("a + b", 9)),
         "layer a: 20, 9, -11 faster 2 layers, now 1"},
        /* Numbers go to other nodes in another export: beside a name they do not count. */
        {"numbered", STEPS(LAYER("Conv_1 + w1", 1), LAYER("Conv_2 + w2", 2)),
         STEPS(LAYER("Conv_2 + w1", 1), LAYER("Conv_3 + w2", 2)),
         "layer Conv_1 + w1: 1, 1, +0 same; layer Conv_2 + w2: 2, 2, +0 same"},
        {"only numbered", STEPS(LAYER("Conv_1", 1), LAYER("Conv_2", 2)),
         STEPS(LAYER("Conv_1 + Conv_2", 4)), "layer Conv_1: 3, 4, +1 slower 2 layers, now 1"},
        {"not numbered", STEPS(LAYER("Conv_1a + Add_2", 1), LAYER("Add_2", 2)),
         STEPS(LAYER("Add_2", 3)),
         "layer Add_2: 2, 3, +1 slower; layer Conv_1a + Add_2: 1, -, - gone"},
        {"no number", STEPS(LAYER("Conv_ + Add_2", 1), LAYER("_2 + Mul_2", 2)),
         STEPS(LAYER("Add_2", 3), LAYER("Mul_2", 4)),
         "layer Mul_2: -, 4, - added; layer Add_2: -, 3, - added; layer _2 + Mul_2: 2, -, - gone; "
         "layer Conv_ + Add_2: 1, -, - gone"},
        {"nodes", STEPS(OF(TEXTS("n1", "n2"), "x", 1), OF(TEXTS("n3"), "y", 5)),
         STEPS(OF(TEXTS("n2", "n3"), "z", 4)), "layer x: 6, 4, -2 faster 2 layers, now 1"},
        {"no name", STEPS(OF(TEXTS(""), "", 1)), STEPS(OF(TEXTS(""), "", 2)),
         "layer : -, 2, - added; layer : 1, -, - gone"},
        /* A layer of no time is none; one whose time is in no file is one. */
        {"of no time", STEPS(LAYER("a", 0), LAYER("b", 1)), STEPS(LAYER("a", 0), LAYER("b", 1)),
         "layer b: 1, 1, +0 same"},
        {"without times", STEPS(UNTIMED("a")), STEPS(UNTIMED("a"), UNTIMED("a")),
         "layer a: -, -, - unknown 1 layer, now 2"},
        {"timed once", STEPS(UNTIMED("a")), STEPS(LAYER("a", 3)),
         "layer a: -, 3, - added ? to ?, now int8 to int8"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++)
        check_same(check[i].what, told_layers(check[i].old, check[i].new), check[i].expected);
    const Result engine = {.compiled = &(const ResultCompiled){.layers = 1},
                           .steps = STEPS(LAYER("a", 3))},
                 program = {.target = NULL};
    cJSON *d = compared(&engine, &program);
    check_same("one side alone", told(json_at(d, "parts")), "layer conv: 3 (3 3), -, - gone");
    cJSON_Delete(d);
}

/* A word of 255 letters is read, one of 256 taken as a name; each beside a number that ties. */
static void long_words(void)
{
    for (size_t n = 255; n <= 256; n++) {
        char *word = arena_calloc(arena, n + 1, 1);
        memset(word, 'x', n);
        memcpy(word + n - 2, "_1", 2);
        const char *said =
            told_layers((ResultStepList)STEPS(LAYER(arena_printf(arena, "%s + Conv_1", word), 1)),
                        (ResultStepList)STEPS(LAYER("Conv_1", 2)));
        check_same("long", strstr(said, "; ") ? "apart" : "tied", n == 255 ? "tied" : "apart");
    }
}

int main(void)
{
    arena = arena_new(0);
    figures();
    exact_figures();
    kinds_of_work();
    findings();
    hand_work();
    layers();
    long_words();
    arena_free(arena);
    return check_failures() != 0;
}
