/* What is said first of a result: the sentence of each outcome, with the figures that it is of. */
#include "advisor/report/finding.h"
#include "advisor/report/summary_total.h"
#include "advisor/report/verdict.h"
#include "tests/unit/check.h"

#define LIST(type, ...)                                                                            \
    {                                                                                              \
        (const type[]){__VA_ARGS__}, sizeof((const type[]){__VA_ARGS__}) / sizeof(type)            \
    }
#define TIMED       .steps = LIST(ResultStep, {.predicted_ns = &(const ResultIntervalNs){.mid = 1}})
#define LATENCY     .objective = RESULT_OBJECTIVE_LATENCY, TIMED
#define RATE        .objective = RESULT_OBJECTIVE_THROUGHPUT, TIMED
#define LIMITS      .options = {.min_share = 0.02, .min_gain_ns = 30000}
#define NOW         PREDICTED(4000000, 200)
#define FIX         .fix = {.text = "do"}
#define MID(x)      BETWEEN(0, x, 2e6)
#define ONE(x)      BETWEEN(x, x, x)
#define BASE(x)     .baseline = {x, true}
#define ADVICE(...) .recommendations = LIST(ResultRecommendation, __VA_ARGS__)
#define PREDICTED(ns, per_s)                                                                       \
    .prediction = &(const ResultPrediction)                                                        \
    {                                                                                              \
        .latency_ns = {.mid = ns}, .throughput_per_s = {.mid = per_s }                             \
    }
#define BETWEEN(lo, mid, hi)                                                                       \
    .predicted = &(const ResultInterval)                                                           \
    {                                                                                              \
        lo, mid, hi                                                                                \
    }
#define MEASURED(ns, lost)                                                                         \
    .measured = &(const ResultMeasured)                                                            \
    {                                                                                              \
        .latency_ns = {.median = ns}, .unattributed_ns = lost                                      \
    }
#define RUN(...)                                                                                   \
    .verified = &(const ResultVerified)                                                            \
    {                                                                                              \
        .runner = "board", .n = 3, __VA_ARGS__                                                     \
    }
/* One recommendation with that gain. */
#define PIXELS(...) ADVICE({FIX, .title = "Feed pixels", .gain = {__VA_ARGS__}})

/* Together: recommendations of one gain each, and the ranks of those that are combined. */
#define REC(number, text)                                                                          \
    {                                                                                              \
        FIX, .rank = number, .title = text, .gain = { MID(1e6) }                                   \
    }
#define ALL(...)                                                                                   \
    .combined = &(const ResultCombined)                                                            \
    {                                                                                              \
        .predicted = {0, 2e6, 2e6}, .baseline = 4e6, .ranks = LIST(int64_t, __VA_ARGS__)           \
    }

/* Layers that were measured, and what a change takes away from them at most. */
#define LAYERS(...)                                                                                \
    .compiled = &(const ResultCompiled)                                                            \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define SUM(ns)  .sum_ns = {ns, true}
#define MOST(hi) .removes = LIST(int64_t, 1), BETWEEN(0, 0, hi)

