/* What is said first of a result: the sentence of each outcome, with the figures that it is of. */
#include "advisor/report/tree_summary_total.h"
#include "advisor/report/tree_verdict.h"
#include "graph/base/arena.h"
#include "tests/unit/check.h"
#include "tests/unit/json_quoted.h"

#include <string.h>

#define LATENCY "'objective':'latency','steps':[{'predicted_ns':{'mid':1}}],"
#define RATE    "'objective':'throughput','steps':[{'predicted_ns':{'mid':1}}],"
#define NOW     "'prediction':{'latency_ns':{'mid':4e6},'throughput_per_s':{'mid':200}},"
#define FIX     "'fix':{'text':'do'},"
#define MID(x)  "'predicted':{'lo':0,'mid':" x ",'hi':2e6}"

static const struct {
    const char *result, *said;
} row[] = {
    /* No step has a cost; a rule did not end. */
    {"{'recommendations':[]}", "Undecided: the cost of no step is known."},
    {"{" LATENCY "'incomplete':[{'text':'NPU101 took too long'},{'text':'NPU102 did'}]}",
     "Undecided: NPU101 took too long."},
    {"{" LATENCY "'incomplete':[]}",
     "Nothing to improve: no change gains more than 0.00 % and 0 ns."},
    {"{" LATENCY "'options':{'min_share':0.02,'min_gain_ns':30000}}",
     "Nothing to improve: no change gains more than 2.00 % and 30.0 µs."},
    {"{" RATE "'options':{'min_share':0.02,'min_gain_ns':30000}}",
     "Nothing to improve: no change gains more than 2.00 %."},
    /* More than half of what is measured is in no operator; half is not more. */
    {"{" LATENCY "'measured':{'latency_ns':{'median':1000},'unattributed_ns':501}}",
     "No change to the model helps: 501 ns of 1.00 µs per inference are in no operator, transfer "
     "or NPU task."},
    {"{" LATENCY "'measured':{'latency_ns':{'median':1000},'unattributed_ns':500}}",
     "Nothing to improve: no change gains more than 0.00 % and 0 ns."},
    {"{" LATENCY "'measured':{'latency_ns':{'median':1}}}",
     "Nothing to improve: no change gains more than 0.00 % and 0 ns."},
    {"{" LATENCY "'prediction':{'latency_ns':{'mid':1000}},'measured':{'unattributed_ns':501}}",
     "Nothing to improve: no change gains more than 0.00 % and 0 ns."},
    /* 4 ms - 1 ms; 4 / 3 = 1.3. */
    {"{" LATENCY NOW "'recommendations':[{" FIX "'title':'Feed pixels','gain':{" MID("1e6") "}}]}",
     "Feed pixels: 4.00 ms → 3.00 ms per inference, 1.3× as fast, predicted."},
    /* Of a gain that was run: 5 ms - 1 ms there, a fifth less, of 4 ms here; 1.25 prints as 1.2. */
    {"{" LATENCY NOW "'recommendations':[{" FIX "'title':'Feed "
     "pixels','gain':{'verified':{'median':1e6,'baseline':5e6,'simulated':true},'baseline':"
     "8e6," MID("3e6") "}}]}",
     "Feed pixels: 4.00 ms → 3.20 ms per inference, 1.2× as fast, verified in simulation."},
    {"{" LATENCY NOW "'recommendations':[{" FIX
     "'title':'Feed pixels','gain':{'verified':{'median':1e6,'baseline':5e6}}}]}",
     "Feed pixels: 4.00 ms → 3.20 ms per inference, 1.2× as fast, verified."},
    /* 200 + 100 a second. */
    {"{" RATE NOW "'recommendations':[{" FIX
     "'title':'Feed pixels','gain':{'basis':'stand-in'," MID("100") "}}]}",
     "Feed pixels: 200 /s → 300 /s, 1.5× as many, estimated."},
    {"{" LATENCY NOW "'recommendations':[{" FIX
     "'title':'Feed pixels','gain':{'at_least':true," MID("1e6") "}}]}",
     "Feed pixels: 4.00 ms → 3.00 ms per inference, 1.3× as fast, and more: a part of unknown cost "
     "goes too."},
    {"{" LATENCY NOW "'recommendations':[{" FIX
     "'title':'Feed pixels','gain':{'basis':'bound'," MID("1e6") "}}]}",
     "Feed pixels: the cost that goes is 1.00 ms of 4.00 ms (25.0 %), at most 2.00 ms."},
    {"{" RATE NOW "'recommendations':[{" FIX
     "'title':'Feed pixels','gain':{'basis':'bound','baseline':400," MID("100") "}}]}",
     "Feed pixels: the cost that goes is worth 100 /s over 400 /s (25.0 %), at most 2000000 /s."},
    /* Nothing known of what is there now, nor of the most. */
    {"{" LATENCY "'recommendations':[{" FIX
     "'title':'Feed pixels','gain':{'basis':'bound','predicted':{'mid':1e6}}}]}",
     "Feed pixels: the cost that goes is 1.00 ms of 0 ns (0.00 %), at most 0 ns."},
    {"{" RATE NOW "'recommendations':[{" FIX
     "'title':'Feed pixels','gain':{'basis':'bound','baseline':0.5," MID("0.25") "}}]}",
     "Feed pixels: the cost that goes is worth 0.250 /s over 0.500 /s (50.0 %), at most 2000000 "
     "/s."},
    /* 9.95 and 1.095 are a little less than that, as numbers with two digits of them. */
    {"{" RATE NOW "'recommendations':[{" FIX
     "'title':'Feed pixels','gain':{'baseline':1," MID("8.95") "}}]}",
     "Feed pixels: 1 /s → 9.95 /s, 10× as many, predicted."},
    {"{" RATE NOW "'recommendations':[{" FIX
     "'title':'Feed pixels','gain':{'baseline':1," MID("0.095") "}}]}",
     "Feed pixels: 1 /s → 1.09 /s, 1.1× as many, predicted."},
    /* All of it: a thousandth is left. */
    {"{" LATENCY NOW "'recommendations':[{" FIX "'title':'Feed pixels','gain':{" MID("4e6") "}}]}",
     "Feed pixels: 4.00 ms → 4.00 µs per inference, 1000× as fast, predicted."},
    {"{" LATENCY NOW "'recommendations':[{" FIX
     "'title':'Feed pixels','gain':{" MID("3996002") "}}]}",
     "Feed pixels: 4.00 ms → 4.00 µs per inference, 1000× as fast, predicted."},
    /* 4 / (4 - 0.3) = 1.08, 4 / (4 - 0.36) = 1.099, 4 / (4 - 3.6) = 10. */
    {"{" LATENCY NOW "'recommendations':[{" FIX "'title':'Feed pixels','gain':{" MID("3e5") "}}]}",
     "Feed pixels: 4.00 ms → 3.70 ms per inference, 1.08× as fast, predicted."},
    {"{" LATENCY NOW "'recommendations':[{" FIX
     "'title':'Feed pixels','gain':{" MID("3.6e5") "}}]}",
     "Feed pixels: 4.00 ms → 3.64 ms per inference, 1.1× as fast, predicted."},
    {"{" LATENCY NOW "'recommendations':[{" FIX
     "'title':'Feed pixels','gain':{" MID("3.6e6") "}}]}",
     "Feed pixels: 4.00 ms → 400 µs per inference, 10× as fast, predicted."},
    /* What gains nothing, has no action or is of the evidence is not what to do first. */
    {"{" LATENCY NOW
     "'recommendations':[{'title':'A','gain':{" MID("1e6") "}},{" FIX "'title':'B','gain':{" MID(
         "0") "}},"
              "{" FIX "'title':'C','verdict':'no-gain','gain':{" MID(
                  "1e6") "}},{" FIX
                         "'title':'D','verdict':'regression','gain':{" MID(
                             "1e6") "}},"
                                    "{" FIX "'title':'E','verdict':'accuracy-blocked','gain':{" MID(
                                        "1e6") "}},{" FIX
                                               "'title':'F','group':'evidence','gain':{" MID(
                                                   "1e6") "}},"
                                                          "{" FIX "'title':'G'},{" FIX
                                                          "'title':'H','gain':{" MID("2e6") "}}]}",
     "H: 4.00 ms → 2.00 ms per inference, 2× as fast, predicted."},
    {"{" LATENCY NOW "'recommendations':[{" FIX
     "'title':'C','verdict':'no-gain','gain':{" MID("1e6") "}}]}",
     "Nothing to improve: no change gains more than 0.00 % and 0 ns."},
/* Together: the second goes on in small letters, unless they are a name; the others are counted. */
#define REC(rank, title) "{" FIX "'rank':" rank ",'title':'" title "','gain':{" MID("1e6") "}}"
#define ALL              "'combined':{" MID("2e6") ",'ranks':"
    {"{" LATENCY NOW ALL
     "[1]},'recommendations':[" REC("1", "Feed pixels") "," REC("2", "Cut it") "]}",
     "Feed pixels: 4.00 ms → 2.00 ms per inference, 2× as fast, predicted."},
    {"{" LATENCY NOW ALL
     "[1,2]},'recommendations':[" REC("1", "Feed pixels") "," REC("2", "Cut it") "]}",
     "Feed pixels, and cut it: 4.00 ms → 2.00 ms per inference, 2× as fast, predicted."},
    {"{" LATENCY NOW ALL "[2,3]},'recommendations':[" REC("1", "Feed pixels") "," REC(
         "2", "Cut it") "," REC("3", "NPU it") "]}",
     "Cut it, and NPU it: 4.00 ms → 2.00 ms per inference, 2× as fast, predicted."},
    {"{" LATENCY NOW ALL "[1,2,3]},'recommendations':[" REC("1", "Feed pixels") "," REC(
         "2", "Ab") "," REC("3", "Do it") "]}",
     "Feed pixels, ab, and 1 more: 4.00 ms → 2.00 ms per inference, 2× as fast, predicted."},
    {"{" LATENCY NOW ALL "[1,2,3,4]},'recommendations':[" REC("1", "Feed") "," REC(
         "2", "Bake") "," REC("3", "Do it") "," REC("4", "Be") "]}",
     "Feed, bake, and 2 more: 4.00 ms → 2.00 ms per inference, 2× as fast, predicted."},
    {"{" LATENCY NOW ALL "[1,2]},'recommendations':[" REC("1", "Feed") "," REC("2", "Zz") "]}",
     "Feed, and zz: 4.00 ms → 2.00 ms per inference, 2× as fast, predicted."},
    {"{" LATENCY NOW ALL "[1,2]},'recommendations':[" REC("1", "Feed") "," REC("2", "1x") "]}",
     "Feed, and 1x: 4.00 ms → 2.00 ms per inference, 2× as fast, predicted."},
    {"{" LATENCY NOW ALL "[1,2]},'recommendations':[" REC("1", "Feed") "," REC("2", "A{b") "]}",
     "Feed, and A{b: 4.00 ms → 2.00 ms per inference, 2× as fast, predicted."},
/* Layers that were measured. */
#define LAYERS "'compiled':{'sum_ns':1e6},"
    {"{'compiled':{}}", "Undecided: no time of a layer can be told."},
    {"{" LATENCY "'compiled':{'sum_ns':0}}", "Undecided: no time of a layer can be told."},
    {"{" LATENCY LAYERS "'options':{'min_share':0.02,'min_gain_ns':30000}}",
     "No advice: nothing in these files bounds a gain above 2.00 % and 30.0 µs."},
    {"{" LATENCY LAYERS "'options':{}}",
     "No advice: nothing in these files bounds a gain above 0.00 % and 0 ns."},
    {"{" LATENCY LAYERS "'recommendations':[{" FIX
     "'title':'Feed halves','gain':{'removes':1,'predicted':{'hi':2e5}}}]}",
     "Feed halves: at most 200 µs of the 1.00 ms that the layers take (20.0 %)."},
    {"{" LATENCY LAYERS "'recommendations':[{" FIX
     "'title':'Feed halves','gain':{'baseline':4e6,'removes':1,'predicted':{'hi':2e5}}}]}",
     "Feed halves: at most 200 µs of the 4.00 ms that a query takes (5.00 %)."},
    {"{" LATENCY LAYERS "'recommendations':[{" FIX
     "'gain':{'baseline':0,'removes':1,'predicted':{'hi':2e5}}}]}",
     "?: at most 200 µs of the 1.00 ms that the layers take (20.0 %)."},
    {"{" LATENCY "'compiled':{}}", "Undecided: no time of a layer can be told."},
    {"{" LATENCY "'compiled':{'sum_ns':1}}",
     "No advice: nothing in these files bounds a gain above 0.00 % and 0 ns."},
    {"{" LATENCY LAYERS "'recommendations':[{" FIX
     "'title':'Feed pixels','gain':{'predicted':{'mid':1e6}}}]}",
     "No advice: nothing in these files bounds a gain above 0.00 % and 0 ns."},
    {"{" LATENCY LAYERS "'recommendations':[{" FIX
     "'title':'Feed pixels','gain':{'removes':1,'predicted':{'hi':1}}}]}",
     "Feed pixels: at most 1 ns of the 1.00 ms that the layers take (0.00 %)."},
    {"{" LATENCY LAYERS "'recommendations':[{" FIX
     "'title':'Feed pixels','gain':{'removes':1,'baseline':1,'predicted':{'hi':1}}}]}",
     "Feed pixels: at most 1 ns of the 1 ns that a query takes (100 %)."},
    /* What was said and is not so: the first that was seen otherwise. */
    {"{" LATENCY "'evidence':{'refuted':'setup'},'setup':{'batch':{'value':1},'sdk':{'value':'0.9',"
     "'seen':null},'workers':{'value':1,'seen':2},'devices':{'value':3,'seen':4}}}",
     "The trace contradicts --workers 1: it shows 2. Say so, or leave the trace out."},
    {"{" LATENCY "'evidence':{'refuted':'model'},'setup':{}}",
     "This trace is not of this model: nothing is set against its times."},
    {"{" LATENCY "'evidence':{'refuted':'size','issues':[{'text':'224 by 224'},{'text':'b'}]}}",
     "Nothing is set against this trace: 224 by 224. If it is this model's, calibrate with it "
     "first."},
    {"{" LATENCY "'evidence':{'refuted':'size'}}",
     "Nothing is set against this trace: ?. If it is this model's, calibrate with it first."},
};

