/* Rules as data: rules/NPU###-name.xml, checked against rules/schema/rule.rng when loaded. */
#ifndef ADVISOR_RULE_H
#define ADVISOR_RULE_H

#include "advisor/variant.h"
#include "graph/base/xml.h"

typedef enum { APPLY_SAFE, APPLY_CHECK, APPLY_MANUAL, APPLY_RETRAIN } Applicability;
const char *applicability_name(Applicability a);
double applicability_weight(Applicability a); /* design.md §4: 1.0, 0.9, 0.5, 0.25 */

typedef struct {
    const char *lever, *index, *value; /* templates: {@attr} and {$xpath} of the place */
} RuleSet;

typedef struct {
    const RuleSet *set; /* tried together */
    size_t nset;
} RuleTry; /* several tries: the best one is the recommendation, all are reported (a sweep) */

typedef struct {
    Sdk since, until;   /* [since, until]; 0 open */
    const char *where;  /* "quantizer", "compiler", "runtime", "model", "application" */
    const char *text;   /* template */
    const char *withheld; /* reason when there is no fix for these SDKs; text is then NULL */
} RuleFix;

typedef struct {
    const char *id;    /* "NPU101" */
    const char *name;  /* "float-input-quantize" */
    const char *group; /* boundary layout placement compute memory runtime io accuracy evidence */
    const char *level; /* info warn error */
    const char *path;
    int order;         /* of trial: facts/advice.md §6.1 */
    const char *title, *why, *risk, *source;
    const char *title_ko, *why_ko, *risk_ko;
    Applicability applicability;
    const char *each;      /* XPath over the facts document: the places */
    const char *cause;     /* template that groups places into one recommendation */
    const char *needs;     /* what must be there to decide: "", "trace", "throughput" … */
    const char *absent;    /* XPath: when true with no place, the rule is not applicable … */
    const char *absent_reason; /* … for this reason; otherwise it passed */
    const RuleTry *attempt;
    size_t nattempt;
    const RuleFix *fix;
    size_t nfix;
    const char *const *conflicts; /* rule ids */
    size_t nconflicts;
} Rule;

typedef struct {
    Rule *rule; /* sorted by id */
    size_t nrule;
} RuleBook;

/* Loads the built-in rules and every *.xml of each extra folder; a bad file is an error that names
 * file, line and reason; a user rule with a built-in id replaces it. */
Status rules_load(Arena *a, const char *const *extra_dir, size_t nextra, RuleBook *ret, Diag *diag);

#endif