static const struct {
    Result result;
    const char *said;
} row[] = {
    /* No step has a cost; a rule did not end. */
    {{.objective = RESULT_OBJECTIVE_LATENCY}, "Undecided: the cost of no step is known."},
    {{LATENCY, .incomplete = LIST(ResultIncomplete, {.text = "NPU101 took too long"},
                                  {.text = "NPU102 did"})},
     "Undecided: NPU101 took too long."},
    {{LATENCY}, "Nothing to improve: no change gains more than 0.00 % and 0 ns."},
    {{LATENCY, LIMITS}, "Nothing to improve: no change gains more than 2.00 % and 30.0 µs."},
    {{RATE, LIMITS}, "Nothing to improve: no change gains more than 2.00 %."},
    /* More than half of what is measured is in no operator; half is not more. */
    {{LATENCY, MEASURED(1000, 501)},
     "No change to the model helps: 501 ns of 1.00 µs per inference are in no operator, transfer "
     "or NPU task."},
    {{LATENCY, MEASURED(1000, 500)},
     "Nothing to improve: no change gains more than 0.00 % and 0 ns."},
    {{LATENCY, MEASURED(1, 0)}, "Nothing to improve: no change gains more than 0.00 % and 0 ns."},
    /* A rate is not set against what is measured. */
    {{RATE, MEASURED(1000, 501)}, "Nothing to improve: no change gains more than 0.00 %."},
    /* 4 ms - 1 ms; 4 / 3 = 1.3. */
    {{LATENCY, NOW, PIXELS(MID(1e6))},
     "Feed pixels: 4.00 ms → 3.00 ms per inference, 1.3× as fast, predicted."},
    /* Of a gain that was run: 5 ms - 1 ms there, a fifth less, of 4 ms here; 1.25 prints as 1.2. */
    {{LATENCY, NOW,
      PIXELS(RUN(.median = 1e6, .baseline = 5e6, .simulated = true), BASE(8e6), MID(3e6))},
     "Feed pixels: 4.00 ms → 3.20 ms per inference, 1.2× as fast, verified in simulation."},
    {{LATENCY, NOW, PIXELS(RUN(.median = 1e6, .baseline = 5e6))},
     "Feed pixels: 4.00 ms → 3.20 ms per inference, 1.2× as fast, verified."},
    /* 200 + 100 a second. */
    {{RATE, NOW, PIXELS(.basis = RESULT_BASIS_STAND_IN, MID(100))},
     "Feed pixels: 200 /s → 300 /s, 1.5× as many, estimated."},
    {{LATENCY, NOW, PIXELS(.at_least = true, MID(1e6))},
     "Feed pixels: 4.00 ms → 3.00 ms per inference, 1.3× as fast, and more: a part of unknown cost "
     "goes too."},
    {{LATENCY, NOW, PIXELS(.basis = RESULT_BASIS_BOUND, MID(1e6))},
     "Feed pixels: the cost that goes is 1.00 ms of 4.00 ms (25.0 %), at most 2.00 ms."},
    {{RATE, NOW, PIXELS(.basis = RESULT_BASIS_BOUND, BASE(400), MID(100))},
     "Feed pixels: the cost that goes is worth 100 /s over 400 /s (25.0 %), at most 2000000 /s."},
    /* Nothing known of what is there now. */
    {{LATENCY, PIXELS(.basis = RESULT_BASIS_BOUND, MID(1e6))},
     "Feed pixels: the cost that goes is 1.00 ms of 0 ns (0.00 %), at most 2.00 ms."},
    {{RATE, NOW, PIXELS(.basis = RESULT_BASIS_BOUND, BASE(0.5), MID(0.25))},
     "Feed pixels: the cost that goes is worth 0.250 /s over 0.500 /s (50.0 %), at most 2000000 "
     "/s."},
    /* 9.95 and 1.095 are a little less than that, as numbers with two digits of them. */
    {{RATE, NOW, PIXELS(BASE(1), MID(8.95))},
     "Feed pixels: 1 /s → 9.95 /s, 10× as many, predicted."},
    {{RATE, NOW, PIXELS(BASE(1), MID(0.095))},
     "Feed pixels: 1 /s → 1.09 /s, 1.1× as many, predicted."},
    /* All of it: a thousandth is left. */
    {{LATENCY, NOW, PIXELS(MID(4e6))},
     "Feed pixels: 4.00 ms → 4.00 µs per inference, 1000× as fast, predicted."},
    {{LATENCY, NOW, PIXELS(MID(3996002))},
     "Feed pixels: 4.00 ms → 4.00 µs per inference, 1000× as fast, predicted."},
    /* 4 / (4 - 0.3) = 1.08, 4 / (4 - 0.36) = 1.099, 4 / (4 - 3.6) = 10. */
    {{LATENCY, NOW, PIXELS(MID(3e5))},
     "Feed pixels: 4.00 ms → 3.70 ms per inference, 1.08× as fast, predicted."},
    {{LATENCY, NOW, PIXELS(MID(3.6e5))},
     "Feed pixels: 4.00 ms → 3.64 ms per inference, 1.1× as fast, predicted."},
    {{LATENCY, NOW, PIXELS(MID(3.6e6))},
     "Feed pixels: 4.00 ms → 400 µs per inference, 10× as fast, predicted."},
    /* What gains nothing, has no action or is of the evidence is not what to do first. */
    {{LATENCY, NOW,
      ADVICE({.fix = {.text = ""}, .title = "A", .gain = {MID(1e6)}},
             {FIX, .title = "B", .gain = {MID(0)}},
             {FIX, .title = "C", .verdict = RESULT_VERDICT_NO_GAIN, .gain = {MID(1e6)}},
             {FIX, .title = "D", .verdict = RESULT_VERDICT_REGRESSION, .gain = {MID(1e6)}},
             {FIX, .title = "E", .verdict = RESULT_VERDICT_ACCURACY_BLOCKED, .gain = {MID(1e6)}},
             {FIX, .title = "F", .group = RESULT_GROUP_EVIDENCE, .gain = {MID(1e6)}},
             {FIX, .title = "G"}, {FIX, .title = "H", .gain = {MID(2e6)}})},
     "H: 4.00 ms → 2.00 ms per inference, 2× as fast, predicted."},
    {{LATENCY, NOW,
      ADVICE({FIX, .title = "C", .verdict = RESULT_VERDICT_NO_GAIN, .gain = {MID(1e6)}})},
     "Nothing to improve: no change gains more than 0.00 % and 0 ns."},
    /* Together: the second goes on in small letters, unless they are a name; others are counted. */
    {{LATENCY, NOW, ALL(1), ADVICE(REC(1, "Feed pixels"), REC(2, "Cut it"))},
     "Feed pixels: 4.00 ms → 2.00 ms per inference, 2× as fast, predicted."},
    {{LATENCY, NOW, ALL(1, 2), ADVICE(REC(1, "Feed pixels"), REC(2, "Cut it"))},
     "Feed pixels, and cut it: 4.00 ms → 2.00 ms per inference, 2× as fast, predicted."},
    {{LATENCY, NOW, ALL(2, 3), ADVICE(REC(1, "Feed pixels"), REC(2, "Cut it"), REC(3, "NPU it"))},
     "Cut it, and NPU it: 4.00 ms → 2.00 ms per inference, 2× as fast, predicted."},
    {{LATENCY, NOW, ALL(1, 2, 3), ADVICE(REC(1, "Feed pixels"), REC(2, "Ab"), REC(3, "Do it"))},
     "Feed pixels, ab, and 1 more: 4.00 ms → 2.00 ms per inference, 2× as fast, predicted."},
    {{LATENCY, NOW, ALL(1, 2, 3, 4),
      ADVICE(REC(1, "Feed"), REC(2, "Bake"), REC(3, "Do it"), REC(4, "Be"))},
     "Feed, bake, and 2 more: 4.00 ms → 2.00 ms per inference, 2× as fast, predicted."},
    {{LATENCY, NOW, ALL(1, 2), ADVICE(REC(1, "Feed"), REC(2, "Zz"))},
     "Feed, and zz: 4.00 ms → 2.00 ms per inference, 2× as fast, predicted."},
    {{LATENCY, NOW, ALL(1, 2), ADVICE(REC(1, "Feed"), REC(2, "1x"))},
     "Feed, and 1x: 4.00 ms → 2.00 ms per inference, 2× as fast, predicted."},
    {{LATENCY, NOW, ALL(1, 2), ADVICE(REC(1, "Feed"), REC(2, "A{b"))},
     "Feed, and A{b: 4.00 ms → 2.00 ms per inference, 2× as fast, predicted."},
    /* Layers. */
    {{LAYERS(.layers = 1)}, "Undecided: no time of a layer can be told."},
    {{LATENCY, LAYERS(.layers = 1)}, "Undecided: no time of a layer can be told."},
    {{LATENCY, LAYERS(SUM(0))}, "Undecided: no time of a layer can be told."},
    {{LATENCY, LAYERS(SUM(1000000)), LIMITS},
     "No advice: nothing in these files bounds a gain above 2.00 % and 30.0 µs."},
    {{LATENCY, LAYERS(SUM(1000000))},
     "No advice: nothing in these files bounds a gain above 0.00 % and 0 ns."},
    {{LATENCY, LAYERS(SUM(1))},
     "No advice: nothing in these files bounds a gain above 0.00 % and 0 ns."},
    {{LATENCY, LAYERS(SUM(1000000)), PIXELS(MOST(2e5))},
     "Feed pixels: at most 200 µs of the 1.00 ms that the layers take (20.0 %)."},
    {{LATENCY, LAYERS(SUM(1000000)), PIXELS(BASE(4e6), MOST(2e5))},
     "Feed pixels: at most 200 µs of the 4.00 ms that a query takes (5.00 %)."},
    {{LATENCY, LAYERS(SUM(1000000)), PIXELS(BASE(0), MOST(2e5))},
     "Feed pixels: at most 200 µs of the 1.00 ms that the layers take (20.0 %)."},
    {{LATENCY, LAYERS(SUM(1000000)), PIXELS(BETWEEN(0, 1e6, 0))},
     "No advice: nothing in these files bounds a gain above 0.00 % and 0 ns."},
    {{LATENCY, LAYERS(SUM(1000000)), PIXELS(MOST(1))},
     "Feed pixels: at most 1 ns of the 1.00 ms that the layers take (0.00 %)."},
    {{LATENCY, LAYERS(SUM(1000000)), PIXELS(BASE(1), MOST(1))},
     "Feed pixels: at most 1 ns of the 1 ns that a query takes (100 %)."},
    /* What was said and is not so: the first that was seen otherwise. */
    {{LATENCY, .evidence = {.refuted = RESULT_REFUTED_SETUP},
      .setup = &(const ResultSetup){.batch = {.value = {1, true}},
                                    .sdk = {.value = "0.9"},
                                    .workers = {.value = {1, true}, .seen = {2, true}},
                                    .devices = {.value = {3, true}, .seen = {4, true}}}},
     "The trace contradicts --workers 1: it shows 2. Say so, or leave the trace out."},
    {{LATENCY, .evidence = {.refuted = RESULT_REFUTED_MODEL},
      .setup = &(const ResultSetup){.sdk = {.value = "0.9"}}},
     "This trace is not of this model: nothing is set against its times."},
    {{LATENCY, .evidence = {.refuted = RESULT_REFUTED_SIZE,
                            .issues = LIST(ResultIssue, {.text = "224 by 224"}, {.text = "b"})}},
     "Nothing is set against this trace: 224 by 224. If it is this model's, calibrate with it "
     "first."},
    {{LATENCY, .evidence = {.refuted = RESULT_REFUTED_SIZE}},
     "Nothing is set against this trace: ?. If it is this model's, calibrate with it first."},
};

