/* Checks the sentence of each headline, and the lines around it. */
#include "advisor/report/verdict.h"
#include "tests/unit/check.h"
#include "tests/unit/report_parts.h"

/* 4 ms now. */
#define NOW_4MS NOW(MEASURED, 4000000, 250)
/* One plan: 4 ms → 2 ms, 250 /s → 500 /s. */
#define HALF(...)          PLANS(PLAN(SAME_OUTPUTS, 2e6, 500, RECOMMENDED, __VA_ARGS__))
#define SHARE(lo, mid, hi) .application_ns = {lo, mid, hi}
#define LOST(part)         .breakdown = LIST(ResultBreakdown, {.kind = "unattributed", .share = (part)})
#define MEASURED                                                                                   \
    .measured = &(const ResultMeasured)                                                            \
    {                                                                                              \
        .inferences = 40                                                                           \
    }
#define CPU(most)                                                                                  \
    .cpu_alone_ns = &(const ResultIntervalNs)                                                      \
    {                                                                                              \
        500000, 1000000, most                                                                      \
    }
#define LIMIT(ns) .latency_limit_ns = {ns, true}
#define LAYERS(ns)                                                                                 \
    .compiled = &(const ResultCompiled)                                                            \
    {                                                                                              \
        .sum_ns = { ns, true }                                                                     \
    }
#define BY_HAND(ns)                                                                                \
    .by_hand = LIST(ResultHandWork, {.title = "Fuse reformats", .up_to = {RESULT_UNIT_NS, ns}})

#define HALVED  "Recommended: 4.00 → 2.00 ms, simulated"
#define NOTHING "Nothing left to improve above 1.00 %"