/* A tenth of what is measured, else predicted, is left out; of equal ones the first. */
static void check_tenth(void)
{
    static const struct {
        const char *result, *code;
    } least[] = {
        {"{'observations':[{'code':'A'},{'code':'B','cost_ns':100},{'code':'C','cost_ns':100}],"
         "'prediction':{'latency_ns':{'mid':1000}}}",
         "B"},
        {"{'observations':[{'code':'A','cost_ns':100},{'code':'B','cost_ns':101}],"
         "'prediction':{'latency_ns':{'mid':1000}}}",
         "B"},
        {"{'observations':[{'code':'B','cost_ns':99}],'prediction':{'latency_ns':{'mid':1000}}}",
         "-"},
        {"{'observations':[{'code':'B','cost_ns':100}],'prediction':{'latency_ns':{'mid':9}},"
         "'measured':{'latency_ns':{'median':1001}}}",
         "-"},
        {"{'observations':[{'code':'B','cost_ns':1}]}", "B"},
        {"{'observations':[{'code':'B','cost_ns':0.05}]}", "B"},
        {"{'observations':[{'code':'B','cost_ns':0}]}", "-"},
    };
    for (size_t i = 0; i < sizeof least / sizeof *least; i++) {
        cJSON *o = json_from_quoted(least[i].result);
        double ns;
        const cJSON *x = tree_summary_uncovered_cost(o, &ns);
        CHECK(same_text(json_text(x, "code", "-"), least[i].code));
        CHECK(!x || !(ns > json_number_or(x, "cost_ns", 0)));
        cJSON_Delete(o);
    }
}

