/* The catalogue of rules as JSON and as Markdown (docs/rules.md). */
#ifndef ADVISOR_RULES_DOC_H
#define ADVISOR_RULES_DOC_H

#include "advisor/json.h"
#include "advisor/rule.h"

/* The caller owns the tree. */
cJSON *rule_json(const Rule *r);
cJSON *rules_json(const RuleBook *b);

void rules_markdown(FILE *out, const RuleBook *b);

#endif
