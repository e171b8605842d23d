/* Writes node data for Model Explorer, which colours each node by its time (predicted, measured) or
 * by what changing it saves.
 *
 * The key is the name of the node, as its adapter for ONNX has it, "[io]NAME" of an input or output
 * of the model, and the tensor's name of what else has no node.  An operator of several nodes
 * counts at the first, so that sums are right.  Times are in microseconds. */
#include "advisor/render/forms/out.h"
#include "advisor/message/json.h"
#include "graph/base/strmap.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { NAME = 1 << 16, NODES_EXPECTED = 512 };

typedef enum { PREDICTED, MEASURED, WHICH_COUNT } Which;

typedef struct {
    Arena *a;
    StrMap at; /* key: index into the results */
    cJSON *results;
    const cJSON *result;
} Overlay;

static const char *const time_of[] = {"predicted_ns.mid", "measured_ns.median"};
static_assert(sizeof time_of / sizeof *time_of == WHICH_COUNT, "a path for each time");

static const char *tensor_key(const Overlay *o, const char *tensor)
{
    bool is_border = json_find(json_at(o->result, "model.inputs"), "name", tensor) ||
                     json_find(json_at(o->result, "model.outputs"), "name", tensor);
    return arena_printf(o->a, "%s%s", is_border ? "[io]" : "", tensor);
}

/* The first node of a step or operator, else the tensor that it reads. */
static const char *key_of(const Overlay *o, const cJSON *x)
{
    const cJSON *node = cJSON_GetArrayItem(json_at(x, "onnx_nodes"), 0);
    const cJSON *input = cJSON_GetArrayItem(json_at(x, "inputs"), 0);
    if (cJSON_IsString(node))
        return node->valuestring;
    if (!cJSON_IsNumber(input))
        return NULL;
    const char *tensor =
        json_text(cJSON_GetArrayItem(json_at(o->result, "values"), input->valueint), "name", NULL);
    return tensor ? tensor_key(o, tensor) : NULL;
}

/* The object of a key; a new one is empty. */
static cJSON *entry_of(Overlay *o, const char *key, cJSON **entry)
{
    uint32_t i = strmap_get(&o->at, key);
    if (i == STRMAP_NONE) {
        i = (uint32_t)o->at.count;
        strmap_put(&o->at, key, i);
        entry[i] = cJSON_AddObjectToObject(o->results, out_text(o->a, key, NAME));
    }
    return entry[i];
}

static void add_time(Overlay *o, const cJSON *x, Which which, cJSON **entry)
{
    double ns;
    const char *key = key_of(o, x);
    if (!key || !json_number(x, time_of[which], &ns))
        return;
    cJSON *one = entry_of(o, key, entry), *value = cJSON_GetObjectItem(one, "value");
    double us = round(ns) / 1e3;
    if (value)
        cJSON_SetNumberValue(value, round((value->valuedouble + us) * 1e3) / 1e3);
    else
        cJSON_AddNumberToObject(one, "value", us);
}

/* Operators stand for the NPU's steps. */
static void add_times(Overlay *o, Which which, cJSON **entry)
{
    for (const cJSON *x = json_first(o->result, "steps"); x; x = x->next)
        if (strcmp(json_text(x, "kind", ""), "npu"))
            add_time(o, x, which, entry);
    for (const cJSON *x = json_first(o->result, "operators"); x; x = x->next)
        add_time(o, x, which, entry);
}

static const char *place_key(const Overlay *o, const cJSON *place)
{
    const char *node = json_text(place, "node", NULL), *tensor = json_text(place, "tensor", NULL);
    return node ? node : tensor ? tensor_key(o, tensor) : NULL;
}

/* Verified, predicted, a bound. */
static const char *colour_of(const cJSON *rec)
{
    const char *verdict = json_text(rec, "verdict", "");
    if (!strcmp(verdict, "confirmed") || !strcmp(verdict, "larger"))
        return "#8fd19e";
    return strcmp(json_text(rec, "gain.basis", ""), "what-if") ? "#d0d4da" : "#ffd27f";
}

