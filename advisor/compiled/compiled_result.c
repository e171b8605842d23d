/* The result document of a compiled graph with its times: the keys are those of any result; what
 * only a model has is null or empty, and `compiled` holds what only such a graph has. */
#include "advisor/compiled/compiled.h"

#include "advisor/compiled/layer_facts.h"
#include "advisor/result/result.h"
#include "advisor/rules/template.h"
#include "advisor/rules/rules_doc.h"
#include "advisor/options/config.h"
#include "advisor/rules/rule.h"
#include "advisor/say/phrase.h"
#include "graph/import/imported.h"
#include "graph/model/dtype.h"
#include "trace/readers/engine.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static cJSON *said_item(const CompiledRun *run, const Said *said)
{
    return said ? cJSON_CreateString(said_in(run->arena, run->request->lang, said))
                : cJSON_CreateNull();
}

/* ---- the subject ---- */

static void add_tensor(cJSON *list, const ImportTensor *t)
{
    cJSON *o = cJSON_CreateObject(), *shape = t->rank < 0 ? NULL : cJSON_CreateArray();
    cJSON_AddStringToObject(o, "name", t->name);
    cJSON_AddStringToObject(o, "dtype", dtype_name(t->dtype));
    for (int i = 0; i < t->rank; i++)
        cJSON_AddItemToArray(shape,
                             t->dim[i] < 0 ? cJSON_CreateNull() : result_ns((double)t->dim[i]));
    cJSON_AddItemToObject(o, "shape", shape ? shape : cJSON_CreateNull());
    cJSON_AddItemToArray(list, o);
}

static void add_model(cJSON *root, const CompiledRun *run)
{
    const Imported *g = run->graph;
    cJSON *o = cJSON_AddObjectToObject(root, "model");
    cJSON_AddStringToObject(o, "file", path_base(run->request->model_path));
    cJSON_AddStringToObject(o, "sha256", run->sha256);
    cJSON_AddNumberToObject(o, "opset", 0);
    cJSON *in = cJSON_AddArrayToObject(o, "inputs"), *out = cJSON_AddArrayToObject(o, "outputs");
    for (size_t i = 0; i < g->ntensor; i++)
        if (g->tensor[i].bound)
            add_tensor(g->tensor[i].producer == IMPORT_NONE ? in : out, &g->tensor[i]);
}

static void add_traces(cJSON *root, const CompiledRun *run)
{
    cJSON *list = cJSON_AddArrayToObject(root, "traces");
    const EngineTimes *t = &run->times;
    for (size_t i = 0; i < t->nfile; i++) {
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "file", path_base(t->file[i].path));
        cJSON_AddStringToObject(o, "sha256", t->file[i].sha256);
        cJSON_AddStringToObject(o, "format", engine_file_key(t->file[i].kind));
        bool runs = t->file[i].kind == ENGINE_PROFILE || t->file[i].kind == ENGINE_TRACE;
        size_t n = runs                              ? t->iterations
                   : t->file[i].kind == ENGINE_TIMES ? t->stage[ENGINE_COMPUTE].n
                                                     : 0;
        cJSON_AddItemToObject(o, "inferences", result_ns((double)n));
        cJSON_AddItemToArray(list, o);
    }
}

static const char *version_text(const CompiledRun *run)
{
    if (run->graph->kind == IMPORT_TENSORRT)
        return run->times.version ? rule_version_text(run->arena, "tensorrt", run->times.version)
                                  : "unknown";
    return run->graph->sdk ? run->graph->sdk : "unknown";
}

