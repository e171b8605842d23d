/* Matches rules against the facts document and reports how each rule ended. */
#pragma once

#include "advisor/rules/rule_book.h"
#include "graph/compile/program.h"

/* Settings that are tried together. */
typedef struct {
    LeverSetting *set;
    size_t nset;
} Attempt;

/* Layers of a compiled graph that a change removes and may change, by index. */
typedef struct {
    uint32_t *removes, *changes;
    size_t nremoves, nchanges;
    const double *saves; /* of each of `changes`, in ns; NULL: all of their time */
    double ns;           /* a time that belongs to no layer; 0 none */
} OccurrenceBound;

/* One element of the facts document that a rule fired for. */
typedef struct {
    IoKind io;       /* whether it is an input or output of the graph */
    StepId step;     /* STEP_NONE if it is about none */
    NodeId node;     /* NODE_NONE if there is none */
    TensorId tensor; /* TENSOR_NONE */
    const char *op;  /* "Quantize", "Conv" …; NULL if there is none */
    const char *text;
    double cost_ns;         /* its time now, from its time-ns; 0 unknown */
    const char *const *fix; /* one per try, one in all where there is none */
    const Attempt *attempt; /* one per try */
    OccurrenceBound bound;  /* empty of an ONNX model */
} Occurrence;

/* Occurrences with the same rule and cause: one recommendation, if it saves anything. */
typedef struct {
    const Rule *rule;
    const char *cause; /* as the rule spells it; "" where it has none */
    const Occurrence *place;
    size_t nplace;
    Level level;
    const char *why, *risk;   /* in the language asked for, as is the title */
    const char *const *title; /* one per try, one in all where there is none */
    const char *const *fix;   /* likewise, of all occurrences together */
    const char *fix_where;
    const RuleFix *fix_rule; /* its SDKs, and whether it is code */
    /* Why this SDK has no setting for it (NULL: it has), and the first that has one (0: none). */
    const Message *withheld;
    Sdk newer;
    const Message *untried; /* why there is nothing to try; NULL */
    const Attempt *attempt; /* of all occurrences together, one per try that fits */
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
    Match *match; /* by rule id, then first occurrence */
    size_t nmatch;
    RuleOutcome *outcome; /* one per rule, by id */
    size_t noutcome;
} MatchList;

/* What the facts are of: rules and their fixes are for families of targets and SDKs. */
typedef struct {
    Sdk sdk;
    const char *family;            /* "": of a compiled graph, for which no rule names one */
    const StrMap *loaded, *edited; /* NULL, or template_xpath_set_names */
} RuleScope;

/* Matches every rule against the facts document for the SDK in use.  A rule that a limit stops is
 * not applicable, for that reason.  A match that only a newer SDK has a setting for is withheld, so
 * that the saving with that SDK can be printed; so is a match of a rule without any setting.
 * Everything lives in `a`; texts are in `lang`. */
MatchList match_rules(Arena *a, const RuleBook *book, xmlDoc *facts, RuleScope made,
                      const Language *lang);