/* A node that several name shows the first of them, and the rules of the others. */
static void add_advice(Overlay *o, const cJSON *rec, const cJSON *place, cJSON **entry)
{
    const char *key = place_key(o, place), *rule = json_text(rec, "rule_id", "?");
    if (!key)
        return;
    cJSON *one = entry_of(o, key, entry), *value = cJSON_GetObjectItem(one, "value");
    if (!value) {
        cJSON_AddStringToObject(one, "value",
                                arena_printf(o->a, "%s %s", rule, out_gain(o->a, rec)));
        cJSON_AddStringToObject(one, "bgColor", colour_of(rec));
    } else if (!strstr(value->valuestring, rule)) {
        cJSON_SetValuestring(value, arena_printf(o->a, "%s, %s", value->valuestring, rule));
    }
}

static void add_recommendations(Overlay *o, cJSON **entry)
{
    for (const cJSON *rec = json_first(o->result, "recommendations"); rec; rec = rec->next) {
        for (const cJSON *place = json_first(rec, "places"); place; place = place->next)
            add_advice(o, rec, place, entry);
    }
}

static void add_gradient(cJSON *graph)
{
    static const char *const colour[] = {"#ffffff", "#ffd27f", "#d9480f"};
    cJSON *list = cJSON_AddArrayToObject(graph, "gradient");
    for (int i = 0; i < 3; i++) {
        cJSON *stop = cJSON_CreateObject();
        cJSON_AddNumberToObject(stop, "stop", i / 2.0);
        cJSON_AddStringToObject(stop, "bgColor", colour[i]);
        cJSON_AddItemToArray(list, stop);
    }
}

static size_t places_of(const cJSON *result)
{
    size_t n = 0;
    for (const cJSON *rec = json_first(result, "recommendations"); rec; rec = rec->next)
        n += json_count(rec, "places");
    return n + json_count(result, "steps") + json_count(result, "operators") + 1;
}

typedef struct {
    cJSON *graphs;
    const char *name;
    void (*add)(Overlay *o, cJSON **entry);
    bool text;
} Form;

static void add_overlay_graph(void *user, const ResultEntry *entry, const cJSON *result,
                              const View *view)
{
    const Form *f = user;
    Overlay o = {.a = arena_new(0), .result = result};
    (void)view;
    cJSON *graph = cJSON_CreateObject();
    cJSON_AddStringToObject(graph, "name", f->name);
    o.results = cJSON_AddObjectToObject(graph, "results");
    strmap_init(&o.at, o.a, NODES_EXPECTED);
    f->add(&o, ARENA_ARRAY(o.a, cJSON *, places_of(result)));
    if (f->text)
        cJSON_AddTrueToObject(graph, "showExpandedSummaryOnGroupNode");
    else
        add_gradient(graph);
    cJSON_AddItemToObject(f->graphs, out_text(o.a, entry->model ? entry->model : "model", NAME),
                          graph);
    arena_free(o.a);
}

/* Without the graph's id, which is the file's own, it is of whichever graph is shown; several
 * models on stdout are told apart by their names. */
static bool put_node_data(FILE *out, const ResultSet *set, const View *view, Form f)
{
    f.graphs = cJSON_CreateObject();
    out_each(set, view, add_overlay_graph, &f);
    json_print(out, set->count == 1 && f.graphs->child ? f.graphs->child : f.graphs);
    cJSON_Delete(f.graphs);
    return !ferror(out);
}

static void add_predicted(Overlay *o, cJSON **entry)
{
    add_times(o, PREDICTED, entry);
}

static void add_measured(Overlay *o, cJSON **entry)
{
    add_times(o, MEASURED, entry);
}

bool out_explorer_predicted(FILE *out, const ResultSet *set, const View *view)
{
    return put_node_data(out, set, view, (Form){NULL, "predicted, µs", add_predicted, false});
}

bool out_explorer_measured(FILE *out, const ResultSet *set, const View *view)
{
    return put_node_data(out, set, view, (Form){NULL, "measured, µs", add_measured, false});
}

bool out_explorer_advised(FILE *out, const ResultSet *set, const View *view)
{
    return put_node_data(out, set, view, (Form){NULL, "advised", add_recommendations, true});
}