static void add_subject(cJSON *root, const CompiledRun *run)
{
    add_model(root, run);
    add_traces(root, run);
    bool engine = run->graph->kind == IMPORT_TENSORRT;
    const char *target = engine ? "tensorrt" : run->graph->target;
    cJSON_AddStringToObject(root, "target", target ? target : "unknown");
    cJSON_AddStringToObject(root, "sdk", version_text(run));
    cJSON_AddStringToObject(root, "objective", "latency");
    cJSON *o = cJSON_AddObjectToObject(root, "options");
    cJSON_AddItemToObject(o, "min_share", result_real(run->request->min_share));
    cJSON_AddItemToObject(o, "min_gain_ns", result_ns((double)run->request->min_gain_ns));
    cJSON_AddNullToObject(root, "setup"); /* the layers are what was built: nothing is open */
    cJSON *notes = cJSON_AddArrayToObject(root, "notes");
    for (size_t i = 0; i < run->notes->nnote; i++)
        cJSON_AddItemToArray(notes, said_item(run, run->notes->note[i].said));
}

/* ---- layers as steps ---- */

static cJSON *json_list(const uint32_t *id, size_t n)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < n; i++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber(id[i]));
    return list;
}

static cJSON *json_nodes(const ImportLayer *l)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < l->nnode; i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(l->node[i]));
    return list;
}

/* The spread over the runs is in no file: the ends are those of mean and median. */
static cJSON *json_measured(const CompiledRun *run, size_t i)
{
    double mean = run->layer->ns[i], median = run->layer->median_ns[i];
    if (mean < 0)
        return cJSON_CreateNull();
    if (median < 0)
        median = mean;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToObject(o, "median", result_ns(median));
    cJSON_AddItemToObject(o, "lo", result_ns(fmin(mean, median)));
    cJSON_AddItemToObject(o, "hi", result_ns(fmax(mean, median)));
    cJSON_AddItemToObject(o, "mean", result_ns(mean));
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
        cJSON_AddItemToObject(o, "layout", result_text(t->layout));
        cJSON_AddItemToObject(o, "bytes",
                              t->bytes < 0 ? cJSON_CreateNull() : result_ns((double)t->bytes));
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
    cJSON_AddItemToObject(o, "origin", result_text(l->origin));
    cJSON_AddItemToObject(o, "tactic", result_text(l->tactic));
    cJSON_AddItemToObject(o, "weights",
                          l->weights == DT_UNKNOWN ? cJSON_CreateNull()
                                                   : cJSON_CreateString(dtype_name(l->weights)));
    cJSON_AddItemToObject(o, "inputs", json_tensors(run->graph, op->input, op->ninput));
    cJSON_AddItemToObject(o, "outputs", json_tensors(run->graph, op->output, op->noutput));
    return o;
}

/* Those before it in the list: a file may tell its layers in any order. */
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

static void add_steps(cJSON *root, const CompiledRun *run)
{
    cJSON *list = cJSON_AddArrayToObject(root, "steps");
    for (size_t i = 0; i < run->graph->nop; i++) {
        const ImportOp *op = &run->graph->op[i];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddNumberToObject(o, "id", (double)i);
        cJSON_AddStringToObject(o, "kind", op->kind ? op->kind : "layer");
        cJSON_AddStringToObject(o, "op", op->type ? op->type : "unknown");
        cJSON_AddItemToObject(o, "onnx_nodes", json_nodes(&op->layer));
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
    cJSON_AddItemToObject(o, "n", result_ns((double)s->n));
    cJSON_AddItemToObject(o, "min", result_ns(s->min));
    cJSON_AddItemToObject(o, "median", result_ns(s->median));
    cJSON_AddItemToObject(o, "mean", result_ns(s->mean));
    cJSON_AddItemToObject(o, "p90", result_ns(s->p90));
    cJSON_AddItemToObject(o, "p99", result_ns(s->p99));
    cJSON_AddItemToObject(o, "max", result_ns(s->max));
    cJSON_AddItemToObject(o, "cv", s->cv < 0 ? cJSON_CreateNull() : result_real(s->cv));
    return o;
}

/* Layers of one kind, and their time. */
static void add_group(cJSON *list, const char *name, size_t n, double ns, double sum)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", name);
    cJSON_AddItemToObject(o, "layers", result_ns((double)n));
    cJSON_AddItemToObject(o, "ns", result_ns(ns));
    cJSON_AddItemToObject(o, "share", result_real(sum > 0 ? ns / sum : 0));
    cJSON_AddItemToArray(list, o);
}