#define GAIN(text) "'recommendations':[{" FIX "'title':'A','gain':{" text "}}]}"

/* After a gain of 1 ms of 4 ms: 3 ms, and 2 to 3.5 where 0.5 to 2 ms may be gained. */
static void check_outlooks(void)
{
    static const struct {
        const char *result, *said;
    } outlook[] = {
        {"{" LATENCY NOW GAIN("'predicted':{'mid':1e6,'lo':5e5,'hi':2e6}"),
         "known 4e+06 -> 3e+06 [2e+06 3.5e+06], 1.33333"},
        {"{" LATENCY NOW GAIN("'predicted':{'mid':1e6,'lo':5e5}"),
         "known 4e+06 -> 3e+06 [3e+06 3e+06], 1.33333"},
        {"{" LATENCY NOW GAIN("'predicted':{'mid':1e6,'hi':2e6}"),
         "known 4e+06 -> 3e+06 [3e+06 3e+06], 1.33333"},
        {"{" RATE NOW GAIN("'baseline':0.5,'predicted':{'mid':0.5,'lo':0.25,'hi':1}"),
         "known 0.5 -> 1 [0.75 1.5], 2"},
        /* What was run may be said in what is there now: then the base of the runs plays no part.
           Else 8 ms were 6 there, so 4 ms are 3. */
        {"{" LATENCY NOW GAIN("'verified':{'baseline':8e6,'median':2e6,'now':{'mid':1e6}}"),
         "known, verified 4e+06 -> 3e+06 [3e+06 3e+06], 1.33333"},
        {"{" LATENCY NOW GAIN("'verified':{'baseline':8e6,'median':2e6}"),
         "known, verified 4e+06 -> 3e+06 [3e+06 3e+06], 1.33333"},
        /* Nothing is known of what is there now, of what it is a gain of, or of all together. */
        {"{" LATENCY GAIN("'baseline':4e6,'predicted':{'mid':1e6}"), "unknown 0 -> 0 [0 0], 0"},
        {"{" LATENCY NOW GAIN("'baseline':0,'predicted':{'mid':1e6}"),
         "unknown 4e+06 -> 0 [0 0], 0"},
        {"{" LATENCY NOW "'combined':{}," GAIN("'predicted':{'mid':1e6}"),
         "unknown 4e+06 -> 0 [0 0], 0"},
        {"{" LATENCY NOW "'recommendations':[]}", "unknown 4e+06 -> 0 [0 0], 0"},
        {"{" LATENCY "'prediction':{'latency_ns':{'mid':1}}," GAIN("'predicted':{'mid':0.5}"),
         "known 1 -> 0.5 [0.5 0.5], 2"},
    };
    for (size_t i = 0; i < sizeof outlook / sizeof *outlook; i++) {
        char said[160];
        cJSON *o = json_from_quoted(outlook[i].result);
        TreeSummary d = tree_summary_of(o);
        TreeSummaryTotal x = tree_summary_total_of(o, &d);
        snprintf(said, sizeof said, "%s%s %g -> %g [%g %g], %g", x.known ? "known" : "unknown",
                 x.verified ? ", verified" : "", x.now, x.after, x.lo, x.hi, x.factor);
        CHECK(same_text(said, outlook[i].said));
        cJSON_Delete(o);
    }
}

