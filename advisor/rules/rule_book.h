/* Loads the built-in rules and those of the user's folders into one sorted list. */
#pragma once

#include "advisor/rules/rule.h"

enum { RULES_MAX = 4096 };

typedef struct {
    const Rule *rule; /* sorted by id */
    size_t nrule;
} RuleBook;

/* Loads the built-in rules and every *.xml of each extra folder; an error names file, line and
 * reason; a user's rule replaces the built-in one of its id. Needs xml_startup(). */
Status rules_load(Arena *a, const char *const *extra_dir, size_t nextra, RuleBook *ret, Diag *diag);

/* The rules for graphs of `kind`: "onnx", "tensorrt" …; "rows", models that become a table, has
 * those of "onnx" too. */
RuleBook rules_of(Arena *a, const RuleBook *b, const char *kind);

/* NULL when there is none of that id. */
const Rule *rule_find(const RuleBook *b, const char *id);