static void add_kinds(cJSON *parent, const CompiledRun *run)
{
    cJSON *list = cJSON_AddArrayToObject(parent, "kinds");
    for (int k = 0; k < LAYER_KIND_COUNT; k++) {
        size_t n = 0;
        double ns = 0;
        for (size_t i = 0; i < run->graph->nop; i++)
            if ((int)run->look[i].kind == k) {
                n++;
                ns += fmax(run->layer->ns[i], 0);
            }
        if (n)
            add_group(list, layer_kind_key((LayerKind)k), n, ns, run->layer->sum_ns);
    }
}

/* By the widest type among what a layer computes from and makes. */
static const char *precision_of(const CompiledRun *run, size_t i)
{
    const LayerLook *x = &run->look[i];
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
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        size_t n = 0;
        double ns = 0;
        for (size_t i = 0; i < run->graph->nop; i++)
            if (!strcmp(precision_of(run, i), name[k])) {
                n++;
                ns += fmax(run->layer->ns[i], 0);
            }
        if (n)
            add_group(list, name[k], n, ns, run->layer->sum_ns);
    }
}

static void add_strays(cJSON *parent, const CompiledRun *run)
{
    enum { SHOWN = 20 };
    const LayerTimes *t = run->layer;
    cJSON *list = cJSON_AddArrayToObject(parent, "times_without_layer");
    for (size_t i = 0; i < t->stray && i < SHOWN; i++) {
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "name", t->stray_row[i]->name);
        cJSON_AddItemToObject(o, "ns", result_ns(t->stray_row[i]->average_ns));
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

static void add_compiled(cJSON *root, const CompiledRun *run)
{
    const LayerTimes *t = run->layer;
    size_t reformats;
    double moved = reformat_ns(run, &reformats);
    cJSON *o = cJSON_AddObjectToObject(root, "compiled");
    cJSON_AddStringToObject(o, "kind", import_kind_key(run->graph->kind));
    cJSON_AddBoolToObject(o, "names_only", run->graph->names_only);
    cJSON_AddItemToObject(o, "layers", result_ns((double)run->graph->nop));
    cJSON_AddItemToObject(o, "times", result_ns((double)t->times->nrow));
    cJSON_AddItemToObject(o, "joined", result_ns((double)t->joined));
    cJSON_AddItemToObject(o, "runs", result_ns((double)t->times->iterations));
    cJSON_AddItemToObject(o, "sum_ns", t->times->nrow ? result_ns(t->sum_ns) : cJSON_CreateNull());
    cJSON_AddItemToObject(o, "event_ns",
                          t->event_ns > 0 ? result_real(t->event_ns) : cJSON_CreateNull());
    cJSON *stages = cJSON_AddObjectToObject(o, "stages");
    for (int i = 0; i < ENGINE_STAGE_COUNT; i++)
        cJSON_AddItemToObject(stages, engine_stage_key((EngineStageKind)i),
                              json_stage(&t->times->stage[i]));
    cJSON *r = cJSON_AddObjectToObject(o, "reformats");
    cJSON_AddItemToObject(r, "layers", result_ns((double)reformats));
    cJSON_AddItemToObject(r, "ns", result_ns(moved));
    cJSON_AddItemToObject(r, "share", result_real(t->sum_ns > 0 ? moved / t->sum_ns : 0));
    add_kinds(o, run);
    add_precisions(o, run);
    add_strays(o, run);
}

/* ---- advice ---- */

/* What a gain is set against: the layers, or the whole query where some of it is of no layer. */
static double whole_of(const CompiledRun *run, const Bound *b)
{
    const EngineStage *s = &run->times.stage[ENGINE_LATENCY];
    if (b->other_ns <= 0)
        return run->layer->sum_ns;
    double least = run->layer->sum_ns + b->other_ns;
    return s->known && s->mean > b->at_most_ns ? s->mean : least;
}

static cJSON *json_bound(const CompiledRun *run, const CompiledAdvice *x)
{
    const Bound *b = &x->bound;
    bool has = b->known && !run->no_gain && b->at_most_ns > 0;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "metric", "latency");
    cJSON_AddStringToObject(o, "unit", "ns");
    cJSON_AddItemToObject(o, "basis", has ? cJSON_CreateString("bound") : cJSON_CreateNull());
    cJSON_AddBoolToObject(o, "at_least", false);
    Interval v = {0, b->removable_ns, b->at_most_ns};
    cJSON_AddItemToObject(o, "predicted", has ? result_interval_ns(v, true) : cJSON_CreateNull());
    cJSON_AddItemToObject(o, "baseline", has ? result_ns(whole_of(run, b)) : cJSON_CreateNull());
    cJSON_AddNullToObject(o, "verified");
    cJSON_AddItemToObject(o, "reason_if_null", has ? cJSON_CreateNull() : said_item(run, x->held));
    cJSON_AddItemToObject(o, "local_ns", has ? result_ns(b->removable_ns) : cJSON_CreateNull());
    bool events = has && run->layer->event_ns > 0;
    Interval less = {0, b->removable_without_events_ns, b->at_most_without_events_ns};
    cJSON_AddItemToObject(o, "without_events_ns",
                          events ? result_interval_ns(less, true) : cJSON_CreateNull());
    cJSON_AddItemToObject(o, "removes", json_list(b->removes, b->nremoves));
    cJSON_AddItemToObject(o, "changes", json_list(b->changes, b->nchanges));
    return o;
}