#define POINT                                                                                      \
    "'tuned':{'effort':'check','baseline':{'latency_ns':{'mid':4e6},'throughput_per_s':{'mid':"    \
    "200}},'recommended':{"
#define AFTER                                                                                      \
    "'latency_ns':{'lo':1e6,'mid':2e6,'hi':3e6},'throughput_per_s':{'lo':300,'mid':400,'hi':500},"

/* A rule that makes several parts is named once, where it comes first; settings come behind. */
static void check_deploys(void)
{
    static const struct {
        const char *result, *said;
    } deploy[] = {
        {"{'objective':'latency'}", "-"},
        {"{'objective':'latency'," POINT AFTER "'parts':[]}}}", "-"},
        {"{'objective':'latency'," POINT AFTER "'parts':[{'rule_id':'NPU101'}]}}}",
         "NPU101 (effort: at most check): 4.00 ms → 2.00 ms [1.00 3.00], predicted"},
        {"{'objective':'latency'," POINT AFTER
         "'parts':[{'rule_id':'A'},{'levers':[{'lever':'workers','value':'4'},{'lever':'batch','"
         "value':'2'}]},{'rule_id':'B'},{'rule_id':'A'},{'rule_id':'A'},{'rule_id':'B'},{'rule_id':"
         "'C'}]}}}",
         "A ×3, B ×2, C, --workers 4 --batch 2 (effort: at most check): 4.00 ms → 2.00 ms [1.00 "
         "3.00], predicted"},
        {"{'objective':'throughput'," POINT AFTER
         "'parts':[{'levers':[{'lever':'workers','value':'4'}]}]}}}",
         "--workers 4 (effort: at most check): 200 /s → 400 /s [300 500], predicted"},
        {"{'objective':'throughput'," POINT AFTER
         "'verified':{'baseline':100,'lo':110,'median':120,'hi':130,'runner':'npu-exec'},'parts':[{"
         "'rule_id':'A'}]}}}",
         "A (effort: at most check): 100 /s → 120 /s [110 130] in npu-exec"},
        {"{'objective':'latency','tuned':{'recommended':{'parts':[{'rule_id':'A'}]}}}",
         "A (effort: at most ?): 0 ns → unknown, predicted"},
        {"{'objective':'latency','tuned':{'recommended':{'verified':{},'parts':[{'rule_id':'A'}]}}"
         "}",
         "A (effort: at most ?): 0 ns → unknown in ?"},
    };
    for (size_t i = 0; i < sizeof deploy / sizeof *deploy; i++) {
        Arena *a = arena_new(0);
        cJSON *o = json_from_quoted(deploy[i].result);
        Phrase buf;
        TreeSummaryDeploy d = tree_summary_deploy(a, o);
        CHECK(same_text(d.point ? tree_summary_deploy_text(&buf, &d, NULL) : "-", deploy[i].said));
        cJSON_Delete(o);
        arena_free(a);
    }
}

