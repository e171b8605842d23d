/* Writes node data for Model Explorer, which colours each node by its time (predicted, measured) or
 * by what changing it saves.
 *
 * The key is the name of the node, as its adapter for ONNX has it, "[io]NAME" of an input or output
 * of the model, and the tensor's name of what else has no node.  An operator of several nodes
 * counts at the first, so that sums are right.  Times are in microseconds. */
#include "advisor/render/forms/out.h"

enum { NAME = 1 << 16, NODES_EXPECTED = 512 };

typedef enum { PREDICTED, MEASURED, ADVISED } Which;

typedef struct {
    Arena *a;
    const Result *result;
    StrMap at;     /* key: index into `entry` */
    cJSON **entry; /* members of `results` */
    cJSON *results;
} Overlay;

static bool is_named(const ResultTensorList *list, const char *tensor)
{
    return LIST_ANY(i, list->count, !strcmp(list->item[i].name, tensor));
}

static const char *tensor_key(const Overlay *o, const char *tensor)
{
    const ResultModel *m = &o->result->model;
    bool is_border = is_named(&m->inputs, tensor) || is_named(&m->outputs, tensor);
    return arena_printf(o->a, "%s%s", is_border ? "[io]" : "", tensor);
}

/* The first node of a step, else the tensor that it reads. */
static const char *key_of_step(const Overlay *o, const ResultStep *x)
{
    const ResultValueList *values = &o->result->values;
    if (x->onnx_nodes.count)
        return x->onnx_nodes.item[0];
    if (!x->inputs.count || (uint64_t)x->inputs.item[0] >= values->count)
        return NULL;
    const char *tensor = values->item[x->inputs.item[0]].name;
    return tensor ? tensor_key(o, tensor) : NULL;
}

/* The object of a key; a new one is empty. */
static cJSON *entry_of(Overlay *o, const char *key)
{
    uint32_t i = strmap_number(&o->at, key, o->at.count);
    if (!o->entry[i])
        o->entry[i] = cJSON_AddObjectToObject(o->results, out_text(o->a, key, NAME));
    return o->entry[i];
}

/* NULL: unknown. */
static const int64_t *time_of(Which which, const ResultIntervalNs *predicted,
                              const ResultMeasuredNs *measured)
{
    if (which == MEASURED)
        return measured ? &measured->median : NULL;
    return predicted ? &predicted->mid : NULL;
}

static void add_time(Overlay *o, const char *key, const int64_t *ns)
{
    if (!key || !ns)
        return;
    cJSON *one = entry_of(o, key), *value = cJSON_GetObjectItem(one, "value");
    double us = (double)*ns / 1e3;
    if (value)
        cJSON_SetNumberValue(value, round((value->valuedouble + us) * 1e3) / 1e3);
    else
        cJSON_AddNumberToObject(one, "value", us);
}

/* NPU steps are shown by their operators. */
static void add_times(Overlay *o, Which which)
{
    const ResultStepList *steps = &o->result->steps;
    const ResultOperatorList *operators = &o->result->operators;
    for (size_t i = 0; i < steps->count; i++) {
        const ResultStep *x = &steps->item[i];
        if (x->kind != RESULT_STEP_KIND_NPU)
            add_time(o, key_of_step(o, x), time_of(which, x->predicted_ns, x->measured_ns));
    }
    for (size_t i = 0; i < operators->count; i++) {
        const ResultOperator *x = &operators->item[i];
        add_time(o, x->onnx_nodes.count ? x->onnx_nodes.item[0] : NULL,
                 time_of(which, &x->predicted_ns, x->measured_ns));
    }
}

static const char *place_key(const Overlay *o, const ResultPlace *place)
{
    return place->node ? place->node : place->tensor ? tensor_key(o, place->tensor) : NULL;
}

/* In the recommended plan, in another one, by hand. */
static const char *colour_of(const Overlay *o, const ReportedFinding *x)
{
    FindingSaving s;
    if (!x->change || !finding_saving(o->result, x, &s) || !s.plan)
        return "#d0d4da";
    return s.plan->recommended ? "#8fd19e" : "#ffd27f";
}

/* A node that several name shows the first of them, and the rules of the others. */
static void add_advice(Overlay *o, const ReportedFinding *x, const char *key)
{
    if (!key)
        return;
    cJSON *one = entry_of(o, key), *value = cJSON_GetObjectItem(one, "value");
    if (!value) {
        const char *saving = out_saving(o->a, o->result, x);
        cJSON_AddStringToObject(one, "value", arena_printf(o->a, "%s %s", x->rule_id, saving));
        cJSON_AddStringToObject(one, "bgColor", colour_of(o, x));
    } else if (!strstr(value->valuestring, x->rule_id)) {
        cJSON_SetValuestring(value, arena_printf(o->a, "%s, %s", value->valuestring, x->rule_id));
    }
}

static void add_findings(Overlay *o)
{
    for (size_t i = 0; i < finding_count(o->result); i++) {
        ReportedFinding x = finding_at(o->result, i);
        for (size_t k = 0; k < x.occurrences->count && !x.observation; k++)
            add_advice(o, &x, place_key(o, &x.occurrences->item[k]));
    }
}

static void add_gradient(cJSON *graph)
{
    static const char *const colour[] = {"#ffffff", "#ffd27f", "#d9480f"};
    cJSON *list = cJSON_AddArrayToObject(graph, "gradient");
    for (int i = 0; i < 3; i++) {
        cJSON *stop = json_add_row(list);
        cJSON_AddNumberToObject(stop, "stop", i / 2.0);
        cJSON_AddStringToObject(stop, "bgColor", colour[i]);
    }
}

/* No more keys than this. */
static size_t places_of(const Result *r)
{
    size_t n = r->steps.count + r->operators.count + 1;
    for (size_t i = 0; i < finding_count(r); i++)
        n += finding_at(r, i).occurrences->count;
    return n;
}

typedef struct {
    cJSON *graphs;
    const char *name;
    Which which;
} Form;

static void add_overlay_graph(void *user, Arena *a, const ResultEntry *entry, const Result *result,
                              const View *view)
{
    (void)view;
    const Form *f = user;
    cJSON *graph = cJSON_CreateObject();
    cJSON_AddStringToObject(graph, "name", f->name);
    Overlay o = {.a = a,
                 .result = result,
                 .entry = ARENA_ARRAY(a, cJSON *, places_of(result)),
                 .results = cJSON_AddObjectToObject(graph, "results")};
    strmap_init(&o.at, a, NODES_EXPECTED);
    if (f->which == ADVISED) {
        add_findings(&o);
        cJSON_AddTrueToObject(graph, "showExpandedSummaryOnGroupNode");
    } else {
        add_times(&o, f->which);
        add_gradient(graph);
    }
    cJSON_AddItemToObject(f->graphs, out_text(a, entry->model, NAME), graph);
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

bool out_explorer_predicted(FILE *out, const ResultSet *set, const View *view)
{
    return put_node_data(out, set, view, (Form){NULL, "predicted, µs", PREDICTED});
}

bool out_explorer_measured(FILE *out, const ResultSet *set, const View *view)
{
    return put_node_data(out, set, view, (Form){NULL, "measured, µs", MEASURED});
}

bool out_explorer_advised(FILE *out, const ResultSet *set, const View *view)
{
    return put_node_data(out, set, view, (Form){NULL, "advised", ADVISED});
}