static const struct {
    Result result;
    Headline headline;
    const char *sentence;
} row[] = {
    {{.objective = RESULT_OBJECTIVE_LATENCY},
     HEADLINE_UNDECIDED,
     "Undecided: the cost of no step is known."},
    {{.compiled = &(const ResultCompiled){.layers = 1}},
     HEADLINE_UNDECIDED,
     "Undecided: no layer has a time."},

    /* A trace of another set-up, model or size of images; the first contradiction is told. */
    {{LATENCY, .evidence.refuted = RESULT_REFUTED_SETUP,
      .setup = &(const ResultSetup){.sdk = {.value = "0.9"},
                                    .workers = {.value = {1, true}, .seen = {2, true}},
                                    .devices = {.value = {3, true}, .seen = {4, true}}}},
     HEADLINE_REFUTED,
     "The trace contradicts --workers 1: it shows 2. Correct the option, or leave the trace out."},
    {{LATENCY, .evidence.refuted = RESULT_REFUTED_MODEL, HALF(.id = "a")},
     HEADLINE_REFUTED,
     "The trace is of another model: ignored, all figures are predicted."},
    {{LATENCY, .evidence = {.refuted = RESULT_REFUTED_SIZE,
                            .issues = LIST(ResultIssue, {.text = "224 by 224"}, {.text = "b"})}},
     HEADLINE_REFUTED,
     "The trace is ignored: 224 by 224. If it is of this model, calibrate with it first."},
    {{LATENCY, .evidence.refuted = RESULT_REFUTED_SIZE},
     HEADLINE_REFUTED,
     "The trace is ignored: ?. If it is of this model, calibrate with it first."},

    /* More than half of the time; half is not more, and only a trace has unattributed time. */
    {{LATENCY, NOW_4MS, MEASURED, LOST(0.51), HALF(.id = "a")},
     HEADLINE_UNEXPLAINED,
     "51.0 % of the time is unattributed. Record at least 40 inferences with operators; no plan "
     "is based on this trace."},
    {{LATENCY, NOW_4MS, MEASURED, LOST(0.5), HALF(.id = "a")}, HEADLINE_PLAN, HALVED},
    {{LATENCY, NOW_4MS, LOST(0.51), HALF(.id = "a")}, HEADLINE_PLAN, HALVED},

    /* One core takes 1.8 ms at most, the plan 1.8 ms and more; a limit that is missed goes first.
     */
    {{LATENCY, NOW_4MS, CPU(1799999), HALF(SHARE(-2e5, 0, 0)), .unsuitable = "Does not suit."},
     HEADLINE_CPU_FASTER,
     "Runs faster on one CPU core: 1.00 ms [0.50, 1.80] in float against 2.00 ms, predicted."},
    {{LATENCY, NOW_4MS, CPU(1800000), HALF(SHARE(-2e5, 0, 0))}, HEADLINE_PLAN, HALVED},
    {{LATENCY, NOW_4MS, CPU(3999999), .options.min_share = 0.01},
     HEADLINE_CPU_FASTER,
     "Runs faster on one CPU core: 1.00 ms [0.50, 4.00] in float against 4.00 ms, predicted."},
    {{LATENCY, NOW_4MS, CPU(1000), LIMIT(1), HALF(.id = "a")},
     HEADLINE_LIMIT,
     "Lowest latency reachable: 2.00 ms, above the limit of 1 ns."},
    {{LATENCY, NOW_4MS, .unsuitable = "Does not suit the NPU.", HALF(.id = "a")},
     HEADLINE_UNSUITABLE,
     "Does not suit the NPU."},

    /* The limit holds for 2 ms of the runtime and 0.5 ms of the application: 2.5 ms. */
    {{LATENCY, NOW_4MS, LIMIT(2499999), HALF(SHARE(0, 5e5, 5e5))},
     HEADLINE_LIMIT,
     "Lowest latency reachable: 2.50 ms, above the limit of 2.50 ms."},
    {{LATENCY, NOW_4MS, LIMIT(2500000), HALF(SHARE(0, 5e5, 5e5))}, HEADLINE_PLAN, HALVED},
    {{RATE, NOW_4MS, .rate = &(const ResultRate){.images_per_s = 9}, HALF(.id = "a")},
     HEADLINE_LIMIT,
     "Nothing serves 9 images/s."},

    /* Of a rate the latency there is told as well. */
    {{RATE, NOW_4MS, HALF(.id = "a")},
     HEADLINE_PLAN,
     "Recommended: 250 → 500 images/s at 2.00 ms, simulated"},
    {{LATENCY, NOW_4MS, HALF(.at_least = true)},
     HEADLINE_PLAN,
     "Recommended: 4.00 → 2.00 ms in the part whose cost is known, simulated"},
    /* The application's share, where outputs change and it may exceed 1 % of 2 ms: 20 µs. */
    {{LATENCY, NOW_4MS, HALF(.needs = TEXTS("input", "output"), SHARE(1e5, 2e5, 20001))},
     HEADLINE_PLAN,
     "Recommended: 4.00 → 2.00 ms + 200 µs [100, 20] to process outputs in your application, "
     "simulated"},
    {{LATENCY, NOW_4MS, HALF(.needs = TEXTS("output"), SHARE(0, 0, 20000))}, HEADLINE_PLAN, HALVED},
    {{LATENCY, NOW_4MS, HALF(.needs = TEXTS("input"), SHARE(0, 0, 20001))}, HEADLINE_PLAN, HALVED},

    {{LATENCY, NOW_4MS, BY_HAND(2e5)},
     HEADLINE_BY_HAND,
     "Fuse reformats: up to 200 µs of 4.00 ms, by hand"},
    {{LATENCY, LAYERS(1000000), BY_HAND(2e5)},
     HEADLINE_BY_HAND,
     "Fuse reformats: up to 200 µs of 1.00 ms, by hand"},

    {{LATENCY, NOW_4MS,
      .incomplete =
          LIST(ResultIncomplete, {.text = "NPU101 took too long"}, {.text = "NPU102 did"})},
     HEADLINE_STOPPED,
     "Undecided: NPU101 took too long."},

    {{LATENCY, .options.min_share = 0.01}, HEADLINE_NOTHING, NOTHING "."},
    {{LATENCY, NOW_4MS, .options.min_share = 0.01}, HEADLINE_NOTHING, NOTHING " of 4.00 ms."},
    {{LATENCY, NOW_4MS, .options.min_share = 0.01,
      .measured = &(const ResultMeasured){.npu_ns = 3000000}},
     HEADLINE_NOTHING,
     NOTHING " of 4.00 ms. The NPU takes 3.00 ms."},
    {{RATE, NOW_4MS, .options.min_share = 0.01,
      .measured = &(const ResultMeasured){.npu_ns = 3000000}},
     HEADLINE_NOTHING,
     NOTHING " of 250 /s."},
};

static void check_headlines(void)
{
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        Phrase buf;
        Summary d = summary_of(&row[i].result);
        CHECK(d.headline == row[i].headline);
        check_same("headline", verdict_sentence(&buf, &row[i].result, &d, NULL), row[i].sentence);
    }
}

#define OF(file_name) .model = {.file = file_name}

