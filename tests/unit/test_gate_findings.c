/* Findings that a gate counts, those that somebody suppresses, and what advice costs in accuracy.
 */
#include "tests/unit/gate_messages.h"
#include "advisor/options/config.h"

/* ---- findings ---- */

#define NONE       "recommendations of level warn or above <= 0: 0 [0] holds"
#define FAILED_ONE "recommendations of level warn or above <= 0: 1 [1] fails"
#define OPEN       "recommendations of level warn or above <= 0: unknown [] undecided"
#define OPEN_OF_0  "recommendations of level warn or above <= 0: 0 [0] undecided"

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
        check_same(check[i].why, judged(check[i].result, &(GateRequest){.fail_on = "warn"}),
                   check[i].expected);
    check_same("of any level", judged(WITH(FOUND("info", "")), &(GateRequest){.fail_on = "info"}),
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
        check_same(check[i].fingerprint,
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
        check_same(
            "accuracy",
            judged(check[i].result, &(GateRequest){.loss_text = check[i].in_db ? "30dB" : "1%",
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
