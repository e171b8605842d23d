/* The catalogue of rules as JSON and as Markdown (docs/rules.md). */
#ifndef ADVISOR_RULES_DOC_H
#define ADVISOR_RULES_DOC_H

#include "advisor/json.h"
#include "advisor/rule.h"

/* A template as the catalogue shows it: {@name} and {$value} become <name> and <value>, any other
 * expression <…>, {{ a brace.  Lives in `a`; NULL for NULL. */
char *template_shown(Arena *a, const char *template);

/* "0.9", "0.7 to 0.8", "0.10 and later", "0.6 and older", "any" */
const char *rule_sdk_range(char text[64], const RuleFix *f);

/* The caller owns the tree. */
cJSON *rule_json(const Rule *r);
cJSON *rules_json(const RuleBook *b);

void rules_markdown(FILE *out, const RuleBook *b);

#endif