static void check_verdicts(void)
{
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        Summary d = summary_of(&row[i].result);
        Phrase buf;
        CHECK(same_text(verdict_sentence(&buf, &row[i].result, &d, NULL), row[i].said));
    }
}

#define SEEN(...) .observations = LIST(ResultObservation, __VA_ARGS__)
#define COST(rule, ns)                                                                             \
    {                                                                                              \
        .rule_id = rule, .cost_ns = { ns, true }                                                   \
    }

/* A tenth of what is measured, else predicted, is left out; of equal ones the first. */
static const struct {
    Result result;
    const char *rule;
} least[] = {
    {{SEEN({.rule_id = "A"}, COST("B", 100), COST("C", 100)), PREDICTED(1000, 0)}, "B"},
    {{SEEN(COST("A", 100), COST("B", 101)), PREDICTED(1000, 0)}, "B"},
    {{SEEN(COST("B", 99)), PREDICTED(1000, 0)}, "-"},
    {{SEEN(COST("B", 100)), PREDICTED(9, 0), MEASURED(1001, 0)}, "-"},
    {{SEEN(COST("B", 1))}, "B"},
    {{SEEN(COST("B", 0))}, "-"},
};

static void check_tenth(void)
{
    for (size_t i = 0; i < sizeof least / sizeof *least; i++) {
        double ns;
        const ResultObservation *x = summary_uncovered_cost(&least[i].result, &ns);
        CHECK(same_text(x ? x->rule_id : "-", least[i].rule));
        CHECK(!x || !(ns > (double)x->cost_ns.value));
    }
}

