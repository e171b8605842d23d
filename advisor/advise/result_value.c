/* Converts numbers, texts and intervals to JSON values of the result document. */
#include "advisor/advise/result.h"

#include "advisor/rules/rules_doc.h"
#include "graph/model/model.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* JSON integers are exact up to here. */
#define INTEGER_LIMIT 9007199254740991.0

cJSON *result_real(double x)
{
    char text[64];
    snprintf(text, sizeof text, "%.6g", isfinite(x) ? x : 0);
    double rounded = strtod(text, NULL);
    return cJSON_CreateNumber(rounded == 0 ? 0 : rounded); /* no -0 */
}

cJSON *result_ns(double ns)
{
    double whole = isfinite(ns) ? round(ns) : 0;
    whole = fmin(fmax(whole, -INTEGER_LIMIT), INTEGER_LIMIT);
    return cJSON_CreateNumber(whole == 0 ? 0 : whole);
}

cJSON *result_ns_if(bool known, double ns)
{
    return known ? result_ns(ns) : cJSON_CreateNull();
}

cJSON *result_real_if(bool known, double x)
{
    return known ? result_real(x) : cJSON_CreateNull();
}

cJSON *result_text(const char *text)
{
    return text ? cJSON_CreateString(text) : cJSON_CreateNull();
}

cJSON *result_message(const AdviseRun *run, const Message *said)
{
    return said ? cJSON_CreateString(message_format(run->arena, run->request->lang, said))
                : cJSON_CreateNull();
}

static cJSON *interval_above(Interval v, double floor_ns)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToObject(o, "lo", result_ns(fmax(v.lo, floor_ns)));
    cJSON_AddItemToObject(o, "mid", result_ns(fmax(v.mid, floor_ns)));
    cJSON_AddItemToObject(o, "hi", result_ns(fmax(v.hi, floor_ns)));
    return o;
}

cJSON *result_interval_ns(Interval v)
{
    return interval_above(v, 0);
}

cJSON *result_interval(Interval v)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToObject(o, "lo", result_real(v.lo));
    cJSON_AddItemToObject(o, "mid", result_real(v.mid));
    cJSON_AddItemToObject(o, "hi", result_real(v.hi));
    return o;
}

cJSON *result_objective(Objective o, Interval v)
{
    return o == OBJECTIVE_LATENCY ? result_interval_ns(v) : result_interval(v);
}

cJSON *result_difference(Objective o, Interval v)
{
    return o == OBJECTIVE_LATENCY ? interval_above(v, -INTEGER_LIMIT) : result_interval(v);
}

cJSON *result_amount(Objective o, double x)
{
    return o == OBJECTIVE_LATENCY ? result_ns(x) : result_real(x);
}

cJSON *result_lever(const LeverSetting *s)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "lever", s->lever);
    cJSON_AddStringToObject(o, "index", s->index);
    cJSON_AddStringToObject(o, "value", s->value);
    return o;
}

cJSON *result_levers(const Attempt *t, ResultSettings which)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; t && i < t->nset; i++)
        if (which == RESULT_ALL_SETTINGS || !t->set[i].given)
            cJSON_AddItemToArray(list, result_lever(&t->set[i]));
    return list;
}

void result_add_fix(cJSON *parent, const char *sdk, const Match *m, size_t attempt)
{
    assert(attempt < (m->nattempt ? m->nattempt : 1));
    cJSON *o = cJSON_AddObjectToObject(parent, "fix");
    cJSON_AddStringToObject(o, "sdk", sdk);
    cJSON_AddItemToObject(o, "where", result_text(m->fix_where));
    cJSON_AddBoolToObject(o, "code", m->fix_rule && m->fix_rule->is_code);
    cJSON_AddStringToObject(o, "text", m->fix[attempt]);
}

void result_add_rule(cJSON *parent, const Match *m)
{
    cJSON_AddStringToObject(parent, "level", level_name(m->level));
    cJSON_AddStringToObject(parent, "group", m->rule->group);
    cJSON_AddStringToObject(parent, "why", m->why);
}

void result_add_entry(cJSON *list, const char *key, const char *value, cJSON *text)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, key, value);
    cJSON_AddItemToObject(o, strcmp(key, "rule_id") ? "text" : "reason", text);
    cJSON_AddItemToArray(list, o);
}

cJSON *result_rules(Arena *a, const RuleBook *book, const Language *lang)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < book->nrule; i++) {
        const Rule *r = &book->rule[i];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "rule_id", r->id);
        cJSON_AddStringToObject(o, "group", r->group);
        cJSON_AddStringToObject(o, "title", rules_template_text(a, rule_text(&r->title, lang)));
        cJSON_AddItemToArray(list, o);
    }
    return list;
}

void result_add_where(cJSON *o, const AdviseRun *run, const Occurrence *p)
{
    const Graph *g = run->program->model->graph;
    const char *node = p->node < g->nnode ? node_label(run->arena, &g->node[p->node]) : NULL;
    const char *tensor = p->tensor < g->ntensor ? g->tensor[p->tensor].name : NULL;
    cJSON_AddItemToObject(o, "node", result_text(node));
    cJSON_AddItemToObject(o, "tensor", result_text(tensor));
    cJSON_AddItemToObject(o, "op", result_text(p->op));
}
