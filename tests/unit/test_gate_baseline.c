/* A gate against a baseline: times, structure, findings; and baselines of others. */
#include "tests/unit/gate_messages.h"
#include "tests/unit/json_quoted.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- against a baseline ---- */

static const char *file_with(const char *text)
{
    int fd = memfd_create("baseline", 0);
    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
        abort();
    return arena_printf(arena, "/proc/self/fd/%d", fd);
}

#define SET_UP                                                                                     \
    .objective = RESULT_OBJECTIVE_LATENCY, .target = "warboy", .sdk = "0.10",                      \
    .options = {.batch = {1, true}, .workers = {2, true}}
#define SAME_SET_UP "'objective':'latency','target':'warboy','sdk':'0.10','batch':1,'workers':2"
#define BASELINE(more)                                                                             \
    "{'baseline_version':1," SAME_SET_UP ",'findings':[],'structure':{},'host_ops':{}," more "}"

static const char *against(const char *baseline, const Result *r, bool strict)
{
    const GateRequest q = {.baseline = file_with(json_quote(arena_strdup(arena, baseline))),
                           .strict_baseline = strict,
                           .regression_percent = 5,
                           .regression_floor_ns = 50000};
    return judged(r, &q);
}

#define NO_NEWS "new findings of level warn or above <= 0: unknown [] undecided"
#define WAS(mid, lo, hi)                                                                           \
    "'predicted':{},'measured':{'latency_ns':{'mid':" mid ",'lo':" lo ",'hi':" hi "}}"
#define SAMPLED(number, ...)                                                                       \
    SET_UP, TRACED, .measured = &(const ResultMeasured)                                            \
    {                                                                                              \
        .inferences = (number), .samples = {.n = (number), __VA_ARGS__ }                           \
    }
#define IS(number, middle, low, high) SAMPLED(number, .median = {low, middle, high})
#define NPU_TIME(number)                                                                           \
    SAMPLED(number, .npu_ns = &(const ResultMeasuredNs){1000000, 1000000, 1050001, {0}})
#define RATE(low, middle, high)                                                                    \
    SET_UP, .steps = LIST(ResultStep, STEP(NPU, "", PREDICTED)),                                   \
            .prediction = &(const ResultPrediction)                                                \
    {                                                                                              \
        .throughput_per_s = { low, middle, high }                                                  \
    }
#define LATENCY NO_NEWS "; measured latency_ns against the baseline "

