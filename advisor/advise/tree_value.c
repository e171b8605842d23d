/* Converts typed values to JSON. */
#include "advisor/advise/tree_value.h"

#include "advisor/message/json.h"
#include "advisor/report/result_json.h"

cJSON *tree_real(double x)
{
    return cJSON_CreateNumber(result_real(x));
}

cJSON *tree_ns(double ns)
{
    return cJSON_CreateNumber((double)result_ns(ns));
}

cJSON *tree_text(const char *text)
{
    return text ? cJSON_CreateString(text) : cJSON_CreateNull();
}

cJSON *tree_ns_if(bool known, double ns)
{
    return known ? tree_ns(ns) : cJSON_CreateNull();
}

cJSON *tree_real_if(bool known, double x)
{
    return known ? tree_real(x) : cJSON_CreateNull();
}

cJSON *tree_interval_ns(Interval v)
{
    ResultInterval x = result_objective(OBJECTIVE_LATENCY, v);
    return result_interval_to_json(&x);
}

void tree_add_fix(cJSON *parent, const char *sdk, const Match *m, size_t attempt)
{
    ResultFix fix = result_fix(sdk, m, attempt);
    cJSON_AddItemToObject(parent, "fix", result_fix_to_json(&fix));
}

void tree_add_rule(cJSON *parent, const Match *m)
{
    cJSON_AddStringToObject(parent, "level", level_name(m->level));
    cJSON_AddStringToObject(parent, "group", m->rule->group);
    cJSON_AddStringToObject(parent, "why", m->why);
}

void tree_add_entry(cJSON *list, const char *key, const char *value, cJSON *text)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, key, value);
    cJSON_AddItemToObject(o, strcmp(key, "rule_id") ? "text" : "reason", text);
    cJSON_AddItemToArray(list, o);
}

cJSON *tree_rules(Arena *a, const RuleBook *book, const Language *lang)
{
    ResultRuleList rules = result_rules(a, book, lang);
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < rules.count; i++) {
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "rule_id", rules.item[i].rule_id);
        cJSON_AddStringToObject(o, "group", rules.item[i].group);
        cJSON_AddStringToObject(o, "title", rules.item[i].title);
        cJSON_AddItemToArray(list, o);
    }
    return list;
}

void tree_add_head(cJSON *root, const Language *lang)
{
    cJSON_AddNumberToObject(root, "schema_version", 1);
    cJSON *tool = cJSON_AddObjectToObject(root, "tool");
    cJSON_AddStringToObject(tool, "name", "npu-advise");
    cJSON_AddStringToObject(tool, "version", NPU_ADVISE_VERSION);
    cJSON_AddStringToObject(root, "language", language_tag(lang));
}

void tree_add_gate(cJSON *root, Arena *a, const Config *settings)
{
    ResultGate gate = result_gate(a, settings);
    cJSON_AddItemToObject(root, "gate", result_gate_to_json(&gate));
}
