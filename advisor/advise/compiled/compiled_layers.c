/* Writes layers as steps of the result, with their kinds, precisions and stages. */
#include "advisor/advise/compiled/compiled_json.h"

#include "advisor/advise/compiled/layer_facts.h"
#include "advisor/advise/tree_value.h"
#include "advisor/message/json.h"
#include "graph/import/imported.h"
#include "graph/model/dtype.h"
#include "trace/readers/engine.h"

#include <math.h>
#include <string.h>

/* The spread over the runs is in no file: the ends are those of mean and median. */
static cJSON *json_measured(const CompiledRun *run, size_t i)
{
    double mean = run->layer->ns[i], median = run->layer->median_ns[i];
    if (mean < 0)
        return cJSON_CreateNull();
    if (median < 0)
        median = mean;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToObject(o, "median", tree_ns(median));
    cJSON_AddItemToObject(o, "lo", tree_ns(fmin(mean, median)));
    cJSON_AddItemToObject(o, "hi", tree_ns(fmax(mean, median)));
    cJSON_AddItemToObject(o, "mean", tree_ns(mean));
    return o;
}

static cJSON *json_tensors(const Imported *g, const uint32_t *id, size_t n)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < n; i++) {
        const ImportTensor *t = &g->tensor[id[i]];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "name", t->name);
        cJSON_AddStringToObject(o, "dtype", dtype_name(t->dtype));
        cJSON_AddItemToObject(o, "layout", tree_text(t->layout));
        cJSON_AddItemToObject(o, "bytes", tree_ns_if(t->bytes >= 0, (double)t->bytes));
        cJSON_AddItemToArray(list, o);
    }
    return list;
}

static cJSON *json_layer(const CompiledRun *run, size_t i)
{
    const ImportOp *op = &run->graph->op[i];
    const ImportLayer *l = &op->layer;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", op->name);
    cJSON_AddStringToObject(o, "kind", layer_kind_key(run->look[i].kind));
    cJSON_AddStringToObject(o, "work", import_work_name(op->work));
    cJSON_AddItemToObject(o, "origin", tree_text(l->origin));
    cJSON_AddItemToObject(o, "tactic", tree_text(l->tactic));
    cJSON_AddItemToObject(o, "weights",
                          tree_text(l->weights == DT_UNKNOWN ? NULL : dtype_name(l->weights)));
    cJSON_AddItemToObject(o, "inputs", json_tensors(run->graph, op->input, op->ninput));
    cJSON_AddItemToObject(o, "outputs", json_tensors(run->graph, op->output, op->noutput));
    return o;
}

/* Dependencies earlier in the list: files list layers in any order. */
static cJSON *json_deps(const CompiledRun *run, size_t i)
{
    const ImportOp *op = &run->graph->op[i];
    cJSON *list = cJSON_CreateArray();
    for (size_t k = 0; k < op->ninput; k++) {
        uint32_t p = run->graph->tensor[op->input[k]].producer;
        if (p != IMPORT_NONE && p < i)
            cJSON_AddItemToArray(list, cJSON_CreateNumber(p));
    }
    return list;
}

void compiled_add_steps(cJSON *root, const CompiledRun *run)
{
    cJSON *list = cJSON_AddArrayToObject(root, "steps");
    for (size_t i = 0; i < run->graph->nop; i++) {
        const ImportOp *op = &run->graph->op[i];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddNumberToObject(o, "id", (double)i);
        cJSON_AddStringToObject(o, "kind", op->kind ? op->kind : "layer");
        cJSON_AddStringToObject(o, "op", op->type ? op->type : "unknown");
        cJSON_AddItemToObject(o, "onnx_nodes", json_texts(op->layer.node, op->layer.nnode));
        cJSON_AddItemToObject(o, "deps", json_deps(run, i));
        cJSON_AddArrayToObject(o, "inputs");
        cJSON_AddArrayToObject(o, "outputs");
        cJSON_AddStringToObject(o, "reason", "none");
        cJSON_AddNullToObject(o, "predicted_ns");
        cJSON_AddItemToObject(o, "measured_ns", json_measured(run, i));
        cJSON_AddStringToObject(o, "limited_by", "unknown");
        cJSON_AddNullToObject(o, "sensitivity");
        cJSON_AddItemToObject(o, "layer", json_layer(run, i));
        cJSON_AddItemToArray(list, o);
    }
}

/* ---- what only a compiled graph has ---- */

static cJSON *json_stage(const EngineStage *s)
{
    if (!s->known)
        return cJSON_CreateNull();
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToObject(o, "n", tree_ns((double)s->n));
    cJSON_AddItemToObject(o, "min", tree_ns(s->min));
    cJSON_AddItemToObject(o, "median", tree_ns(s->median));
    cJSON_AddItemToObject(o, "mean", tree_ns(s->mean));
    cJSON_AddItemToObject(o, "p90", tree_ns(s->p90));
    cJSON_AddItemToObject(o, "p99", tree_ns(s->p99));
    cJSON_AddItemToObject(o, "max", tree_ns(s->max));
    cJSON_AddItemToObject(o, "cv", tree_real_if(!(s->cv < 0), s->cv));
    return o;
}