/* 5 % and 50 us are tolerated, whichever is more; what is worse by chance is undecided. */
static void regressions(void)
{
    const struct {
        const char *then;
        Result now;
        const char *expected;
    } check[] = {
        {BASELINE(WAS("1e6", "1e6", "1e6")),
         {IS(9, 1050000, 1050000, 1050000)},
         LATENCY "<= 1050000 ns: 1050000 [1050000] holds"},
        {BASELINE(WAS("1e6", "1e6", "1e6")),
         {IS(9, 1050001, 1050001, 1050001)},
         LATENCY "<= 1050000 ns: 1050001 [1050001] fails"},
        {BASELINE(WAS("2e6", "2e6", "2e6")),
         {IS(9, 2100000, 2100000, 2100000)},
         LATENCY "<= 2100000 ns: 2100000 [2100000] holds"},
        {BASELINE(WAS("2e6", "2e6", "2e6")),
         {IS(9, 2100001, 2100001, 2100001)},
         LATENCY "<= 2100000 ns: 2100001 [2100001] fails"},
        {BASELINE(WAS("1e5", "1e5", "1e5")),
         {IS(9, 150000, 150000, 150000)},
         LATENCY "<= 150000 ns: 150000 [150000] holds"},
        /* Worse by 100,000: chance is sqrt(60,000^2 + 80,000^2) = 100,000, which reaches 0. */
        {BASELINE(WAS("1e6", "1e6", "1080000")),
         {IS(9, 1100000, 1040000, 1100000)},
         LATENCY "<= 1050000 ns: 1100000 [1040000 1100000] undecided"},
        {BASELINE(WAS("1e6", "1e6", "1080000")),
         {IS(9, 1100000, 1041000, 1100000)},
         LATENCY "<= 1050000 ns: 1100000 [1041000 1100000] fails"},
        /* As good, of few: what could be 50,001 worse is undecided; of five it holds. */
        {BASELINE(WAS("1e6", "1e6", "1e6")),
         {IS(4, 1000000, 1000000, 1050001)},
         LATENCY "<= 1050000 ns: 1000000 [1000000 1050001] undecided"},
        {BASELINE(WAS("1e6", "1e6", "1e6")),
         {IS(4, 1000000, 1000000, 1050000)},
         LATENCY "<= 1050000 ns: 1000000 [1000000 1050000] holds"},
        {BASELINE(WAS("1e6", "1e6", "1e6")),
         {IS(5, 1000000, 1000000, 1050001)},
         LATENCY "<= 1050000 ns: 1000000 [1000000 1050001] holds"},
        {BASELINE("'predicted':{},'measured':{'npu_ns':{'mid':1e6}}"),
         {NPU_TIME(4)},
         NO_NEWS "; measured npu_ns against the baseline <= 1050000 ns: 1000000 [1000000 1050001] "
                 "undecided"},
        {BASELINE("'predicted':{},'measured':{'npu_ns':{'mid':1e6}}"),
         {NPU_TIME(5)},
         NO_NEWS
         "; measured npu_ns against the baseline <= 1050000 ns: 1000000 [1000000 1050001] holds"},
        {BASELINE(WAS("1e6", "1e6", "1e6")),
         {SET_UP},
         LATENCY "<= 1050000 ns: unknown [] undecided"},
        /* Ends that are on the wrong side of the middle are the middle. */
        {BASELINE(WAS("1e6", "2e6", "0")),
         {IS(9, 1050001, 1050001, 1050001)},
         LATENCY "<= 1050000 ns: 1050001 [1050001] fails"},
        /* Two predictions are off together: 100 less of 1,000 is worse at both ends. */
        {BASELINE("'predicted':{'throughput_per_s':{'mid':1000,'lo':500,'hi':1500}}"),
         {RATE(450, 900, 1350)},
         NO_NEWS "; predicted throughput_per_s against the baseline >= 950: 900 [450 1350] fails"},
        {BASELINE("'predicted':{'throughput_per_s':{'mid':1000,'lo':500,'hi':1500}}"),
         {RATE(500, 900, 1350)},
         NO_NEWS
         "; predicted throughput_per_s against the baseline >= 950: 900 [500 1350] undecided"},
        {BASELINE("'predicted':{'throughput_per_s':{'mid':1000,'lo':500,'hi':1500}}"),
         {RATE(450, 950, 1350)},
         NO_NEWS "; predicted throughput_per_s against the baseline >= 950: 950 [450 1350] holds"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++)
        check_same("regression", against(check[i].then, &check[i].now, false), check[i].expected);
}

/* Structure, to a millionth of what it was; operators that the baseline has, and new ones. */
static void structures(void)
{
    const struct {
        const char *then;
        Result now;
        const char *expected;
    } check[] = {
        {"'structure':{'host_steps':3,'coverage':0.75},'host_ops':{'Softmax':2,'Add':1}",
         {SET_UP, STEPS},
         "host_steps against the baseline <= 3: 3 [3] holds; "
         "coverage against the baseline >= 0.75: 0.75 [0.75] holds; "
         "host:Softmax against the baseline <= 2: 2 [2] holds; "
         "host:Add against the baseline <= 1: 1 [1] holds"},
        {"'structure':{'host_steps':2},'host_ops':{'Softmax':1}",
         {SET_UP, STEPS},
         "host_steps against the baseline <= 2: 3 [3] fails; "
         "host:Softmax against the baseline <= 1: 2 [2] fails; "
         "host:Add against the baseline <= 0: 1 [1] fails"},
        {"'structure':{'coverage':0.7500007},'host_ops':{'Softmax':'x','':1}",
         {SET_UP, STEPS},
         "coverage against the baseline >= 0.750001: 0.75 [0.75] holds; "
         "host:Add against the baseline <= 0: 1 [1] fails"},
        {"'structure':{'coverage':0.7500009},'host_ops':{'Softmax':2,'Add':1}",
         {SET_UP, STEPS},
         "coverage against the baseline >= 0.750001: 0.75 [0.75] fails; "
         "host:Softmax against the baseline <= 2: 2 [2] holds; "
         "host:Add against the baseline <= 1: 1 [1] holds"},
        {"'structure':{'host_steps':2},'host_ops':{}",
         {SET_UP},
         "host_steps against the baseline <= 2: unknown [] undecided"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        const char *baseline = arena_printf(
            arena, "{'baseline_version':1," SAME_SET_UP ",'findings':[],'predicted':{},%s}",
            check[i].then);
        const char *found = against(baseline, &check[i].now, false);
        const char *rest = strstr(found, "; ");
        check_same("structure", rest ? rest + 2 : "nothing", check[i].expected);
    }
}

/* What is fixed is to leave the baseline, where that is asked for. */
static void fixed(void)
{
    static const char was[] = "{'baseline_version':1," SAME_SET_UP
                              ",'findings':[{'fingerprint':'f','rule_id':'R'}],'structure':{},"
                              "'host_ops':{},'predicted':{}}";
    const Result found = {SET_UP, WITH(FOUND(WARN, OF_MODEL))};
    const Result nothing = {SET_UP, INFERENCES(9), PASSED};
    check_same("still there", against(was, &found, true),
               "new findings of level warn or above <= 0: 0 [0] holds; "
               "findings of the baseline that are gone <= 0: 0 [0] holds");
    check_same("fixed", against(was, &nothing, true),
               "new findings of level warn or above <= 0: 0 [0] holds; "
               "findings of the baseline that are gone <= 0: 1 [1] fails");
    check_same("fixed, and nobody asks", against(was, &nothing, false),
               "new findings of level warn or above <= 0: 0 [0] holds");
    check_same("new", against(BASELINE("'predicted':{}"), &found, true),
               "new findings of level warn or above <= 0: 1 [1] fails; "
               "findings of the baseline that are gone <= 0: 0 [0] holds");
    /* In no plan now, as another change covers it: neither fixed nor new. */
    const Result covered = {
        SET_UP, INFERENCES(9),
        .suppressed =
            LIST(ResultSuppressed, {.fingerprint = "f", .reason = RESULT_REASON_COVERED})};
    check_same("covered", against(was, &covered, true),
               "new findings of level warn or above <= 0: 0 [0] holds; "
               "findings of the baseline that are gone <= 0: 0 [0] holds");
}

/* Less to gain than it was: by more than 5 % and 50 us of a time; by more than 5 % of a rate. */
static void states(void)
{
#define NS(middle)                                                                                 \
    {                                                                                              \
        .unit = RESULT_UNIT_NS, .predicted = &(const ResultInterval)                               \
        {                                                                                          \
            .mid = (middle)                                                                        \
        }                                                                                          \
    }
#define PER_S(middle)                                                                              \
    {                                                                                              \
        .unit = RESULT_UNIT_PER_S, .predicted = &(const ResultInterval)                            \
        {                                                                                          \
            .mid = (middle)                                                                        \
        }                                                                                          \
    }
    const struct {
        const char *then;
        ResultGain now;
        const char *expected;
    } check[] = {
        {"'gain':1e6", NS(950000), "unchanged"},
        {"'gain':1e6", NS(949999), "improved"},
        {"'gain':2e6", NS(1900000), "unchanged"},
        {"'gain':2e6", NS(1899999), "improved"},
        {"'gain':1e5", NS(50000), "unchanged"},
        {"'gain':1e5", NS(49999), "improved"},
        {"'gain':100", PER_S(95), "unchanged"},
        {"'gain':100", PER_S(94), "improved"},
        {"'gain':100", PER_S(200), "unchanged"},
        {"'gain':0", PER_S(0), "unchanged"},
        {"'gain':null", NS(1), "unchanged"},
        {"'gain':1e6", {.unit = RESULT_UNIT_NS}, "unchanged"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        cJSON *then = json_from_quoted(arena_printf(
            arena, "{'findings':[{'fingerprint':'f','rule_id':'R',%s}]}", check[i].then));
        const Result now = {.changes =
                                LIST(ResultChange, FOUND(WARN, OF_MODEL, .alone = check[i].now))};
        const Baseline b = {then};
        BaselineState state = STATE_GONE;
        bool known = baseline_state(baseline_compare(arena, &b, &now, 5, 50000), "f", &state);
        check_same(check[i].then, known ? baseline_state_name(state) : "unknown",
                   check[i].expected);
        cJSON_Delete(then);
    }
}

/* Of other settings nothing can be compared. */
static void of_others(void)
{
    static const struct {
        const char *baseline, *expected;
    } check[] = {
        {"{'baseline_version':2," SAME_SET_UP
         ",'findings':[],'structure':{},'host_ops':{},'predicted':{}}",
         "is not a baseline"},
        {"{'baseline_version':1," SAME_SET_UP
         ",'findings':{},'structure':{},'host_ops':{},'predicted':{}}",
         "is not a baseline"},
        {"{'baseline_version':1," SAME_SET_UP
         ",'findings':[],'structure':[],'host_ops':{},'predicted':{}}",
         "is not a baseline"},
        {"{'baseline_version':1," SAME_SET_UP
         ",'findings':[],'structure':{},'host_ops':1,'predicted':{}}",
         "is not a baseline"},
        {"{'baseline_version':1," SAME_SET_UP ",'findings':[],'structure':{},'host_ops':{}}",
         "is not a baseline"},
        {"{'baseline_version':1,'objective':'throughput','target':'warboy','sdk':'0.10','batch':1,"
         "'workers':2,'findings':[],'structure':{},'host_ops':{},'predicted':{}}",
         "written for objective "},
        {"{'baseline_version':1,'objective':'latency','target':'warboy','sdk':'0.9','batch':1,"
         "'workers':2,'findings':[],'structure':{},'host_ops':{},'predicted':{}}",
         "written for sdk "},
        {"{'baseline_version':1,'objective':'latency','target':'warboy','sdk':'0.10','batch':2,"
         "'workers':2,'findings':[],'structure':{},'host_ops':{},'predicted':{}}",
         "written for batch "},
        {"{'baseline_version':1,'objective':'latency','target':'warboy','sdk':'0.10','batch':1,"
         "'findings':[],'structure':{},'host_ops':{},'predicted':{}}",
         "written for workers "},
        {"{'baseline_version':1,'models':{}}", "is of a run over many models"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        const char *found = against(check[i].baseline, &(const Result){SET_UP}, false);
        check_same("refused", strstr(found, check[i].expected) ? check[i].expected : found,
                   check[i].expected);
    }
}

int main(void)
{
    arena = arena_new(0);
    regressions();
    structures();
    fixed();
    states();
    of_others();
    arena_free(arena);
    return check_failures() != 0;
}
