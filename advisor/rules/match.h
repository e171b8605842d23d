/* Matches rules against the facts document and reports how each rule ended. */
#ifndef ADVISOR_RULES_MATCH_H
#define ADVISOR_RULES_MATCH_H

#include "advisor/rules/rule_book.h"
#include "graph/base/message.h"

/* Settings that are tried together. */
typedef struct {
    LeverSetting *set;
    size_t nset;
} Attempt;

/* What a change at a place removes and what it may change: layers of a compiled graph by their
 * index in it, each once. */
typedef struct {
    uint32_t *removes, *changes;
    size_t nremoves, nchanges;
    double ns; /* a time that is of no layer; 0 none */
} OccurrenceBound;

/* One element of the facts document that a rule fired for. */
typedef struct {
    NodeId node;     /* NODE_NONE if it concerns none */
    TensorId tensor; /* TENSOR_NONE */
    const char *op;  /* "Quantize", "Conv" …; NULL if it concerns none */
    const char *text;
    double cost_ns; /* what the element takes now, as its time-ns says; 0 where it says nothing */
    const char *const *fix; /* one per try, one in all where there is none */
    const Attempt *attempt; /* one per try */
    OccurrenceBound bound;  /* empty of an ONNX model */
} Occurrence;

/* Places with the same rule and cause: one recommendation, if it gains anything. */
typedef struct {
    const Rule *rule;
    const char *cause; /* as the rule spells it; "" where it has none */
    const Occurrence *place;
    size_t nplace;
    Level level;
    const char *why, *risk;   /* in the language asked for, as is the title */
    const char *const *title; /* one per try, one in all where there is none */
    const char *const *fix;   /* the same, of all places together */
    const char *fix_where;
    const RuleFix *fix_rule; /* of which SDKs it is, and whether it is code */
    /* Why this SDK holds it back, and the first that has the setting (0: none has; then it is
     * information).  NULL: nothing does. */
    const Message *withheld;
    Sdk newer;
    const Message *untried; /* why there is nothing to try; NULL */
    const Attempt *attempt; /* of all places together, one per try that fits here */
    size_t nattempt;
} Match;

typedef enum { OUTCOME_FIRED, OUTCOME_PASSED, OUTCOME_NOT_APPLICABLE } MatchOutcome;

typedef struct {
    const Rule *rule;
    MatchOutcome outcome;
    const Message *reason; /* OUTCOME_NOT_APPLICABLE: why */
    bool stopped;          /* at a limit: it might have fired */
} RuleOutcome;

typedef struct {
    Match *match; /* by rule id, then first place */
    size_t nmatch;
    RuleOutcome *outcome; /* one per rule, by id */
    size_t noutcome;
} MatchList;

/* Matches every rule against the facts document for the SDK in use.  A rule that a limit stops is
 * not applicable, for that reason.  What only a newer SDK has a setting for is a match that is
 * withheld, so that it can be said what that SDK would bring; so is what a rule without any setting
 * tells.  Everything lives in `a`; texts in `lang`. */
MatchList match_rules(Arena *a, const RuleBook *book, xmlDoc *facts, Sdk sdk, const Language *lang);

#endif