#define SEEN_NOW(x)                                                                                \
    .now = &(const ResultInterval)                                                                 \
    {                                                                                              \
        x, x, x                                                                                    \
    }

/* After a gain of 1 ms of 4 ms: 3 ms, and 2 to 3.5 where 0.5 to 2 ms may be gained. */
static const struct {
    Result result;
    const char *said;
} outlook[] = {
    {{LATENCY, NOW, PIXELS(BETWEEN(5e5, 1e6, 2e6))},
     "known 4e+06 -> 3e+06 [2e+06 3.5e+06], 1.33333"},
    {{RATE, NOW, PIXELS(BASE(0.5), BETWEEN(0.25, 0.5, 1))}, "known 0.5 -> 1 [0.75 1.5], 2"},
    /* What was run may be said in what is there now: then the base of the runs plays no part.
       Else 8 ms were 6 there, so 4 ms are 3. */
    {{LATENCY, NOW, PIXELS(RUN(.baseline = 8e6, .median = 2e6, SEEN_NOW(1e6)))},
     "known, verified 4e+06 -> 3e+06 [3e+06 3e+06], 1.33333"},
    {{LATENCY, NOW, PIXELS(RUN(.baseline = 8e6, .lo = 1e6, .median = 2e6, .hi = 4e6))},
     "known, verified 4e+06 -> 3e+06 [2e+06 3.5e+06], 1.33333"},
    /* Nothing is known of what is there now, of what it is a gain of, or of all together. */
    {{LATENCY, PIXELS(BASE(4e6), ONE(1e6))}, "unknown 0 -> 0 [0 0], 0"},
    {{LATENCY, NOW, PIXELS(BASE(0), ONE(1e6))}, "unknown 4e+06 -> 0 [0 0], 0"},
    {{LATENCY, NOW, .combined = &(const ResultCombined){.predicted = {1e6, 1e6, 1e6}},
      PIXELS(ONE(1e6))},
     "unknown 4e+06 -> 0 [0 0], 0"},
    {{LATENCY, NOW}, "unknown 4e+06 -> 0 [0 0], 0"},
    {{LATENCY, PREDICTED(1, 0), PIXELS(ONE(0.5))}, "known 1 -> 0.5 [0.5 0.5], 2"},
};