static void check_verdicts(void)
{
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cJSON *o = json_from_quoted(row[i].result);
        TreeSummary d = tree_summary_of(o);
        Phrase buf;
        CHECK(same_text(tree_verdict_sentence(&buf, o, &d, NULL), row[i].said));
        cJSON_Delete(o);
    }
}

/* Ranks of what goes together, as many as there is room for: each has 16 bytes at the least. */
static void check_ranks(void)
{
    static const struct {
        const char *result, *said;
        size_t room;
    } ranks[] = {
        {"{'recommendations':[{'rank':1}]}", "", 99},
        {"{'recommendations':[],'combined':{'ranks':[1]}}", "", 99},
        {"{'recommendations':[{'rank':1},{'rank':2},{'rank':3}],'combined':{'ranks':[3,1]}}", "1+3",
         99},
        {"{'recommendations':[{},{'rank':1},{'rank':0}],'combined':{'ranks':[0,'1']}}", "0+0", 99},
        {"{'recommendations':[{'rank':1},{'rank':2}],'combined':{'ranks':[1,2]}}", "", 16},
        {"{'recommendations':[{'rank':1},{'rank':2}],'combined':{'ranks':[1,2]}}", "1", 17},
        {"{'recommendations':[{'rank':1},{'rank':2}],'combined':{'ranks':[1,2]}}", "1+2", 18},
    };
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        char text[100] = "before";
        cJSON *o = json_from_quoted(ranks[i].result);
        CHECK(tree_summary_combined_ranks(o, "+", text, ranks[i].room) == (*ranks[i].said != '\0'));
        CHECK(same_text(text, ranks[i].said));
        cJSON_Delete(o);
    }
}

/* Without ranks what is to be done first stands for all. */
static void check_combined(void)
{
    cJSON *o = json_from_quoted("{" LATENCY NOW "'recommendations':[{" FIX "'gain':{" MID(
        "1") "}},{" FIX "'rank':2,'gain':{'verified':{'median':1}}}]}");
    const cJSON *first = json_at(o, "recommendations")->child;
    CHECK(tree_summary_is_combined(o, first) && !tree_summary_is_combined(o, first->next));
    TreeSummary d = tree_summary_of(o);
    CHECK(d.first == first && d.verified && !d.simulated && !*d.runner && d.pairs == 0);
    cJSON_AddItemToObject(cJSON_AddObjectToObject(o, "combined"), "ranks", cJSON_Parse("[2]"));
    CHECK(!tree_summary_is_combined(o, first) && tree_summary_is_combined(o, first->next));
    cJSON_Delete(o);
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
