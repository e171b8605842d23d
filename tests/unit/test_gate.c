/* Budgets of a gate: figures at and beside their bounds, and those of which nothing is known; what
 * a CI sees of it. */
#include "tests/unit/gate_messages.h"

/* ---- budgets ---- */

#define EXACT(ns)                                                                                  \
    {                                                                                              \
        (ns), (ns), (ns)                                                                           \
    }
#define SAMPLED(number, ...)                                                                       \
    TRACED, .measured = &(const ResultMeasured)                                                    \
    {                                                                                              \
        .inferences = (number), .samples = {.n = (number), __VA_ARGS__ }                           \
    }
/* Five inferences; the median's interval is 3.9 to 4.1 ms. */
#define FIVE                                                                                       \
    SAMPLED(5, .values = LIST(int64_t, 3, 4, 4, 4, 5), .median = {3900000, 4000000, 4100000},      \
            .p90 = EXACT(5000000), .max = 6000000,                                                 \
            .npu_ns = &(const ResultMeasuredNs){2000000, 1000000, 3000000, {0}})
#define OF_4_MS                                                                                    \
    .median = EXACT(4000000), .max = 4000000, .npu_ns = &(const ResultMeasuredNs)                  \
    {                                                                                              \
        2000000, 2000000, 2000000,                                                                 \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
#define ONE SAMPLED(1, .values = LIST(int64_t, 4000000), OF_4_MS)
#define TWO SAMPLED(2, .values = LIST(int64_t, 4000000, 4000000), OF_4_MS)
#define PREDICTION                                                                                 \
    .prediction = &(const ResultPrediction)                                                        \
    {                                                                                              \
        .throughput_per_s = {240, 250, 260}, .latency_ns = { 3000000, 4000000, 5000000 }           \
    }
#define NPU_STEP .steps = LIST(ResultStep, STEP(NPU, "", PREDICTED))
#define RATE     NPU_STEP, PREDICTION
#define HALF_KNOWN                                                                                 \
    .steps = LIST(ResultStep, STEP(NPU, "", PREDICTED), STEP(HOST, "Softmax", UNKNOWN)), PREDICTION
#define OTHER_SIZE                                                                                 \
    .evidence = {.issues = LIST(ResultIssue, {.code = "few"}, {.code = "other-size"})}
#define LAYER_TIME .layer = &(const ResultLayer){.name = "l"}, MEASURED

static const struct {
    const char *budget;
    Result result;
    Aggregation how;
    const char *expected;
} budget[] = {
    /* The whole interval, 3.9 to 4.1 ms, or nothing. */
    {"latency_ns=4.1ms", {FIVE}, 0, "latency_ns <= 4.1ms: 4000000 [3 4 4 4 5] holds"},
    {"latency_ns=4099us", {FIVE}, 0, "latency_ns <= 4099us: 4000000 [3 4 4 4 5] undecided"},
    {"latency_ns=3900us", {FIVE}, 0, "latency_ns <= 3900us: 4000000 [3 4 4 4 5] undecided"},
    {"latency_ns=3899us", {FIVE}, 0, "latency_ns <= 3899us: 4000000 [3 4 4 4 5] fails"},
    {"latency_ns=5ms", {FIVE}, AGGREGATE_P90, "latency_ns <= 5ms: 5000000 [3 4 4 4 5] holds"},
    {"latency_ns=5999us",
     {FIVE},
     AGGREGATE_PESSIMISTIC,
     "latency_ns <= 5999us: 6000000 [3 4 4 4 5] fails"},
    {"latency_ns=6ms",
     {FIVE},
     AGGREGATE_PESSIMISTIC,
     "latency_ns <= 6ms: 6000000 [3 4 4 4 5] holds"},
    /* Of other times the ends are all that is known; they are of the median, whatever is asked.
     */
    {"npu_ns=3ms", {FIVE}, AGGREGATE_P90, "npu_ns <= 3ms: 2000000 [1000000 3000000] holds"},
    {"host_ns=3ms", {FIVE}, 0, "host_ns <= 3ms: unknown [] undecided"},
    /* One sample decides nothing; two do. */
    {"latency_ns=1s", {ONE}, 0, "latency_ns <= 1s: 4000000 [4000000] undecided"},
    {"latency_ns=1s",
     {ONE},
     AGGREGATE_PESSIMISTIC,
     "latency_ns <= 1s: 4000000 [4000000] undecided"},
    {"npu_ns=1s", {ONE}, 0, "npu_ns <= 1s: 2000000 [0] undecided"},
    {"latency_ns=1s", {TWO}, 0, "latency_ns <= 1s: 4000000 [4000000 4000000] holds"},
    {"npu_ns=1s", {TWO}, 0, "npu_ns <= 1s: 2000000 [2000000] holds"},
    /* At least: the lower end holds, the upper one fails. */
    {"throughput_per_s=240", {RATE}, 0, "throughput_per_s >= 240: 250 [240 260] holds"},
    {"throughput_per_s=241", {RATE}, 0, "throughput_per_s >= 241: 250 [240 260] undecided"},
    {"throughput_per_s=260", {RATE}, 0, "throughput_per_s >= 260: 250 [240 260] undecided"},
    {"throughput_per_s=261", {RATE}, 0, "throughput_per_s >= 261: 250 [240 260] fails"},
    {"throughput_per_s=0",
     {NPU_STEP, .prediction = &(const ResultPrediction){.throughput_per_s = EXACT(0)}},
     0,
     "throughput_per_s >= 0: unknown [] undecided"},
    {"throughput_per_s=0.5",
     {NPU_STEP, .prediction = &(const ResultPrediction){.throughput_per_s = EXACT(0.5)}},
     0,
     "throughput_per_s >= 0.5: 0.5 [0.5] holds"},
    {"latency_ns=0",
     {NPU_STEP, .prediction = &(const ResultPrediction){.latency_ns = EXACT(0)}},
     0,
     "latency_ns <= 0: 0 [0] holds"},
    /* A step of unknown cost takes any time: what is too slow, or too few, without it stays so.
     */
    {"latency_ns=5ms", {HALF_KNOWN}, 0, "latency_ns <= 5ms: 4000000 [3000000] undecided"},
    {"latency_ns=2ms", {HALF_KNOWN}, 0, "latency_ns <= 2ms: 4000000 [3000000] fails"},
    {"throughput_per_s=240", {HALF_KNOWN}, 0, "throughput_per_s >= 240: 250 [0 260] undecided"},
    {"throughput_per_s=261", {HALF_KNOWN}, 0, "throughput_per_s >= 261: 250 [0 260] fails"},
    /* So does a trace that may be of another size of picture. */
    {"latency_ns=1s", {FIVE, OTHER_SIZE}, 0, "latency_ns <= 1s: 4000000 [3 4 4 4 5] undecided"},
    {"latency_ns=3ms", {FIVE, OTHER_SIZE}, 0, "latency_ns <= 3ms: 4000000 [3 4 4 4 5] fails"},
    {"throughput_per_s=1", {RATE, OTHER_SIZE}, 0, "throughput_per_s >= 1: 250 [0 260] undecided"},
    {"coverage=0.75", {STEPS, OTHER_SIZE}, 0, "coverage >= 0.75: 0.75 [0.75] holds"},
    {"latency_ns=4.1ms",
     {FIVE, .evidence = {.issues = LIST(ResultIssue, {.code = "few"})}},
     0,
     "latency_ns <= 4.1ms: 4000000 [3 4 4 4 5] holds"},
    {"host_steps=0", {RATE, OTHER_SIZE}, 0, "host_steps <= 0: 0 [0] holds"},
    /* Of a refuted trace no time is one of this run. */
    {"latency_ns=1s",
     {FIVE, .evidence = {.refuted = RESULT_REFUTED_MODEL}},
     0,
     "latency_ns <= 1s: unknown [] undecided"},
    /* What a trace does not show is not replaced by a prediction. */
    {"latency_ns=1s", {RATE, TRACED}, 0, "latency_ns <= 1s: unknown [] undecided"},
    {"latency_ns=1s", {EMPTY}, 0, "latency_ns <= 1s: unknown [] undecided"},
    /* Facts: 2 of h2d, npu, Softmax, Add, npu, d2h, Softmax are transfers, 3 host, 2 NPU. */
    {"transfers=1", {STEPS}, 0, "transfers <= 1: 2 [2] fails"},
    {"transfers=2", {STEPS}, 0, "transfers <= 2: 2 [2] holds"},
    {"host_steps=3", {STEPS}, 0, "host_steps <= 3: 3 [3] holds"},
    {"npu_segments=1", {STEPS}, 0, "npu_segments <= 1: 2 [2] fails"},
    {"host:Softmax=1", {STEPS}, 0, "host:Softmax <= 1: 2 [2] fails"},
    {"host:Add=1", {STEPS}, 0, "host:Add <= 1: 1 [1] holds"},
    {"host:Mul=0", {STEPS}, 0, "host:Mul <= 0: 0 [0] holds"},
    {"unknown_nodes=2", {STEPS}, 0, "unknown_nodes <= 2: 2 [2] holds"},
    {"coverage=0.75", {STEPS}, 0, "coverage >= 0.75: 0.75 [0.75] holds"},
    {"coverage=0.76", {STEPS}, 0, "coverage >= 0.76: 0.75 [0.75] fails"},
    {"coverage=1", {.coverage = {.nodes = 1, .nodes_known = 1}}, 0, "coverage >= 1: 1 [1] holds"},
    {"coverage=0", {INFERENCES(1)}, 0, "coverage >= 0: 0 [0] holds"},
    {"coverage=0", {INFERENCES(0)}, 0, "coverage >= 0: unknown [] undecided"},
    {"unknown_nodes=1",
     {.coverage = {.nodes = 1, .nodes_known = 1}},
     0,
     "unknown_nodes <= 1: 0 [0] holds"},
    {"unknown_nodes=1",
     {.coverage = {.nodes = 1, .nodes_known = 0}},
     0,
     "unknown_nodes <= 1: unknown [] undecided"},
    {"unknown_nodes=1",
     {.coverage = {.nodes = 1, .nodes_known = 1},
      .steps = LIST(ResultStep, STEP(NPU, "", UNKNOWN))},
     0,
     "unknown_nodes <= 1: unknown [] undecided"},
    /* Which layers of an engine the host runs is in no file; how many are known is. */
    {"host_steps=1",
     {.steps = LIST(ResultStep, STEP(LAYER, "", LAYER_TIME))},
     0,
     "host_steps <= 1: unknown [] undecided"},
    {"unknown_nodes=0",
     {.steps = LIST(ResultStep, STEP(LAYER, "", LAYER_TIME))},
     0,
     "unknown_nodes <= 0: 0 [0] holds"},
    {"unknown_nodes=0",
     {.steps = LIST(ResultStep, STEP(LAYER, "", MEASURED))},
     0,
     "unknown_nodes <= 0: unknown [] undecided"},
};

static void budgets(void)
{
    for (size_t i = 0; i < sizeof budget / sizeof *budget; i++)
        check_same(budget[i].budget,
                   judged(&budget[i].result, &(GateRequest){.budget = &budget[i].budget,
                                                            .nbudget = 1,
                                                            .aggregation = budget[i].how}),
                   budget[i].expected);
}

#define STAGE(queries, least, middle, most)                                                        \
    TRACED, .compiled = &(const ResultCompiled)                                                    \
    {                                                                                              \
        .kind = RESULT_KIND_TENSORRT, .stages = {                                                  \
            .compute = &(const ResultStage){.n = (queries),                                        \
                                            .min = (least),                                        \
                                            .median = (middle),                                    \
                                            .p90 = {(most), true},                                 \
                                            .max = (most)}                                         \
        }                                                                                          \
    }
#define PROFILE(number)                                                                            \
    TRACED, .compiled = &(const ResultCompiled)                                                    \
    {                                                                                              \
        .sum_ns = {200, true}, .joined = 5, .runs = (number), .reformats = {.share = 0.25},        \
        .precisions = LIST(ResultLayerGroup, {.name = "float32", .layers = 2},                     \
                           {.name = "float16", .layers = 3}, {.name = "int32", .layers = 4},       \
                           {.name = "int8", .layers = 5})                                          \
    }

/* Of a compiled graph.  Below five queries as far beside their least and most as those are apart.
 */
static void layers(void)
{
    const struct {
        const char *budget;
        Result result;
        Aggregation how;
        const char *expected;
    } check[] = {
        {"compute_ns=1s", {STAGE(1, 90, 90, 90)}, 0, "compute_ns <= 1s: 90 [0] undecided"},
        {"compute_ns=1s",
         {STAGE(1, 90, 90, 90)},
         AGGREGATE_PESSIMISTIC,
         "compute_ns <= 1s: 90 [0] undecided"},
        {"compute_ns=110ns", {STAGE(2, 90, 95, 100)}, 0, "compute_ns <= 110ns: 95 [80 110] holds"},
        {"compute_ns=109ns",
         {STAGE(4, 90, 95, 100)},
         0,
         "compute_ns <= 109ns: 95 [80 110] undecided"},
        {"compute_ns=79ns", {STAGE(4, 90, 95, 100)}, 0, "compute_ns <= 79ns: 95 [80 110] fails"},
        {"compute_ns=300ns", {STAGE(4, 10, 95, 100)}, 0, "compute_ns <= 300ns: 95 [0 190] holds"},
        {"compute_ns=95ns", {STAGE(5, 90, 95, 100)}, 0, "compute_ns <= 95ns: 95 [95] holds"},
        {"compute_ns=95ns", {STAGE(0, 90, 95, 100)}, 0, "compute_ns <= 95ns: 95 [95] holds"},
        {"compute_ns=100ns",
         {STAGE(5, 90, 95, 100)},
         AGGREGATE_P90,
         "compute_ns <= 100ns: 100 [100] holds"},
        {"compute_ns=99ns",
         {STAGE(2, 90, 95, 100)},
         AGGREGATE_PESSIMISTIC,
         "compute_ns <= 99ns: 100 [100] fails"},
        {"latency_ns=99ns", {STAGE(5, 90, 95, 100)}, 0, "latency_ns <= 99ns: unknown [] undecided"},
        /* Means of the runs of a profile: of one run, nobody knows how far the next is off. */
        {"layers_ns=200ns", {PROFILE(2)}, 0, "layers_ns <= 200ns: 200 [200] holds"},
        {"layers_ns=200ns", /* of another engine: no layer of this one has a time */
         {TRACED, .compiled = &(const ResultCompiled){.sum_ns = {200, true}, .runs = 2}},
         0,
         "layers_ns <= 200ns: unknown [] undecided"},
        {"layers_ns=200ns", {PROFILE(1)}, 0, "layers_ns <= 200ns: 200 [0] undecided"},
        {"layers_ns=200ns", {PROFILE(0)}, 0, "layers_ns <= 200ns: 200 [200] holds"},
        {"reformat_share=0.2", {PROFILE(2)}, 0, "reformat_share <= 0.2: 0.25 [0.25] fails"},
        {"reformat_share=1",
         {TRACED, .compiled = &(const ResultCompiled){.reformats = {.share = 0.25}}},
         0,
         "reformat_share <= 1: unknown [] undecided"},
        /* Wider than float16: 2 layers; than int8: 2 + 3; int32 is no number of the network. */
        {"layers_above:float16=1", {PROFILE(2)}, 0, "layers_above:float16 <= 1: 2 [2] fails"},
        {"layers_above:int8=5", {PROFILE(2)}, 0, "layers_above:int8 <= 5: 5 [5] holds"},
        {"layers_above:float32=0", {PROFILE(2)}, 0, "layers_above:float32 <= 0: 0 [0] holds"},
        {"layers_above:int8=0",
         {.compiled = &(const ResultCompiled){.names_only = true}},
         0,
         "layers_above:int8 <= 0: unknown [] undecided"},
        {"layers_above:int8=0", {EMPTY}, 0, "layers_above:int8 <= 0: unknown [] undecided"},
        {"layers_above:=0", {EMPTY}, 0, "unreadable"},
        {"layers_above:integer=0", {EMPTY}, 0, "unreadable"},
        {"layers_above:float32float32float32float32float=0", {EMPTY}, 0, "unreadable"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        const char *found = judged(
            &check[i].result,
            &(GateRequest){.budget = &check[i].budget, .nbudget = 1, .aggregation = check[i].how});
        check_same(check[i].budget, strstr(found, "give METRIC=VALUE") ? "unreadable" : found,
                   check[i].expected);
    }
}

/* Of one metric the last counts, but what the settings of a checkout add counts beside it. */
static void of_one_metric(void)
{
    const Result steps = {STEPS};
    static const char *const three[] = {"host_steps=1", "host_steps=3", "host_steps=2"};
    static const char *const two[] = {"host_steps=1", "host:Add=0"};
    check_same("the last", judged(&steps, &(GateRequest){.budget = three, .nbudget = 3}),
               "host_steps <= 2: 3 [3] fails");
    check_same("one more",
               judged(&steps, &(GateRequest){.budget = three, .nbudget = 3, .nadded_budget = 1}),
               "host_steps <= 3: 3 [3] holds; host_steps <= 2: 3 [3] fails");
    check_same(
        "two more",
        judged(&steps, &(GateRequest){.budget = three, .nbudget = 3, .nadded_budget = 2}),
        "host_steps <= 1: 3 [3] fails; host_steps <= 3: 3 [3] holds; host_steps <= 2: 3 [3] fails");
    check_same("of two metrics", judged(&steps, &(GateRequest){.budget = two, .nbudget = 2}),
               "host_steps <= 1: 3 [3] fails; host:Add <= 0: 1 [1] fails");
}

static void reading(void)
{
    static const struct {
        const char *text, *expected;
    } check[] = {
        {"latency_ns=4ms", "latency_ns 4000000"},
        {"latency_ns=0.5us", "latency_ns 500"},
        {"latency_ns=2µs", "latency_ns 2000"},
        {"latency_ns=3s", "latency_ns 3e+09"},
        {"latency_ns=7", "'7' is not a time with its unit (4ms, 250us, 20000ns)"},
        {"latency_ns=7ns", "latency_ns 7"},
        {"latency_ns=0", "latency_ns 0"},
        {"latency_ns=-1", "'-1' is not a time with its unit (4ms, 250us, 20000ns)"},
        {"latency_ns=4m", "'4m' is not a time with its unit (4ms, 250us, 20000ns)"},
        {"latency_ns=inf", "'inf' is not a time with its unit (4ms, 250us, 20000ns)"},
        {"latency_ns=", "'' is not a time with its unit (4ms, 250us, 20000ns)"},
        {"coverage=0", "coverage 0"},
        {"coverage=0.5x", "'0.5x' is not a number"},
        {"coverage=-0.5", "'-0.5' is not a number"},
        {"coverage=", "'' is not a number"},
        {"host:X=1", "host:X 1"},
        {"latency_n=4", "'latency_n' is not a metric; did you mean 'latency_ns'?"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        Budget b;
        Diag diag;
        Status st = gate_read_budget(arena, check[i].text, &b, &diag);
        const char *found =
            st ? strstr(diag.text, "'") : arena_printf(arena, "%s %.9g", b.name, b.value);
        check_same(check[i].text, found, check[i].expected);
    }
    Budget b;
    Diag diag;
    check_same("without a value",
               gate_read_budget(arena, "latency_ns", &b, &diag) ? "refused" : "read", "refused");
    check_same("host: alone", gate_read_budget(arena, "host:=1", &b, &diag) ? "refused" : "read",
               "refused");
}

/* ---- what a CI sees ---- */

static void exit_codes(void)
{
    static const struct {
        ResultStatus status;
        ResultReal found;
        int inconclusive, expected;
    } check[] = {
        {RESULT_STATUS_NONE, {1, true}, 0, 0},
        {RESULT_STATUS_PASSED, {1, true}, 2, 0},
        {RESULT_STATUS_FAILED, {1, true}, 0, 1},
        {RESULT_STATUS_FAILED, {1, true}, 1, 1},
        {RESULT_STATUS_INCONCLUSIVE, {1, true}, 0, 3},
        {RESULT_STATUS_INCONCLUSIVE, {1, true}, 1, 0},
        {RESULT_STATUS_INCONCLUSIVE, {1, true}, 2, 1},
        {RESULT_STATUS_INCONCLUSIVE, {0, false}, 0, 3},
        {RESULT_STATUS_INCONCLUSIVE, {0, false}, 1, 3},
        {RESULT_STATUS_INCONCLUSIVE, {0, false}, 2, 1},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        const ResultGate gate = {.status = check[i].status,
                                 .assertions =
                                     LIST(ResultAssertion, {.found = {2, true}},
                                          {.found = check[i].found}, {.found = {3, true}})};
        check_same(result_status_words[check[i].status],
                   arena_printf(arena, "%d", gate_exit_code(&gate, check[i].inconclusive)),
                   arena_printf(arena, "%d", check[i].expected));
    }
}

static void statuses(void)
{
    const Result steps = {STEPS};
    static const struct {
        const char *budget[2], *status;
    } check[] = {
        {{"host_steps=3", "transfers=2"}, "passed"},
        {{"host_steps=3", "latency_ns=1ns"}, "inconclusive"},
        {{"latency_ns=1ns", "host_steps=2"}, "failed"},
        {{"host_steps=2", "host:Add=1"}, "failed"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        Result judged_one;
        Notes notes;
        Diag diag;
        notes_init(&notes, arena);
        const GateRequest q = {.budget = check[i].budget, .nbudget = 2};
        check_same("read",
                   gate_judge(arena, &steps, &q, &notes, &judged_one, &diag) ? diag.text : "", "");
        check_same(check[i].budget[0], result_status_words[judged_one.gate.status],
                   check[i].status);
    }
    check_same("no gate", judged(&steps, &(GateRequest){0}), "nothing");
}

int main(void)
{
    arena = arena_new(0);
    budgets();
    layers();
    of_one_metric();
    reading();
    exit_codes();
    statuses();
    arena_free(arena);
    return check_failures() != 0;
}