static void check_outlooks(void)
{
    for (size_t i = 0; i < sizeof outlook / sizeof *outlook; i++) {
        char said[160];
        Summary d = summary_of(&outlook[i].result);
        SummaryTotal x = summary_total_of(&outlook[i].result, &d);
        snprintf(said, sizeof said, "%s%s %g -> %g [%g %g], %g", x.known ? "known" : "unknown",
                 x.verified ? ", verified" : "", x.now, x.after, x.lo, x.hi, x.factor);
        CHECK(same_text(said, outlook[i].said));
    }
}

/* The plan to deploy, with more of the point. */
#define PLAN(...)                                                                                  \
    .tuned = &(const ResultTuned)                                                                  \
    {                                                                                              \
        .effort = RESULT_EFFORT_CHECK,                                                             \
        .baseline = {.latency_ns = {.mid = 4e6}, .throughput_per_s = {.mid = 200}},                \
        .recommended = &(const ResultPoint)                                                        \
        {                                                                                          \
            .latency_ns = {1e6, 2e6, 3e6}, .throughput_per_s = {300, 400, 500}, __VA_ARGS__        \
        }                                                                                          \
    }
#define OF_LATENCY .objective = RESULT_OBJECTIVE_LATENCY
#define OF_RATE    .objective = RESULT_OBJECTIVE_THROUGHPUT
#define PARTS(...) .parts = LIST(ResultPart, __VA_ARGS__)
#define OF_RULE(rule)                                                                              \
    {                                                                                              \
        .rule_id = rule                                                                            \
    }
#define WITH_LEVERS(...)                                                                           \
    {                                                                                              \
        .levers = LIST(ResultLever, __VA_ARGS__)                                                   \
    }