static void add_where(cJSON *parent, const CompiledRun *run, const Bound *b)
{
    cJSON *o = cJSON_AddObjectToObject(parent, "where");
    const ImportOp *op = b->nremoves   ? &run->graph->op[b->removes[0]]
                         : b->nchanges ? &run->graph->op[b->changes[0]]
                                       : NULL;
    bool tied = op && op->layer.nnode;
    cJSON_AddItemToObject(o, "node", result_text(tied ? op->layer.node[0] : op ? op->name : NULL));
    cJSON_AddNullToObject(o, "tensor");
    cJSON_AddItemToObject(o, "op", result_text(op ? op->type : NULL));
}

static void add_fix(cJSON *parent, const CompiledRun *run, const Match *m)
{
    cJSON *o = cJSON_AddObjectToObject(parent, "fix");
    cJSON_AddStringToObject(o, "sdk", version_text(run));
    cJSON_AddItemToObject(o, "where", result_text(m->fix_where));
    cJSON_AddBoolToObject(o, "code", m->fix_rule->is_code);
    cJSON_AddStringToObject(o, "text", m->fix[0]);
}

static void add_places(cJSON *parent, const CompiledRun *run, const CompiledAdvice *x)
{
    cJSON *list = cJSON_AddArrayToObject(parent, "places");
    for (size_t i = 0; i < x->match->nplace; i++) {
        const Bound *b = &x->place[i];
        bool has = b->known && !run->no_gain && b->at_most_ns > 0;
        Interval v = {0, b->removable_ns, b->at_most_ns};
        cJSON *o = cJSON_CreateObject();
        add_where(o, run, b);
        const cJSON *where = cJSON_GetObjectItem(o, "where");
        cJSON *flat = cJSON_Duplicate(where, true);
        cJSON_AddStringToObject(flat, "text", x->match->place[i].text);
        cJSON_AddStringToObject(flat, "fix", x->match->place[i].fix[0]);
        cJSON_AddItemToObject(flat, "gain", has ? result_interval_ns(v, true) : cJSON_CreateNull());
        cJSON_AddItemToObject(flat, "local_ns",
                              has ? result_ns(b->removable_ns) : cJSON_CreateNull());
        cJSON_Delete(o);
        cJSON_AddItemToArray(list, flat);
    }
}