/* Adds the layers of one name and their time, where there are any. */
static void add_group(cJSON *list, const CompiledRun *run, const char *name,
                      const char *(*name_of)(const CompiledRun *run, size_t layer))
{
    size_t n = 0;
    double ns = 0, sum = run->layer->sum_ns;
    for (size_t i = 0; i < run->graph->nop; i++)
        if (!strcmp(name_of(run, i), name)) {
            n++;
            ns += fmax(run->layer->ns[i], 0);
        }
    if (n == 0)
        return;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", name);
    cJSON_AddItemToObject(o, "layers", tree_ns((double)n));
    cJSON_AddItemToObject(o, "ns", tree_ns(ns));
    cJSON_AddItemToObject(o, "share", tree_real(sum > 0 ? ns / sum : 0));
    cJSON_AddItemToArray(list, o);
}

static const char *kind_of(const CompiledRun *run, size_t i)
{
    return layer_kind_key(run->look[i].kind);
}

static void add_kinds(cJSON *parent, const CompiledRun *run)
{
    cJSON *list = cJSON_AddArrayToObject(parent, "kinds");
    for (int k = 0; k < LAYER_KIND_COUNT; k++)
        add_group(list, run, layer_kind_key((LayerKind)k), kind_of);
}

/* The widest type of the inputs and outputs. */
static const char *precision_of(const CompiledRun *run, size_t i)
{
    const LayerTraits *x = &run->look[i];
    static const DType order[] = {DT_FLOAT64, DT_FLOAT32, DT_FLOAT16, DT_BFLOAT16};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        if (x->in == order[k] || x->out == order[k])
            return dtype_name(order[k]);
    if (x->touches_int8)
        return dtype_name(x->quantized_in ? x->in : x->quantized_out ? x->out : DT_INT8);
    return dtype_name(x->in != DT_UNKNOWN ? x->in : x->out);
}

static void add_precisions(cJSON *parent, const CompiledRun *run)
{
    static const char *const name[] = {
        "float64",    "float32", "float16", "bfloat16", "float8e4m3fn", "int8",   "int4",
        "float4e2m1", "int32",   "int64",   "uint8",    "bool",         "unknown"};
    cJSON *list = cJSON_AddArrayToObject(parent, "precisions");
    for (size_t k = 0; k < sizeof name / sizeof *name; k++)
        add_group(list, run, name[k], precision_of);
}

static void add_strays(cJSON *parent, const CompiledRun *run)
{
    enum { SHOWN = 20 };
    const LayerTimes *t = run->layer;
    cJSON *list = cJSON_AddArrayToObject(parent, "times_without_layer");
    for (size_t i = 0; i < t->stray && i < SHOWN; i++) {
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "name", t->stray_row[i]->name);
        cJSON_AddItemToObject(o, "ns", tree_ns(t->stray_row[i]->average_ns));
        cJSON_AddItemToArray(list, o);
    }
    list = cJSON_AddArrayToObject(parent, "layers_without_time");
    size_t n = 0;
    for (size_t i = 0; t->times->nrow && i < t->graph->nop && n < SHOWN; i++)
        if (t->ns[i] < 0) {
            cJSON_AddItemToArray(list, cJSON_CreateString(t->graph->op[i].name));
            n++;
        }
}

static double reformat_ns(const CompiledRun *run, size_t *ret_count)
{
    double ns = 0;
    *ret_count = 0;
    for (size_t i = 0; i < run->graph->nop; i++)
        if (run->look[i].kind == LAYER_REFORMAT &&
            !(run->graph->op[i].type && !strcmp(run->graph->op[i].type, "MyelinReformat"))) {
            ns += fmax(run->layer->ns[i], 0);
            ++*ret_count;
        }
    return ns;
}

void compiled_add_facts(cJSON *root, const CompiledRun *run)
{
    const LayerTimes *t = run->layer;
    size_t reformats;
    double moved = reformat_ns(run, &reformats);
    cJSON *o = cJSON_AddObjectToObject(root, "compiled");
    cJSON_AddStringToObject(o, "kind", layer_facts_import_key(run->graph->kind));
    cJSON_AddBoolToObject(o, "names_only", run->graph->names_only);
    cJSON_AddItemToObject(o, "layers", tree_ns((double)run->graph->nop));
    cJSON_AddItemToObject(o, "times", tree_ns((double)t->times->nrow));
    cJSON_AddItemToObject(o, "joined", tree_ns((double)t->joined));
    cJSON_AddItemToObject(o, "runs", tree_ns((double)t->times->iterations));
    cJSON_AddItemToObject(o, "sum_ns", tree_ns_if(t->times->nrow, t->sum_ns));
    cJSON_AddItemToObject(o, "event_ns", tree_real_if(t->event_ns > 0, t->event_ns));
    cJSON *stages = cJSON_AddObjectToObject(o, "stages");
    for (int i = 0; i < ENGINE_STAGE_COUNT; i++)
        cJSON_AddItemToObject(stages, engine_stage_key((EngineStageKind)i),
                              json_stage(&t->times->stage[i]));
    cJSON *r = cJSON_AddObjectToObject(o, "reformats");
    cJSON_AddItemToObject(r, "layers", tree_ns((double)reformats));
    cJSON_AddItemToObject(r, "ns", tree_ns(moved));
    cJSON_AddItemToObject(r, "share", tree_real(t->sum_ns > 0 ? moved / t->sum_ns : 0));
    add_kinds(o, run);
    add_precisions(o, run);
    add_strays(o, run);
}