/* A rule that makes several parts is named once, where it comes first; settings come behind. */
static const struct {
    Result result;
    const char *said;
} deploy[] = {
    {{OF_LATENCY}, "-"},
    {{OF_LATENCY, .tuned = &(const ResultTuned){.effort = RESULT_EFFORT_CHECK}}, "-"},
    {{OF_LATENCY, PLAN(.parts = {0})}, "-"},
    {{OF_LATENCY, PLAN(PARTS(OF_RULE("NPU101")))},
     "NPU101 (effort: at most check): 4.00 ms → 2.00 ms [1.00 3.00], predicted"},
    {{OF_LATENCY,
      PLAN(PARTS(OF_RULE("A"), WITH_LEVERS({"workers", "", "4"}, {"batch", "", "2"}), OF_RULE("B"),
                 OF_RULE("A"), OF_RULE("A"), OF_RULE("B"), OF_RULE("C")))},
     "A ×3, B ×2, C, --workers 4 --batch 2 (effort: at most check): 4.00 ms → 2.00 ms [1.00 "
     "3.00], predicted"},
    {{OF_RATE, PLAN(PARTS(WITH_LEVERS({"workers", "", "4"})))},
     "--workers 4 (effort: at most check): 200 /s → 400 /s [300 500], predicted"},
    {{OF_RATE,
      PLAN(PARTS(OF_RULE("A")),
           .verified =
               &(const ResultPointVerified){
                   .baseline = 100, .lo = 110, .median = 120, .hi = 130, .runner = "npu-exec"})},
     "A (effort: at most check): 100 /s → 120 /s [110 130] in npu-exec"},
};

static void check_deploys(void)
{
    for (size_t i = 0; i < sizeof deploy / sizeof *deploy; i++) {
        Arena *a = arena_new(0);
        Phrase buf;
        SummaryDeploy d = summary_deploy(a, &deploy[i].result);
        CHECK(same_text(d.point ? summary_deploy_text(&buf, &d, NULL) : "-", deploy[i].said));
        arena_free(a);
    }
}

/* Ranks of what goes together, as many as there is room for: each has 16 bytes at the least. */
static const struct {
    Result result;
    const char *said;
    size_t room;
} ranks[] = {
    {{ADVICE({.rank = 1})}, "", 99},
    {{ALL(1)}, "", 99},
    {{ADVICE({.rank = 1}, {.rank = 2}, {.rank = 3}), ALL(3, 1)}, "1+3", 99},
    {{ADVICE({.rank = 1}, {.rank = 2}), ALL(1, 2)}, "", 16},
    {{ADVICE({.rank = 1}, {.rank = 2}), ALL(1, 2)}, "1", 17},
    {{ADVICE({.rank = 1}, {.rank = 2}), ALL(1, 2)}, "1+2", 18},
};

static void check_ranks(void)
{
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        char text[100] = "before";
        bool any = summary_combined_ranks(&ranks[i].result, "+", text, ranks[i].room);
        CHECK(any == (*ranks[i].said != '\0'));
        CHECK(same_text(text, ranks[i].said));
    }
}

/* Without ranks what is to be done first stands for all. */
static void check_combined(void)
{
    Result r = {LATENCY, NOW,
                ADVICE({FIX, .rank = 1, .gain = {MID(1)}},
                       {FIX, .rank = 2, .gain = {RUN(.median = 1, .baseline = 2)}})};
    const ResultCombined second = {.ranks = LIST(int64_t, 2)};
    const ResultRecommendation *x = r.recommendations.item;
    CHECK(summary_is_combined(&r, &x[0]) && !summary_is_combined(&r, &x[1]));
    Summary d = summary_of(&r);
    CHECK(d.first == x && d.verified && !d.simulated && d.pairs == 3);
    CHECK(same_text(d.runner, "board"));
    r.combined = &second;
    CHECK(!summary_is_combined(&r, &x[0]) && summary_is_combined(&r, &x[1]));
}

int main(void)
{
    check_verdicts();
    check_tenth();
    check_outlooks();
    check_deploys();
    check_ranks();
    check_combined();
    return check_failures() != 0;
}