/* Other recommendations that exclude this one. */
static cJSON *json_conflicts(const CompiledRun *run, const CompiledAdvice *x)
{
    cJSON *list = cJSON_CreateArray();
    const Rule *rule = x->match->rule;
    for (size_t k = 0; k < rule->nconflicts; k++)
        for (size_t i = 0; i < run->nrecommended; i++)
            if (!strcmp(run->advice[i].match->rule->id, rule->conflicts[k])) {
                cJSON_AddItemToArray(list, cJSON_CreateString(rule->conflicts[k]));
                break;
            }
    return list;
}

static cJSON *json_recommendation(const CompiledRun *run, size_t i)
{
    const CompiledAdvice *x = &run->advice[i];
    const Match *m = x->match;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, "rank", (double)i + 1);
    cJSON_AddStringToObject(o, "rule_id", m->rule->id);
    cJSON_AddStringToObject(o, "fingerprint", x->fingerprint);
    cJSON_AddStringToObject(o, "title", m->title[0]);
    add_where(o, run, &x->bound);
    cJSON_AddArrayToObject(o, "levers");
    add_fix(o, run, m);
    cJSON_AddStringToObject(o, "applicability", applicability_name(m->rule->applicability));
    add_places(o, run, x);
    cJSON_AddItemToObject(o, "gain", json_bound(run, x));
    cJSON_AddNullToObject(o, "accuracy");
    cJSON_AddNullToObject(o, "verdict");
    cJSON_AddItemToObject(o, "conflicts_with", json_conflicts(run, x));
    cJSON_AddArrayToObject(o, "enables");
    cJSON_AddStringToObject(o, "level", level_name(m->level));
    cJSON_AddStringToObject(o, "group", m->rule->group);
    cJSON_AddStringToObject(o, "why", m->why);
    cJSON_AddStringToObject(o, "risk", m->risk);
    cJSON_AddArrayToObject(o, "sweep");
    cJSON_AddNullToObject(o, "suppression");
    return o;
}

static cJSON *json_observation(const CompiledRun *run, const CompiledAdvice *x)
{
    const Match *m = x->match;
    bool has = x->bound.known && x->bound.at_most_ns > 0;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "rule_id", m->rule->id);
    cJSON_AddStringToObject(o, "title", m->title[0]);
    add_where(o, run, &x->bound);
    cJSON_AddStringToObject(o, "text", m->place[0].text);
    cJSON_AddItemToObject(o, "cost_ns", has ? result_ns(x->bound.at_most_ns) : cJSON_CreateNull());
    cJSON_AddStringToObject(o, "fingerprint", x->fingerprint);
    cJSON_AddItemToObject(o, "reason", said_item(run, x->held));
    add_fix(o, run, m);
    cJSON_AddStringToObject(o, "applicability", applicability_name(m->rule->applicability));
    add_places(o, run, x);
    cJSON_AddStringToObject(o, "level", level_name(m->level));
    cJSON_AddStringToObject(o, "group", m->rule->group);
    cJSON_AddStringToObject(o, "why", m->why);
    cJSON_AddNullToObject(o, "suppression");
    return o;
}

static bool is_recommended(const CompiledRun *run, const Rule *rule)
{
    for (size_t i = 0; i < run->nrecommended; i++)
        if (run->advice[i].match->rule == rule)
            return true;
    return false;
}

static void add_held(cJSON *root, const CompiledRun *run)
{
    cJSON *list = cJSON_AddArrayToObject(root, "suppressed");
    for (size_t i = run->nrecommended; i < run->nadvice; i++) {
        const CompiledAdvice *x = &run->advice[i];
        if ((!x->small && !x->off) || is_recommended(run, x->match->rule))
            continue;
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "rule_id", x->match->rule->id);
        cJSON_AddStringToObject(o, "reason", x->off ? "configured" : "small");
        cJSON_AddItemToObject(o, "text", said_item(run, x->held));
        cJSON_AddStringToObject(o, "fingerprint", x->fingerprint);
        cJSON_AddItemToObject(o, "gain", json_bound(run, x));
        cJSON_AddItemToArray(list, o);
    }
}