/* The first line; steps of the host are those that are named after an operator. */
static void check_now(void)
{
    const struct {
        Result result;
        const char *said;
    } line[] = {
        {{LATENCY, OF("m")}, "m: time per inference unknown"},
        {{LATENCY, OF("m"), NOW(SIMULATED, 4000000, 250)}, "m: 4.00 ms per inference, simulated"},
        {{RATE, OF("m"), NOW_4MS}, "m: 250 images/s measured, 4.00 ms per inference"},
        {{LATENCY, OF("m"), NOW_4MS,
          .measured = &(const ResultMeasured){.latency_ns = {.p90 = 5000000}},
          .breakdown = LIST(ResultBreakdown, {.kind = "Quantize", .share = 0.5},
                            {.kind = "npu", .share = 0.2}, {.kind = "Softmax", .share = 0.25},
                            {.kind = "unattributed", .share = 0.05})},
         "m: 4.00 ms per inference (p90 5.00 ms), 75.0 % on the host CPU"},
    };
    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        Phrase buf;
        Summary d = summary_of(&line[i].result);
        check_same("now", verdict_now(&buf, &line[i].result, &d, NULL), line[i].said);
    }
}

/* With 1.5 requests in flight and more, latency includes queueing; a rate always has a load. */
static void check_load(void)
{
    static const double pe[] = {0.5, 0.25};
    const struct {
        ResultObjective objective;
        double concurrency;
        const char *said;
    } line[] = {
        {RESULT_OBJECTIVE_LATENCY, 1.4, ""},
        {RESULT_OBJECTIVE_LATENCY, 1.5,
         "1.5 requests in flight: latency includes queueing. Busy: NPU 50.0 %, 25.0 %, PCIe 10.0 "
         "%, "
         "host 1.5 of 8 cores"},
        {RESULT_OBJECTIVE_THROUGHPUT, 1,
         "Busy: NPU 50.0 %, 25.0 %, PCIe 10.0 %, host 1.5 of 8 cores"},
    };
    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        const ResultMeasured m = {.concurrency = line[i].concurrency,
                                  .busy = {.pe = {pe, 2}, .link = 0.1, .host = 1.5}};
        const Result r = {
            .objective = line[i].objective, .options.host_cores = {8, true}, .measured = &m};
        Phrase buf;
        Summary d = summary_of(&r);
        check_same("load", verdict_load(&buf, &r, &d, NULL), line[i].said);
    }
}

static void check_needs(void)
{
    const ResultTexts none = {NULL, 0}, two = TEXTS("input", "accuracy");
    Phrase buf;
    check_same("needs", verdict_needs(&buf, &none, NULL), "-");
    check_same("needs", verdict_needs(&buf, &two, NULL), "input, accuracy");
}

/* Over the recommended plan, 2 ms less 0.9 ms is 1.1 ms; over now, 4 ms less 0.9 ms is 3.1 ms. */
static void check_retraining(void)
{
#define RETRAINED PLAN(RETRAIN, 9e5, 800, .changes = LIST(ResultPlanChange, {.id = 1}, {.id = 2}))
    const ResultChange change[] = {
        {.id = 1, .title = "Feed pixels", .rule_id = "NPU101", .needs = TEXTS("input")},
        {.id = 2, .title = "Replace SiLU", .rule_id = "NPU303", .needs = TEXTS("retrain")}};
    const struct {
        Result result;
        const char *said;
    } line[] = {
        {{LATENCY, NOW_4MS, .changes = {change, 2},
          PLANS(PLAN(SAME_OUTPUTS, 2e6, 500, RECOMMENDED), RETRAINED)},
         "With retraining: a plan with NPU303 (Replace SiLU) saves 1.10 ms more."},
        {{LATENCY, NOW_4MS, .changes = {change, 2}, PLANS(RETRAINED)},
         "With retraining: a plan with NPU303 (Replace SiLU) saves 3.10 ms more."},
        {{RATE, NOW_4MS, .changes = {change, 2},
          PLANS(PLAN(SAME_OUTPUTS, 2e6, 500, RECOMMENDED), RETRAINED)},
         "With retraining: a plan with NPU303 (Replace SiLU) adds 300 /s more."},
        {{LATENCY, NOW_4MS, HALF(.id = "a")}, ""},
    };
    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        Phrase buf;
        Summary d = summary_of(&line[i].result);
        check_same("retraining", verdict_retraining(&buf, &line[i].result, &d, NULL), line[i].said);
    }
}

int main(void)
{
    check_headlines();
    check_now();
    check_load();
    check_needs();
    check_retraining();
    return check_failures() != 0;
}
