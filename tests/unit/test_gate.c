/* The gate, of results that hold no more than it reads: figures at and beside their bounds, and
 * those of which nothing is known.  In JSON ' stands for ". */
#include "advisor/gate/gate.h"
#include "advisor/gate/gate_parts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int failed;
static Arena *arena;

static void same(const char *what, const char *found, const char *expected)
{
    int ok = !strcmp(found, expected);
    printf("%s %s: %s\n", ok ? "ok" : "FAILED", what, found);
    if (!ok)
        printf("  expected %s\n", expected);
    failed += !ok;
}

static char *quoted(const char *text)
{
    char *t = arena_strdup(arena, text);
    for (char *c = t; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    return t;
}

/* "name expected: found [values] holds", one behind the other. */
static const char *told(const cJSON *result)
{
    const char *all = "";
    const cJSON *x, *v;
    cJSON_ArrayForEach(x, json_at(result, "gate.assertions"))
    {
        const cJSON *pass = json_at(x, "pass"), *found = json_at(x, "found");
        const char *values = "";
        cJSON_ArrayForEach(v, json_at(x, "values")) values =
            arena_printf(arena, "%s%s%.9g", values, *values ? " " : "", v->valuedouble);
        all = arena_printf(arena, "%s%s%s %s: %s [%s] %s", all, *all ? "; " : "",
                           json_text(x, "name", "?"), json_text(x, "expected", "?"),
                           cJSON_IsNumber(found) ? arena_printf(arena, "%.9g", found->valuedouble)
                                                 : "unknown",
                           values,
                           cJSON_IsNull(pass)   ? "undecided"
                           : cJSON_IsTrue(pass) ? "holds"
                                                : "fails");
    }
    return *all ? all : "nothing";
}

static const char no_gate[] = "'gate':{'status':'none','baseline':null,'assertions':[]}";

static cJSON *result_of(const char *inside)
{
    cJSON *tree =
        cJSON_Parse(quoted(arena_printf(arena, "{%s%s%s}", inside, *inside ? "," : "", no_gate)));
    if (!tree)
        printf("%s\n", inside);
    return tree;
}

static const char *judged(const char *inside, const GateRequest *q)
{
    Notes notes;
    Diag diag;
    cJSON *result = result_of(inside);
    notes_init(&notes, arena);
    const char *text =
        gate_apply(arena, result, q, &notes, &diag) ? arena_strdup(arena, diag.text) : told(result);
    cJSON_Delete(result);
    return text;
}

/* ---- budgets ---- */

/* Five inferences; the median's interval is 3.9 to 4.1 ms. */
#define FIVE                                                                                       \
    "'traces':[{}],'measured':{'inferences':5,'samples':{'n':5,'values':[3,4,4,4,5],"              \
    "'median':{'mid':4e6,'lo':3.9e6,'hi':4.1e6},'p90':{'mid':5e6},'max':6e6,"                      \
    "'npu_ns':{'median':2e6,'lo':1e6,'hi':3e6}}}"
#define ONE                                                                                        \
    "'traces':[{}],'measured':{'inferences':1,'samples':{'n':1,'values':[4e6],"                    \
    "'median':{'mid':4e6},'max':4e6,'npu_ns':{'median':2e6}}}"
#define TWO                                                                                        \
    "'traces':[{}],'measured':{'inferences':2,'samples':{'n':2,'values':[4e6,4e6],"                \
    "'median':{'mid':4e6},'max':4e6,'npu_ns':{'median':2e6}}}"
#define RATE                                                                                       \
    "'steps':[{'kind':'npu','predicted_ns':{'mid':1}}],"                                           \
    "'prediction':{'throughput_per_s':{'mid':250,'lo':240,'hi':260},"                              \
    "'latency_ns':{'mid':4e6,'lo':3e6,'hi':5e6}}"
#define HALF_KNOWN                                                                                 \
    "'steps':[{'kind':'npu','predicted_ns':{'mid':1}},{'kind':'host','op':'Softmax'}],"            \
    "'prediction':{'throughput_per_s':{'mid':250,'lo':240,'hi':260},"                              \
    "'latency_ns':{'mid':4e6,'lo':3e6,'hi':5e6}}"
#define STEPS                                                                                      \
    "'coverage':{'nodes':8,'nodes_known':6},'steps':[{'kind':'h2d','predicted_ns':{}},"            \
    "{'kind':'npu'},{'kind':'host','op':'Softmax'},{'kind':'host','op':'Add'},{'kind':'npu'},"     \
    "{'kind':'d2h'},{'kind':'host','op':'Softmax'}]"
#define OTHER_SIZE ",'evidence':{'issues':[{'code':'few'},{'code':'other-size'}]}"

static void budgets(void)
{
    static const struct {
        const char *budget, *result;
        Aggregation how;
        const char *expected;
    } check[] = {
        /* The whole interval, 3.9 to 4.1 ms, or nothing. */
        {"latency_ns=4.1ms", FIVE, 0, "latency_ns <= 4.1ms: 4000000 [3 4 4 4 5] holds"},
        {"latency_ns=4099us", FIVE, 0, "latency_ns <= 4099us: 4000000 [3 4 4 4 5] undecided"},
        {"latency_ns=3900us", FIVE, 0, "latency_ns <= 3900us: 4000000 [3 4 4 4 5] undecided"},
        {"latency_ns=3899us", FIVE, 0, "latency_ns <= 3899us: 4000000 [3 4 4 4 5] fails"},
        {"latency_ns=5ms", FIVE, AGGREGATE_P90, "latency_ns <= 5ms: 5000000 [3 4 4 4 5] holds"},
        {"latency_ns=5999us", FIVE, AGGREGATE_PESSIMISTIC,
         "latency_ns <= 5999us: 6000000 [3 4 4 4 5] fails"},
        {"latency_ns=6ms", FIVE, AGGREGATE_PESSIMISTIC,
         "latency_ns <= 6ms: 6000000 [3 4 4 4 5] holds"},
        /* Of other times the ends are all that is known; they are of the median, whatever is asked.
         */
        {"npu_ns=3ms", FIVE, AGGREGATE_P90, "npu_ns <= 3ms: 2000000 [1000000 3000000] holds"},
        {"host_ns=3ms", FIVE, 0, "host_ns <= 3ms: unknown [] undecided"},
        /* One sample decides nothing; two do. */
        {"latency_ns=1s", ONE, 0, "latency_ns <= 1s: 4000000 [4000000] undecided"},
        {"latency_ns=1s", ONE, AGGREGATE_PESSIMISTIC,
         "latency_ns <= 1s: 4000000 [4000000] undecided"},
        {"npu_ns=1s", ONE, 0, "npu_ns <= 1s: 2000000 [0] undecided"},
        {"latency_ns=1s", TWO, 0, "latency_ns <= 1s: 4000000 [4000000 4000000] holds"},
        {"npu_ns=1s", TWO, 0, "npu_ns <= 1s: 2000000 [2000000] holds"},
        /* At least: the lower end holds, the upper one fails. */
        {"throughput_per_s=240", RATE, 0, "throughput_per_s >= 240: 250 [240 260] holds"},
        {"throughput_per_s=241", RATE, 0, "throughput_per_s >= 241: 250 [240 260] undecided"},
        {"throughput_per_s=260", RATE, 0, "throughput_per_s >= 260: 250 [240 260] undecided"},
        {"throughput_per_s=261", RATE, 0, "throughput_per_s >= 261: 250 [240 260] fails"},
        {"throughput_per_s=0",
         "'steps':[{'kind':'npu','predicted_ns':{}}],'prediction':{'throughput_per_s':{'mid':0}}",
         0, "throughput_per_s >= 0: unknown [] undecided"},
        {"throughput_per_s=0.5",
         "'steps':[{'kind':'npu','predicted_ns':{}}],'prediction':{'throughput_per_s':{'mid':0.5}}",
         0, "throughput_per_s >= 0.5: 0.5 [0.5] holds"},
        {"latency_ns=0",
         "'steps':[{'kind':'npu','predicted_ns':{}}],'prediction':{'latency_ns':{'mid':0}}", 0,
         "latency_ns <= 0: 0 [0] holds"},
        /* A step of unknown cost takes any time: what is too slow, or too few, without it stays so.
         */
        {"latency_ns=5ms", HALF_KNOWN, 0, "latency_ns <= 5ms: 4000000 [3000000] undecided"},
        {"latency_ns=2ms", HALF_KNOWN, 0, "latency_ns <= 2ms: 4000000 [3000000] fails"},
        {"throughput_per_s=240", HALF_KNOWN, 0, "throughput_per_s >= 240: 250 [0 260] undecided"},
        {"throughput_per_s=261", HALF_KNOWN, 0, "throughput_per_s >= 261: 250 [0 260] fails"},
        /* So does a trace that may be of another size of picture. */
        {"latency_ns=1s", FIVE OTHER_SIZE, 0, "latency_ns <= 1s: 4000000 [3 4 4 4 5] undecided"},
        {"latency_ns=3ms", FIVE OTHER_SIZE, 0, "latency_ns <= 3ms: 4000000 [3 4 4 4 5] fails"},
        {"throughput_per_s=1", RATE OTHER_SIZE, 0, "throughput_per_s >= 1: 250 [0 260] undecided"},
        {"coverage=0.75", STEPS OTHER_SIZE, 0, "coverage >= 0.75: 0.75 [0.75] holds"},
        {"latency_ns=4.1ms", FIVE ",'evidence':{'issues':[{'code':'few'}]}", 0,
         "latency_ns <= 4.1ms: 4000000 [3 4 4 4 5] holds"},
        {"host_steps=0", RATE OTHER_SIZE, 0, "host_steps <= 0: 0 [0] holds"},
        /* Of a refuted trace no time is one of this run. */
        {"latency_ns=1s", FIVE ",'evidence':{'refuted':'it is of another model'}", 0,
         "latency_ns <= 1s: unknown [] undecided"},
        /* What a trace does not show is not replaced by a prediction. */
        {"latency_ns=1s", RATE ",'traces':[{}]", 0, "latency_ns <= 1s: unknown [] undecided"},
        {"latency_ns=1s", "", 0, "latency_ns <= 1s: unknown [] undecided"},
        /* Facts: 2 of h2d, npu, Softmax, Add, npu, d2h, Softmax are transfers, 3 host, 2 NPU. */
        {"transfers=1", STEPS, 0, "transfers <= 1: 2 [2] fails"},
        {"transfers=2", STEPS, 0, "transfers <= 2: 2 [2] holds"},
        {"host_steps=3", STEPS, 0, "host_steps <= 3: 3 [3] holds"},
        {"npu_segments=1", STEPS, 0, "npu_segments <= 1: 2 [2] fails"},
        {"host:Softmax=1", STEPS, 0, "host:Softmax <= 1: 2 [2] fails"},
        {"host:Add=1", STEPS, 0, "host:Add <= 1: 1 [1] holds"},
        {"host:Mul=0", STEPS, 0, "host:Mul <= 0: 0 [0] holds"},
        {"unknown_nodes=2", STEPS, 0, "unknown_nodes <= 2: 2 [2] holds"},
        {"coverage=0.75", STEPS, 0, "coverage >= 0.75: 0.75 [0.75] holds"},
        {"coverage=0.76", STEPS, 0, "coverage >= 0.76: 0.75 [0.75] fails"},
        {"coverage=1", "'coverage':{'nodes':1,'nodes_known':1}", 0, "coverage >= 1: 1 [1] holds"},
        {"coverage=0", "'measured':{'inferences':1}", 0, "coverage >= 0: 0 [0] holds"},
        {"coverage=0", "'measured':{'inferences':0}", 0, "coverage >= 0: unknown [] undecided"},
        {"unknown_nodes=1", "'coverage':{'nodes':1,'nodes_known':1}", 0,
         "unknown_nodes <= 1: 0 [0] holds"},
        {"unknown_nodes=1", "'coverage':{'nodes':1,'nodes_known':0}", 0,
         "unknown_nodes <= 1: unknown [] undecided"},
        {"unknown_nodes=1", "'coverage':{'nodes':1,'nodes_known':1},'steps':[{'kind':'npu'}]", 0,
         "unknown_nodes <= 1: unknown [] undecided"},
        /* Which layers of an engine the host runs is in no file; how many are known is. */
        {"host_steps=1", "'steps':[{'kind':'layer','layer':{},'measured_ns':{}}]", 0,
         "host_steps <= 1: unknown [] undecided"},
        {"unknown_nodes=0", "'steps':[{'kind':'layer','layer':{},'measured_ns':{}}]", 0,
         "unknown_nodes <= 0: 0 [0] holds"},
        {"unknown_nodes=0", "'steps':[{'kind':'layer','measured_ns':{}}]", 0,
         "unknown_nodes <= 0: unknown [] undecided"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++)
        same(check[i].budget,
             judged(check[i].result, &(GateRequest){.budget = &check[i].budget,
                                                    .nbudget = 1,
                                                    .aggregation = check[i].how}),
             check[i].expected);
}

#define STAGE(n, min, median, max)                                                                 \
    "'traces':[{}],'compiled':{'kind':'tensorrt','stages':{'compute':{'n':" n ",'min':" min        \
    ",'median':" median ",'p90':" max ",'max':" max "}}}"
#define PROFILE(runs)                                                                              \
    "'traces':[{}],'compiled':{'sum_ns':200,'runs':" runs ",'reformats':{'share':0.25},"           \
    "'precisions':[{'name':'float32','layers':2},{'name':'float16','layers':3},"                   \
    "{'name':'int32','layers':4},{'name':'int8','layers':5}]}"

/* Of a compiled graph.  Below five queries as far beside their least and most as those are apart.
 */
static void layers(void)
{
    static const struct {
        const char *budget, *result;
        Aggregation how;
        const char *expected;
    } check[] = {
        {"compute_ns=1s", STAGE("1", "90", "90", "90"), 0, "compute_ns <= 1s: 90 [0] undecided"},
        {"compute_ns=1s", STAGE("1", "90", "90", "90"), AGGREGATE_PESSIMISTIC,
         "compute_ns <= 1s: 90 [0] undecided"},
        {"compute_ns=110", STAGE("2", "90", "95", "100"), 0,
         "compute_ns <= 110: 95 [80 110] holds"},
        {"compute_ns=109", STAGE("4", "90", "95", "100"), 0,
         "compute_ns <= 109: 95 [80 110] undecided"},
        {"compute_ns=79", STAGE("4", "90", "95", "100"), 0, "compute_ns <= 79: 95 [80 110] fails"},
        {"compute_ns=300", STAGE("4", "10", "95", "100"), 0, "compute_ns <= 300: 95 [0 190] holds"},
        {"compute_ns=95", STAGE("5", "90", "95", "100"), 0, "compute_ns <= 95: 95 [95] holds"},
        {"compute_ns=95", STAGE("0", "90", "95", "100"), 0, "compute_ns <= 95: 95 [95] holds"},
        {"compute_ns=100", STAGE("5", "90", "95", "100"), AGGREGATE_P90,
         "compute_ns <= 100: 100 [100] holds"},
        {"compute_ns=99", STAGE("2", "90", "95", "100"), AGGREGATE_PESSIMISTIC,
         "compute_ns <= 99: 100 [100] fails"},
        {"latency_ns=99", STAGE("5", "90", "95", "100"), 0,
         "latency_ns <= 99: unknown [] undecided"},
        /* Means of the runs of a profile: of one run, nobody knows how far the next is off. */
        {"layers_ns=200", PROFILE("2"), 0, "layers_ns <= 200: 200 [200] holds"},
        {"layers_ns=200", PROFILE("1"), 0, "layers_ns <= 200: 200 [0] undecided"},
        {"layers_ns=200", PROFILE("0"), 0, "layers_ns <= 200: 200 [200] holds"},
        {"reformat_share=0.2", PROFILE("2"), 0, "reformat_share <= 0.2: 0.25 [0.25] fails"},
        {"reformat_share=1", "'traces':[{}],'compiled':{'reformats':{'share':0.25}}", 0,
         "reformat_share <= 1: unknown [] undecided"},
        /* Wider than float16: 2 layers; than int8: 2 + 3; int32 is no number of the network. */
        {"layers_above:float16=1", PROFILE("2"), 0, "layers_above:float16 <= 1: 2 [2] fails"},
        {"layers_above:int8=5", PROFILE("2"), 0, "layers_above:int8 <= 5: 5 [5] holds"},
        {"layers_above:float32=0", PROFILE("2"), 0, "layers_above:float32 <= 0: 0 [0] holds"},
        {"layers_above:int8=0", "'compiled':{'names_only':true}", 0,
         "layers_above:int8 <= 0: unknown [] undecided"},
        {"layers_above:int8=0", "", 0, "layers_above:int8 <= 0: unknown [] undecided"},
        {"layers_above:=0", "", 0, "unreadable"},
        {"layers_above:integer=0", "", 0, "unreadable"},
        {"layers_above:float32float32float32float32float=0", "", 0, "unreadable"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        const char *found = judged(
            check[i].result,
            &(GateRequest){.budget = &check[i].budget, .nbudget = 1, .aggregation = check[i].how});
        same(check[i].budget, strstr(found, "give METRIC=VALUE") ? "unreadable" : found,
             check[i].expected);
    }
}

/* Of one metric the last counts, but what the settings of a checkout add counts beside it. */
static void of_one_metric(void)
{
    static const char *const three[] = {"host_steps=1", "host_steps=3", "host_steps=2"};
    static const char *const two[] = {"host_steps=1", "host:Add=0"};
    same("the last", judged(STEPS, &(GateRequest){.budget = three, .nbudget = 3}),
         "host_steps <= 2: 3 [3] fails");
    same("one more",
         judged(STEPS, &(GateRequest){.budget = three, .nbudget = 3, .nadded_budget = 1}),
         "host_steps <= 3: 3 [3] holds; host_steps <= 2: 3 [3] fails");
    same(
        "two more",
        judged(STEPS, &(GateRequest){.budget = three, .nbudget = 3, .nadded_budget = 2}),
        "host_steps <= 1: 3 [3] fails; host_steps <= 3: 3 [3] holds; host_steps <= 2: 3 [3] fails");
    same("of two metrics", judged(STEPS, &(GateRequest){.budget = two, .nbudget = 2}),
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
        {"latency_ns=7", "latency_ns 7"},
        {"latency_ns=7ns", "latency_ns 7"},
        {"latency_ns=0", "latency_ns 0"},
        {"latency_ns=-1", "'-1' is not a time (4ms, 250us, 20000)"},
        {"latency_ns=4m", "'4m' is not a time (4ms, 250us, 20000)"},
        {"latency_ns=inf", "'inf' is not a time (4ms, 250us, 20000)"},
        {"latency_ns=", "'' is not a time (4ms, 250us, 20000)"},
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
        same(check[i].text, found, check[i].expected);
    }
    Budget b;
    Diag diag;
    same("without a value", gate_read_budget(arena, "latency_ns", &b, &diag) ? "refused" : "read",
         "refused");
    same("host: alone", gate_read_budget(arena, "host:=1", &b, &diag) ? "refused" : "read",
         "refused");
}

/* ---- findings ---- */

#define FOUND(level, more)                                                                         \
    "{'rank':1,'fingerprint':'f','level':'" level "','fix':{'text':'do'},'group':'model'" more "}"
#define WITH(finding) "'measured':{'inferences':9},'recommendations':[" finding "]"
#define NONE          "recommendations of level warn or above <= 0: 0 [0] holds"
#define FAILED_ONE    "recommendations of level warn or above <= 0: 1 [1] fails"
#define OPEN          "recommendations of level warn or above <= 0: unknown [] undecided"
#define OPEN_OF_0     "recommendations of level warn or above <= 0: 0 [0] undecided"

static void findings(void)
{
    static const struct {
        const char *why, *result, *expected;
    } check[] = {
        {"without a gain", WITH(FOUND("warn", "")), FAILED_ONE},
        {"more severe", WITH(FOUND("error", "")), FAILED_ONE},
        {"less severe", WITH(FOUND("info", "")), NONE},
        {"two", WITH(FOUND("warn", "") "," FOUND("error", "")),
         "recommendations of level warn or above <= 0: 2 [2] fails"},
        {"observed",
         "'measured':{'inferences':9},'observations':[{'level':'warn','fix':{'text':'do'}}]",
         FAILED_ONE},
        {"nothing to do", WITH("{'rank':1,'level':'warn','fix':{'text':''}}"), NONE},
        {"of the run", WITH("{'rank':1,'level':'warn','fix':{'text':'do'},'group':'evidence'}"),
         NONE},
        {"of the runtime",
         WITH("{'rank':1,'level':'warn','fix':{'text':'do'},'group':'runtime','levers':[]}"), NONE},
        {"of the runtime, by a setting",
         WITH("{'rank':1,'level':'warn','fix':{'text':'do'},'group':'runtime','levers':[{}]}"),
         FAILED_ONE},
        {"held back", WITH(FOUND("warn", ",'suppression':{}")), NONE},
        {"tried: no gain", WITH(FOUND("warn", ",'verdict':'no-gain'")), NONE},
        {"tried: worse", WITH(FOUND("warn", ",'verdict':'regression'")), NONE},
        {"tried: confirmed", WITH(FOUND("warn", ",'verdict':'confirmed'")), FAILED_ONE},
        {"gains", WITH(FOUND("warn", ",'gain':{'predicted':{'lo':1}}")), FAILED_ONE},
        {"may gain nothing", WITH(FOUND("warn", ",'gain':{'predicted':{'lo':0}}")), NONE},
        {"ranks by more", WITH(FOUND("warn", ",'gain':{'rank_lo':0,'predicted':{'lo':1}}")), NONE},
        {"verified", WITH(FOUND("warn", ",'gain':{'verified':{'lo':1},'predicted':{'lo':0}}")),
         FAILED_ONE},
        {"verified: none", WITH(FOUND("warn", ",'gain':{'verified':{'lo':0},'rank_lo':1}")), NONE},
        {"a bound", WITH(FOUND("warn", ",'gain':{'removes':[],'predicted':{'lo':0,'hi':1}}")),
         FAILED_ONE},
        {"a bound of nothing",
         WITH(FOUND("warn", ",'gain':{'removes':[],'predicted':{'lo':0,'hi':0}}")), NONE},
        /* The trace is too short to tell: undecided, unless it was tried or would gain nothing. */
        {"hidden", "'traces':[{}]," WITH(FOUND("warn", ",'gain':{'predicted':{'lo':0,'mid':1}}")),
         OPEN_OF_0},
        {"of no middle",
         "'traces':[{}]," WITH(FOUND("warn", ",'gain':{'predicted':{'lo':0,'mid':0}}")), NONE},
        {"hidden, of less",
         "'traces':[{}]," WITH(FOUND("info", ",'gain':{'predicted':{'lo':0,'mid':1}}")), NONE},
        {"tried",
         "'traces':[{}]," WITH(
             FOUND("warn", ",'gain':{'verified':{'lo':0},'predicted':{'mid':1}}")),
         NONE},
        /* Nobody looked. */
        {"no evidence", "'passed':[{}]", OPEN},
        {"no rule", "'measured':{'inferences':9}", OPEN},
        {"a rule that found nothing", "'measured':{'inferences':9},'passed':[{}]", NONE},
        {"a rule that was held back",
         "'measured':{'inferences':9},'suppressed':[{'reason':'gone'}]", NONE},
        {"a rule that was put out",
         "'measured':{'inferences':9},'suppressed':[{'reason':'configured'}]", OPEN},
        {"of another set-up", WITH(FOUND("warn", "")) ",'evidence':{'refuted':'it shows two PEs'}",
         OPEN},
        {"a step of unknown cost",
         "'measured':{'inferences':9},'passed':[{}],'steps':[{'kind':'host'}]", OPEN_OF_0},
        {"a step of measured cost",
         "'measured':{'inferences':9},'passed':[{}],'steps':[{'kind':'host','measured_ns':{}}]",
         NONE},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++)
        same(check[i].why, judged(check[i].result, &(GateRequest){.fail_on = "warn"}),
             check[i].expected);
    same("of any level", judged(WITH(FOUND("info", "")), &(GateRequest){.fail_on = "info"}),
         "recommendations of level info or above <= 0: 1 [1] fails");
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
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        const Suppression s = {
            .fingerprint = check[i].fingerprint, .reason = "known", .until = check[i].until};
        const GateRequest q = {.suppression = &s, .nsuppression = 1, .today = "2027-01-31"};
        same(check[i].fingerprint,
             judged(WITH(FOUND("warn", "")) ",'suppressed':[{'fingerprint':'held'}],"
                                            "'observations':[{'fingerprint':'observed'}]",
                    &q),
             check[i].expected);
    }
}

/* ---- accuracy ---- */

#define LOSS(lo, mid, hi) "{'accuracy':{'loss':{'lo':" lo ",'mid':" mid ",'hi':" hi "}}}"
#define DB(lo, value, hi)                                                                          \
    "{'accuracy':{'unit':'','more':[{'unit':'%'},{'unit':'dB','lo':" lo ",'value':" value          \
    ",'hi':" hi "},{'unit':'%'}]}}"

static void accuracy(void)
{
    static const struct {
        bool in_db;
        double limit;
        const char *result, *expected;
    } check[] = {
        {false, 0.01, "'recommendations':[" LOSS("0", "0.005", "0.01") "]",
         "accuracy_loss <= 0.01: 0.005 [0 0.005 0.01] holds"},
        {false, 0.01, "'recommendations':[" LOSS("0", "0.005", "0.011") "]",
         "accuracy_loss <= 0.01: 0.005 [0 0.005 0.011] undecided"},
        {false, 0.01, "'recommendations':[" LOSS("0.01", "0.02", "0.03") "]",
         "accuracy_loss <= 0.01: 0.02 [0.01 0.02 0.03] undecided"},
        {false, 0.01, "'recommendations':[" LOSS("0.011", "0.02", "0.03") "]",
         "accuracy_loss <= 0.01: 0.02 [0.011 0.02 0.03] fails"},
        /* The worst of all; what does not help is no advice. */
        {false, 0.01,
         "'recommendations':[" LOSS("0", "0.001", "0.002") "," LOSS("0", "0.004", "0.006") "," LOSS(
             "0", "0.003", "0.005") "]",
         "accuracy_loss <= 0.01: 0.004 [0 0.004 0.006] holds"},
        {false, 0.01,
         "'recommendations':[{'verdict':'no-gain','accuracy':{'loss':{'lo':1,'mid':1,'hi':1}}}]",
         "accuracy_loss <= 0.01: 0 [] holds"},
        {false, 0.01, "'combined':" LOSS("0.02", "0.03", "0.04"),
         "accuracy_loss <= 0.01: 0.03 [0.02 0.03 0.04] fails"},
        {false, 0.01,
         "'recommendations':[{'accuracy':{'exact':true,'loss':{'lo':1,'mid':1,'hi':1}}}]",
         "accuracy_loss <= 0.01: 0 [] holds"},
        /* What was not measured. */
        {false, 0.01, "'recommendations':[{'accuracy_reason':'no images'}]",
         "accuracy_loss <= 0.01: unknown [] undecided"},
        {false, 0.01,
         "'recommendations':[{'accuracy_reason':'no images'}," LOSS("0", "0.001", "0.002") "]",
         "accuracy_loss <= 0.01: 0.001 [0 0.001 0.002] undecided"},
        {false, 0.01, "'compiled':{}", "accuracy_loss <= 0.01: unknown [] undecided"},
        {false, 0.01, "'incomplete':[{'kind':'rule'}]",
         "rule complete to the end: unknown [] undecided; accuracy_loss <= 0.01: 0 [] holds"},
        {false, 0.01, "'incomplete':[{'kind':'accuracy'}]",
         "accuracy complete to the end: unknown [] undecided; "
         "accuracy_loss <= 0.01: unknown [] undecided"},
        /* Levels: the least is the worst. */
        {true, 30, "'recommendations':[" DB("30", "32", "35") "]",
         "accuracy_db >= 30: 32 [35 32 30] holds"},
        {true, 30, "'recommendations':[" DB("29", "32", "35") "]",
         "accuracy_db >= 30: 32 [35 32 29] undecided"},
        {true, 30, "'recommendations':[" DB("27", "28", "30") "]",
         "accuracy_db >= 30: 28 [30 28 27] undecided"},
        {true, 30, "'recommendations':[" DB("27", "28", "29") "]",
         "accuracy_db >= 30: 28 [29 28 27] fails"},
        {true, 30,
         "'recommendations':[" DB("40", "41", "42") "," DB("31", "32", "35") "," DB("35", "36",
                                                                                    "37") "]",
         "accuracy_db >= 30: 32 [35 32 31] holds"},
        {true, 30, "'recommendations':[{'accuracy':{'unit':'dB','lo':31,'value':32,'hi':33}}]",
         "accuracy_db >= 30: 32 [33 32 31] holds"},
        {true, 30, "", "accuracy_db >= 30: 200 [] holds"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++)
        same("accuracy",
             judged(check[i].result, &(GateRequest){.loss_text = check[i].in_db ? "30dB" : "1%",
                                                    .loss_limit = check[i].limit,
                                                    .loss_in_db = check[i].in_db}),
             check[i].expected);
}

/* ---- against a baseline ---- */

static const char *file_with(const char *text)
{
    int fd = memfd_create("baseline", 0);
    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
        abort();
    return arena_printf(arena, "/proc/self/fd/%d", fd);
}

#define SET_UP                                                                                     \
    "'objective':'latency','target':'warboy','sdk':'0.10','options':{'batch':1,'workers':2}"
#define SAME_SET_UP "'objective':'latency','target':'warboy','sdk':'0.10','batch':1,'workers':2"
#define BASELINE(more)                                                                             \
    "{'baseline_version':1," SAME_SET_UP ",'findings':[],'structure':{},'host_ops':{}," more "}"

static const char *against(const char *baseline, const char *result, bool strict)
{
    const GateRequest q = {.baseline = file_with(quoted(baseline)),
                           .strict_baseline = strict,
                           .regression_percent = 5,
                           .regression_floor_ns = 50000};
    return judged(arena_printf(arena, "%s%s%s", SET_UP, *result ? "," : "", result), &q);
}

#define NO_NEWS "new recommendations of level warn or above <= 0: unknown [] undecided"
#define WAS(mid, lo, hi)                                                                           \
    "'predicted':{},'measured':{'latency_ns':{'mid':" mid ",'lo':" lo ",'hi':" hi "}}"
#define IS(n, mid, lo, hi)                                                                         \
    "'traces':[{}],'measured':{'inferences':" n ",'samples':{'n':" n                               \
    ",'values':[],'median':{'mid':" mid ",'lo':" lo ",'hi':" hi "}}}"
#define NPU(n)                                                                                     \
    "'traces':[{}],'measured':{'inferences':" n ",'samples':{'n':" n                               \
    ",'npu_ns':{'median':1e6,'lo':1e6,'hi':1050001}}}"
#define LATENCY NO_NEWS "; measured latency_ns against the baseline "

/* 5 % and 50 us are tolerated, whichever is more; what is worse by chance is undecided. */
static void regressions(void)
{
    static const struct {
        const char *then, *now, *expected;
    } check[] = {
        {BASELINE(WAS("1e6", "1e6", "1e6")), IS("9", "1050000", "1050000", "1050000"),
         LATENCY "<= 1050000 ns: 1050000 [1050000] holds"},
        {BASELINE(WAS("1e6", "1e6", "1e6")), IS("9", "1050001", "1050001", "1050001"),
         LATENCY "<= 1050000 ns: 1050001 [1050001] fails"},
        {BASELINE(WAS("2e6", "2e6", "2e6")), IS("9", "2100000", "2100000", "2100000"),
         LATENCY "<= 2100000 ns: 2100000 [2100000] holds"},
        {BASELINE(WAS("2e6", "2e6", "2e6")), IS("9", "2100001", "2100001", "2100001"),
         LATENCY "<= 2100000 ns: 2100001 [2100001] fails"},
        {BASELINE(WAS("1e5", "1e5", "1e5")), IS("9", "150000", "150000", "150000"),
         LATENCY "<= 150000 ns: 150000 [150000] holds"},
        /* Worse by 100,000: chance is sqrt(60,000^2 + 80,000^2) = 100,000, which reaches 0. */
        {BASELINE(WAS("1e6", "1e6", "1080000")), IS("9", "1100000", "1040000", "1100000"),
         LATENCY "<= 1050000 ns: 1100000 [1040000 1100000] undecided"},
        {BASELINE(WAS("1e6", "1e6", "1080000")), IS("9", "1100000", "1041000", "1100000"),
         LATENCY "<= 1050000 ns: 1100000 [1041000 1100000] fails"},
        /* As good, of few: what could be 50,001 worse is undecided; of five it holds. */
        {BASELINE(WAS("1e6", "1e6", "1e6")), IS("4", "1000000", "1000000", "1050001"),
         LATENCY "<= 1050000 ns: 1000000 [1000000 1050001] undecided"},
        {BASELINE(WAS("1e6", "1e6", "1e6")), IS("4", "1000000", "1000000", "1050000"),
         LATENCY "<= 1050000 ns: 1000000 [1000000 1050000] holds"},
        {BASELINE(WAS("1e6", "1e6", "1e6")), IS("5", "1000000", "1000000", "1050001"),
         LATENCY "<= 1050000 ns: 1000000 [1000000 1050001] holds"},
        {BASELINE("'predicted':{},'measured':{'npu_ns':{'mid':1e6}}"), NPU("4"),
         NO_NEWS "; measured npu_ns against the baseline <= 1050000 ns: 1000000 [1000000 1050001] "
                 "undecided"},
        {BASELINE("'predicted':{},'measured':{'npu_ns':{'mid':1e6}}"), NPU("5"),
         NO_NEWS
         "; measured npu_ns against the baseline <= 1050000 ns: 1000000 [1000000 1050001] holds"},
        {BASELINE(WAS("1e6", "1e6", "1e6")), "", LATENCY "<= 1050000 ns: unknown [] undecided"},
        /* Ends that are on the wrong side of the middle are the middle. */
        {BASELINE(WAS("1e6", "2e6", "0")), IS("9", "1050001", "1050001", "1050001"),
         LATENCY "<= 1050000 ns: 1050001 [1050001] fails"},
        /* Two predictions are off together: 100 less of 1,000 is worse at both ends. */
        {BASELINE("'predicted':{'throughput_per_s':{'mid':1000,'lo':500,'hi':1500}}"),
         "'steps':[{'kind':'npu','predicted_ns':{}}],"
         "'prediction':{'throughput_per_s':{'mid':900,'lo':450,'hi':1350}}",
         NO_NEWS "; predicted throughput_per_s against the baseline >= 950: 900 [450 1350] fails"},
        {BASELINE("'predicted':{'throughput_per_s':{'mid':1000,'lo':500,'hi':1500}}"),
         "'steps':[{'kind':'npu','predicted_ns':{}}],"
         "'prediction':{'throughput_per_s':{'mid':900,'lo':500,'hi':1350}}",
         NO_NEWS
         "; predicted throughput_per_s against the baseline >= 950: 900 [500 1350] undecided"},
        {BASELINE("'predicted':{'throughput_per_s':{'mid':1000,'lo':500,'hi':1500}}"),
         "'steps':[{'kind':'npu','predicted_ns':{}}],"
         "'prediction':{'throughput_per_s':{'mid':950,'lo':450,'hi':1350}}",
         NO_NEWS "; predicted throughput_per_s against the baseline >= 950: 950 [450 1350] holds"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++)
        same("regression", against(check[i].then, check[i].now, false), check[i].expected);
}

/* Structure, to a millionth of what it was; operators that the baseline has, and new ones. */
static void structures(void)
{
    static const struct {
        const char *then, *now, *expected;
    } check[] = {
        {"'structure':{'host_steps':3,'coverage':0.75},'host_ops':{'Softmax':2,'Add':1}", STEPS,
         "host_steps against the baseline <= 3: 3 [3] holds; "
         "coverage against the baseline >= 0.75: 0.75 [0.75] holds; "
         "host:Softmax against the baseline <= 2: 2 [2] holds; "
         "host:Add against the baseline <= 1: 1 [1] holds"},
        {"'structure':{'host_steps':2},'host_ops':{'Softmax':1}", STEPS,
         "host_steps against the baseline <= 2: 3 [3] fails; "
         "host:Softmax against the baseline <= 1: 2 [2] fails; "
         "host:Add against the baseline <= 0: 1 [1] fails"},
        {"'structure':{'coverage':0.7500007},'host_ops':{'Softmax':'x','':1}", STEPS,
         "coverage against the baseline >= 0.750001: 0.75 [0.75] holds; "
         "host:Add against the baseline <= 0: 1 [1] fails"},
        {"'structure':{'coverage':0.7500009},'host_ops':{'Softmax':2,'Add':1}", STEPS,
         "coverage against the baseline >= 0.750001: 0.75 [0.75] fails; "
         "host:Softmax against the baseline <= 2: 2 [2] holds; "
         "host:Add against the baseline <= 1: 1 [1] holds"},
        {"'structure':{'host_steps':2},'host_ops':{}", "",
         "host_steps against the baseline <= 2: unknown [] undecided"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        const char *baseline = arena_printf(
            arena, "{'baseline_version':1," SAME_SET_UP ",'findings':[],'predicted':{},%s}",
            check[i].then);
        const char *found = against(baseline, check[i].now, false);
        const char *rest = strstr(found, "; ");
        same("structure", rest ? rest + 2 : "nothing", check[i].expected);
    }
}

/* What is fixed is to leave the baseline, where that is asked for. */
static void fixed(void)
{
    static const char was[] = "{'baseline_version':1," SAME_SET_UP
                              ",'findings':[{'fingerprint':'f','rule_id':'R'}],'structure':{},"
                              "'host_ops':{},'predicted':{}}";
    same("still there", against(was, WITH(FOUND("warn", "")), true),
         "new recommendations of level warn or above <= 0: 0 [0] holds; "
         "findings of the baseline that are fixed <= 0: 0 [0] holds");
    same("fixed", against(was, "'measured':{'inferences':9},'passed':[{}]", true),
         "new recommendations of level warn or above <= 0: 0 [0] holds; "
         "findings of the baseline that are fixed <= 0: 1 [1] fails");
    same("fixed, and nobody asks", against(was, "'measured':{'inferences':9},'passed':[{}]", false),
         "new recommendations of level warn or above <= 0: 0 [0] holds");
    same("new", against(BASELINE("'predicted':{}"), WITH(FOUND("warn", "")), true),
         "new recommendations of level warn or above <= 0: 1 [1] fails; "
         "findings of the baseline that are fixed <= 0: 0 [0] holds");
}

/* Less to gain than it was: by more than 5 % and 50 us of a time; by more than 5 % of a rate. */
static void states(void)
{
    static const struct {
        const char *then, *now, *expected;
    } check[] = {
        {"'gain':1e6", "'predicted':{'mid':950000}", "unchanged"},
        {"'gain':1e6", "'predicted':{'mid':949999}", "improved"},
        {"'gain':2e6", "'predicted':{'mid':1900000}", "unchanged"},
        {"'gain':2e6", "'predicted':{'mid':1899999}", "improved"},
        {"'gain':1e5", "'predicted':{'mid':50000}", "unchanged"},
        {"'gain':1e5", "'predicted':{'mid':49999}", "improved"},
        {"'gain':100", "'unit':'per_s','predicted':{'mid':95}", "unchanged"},
        {"'gain':100", "'unit':'per_s','predicted':{'mid':94}", "improved"},
        {"'gain':100", "'unit':'per_s','predicted':{'mid':200}", "unchanged"},
        {"'gain':0", "'unit':'per_s','predicted':{'mid':0}", "unchanged"},
        {"'gain':null", "'predicted':{'mid':1}", "unchanged"},
        {"'gain':1e6", "'unit':'ns'", "unchanged"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        cJSON *then = cJSON_Parse(quoted(arena_printf(
            arena, "{'findings':[{'fingerprint':'f','rule_id':'R',%s}]}", check[i].then)));
        cJSON *now = result_of(arena_printf(
            arena, "'recommendations':[{'fingerprint':'f','fix':{'text':'do'},'gain':{%s}}]",
            check[i].now));
        const Baseline b = {then};
        BaselineState state = STATE_GONE;
        cJSON_ReplaceItemInObject(cJSON_GetObjectItem(now, "gate"), "baseline",
                                  baseline_compare(&b, now, 5, 50000));
        bool known = baseline_state_of(now, "f", &state);
        same(check[i].then, known ? baseline_state_name(state) : "unknown", check[i].expected);
        cJSON_Delete(then);
        cJSON_Delete(now);
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
         "another objective"},
        {"{'baseline_version':1,'objective':'latency','target':'warboy','sdk':'0.9','batch':1,"
         "'workers':2,'findings':[],'structure':{},'host_ops':{},'predicted':{}}",
         "another sdk"},
        {"{'baseline_version':1,'objective':'latency','target':'warboy','sdk':'0.10','batch':2,"
         "'workers':2,'findings':[],'structure':{},'host_ops':{},'predicted':{}}",
         "another batch"},
        {"{'baseline_version':1,'objective':'latency','target':'warboy','sdk':'0.10','batch':1,"
         "'findings':[],'structure':{},'host_ops':{},'predicted':{}}",
         "another workers"},
        {"{'baseline_version':1,'models':{}}", "is of a run over many models"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        const char *found = against(check[i].baseline, "", false);
        same("refused", strstr(found, check[i].expected) ? check[i].expected : found,
             check[i].expected);
    }
}

/* ---- what a CI sees ---- */

static void exit_codes(void)
{
    static const struct {
        const char *status, *found;
        int inconclusive, expected;
    } check[] = {
        {"none", "1", 0, 0},
        {"passed", "1", 2, 0},
        {"failed", "1", 0, 1},
        {"failed", "1", 1, 1},
        {"inconclusive", "1", 0, 3},
        {"inconclusive", "1", 1, 0},
        {"inconclusive", "1", 2, 1},
        {"inconclusive", "null", 0, 3},
        {"inconclusive", "null", 1, 3},
        {"inconclusive", "null", 2, 1},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        cJSON *tree = cJSON_Parse(quoted(arena_printf(
            arena, "{'gate':{'status':'%s','assertions':[{'found':2},{'found':%s},{'found':3}]}}",
            check[i].status, check[i].found)));
        same(check[i].status,
             arena_printf(arena, "%d", gate_exit_code(tree, check[i].inconclusive)),
             arena_printf(arena, "%d", check[i].expected));
        cJSON_Delete(tree);
    }
}

static void statuses(void)
{
    static const struct {
        const char *budget[2], *status;
    } check[] = {
        {{"host_steps=3", "transfers=2"}, "passed"},
        {{"host_steps=3", "latency_ns=1"}, "inconclusive"},
        {{"latency_ns=1", "host_steps=2"}, "failed"},
        {{"host_steps=2", "host:Add=1"}, "failed"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        cJSON *result = result_of(STEPS);
        Notes notes;
        Diag diag;
        notes_init(&notes, arena);
        const GateRequest q = {.budget = check[i].budget, .nbudget = 2};
        same("read", gate_apply(arena, result, &q, &notes, &diag) ? diag.text : "", "");
        same(check[i].budget[0], json_text(result, "gate.status", ""), check[i].status);
        cJSON_Delete(result);
    }
    same("no gate", judged(STEPS, &(GateRequest){0}), "nothing");
}

int main(void)
{
    arena = arena_new(0);
    budgets();
    layers();
    of_one_metric();
    reading();
    findings();
    suppressions();
    accuracy();
    regressions();
    structures();
    fixed();
    states();
    of_others();
    exit_codes();
    statuses();
    arena_free(arena);
    return failed != 0;
}