static void add_observations(cJSON *root, const CompiledRun *run)
{
    cJSON *list = cJSON_AddArrayToObject(root, "observations");
    for (size_t i = run->nrecommended; i < run->nadvice; i++) {
        const CompiledAdvice *x = &run->advice[i];
        if (!x->small && !x->off && !is_recommended(run, x->match->rule))
            cJSON_AddItemToArray(list, json_observation(run, x));
    }
}

static void add_combined(cJSON *root, const CompiledRun *run)
{
    double sum = 0;
    if (run->nrecommended < 2) {
        cJSON_AddNullToObject(root, "combined");
        return;
    }
    cJSON *o = cJSON_AddObjectToObject(root, "combined");
    cJSON *ids = cJSON_AddArrayToObject(o, "rule_ids"), *ranks = cJSON_AddArrayToObject(o, "ranks");
    for (size_t i = 0; i < run->nrecommended; i++) {
        cJSON_AddItemToArray(ids, cJSON_CreateString(run->advice[i].match->rule->id));
        cJSON_AddItemToArray(ranks, cJSON_CreateNumber((double)i + 1));
        sum += run->advice[i].bound.at_most_ns;
    }
    const Bound *b = &run->combined;
    cJSON_AddArrayToObject(o, "levers");
    cJSON_AddItemToObject(o, "predicted",
                          result_interval_ns((Interval){0, b->removable_ns, b->at_most_ns}, true));
    cJSON_AddItemToObject(o, "baseline", result_ns(whole_of(run, b)));
    cJSON_AddNullToObject(o, "verified");
    cJSON_AddItemToObject(o, "sum_of_parts", result_ns(sum));
    cJSON_AddItemToObject(o, "overlap", result_ns(sum - b->at_most_ns));
}

static void add_outcomes(cJSON *root, const CompiledRun *run)
{
    cJSON *passed = cJSON_AddArrayToObject(root, "passed");
    cJSON *not_applicable = cJSON_AddArrayToObject(root, "not_applicable");
    for (size_t i = 0; i < run->matches.noutcome; i++) {
        const RuleOutcome *x = &run->matches.outcome[i];
        bool off = config_is_off(&run->settings, x->rule->id) && x->outcome == OUTCOME_PASSED;
        if (x->outcome == OUTCOME_PASSED && !off)
            cJSON_AddItemToArray(passed, cJSON_CreateString(x->rule->id));
        if (x->outcome != OUTCOME_NOT_APPLICABLE && !off)
            continue;
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "rule_id", x->rule->id);
        const Said *why = off ? SAID(run->arena, arg_phrase(SAY_CONFIGURED_OFF)) : x->reason;
        cJSON_AddItemToObject(o, "reason", said_item(run, why));
        cJSON_AddItemToArray(not_applicable, o);
    }
}

static void add_one_incomplete(cJSON *list, const CompiledRun *run, const char *kind,
                               const Said *said)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "kind", kind);
    cJSON_AddItemToObject(o, "text", said_item(run, said));
    cJSON_AddItemToArray(list, o);
}

/* A file that is called a model and holds what somebody says was compiled of one. */
static bool is_called_a_model(const char *path)
{
    static const char *const suffix[] = {".onnx", ".tflite"};
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof suffix / sizeof *suffix; i++)
        if (n > strlen(suffix[i]) && !strcasecmp(path + n - strlen(suffix[i]), suffix[i]))
            return true;
    return false;
}

static void add_incomplete_inputs(cJSON *list, const CompiledRun *run)
{
    const TraceStats *s = run->program_trace;
    const char *model = run->request->model_path;
    if (is_called_a_model(model))
        add_one_incomplete(
            list, run, "model",
            SAID(run->arena, arg_phrase(SAY_NOT_THE_MODEL), arg_text(path_base(model))));
    for (size_t i = 0; s && i < s->nfile; i++)
        if (s->file[i].repairs.unterminated)
            add_one_incomplete(list, run, "trace",
                               SAID(run->arena, arg_phrase(SAY_TRACE_BREAKS_OFF),
                                    arg_text(path_base(s->file[i].path))));
}

