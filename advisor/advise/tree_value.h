/* Writes values and parts of the result as JSON trees, for results that are built as trees. */
#ifndef ADVISOR_ADVISE_TREE_VALUE_H
#define ADVISOR_ADVISE_TREE_VALUE_H

#include "advisor/advise/result.h"

cJSON *tree_real(double x);
cJSON *tree_ns(double ns);
cJSON *tree_text(const char *text);
cJSON *tree_ns_if(bool known, double ns);
cJSON *tree_real_if(bool known, double x);
cJSON *tree_interval_ns(Interval v);
void tree_add_fix(cJSON *parent, const char *sdk, const Match *m, size_t attempt);
void tree_add_rule(cJSON *parent, const Match *m); /* keys level, group and why */
/* Adds {key: value, "text": text} to a list; "reason" for a rule_id. */
void tree_add_entry(cJSON *list, const char *key, const char *value, cJSON *text);
cJSON *tree_rules(Arena *a, const RuleBook *book, const Language *lang);
void tree_add_head(cJSON *root, const Language *lang);
void tree_add_gate(cJSON *root, Arena *a, const Config *settings);

#endif
