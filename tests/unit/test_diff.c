/* Two results held against each other: figures by their intervals, kinds of work, findings; of
 * compiled graphs, layers that do the same work however they were fused.  In JSON ' stands for ".
 */
#include "advisor/act/diff/diff.h"
#include "graph/base/arena.h"
#include "tests/unit/check.h"
#include "tests/unit/json_quoted.h"

#include <string.h>

static Arena *arena;

static cJSON *tree_of(const char *inside)
{
    return json_from_quoted(arena_printf(arena, "{%s}", inside));
}

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

static cJSON *compared(const char *old, const char *new)
{
    cJSON *a = tree_of(old), *b = tree_of(new), *d = diff_results(a, b, "old.json", "new.json");
    cJSON_Delete(a);
    cJSON_Delete(b);
    return d;
}

#define LATENCY(mid, lo, hi) "'prediction':{'latency_ns':{'mid':" mid ",'lo':" lo ",'hi':" hi "}}"
#define RATE(mid, lo, hi)                                                                          \
    "'prediction':{'throughput_per_s':{'mid':" mid ",'lo':" lo ",'hi':" hi "}}"

/* Slower, or faster, is what the intervals keep apart; those that touch are the same. */
static void figures(void)
{
    static const struct {
        const char *old, *new, *expected;
    } check[] = {
        {LATENCY("100", "90", "110"), LATENCY("120", "111", "130"),
         "prediction.latency_ns: 100 (90 110), 120 (111 130), +20 slower"},
        {LATENCY("100", "90", "110"), LATENCY("120", "110", "130"),
         "prediction.latency_ns: 100 (90 110), 120 (110 130), +20 same"},
        {LATENCY("100", "90", "110"), LATENCY("80", "70", "89"),
         "prediction.latency_ns: 100 (90 110), 80 (70 89), -20 faster"},
        {LATENCY("100", "90", "110"), LATENCY("80", "70", "90"),
         "prediction.latency_ns: 100 (90 110), 80 (70 90), -20 same"},
        {RATE("100", "90", "110"), RATE("120", "111", "130"),
         "prediction.throughput_per_s: 100 (90 110), 120 (111 130), +20 better"},
        {RATE("100", "90", "110"), RATE("80", "70", "89"),
         "prediction.throughput_per_s: 100 (90 110), 80 (70 89), -20 worse"},
        {LATENCY("100", "90", "110"), "", "prediction.latency_ns: 100 (90 110), -, - gone"},
        {"", LATENCY("100", "90", "110"), "prediction.latency_ns: -, 100 (90 110), - added"},
        {"", "", "nothing"},
        /* Plain numbers, medians; half an interval is none. */
        {"'measured':{'latency_ns':{'median':9,'p99':10},'npu_ns':5}",
         "'measured':{'latency_ns':{'median':8,'p99':10},'npu_ns':6}",
         "measured.latency_ns.median: 9, 8, -1 faster; measured.latency_ns.p99: 10, 10, +0 same; "
         "measured.npu_ns: 5, 6, +1 slower"},
        {"'prediction':{'npu_ns':{'median':9,'lo':8}}",
         "'prediction':{'npu_ns':{'mid':9.5,'hi':11}}", "prediction.npu_ns: 9, 9.5, +0.5 slower"},
        {"'prediction':{'io_ns':{'mid':9,'lo':1,'hi':99}}", "'prediction':{'io_ns':10}",
         "prediction.io_ns: 9 (1 99), 10, +1 slower"},
        {"'compiled':{'sum_ns':4,'stages':{'compute':{'mean':1},'latency':{'mean':2}},"
         "'reformats':{'ns':3}}",
         "'compiled':{'sum_ns':3,'stages':{'compute':{'mean':2},'latency':{'mean':1}},"
         "'reformats':{'ns':4}}",
         "compiled.stages.compute.mean: 1, 2, +1 slower; compiled.stages.latency.mean: 2, 1, -1 "
         "faster; compiled.sum_ns: 4, 3, -1 faster; compiled.reformats.ns: 3, 4, +1 slower"},
        {"'measured':{'host_ns':1,'io_ns':2,'unattributed_ns':3},'prediction':{'host_ns':4}",
         "'measured':{'host_ns':2,'io_ns':1,'unattributed_ns':4},'prediction':{'host_ns':3}",
         "measured.host_ns: 1, 2, +1 slower; measured.io_ns: 2, 1, -1 faster; "
         "measured.unattributed_ns: 3, 4, +1 slower; prediction.host_ns: 4, 3, -1 faster"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        cJSON *d = compared(check[i].old, check[i].new);
        check_same("figure", told(json_at(d, "metrics")), check[i].expected);
        cJSON_Delete(d);
    }
}

#define STEP(kind, op, key, mid, lo, hi)                                                           \
    "{'kind':'" kind "','op':'" op "','" key "':{'mid':" mid ",'lo':" lo ",'hi':" hi "}}"

/* Two Adds of 10 +- 3 and 20 +- 4 are 30 +- 5; what is measured goes before what is predicted; the
 * largest change comes first, and what is gone counts whole. */
static void kinds_of_work(void)
{
    cJSON *d =
        compared("'steps':[" STEP("host", "Add", "predicted_ns", "10", "7", "13") "," STEP(
                     "host", "Add", "predicted_ns", "20", "16",
                     "24") "," STEP("host", "Mul", "predicted_ns", "40", "40",
                                    "40") "," STEP("npu", "npu", "predicted_ns", "5", "5",
                                                   "5") ","
                                                        "{'kind':'d2h','op':'read'},"
                                                        "{'kind':'npu','op':'both','measured_ns':{'"
                                                        "median':7},'predicted_ns':{'mid':9}}]",
                 "'steps':[" STEP("host", "Add", "predicted_ns", "60", "56", "63") "," STEP(
                     "npu", "npu", "predicted_ns", "5", "5",
                     "5") "," STEP("host", "Softmax", "predicted_ns", "33", "33",
                                   "33") ","
                                         "{'kind':'npu','op':'both','measured_ns':{'median':8},'"
                                         "predicted_ns':{'mid':1}},{}]");
    check_same(
        "parts", told(json_at(d, "parts")),
        "host Mul: 40 (40 40), -, - gone; host Softmax: -, 33 (33 33), - added; "
        "host Add: 30 (25 35), 60 (56 63), +30 slower; npu both: 7 (7 7), 8 (8 8), +1 slower; "
        "? ?: -, -, - unknown; d2h read: -, -, - unknown; npu npu: 5 (5 5), 5 (5 5), +0 same");
    check_same("names",
               arena_printf(arena, "%s %s %s %g", json_text(d, "kind", ""), json_text(d, "old", ""),
                            json_text(d, "new", ""), json_number_or(d, "diff_version", 0)),
               "result old.json new.json 1");
    cJSON_Delete(d);
}

#define FOUND(name, gain) "{'rule_id':'R','fingerprint':'" name "','title':'T','gain':{" gain "}}"
#define GAIN(mid, lo, hi) "'predicted':{'mid':" mid ",'lo':" lo ",'hi':" hi "}"

/* Improved: less is left to gain, by more than both intervals. */
static void findings(void)
{
    static const struct {
        const char *old, *new, *expected;
    } check[] = {
        {FOUND("f", GAIN("100", "90", "110")), FOUND("f", GAIN("80", "70", "89")),
         "R f T improved: 100, 80 ns"},
        {FOUND("f", GAIN("100", "90", "110")), FOUND("f", GAIN("80", "70", "90")),
         "R f T unchanged: 100, 80 ns"},
        {FOUND("f", GAIN("100", "90", "110")), FOUND("f", GAIN("120", "111", "130")),
         "R f T grown: 100, 120 ns"},
        {FOUND("f", GAIN("100", "90", "110")), FOUND("f", GAIN("120", "110", "130")),
         "R f T unchanged: 100, 120 ns"},
        {FOUND("f", GAIN("100", "90", "110")), FOUND("f", ""), "R f T unchanged: 100, - ns"},
        {FOUND("f", ""), FOUND("f", GAIN("100", "90", "110")), "R f T unchanged: -, 100 ns"},
        {FOUND("f", ""), "", "R f T gone: -, - ns"},
        {"", FOUND("f", "'unit':'per_s','verified':{'median':7}"), "R f T new: -, 7 per_s"},
        {FOUND("f", "") "," FOUND("g", ""), FOUND("h", "") "," FOUND("g", ""),
         "R h T new: -, - ns; R g T unchanged: -, - ns; R f T gone: -, - ns"},
        {"{'fingerprint':'f'}", "", "? f ? gone: -, - ns"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        cJSON *d = compared(arena_printf(arena, "'recommendations':[%s]", check[i].old),
                            arena_printf(arena, "'recommendations':[%s]", check[i].new));
        check_same("finding", findings_of(json_at(d, "recommendations")), check[i].expected);
        cJSON_Delete(d);
    }
}

/* ---- layers ---- */

#define LAYER(name, mean)                                                                          \
    "{'layer':{'name':'" name "','inputs':[{'dtype':'int8'}],'outputs':[{'dtype':'int8'}]},"       \
    "'measured_ns':{'mean':" mean "}}"
#define WIDE(name, mean)                                                                           \
    "{'layer':{'name':'" name "','inputs':[{'dtype':'float32'}],'outputs':[]},"                    \
    "'measured_ns':{'mean':" mean "}}"
#define OF(nodes, name, mean)                                                                      \
    "{'onnx_nodes':[" nodes "],'layer':{'name':'" name "'},'measured_ns':{'mean':" mean "}}"

static void layers(void)
{
    static const struct {
        const char *what, *old, *new, *expected;
    } check[] = {
        {"by name", LAYER("conv1", "10") "," LAYER("conv2", "20"),
         LAYER("conv2", "25") "," LAYER("conv1", "9"),
         "layer conv2: 20, 25, +5 slower; layer conv1: 10, 9, -1 faster"},
        {"fused", LAYER("conv1", "10") "," LAYER("relu1", "2"), LAYER("conv1 + relu1", "9"),
         "layer conv1: 12, 9, -3 faster 2 layers, now 1"},
        {"taken apart", LAYER("a + b + c", "9"),
         LAYER("a", "3") "," LAYER("b", "4") "," LAYER("c", "5"),
         "layer a + b + c: 9, 12, +3 slower 1 layer, now 3"},
        {"over a third", LAYER("a + b", "5") "," LAYER("c", "5"),
         LAYER("a", "5") "," LAYER("b + c", "5"), "layer a + b: 10, 10, +0 same"},
        {"a reformat",
         LAYER("conv1", "10") "," LAYER("Reformatting CopyNode for Input Tensor 0 to conv1", "3"),
         LAYER("conv1", "10"), "layer conv1: 13, 10, -3 faster 2 layers, now 1"},
        {"a reformat for nothing", LAYER("Reformatting CopyNode", "3"), LAYER("to", "3"),
         "layer Reformatting CopyNode: 3, -, - gone; layer to: -, 3, - added"},
        {"no reformat", LAYER("Reformat to conv1", "3"), LAYER("conv1", "1"),
         "layer Reformat to conv1: 3, -, - gone; layer conv1: -, 1, - added"},
        {"other types", LAYER("conv1", "10"), WIDE("conv1", "20"),
         "layer conv1: 10, 20, +10 slower int8 to int8, now float32 to ?"},
        {"the longest says the types", LAYER("a", "10") "," WIDE("b", "11"), LAYER("a + b", "9"),
         "layer a: 21, 9, -12 faster 2 layers, now 1; float32 to ?, now int8 to int8"},
        {"the first of as long", LAYER("a", "10") "," WIDE("b", "10"), LAYER("a + b", "9"),
         "layer a: 20, 9, -11 faster 2 layers, now 1"},
        /* Numbers go to other nodes in another export: beside a name they do not count. */
        {"numbered", LAYER("Conv_1 + w1", "1") "," LAYER("Conv_2 + w2", "2"),
         LAYER("Conv_2 + w1", "1") "," LAYER("Conv_3 + w2", "2"),
         "layer Conv_1 + w1: 1, 1, +0 same; layer Conv_2 + w2: 2, 2, +0 same"},
        {"only numbered", LAYER("Conv_1", "1") "," LAYER("Conv_2", "2"),
         LAYER("Conv_1 + Conv_2", "4"), "layer Conv_1: 3, 4, +1 slower 2 layers, now 1"},
        {"not numbered", LAYER("Conv_1a + Add_2", "1") "," LAYER("Add_2", "2"), LAYER("Add_2", "3"),
         "layer Add_2: 2, 3, +1 slower; layer Conv_1a + Add_2: 1, -, - gone"},
        {"no number", LAYER("Conv_ + Add_2", "1") "," LAYER("_2 + Mul_2", "2"),
         LAYER("Add_2", "3") "," LAYER("Mul_2", "4"),
         "layer Mul_2: -, 4, - added; layer Add_2: -, 3, - added; layer _2 + Mul_2: 2, -, - gone; "
         "layer Conv_ + Add_2: 1, -, - gone"},
        {"nodes", OF("'n1','n2'", "x", "1") "," OF("'n3'", "y", "5"), OF("'n2','n3',7", "z", "4"),
         "layer x: 6, 4, -2 faster 2 layers, now 1"},
        {"no name", OF("''", "", "1"), OF("''", "", "2"),
         "layer : -, 2, - added; layer : 1, -, - gone"},
        /* A layer of no time is none; one whose time is in no file is one. */
        {"of no time", LAYER("a", "0") "," LAYER("b", "1"), LAYER("a", "0") "," LAYER("b", "1"),
         "layer b: 1, 1, +0 same"},
        {"without times", "{'layer':{'name':'a'}}", "{'layer':{'name':'a'}},{'layer':{'name':'a'}}",
         "layer a: -, -, - unknown 1 layer, now 2"},
        {"timed once", "{'layer':{'name':'a'}}", LAYER("a", "3"),
         "layer a: -, 3, - added ? to ?, now int8 to int8"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        cJSON *d = compared(arena_printf(arena, "'compiled':{},'steps':[%s]", check[i].old),
                            arena_printf(arena, "'compiled':{},'steps':[%s]", check[i].new));
        check_same(check[i].what, told(json_at(d, "parts")), check[i].expected);
        cJSON_Delete(d);
    }
    cJSON *d = compared("'compiled':{},'steps':[" LAYER("a", "3") "]", "'steps':[]");
    check_same("one side alone", told(json_at(d, "parts")), "? ?: -, -, - unknown");
    cJSON_Delete(d);
}

/* A word of 255 letters is read, one of 256 taken as a name; each beside a number that ties. */
static void long_words(void)
{
    for (size_t n = 255; n <= 256; n++) {
        char *word = arena_calloc(arena, n + 1, 1);
        memset(word, 'x', n);
        memcpy(word + n - 2, "_1", 2);
        cJSON *d = compared(
            arena_printf(arena, "'compiled':{},'steps':[" LAYER("%s + Conv_1", "1") "]", word),
            "'compiled':{},'steps':[" LAYER("Conv_1", "2") "]");
        check_same("long", json_count(d, "parts") == 1 ? "tied" : "apart",
                   n == 255 ? "tied" : "apart");
        cJSON_Delete(d);
    }
}

int main(void)
{
    arena = arena_new(0);
    figures();
    kinds_of_work();
    findings();
    layers();
    long_words();
    arena_free(arena);
    return check_failures() != 0;
}