/* What was not looked at to its end: no gate may pass on it. */
static void add_incomplete(cJSON *root, const CompiledRun *run)
{
    cJSON *list = cJSON_AddArrayToObject(root, "incomplete");
    add_incomplete_inputs(list, run);
    for (size_t i = 0; i < run->matches.noutcome; i++)
        if (run->matches.outcome[i].stopped &&
            !config_is_off(&run->settings, run->matches.outcome[i].rule->id))
            add_one_incomplete(list, run, "rule", run->matches.outcome[i].reason);
    const Config *c = run->request->config;
    for (size_t i = 0; c && i < c->nfile; i++)
        if (c->file[i]->refused)
            add_one_incomplete(list, run, "settings",
                               SAID(run->arena, arg_phrase(SAY_SETTINGS_BAD),
                                    arg_text(c->file[i]->file), arg_text(c->file[i]->refused)));
}

/* ---- the whole ---- */

static void add_evidence(cJSON *root, const CompiledRun *run)
{
    const LayerTimes *t = run->layer;
    const Imported *g = run->graph;
    size_t known = 0;
    for (size_t i = 0; i < g->nop; i++)
        known += g->op[i].type != NULL;
    cJSON *c = cJSON_AddObjectToObject(root, "coverage");
    cJSON_AddItemToObject(c, "nodes", result_ns((double)g->nop));
    cJSON_AddItemToObject(c, "nodes_known", result_ns((double)known));
    cJSON_AddArrayToObject(c, "unknown_ops");
    cJSON_AddItemToObject(c, "matched_time_share",
                          t->sum_ns > 0 ? result_real(t->joined_ns / t->sum_ns)
                                        : cJSON_CreateNull());
    cJSON *e = cJSON_AddObjectToObject(root, "evidence");
    char grade[2] = {run->no_gain ? 'D' : t->grade, '\0'};
    cJSON_AddStringToObject(e, "grade", grade);
    cJSON_AddNullToObject(e, "refuted");
    cJSON *issues = cJSON_AddArrayToObject(e, "issues");
    for (size_t i = 0; i < t->nissue; i++) {
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "code", t->issue[i].code);
        cJSON_AddItemToObject(o, "text", said_item(run, t->issue[i].said));
        cJSON_AddItemToArray(issues, o);
    }
}

cJSON *compiled_result(const CompiledRun *run)
{
    cJSON *root = cJSON_CreateObject();
    result_add_head(root, run->request->lang);
    add_subject(root, run);
    add_compiled(root, run);
    cJSON_AddNullToObject(root, "prediction");
    cJSON_AddNullToObject(root, "measured");
    add_steps(root, run);
    cJSON_AddArrayToObject(root, "values");
    cJSON_AddArrayToObject(root, "operators");
    add_evidence(root, run);
    cJSON_AddNullToObject(root, "ceiling");
    cJSON_AddNullToObject(root, "machine");
    cJSON *curves = cJSON_AddObjectToObject(root, "curves");
    cJSON_AddArrayToObject(curves, "workers");
    cJSON_AddArrayToObject(curves, "batch");
    cJSON *timeline = cJSON_AddObjectToObject(root, "timeline");
    cJSON_AddNullToObject(timeline, "now");
    cJSON_AddNullToObject(timeline, "after");
    cJSON *list = cJSON_AddArrayToObject(root, "recommendations");
    for (size_t i = 0; i < run->nrecommended; i++)
        cJSON_AddItemToArray(list, json_recommendation(run, i));
    add_combined(root, run);
    cJSON_AddNullToObject(root, "tuned");
    add_observations(root, run);
    add_outcomes(root, run);
    add_held(root, run);
    cJSON_AddItemToObject(root, "rules", result_rules(run->arena, &run->book, run->request->lang));
    add_incomplete(root, run);
    result_add_gate(root, &run->settings);
    return root;
}
