/* Defines a rule, which is read from a file rules/NPU###-name.xml.
 *
 * The file is checked against rules/schema/rule.rng when it is loaded.  Strings marked "template"
 * are text with {XPATH} in it, evaluated as a string at the element that the rule fired for:
 * {@name}.  {*XPATH} lists the values of all occurrences of a match, joined by ", ".  {$value} is
 * the first value that the current try sets.  {{ is a brace.  Every XPath is compiled when the rule
 * is loaded, so that a mistake is an error of the file, not of the model that happens to reach it.
 */
#pragma once

#include "advisor/rules/variant.h"
#include "graph/base/xml.h"

/* A text of a rule, in English and in the languages that it is translated to. */
typedef struct {
    const char *tag, *text; /* "ko" */
} Translation;

typedef struct {
    const char *en;
    const Translation *other;
    size_t nother;
} RuleText;
const char *rule_text(const RuleText *t, const Language *lang); /* English where lang has none */

typedef enum { APPLY_SAFE, APPLY_CHECK, APPLY_MANUAL, APPLY_RETRAIN } Applicability;
const char *applicability_name(Applicability a);
double applicability_weight(Applicability a); /* 1.0, 0.9, 0.5, 0.25 */

typedef enum { LEVEL_INFO, LEVEL_WARN, LEVEL_ERROR } Level;
const char *level_name(Level l);
bool level_from_name(const char *name, Level *ret);

typedef struct {
    LeverId lever;
    const char *index, *value; /* templates */
    const char *each;          /* XPath: one setting for each node; NULL: one, here */
    bool given;                /* LeverSetting's */
} RuleSet;

typedef struct {
    const RuleSet *set; /* tried together */
    size_t nset;
    const char *test; /* XPath, true or false, at the first occurrence; NULL: always */
} RuleTry;            /* several tries, cheap ones first: a sweep, whose points are all reported */

typedef struct {
    Sdk since, until;                    /* [since, until]; 0 open */
    const char *since_text, *until_text; /* as the file has them; "" open */
    const char *where; /* "converter", "quantizer", "compiler", "runtime", "model", "application" */
    bool is_withheld;  /* these SDKs have no such setting */
    bool is_code;      /* to be copied as it is; else a sentence */
    RuleText text;     /* template: the setting, or why there is none */
    const char *test;  /* XPath, true or false, at the first place; NULL: always */
    RuleText label;    /* `test` in words; "" */
} RuleFix;

/* One occurrence with the figures of its test case; all "" where a user's rule lacks it. */
typedef struct {
    const char *of_case;            /* tests/cases/NAME */
    RuleText text;                  /* no template: the input, the finding and the change */
    const char *before, *after;     /* the objective: "10.1 ms", "270 /s"; "" unknown */
    const char *gain;               /* "9.68 ms [7.86 11.8]", predicted */
    const char *verified, *verdict; /* "9.66 ms", "confirmed"; "" where it was not run */
    const char *removable, *at_most; /* of a compiled graph, of `before`: "30.0 µs", "230 µs"; "" */
} RuleExample;

/* Unless `test` holds, the rule ends in not_applicable with this reason. */
typedef struct {
    const char *test; /* XPath, true or false, at the root */
    RuleText reason;  /* template, at the root */
} RuleApplies;

typedef struct {
    Level level;
    const char *test; /* XPath, true or false, at the first place */
} RuleLevel;

/* For a compiled graph: layers that a change removes or may make faster, by their measured time. */
typedef struct {
    const char *removes, *changes; /* XPath at an occurrence: elements with @index; NULL */
    const char *saves; /* XPath at a layer of `changes`, a number: its part in ns; NULL: all */
    const char *ns;    /* XPath, a number: a time that belongs to no layer; NULL */
    double least;      /* percent of the measured time; below it the rule passes */
} RuleBound;

typedef struct {
    const char *id;      /* "NPU101" */
    const char *name;    /* "float-input-quantize" */
    const char *of;      /* the graphs that it is for: "onnx", or of "tensorrt", "rknn" … */
    const char *targets; /* families, separated by blanks; "": all */
    const char *group;   /* boundary layout placement compute memory runtime io accuracy evidence */
    Level level;
    const char *file; /* last component of its path */
    int order;        /* of trial and of combination; by default that of the group */
    RuleText title;   /* templates, at the first occurrence */
    RuleText why, risk;
    const char *source; /* of all <source>, joined by "; " */
    Applicability applicability;
    const char *each;  /* XPath over the facts document: the occurrences */
    const char *cause; /* template: occurrences of equal text are one recommendation */
    RuleBound bound;   /* all NULL for an ONNX model, where levers are tried */
    RuleText place;    /* template: the description of an occurrence */
    RuleExample example;
    RuleText untried; /* template: why no saving is known where no try fits; "": a general text */
    const RuleApplies *applies;
    size_t napplies;
    const RuleLevel *level_when; /* the first that holds wins over `level` */
    size_t nlevel_when;
    const RuleTry *attempt;
    size_t nattempt;
    const RuleFix *fix; /* in file order; the first whose SDKs and test fit */
    size_t nfix;
    const char *const *conflicts; /* rule ids */
    size_t nconflicts;
    const char *const *enables; /* ids of rules that may match once this one is followed */
    size_t nenables;
} Rule;

/* One rule file, checked against the schema of rules; xml_startup() first. */
Status rule_load(Arena *a, const char *path, XmlSchema *schema, Rule *ret, Diag *diag);

/* A version of the compiler that a rule of these graphs is for: "8.5", "2.3.2", "0.10"; as a number
 * that grows with it, 0 where there is none of that name. */
Sdk rule_version(const char *of, const char *text);
const char *rule_version_text(Arena *a, const char *of, Sdk version);

/* True when the fix is one for this SDK. */
bool rule_fix_fits(const RuleFix *f, Sdk sdk);
