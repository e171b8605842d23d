/* Writes the inputs of a run, its program, and the predicted and measured times. */
#include "advisor/advise/result.h"
#include "cost_model/evidence_grade.h"
#include "cost_model/op_model.h"
#include "cost_model/reconcile.h"
#include "graph/compile/machine.h"
#include "graph/compile/program.h"
#include "graph/model/dtype.h"
#include "graph/model/model.h"
#include "trace/readers/trace_formats.h"

#include "advisor/message/phrase.h"
#include "advisor/message/json.h"
#include "cost_model/sensitivity.h"
#include "graph/base/file.h"

#include "trace/stats/load.h"

#include <assert.h>

static cJSON *json_shape(const Shape *s)
{
    if (s->rank == RANK_UNKNOWN)
        return cJSON_CreateNull();
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < s->rank; i++) {
        const Dim *d = &s->dim[i];
        cJSON_AddItemToArray(list, d->value != DIM_UNKNOWN ? result_ns((double)d->value)
                                                           : result_text(d->symbol));
    }
    return list;
}

/* Outputs as in the file, with symbols; else as inferred. */
static const Tensor *output_at(const AdviseRun *run, size_t i)
{
    const Graph *file = run->model->graph, *known = run->program->model->graph;
    const Tensor *t = &file->tensor[file->output[i]];
    bool silent = t->dtype == DT_UNKNOWN || t->shape.rank == RANK_UNKNOWN;
    return silent && known->noutput == file->noutput ? &known->tensor[known->output[i]] : t;
}

static void add_tensor(cJSON *list, const Tensor *t)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", t->name);
    cJSON_AddStringToObject(o, "dtype", dtype_name(t->dtype));
    cJSON_AddItemToObject(o, "shape", json_shape(&t->shape));
    cJSON_AddItemToArray(list, o);
}

static void add_interface(cJSON *parent, const AdviseRun *run)
{
    const Graph *g = run->model->graph;
    cJSON *inputs = cJSON_AddArrayToObject(parent, "inputs");
    for (size_t i = 0; i < g->ninput; i++)
        add_tensor(inputs, &g->tensor[g->input[i]]);
    cJSON *outputs = cJSON_AddArrayToObject(parent, "outputs");
    for (size_t i = 0; i < g->noutput; i++)
        add_tensor(outputs, output_at(run, i));
}

static void add_onnx_model(cJSON *root, const AdviseRun *run)
{
    const Model *m = run->model;
    char sha[65];
    sha256_hex(run->model->file.data, run->model->file.size, sha);
    cJSON *o = cJSON_AddObjectToObject(root, "model");
    cJSON_AddStringToObject(o, "file", file_base_name(run->request->model_path));
    cJSON_AddStringToObject(o, "sha256", sha);
    cJSON_AddItemToObject(o, "opset", result_ns((double)m->opset));
    add_interface(o, run);
}

static void add_traces(cJSON *root, const AdviseRun *run)
{
    cJSON *list = cJSON_AddArrayToObject(root, "traces");
    for (size_t i = 0; run->stats && i < run->stats->nfile; i++) {
        const TraceInfo *f = &run->stats->file[i];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "file", file_base_name(f->path));
        cJSON_AddStringToObject(o, "sha256", f->sha256);
        cJSON_AddStringToObject(o, "format", trace_format_name(f->format));
        const FileRun *r = &run->stats->run[i];
        cJSON_AddItemToObject(o, "inferences", result_ns((double)r->inferences));
        cJSON_AddItemToArray(list, o);
    }
}

static void add_io_types(cJSON *parent, const char *key, const IoType *t, size_t n)
{
    cJSON *o = cJSON_AddObjectToObject(parent, key);
    for (size_t i = 0; i < n; i++) {
        cJSON_DeleteItemFromObjectCaseSensitive(o, t[i].name); /* the later one wins */
        cJSON_AddStringToObject(o, t[i].name, dtype_name(t[i].dtype));
    }
}

static void add_permutations(cJSON *parent, const CompileOptions *c)
{
    cJSON *list = cJSON_AddArrayToObject(parent, "permute_input");
    for (size_t i = 0; i < c->npermute; i++) {
        cJSON *one = cJSON_CreateArray();
        for (int k = 0; k < c->permute[i].rank; k++)
            cJSON_AddItemToArray(one, cJSON_CreateNumber(c->permute[i].axis[k]));
        cJSON_AddItemToArray(list, one);
    }
}

static void add_options(cJSON *root, const AdviseRun *run)
{
    const CompileOptions *c = &run->variant.compile;
    const RunOptions *r = &run->variant.run;
    cJSON *o = cJSON_AddObjectToObject(root, "options");
    cJSON_AddItemToObject(o, "batch", result_ns((double)c->batch));
#define RUN_OPTION(field, name, most, preset, what, help)                                          \
    if (r->field)                                                                                  \
        cJSON_AddNumberToObject(o, #field, r->field);
#include "graph/compile/run_options.def"
#undef RUN_OPTION
    cJSON_AddNumberToObject(o, "host_cores", c->host_cores);
    cJSON_AddItemToObject(o, "seed", result_ns((double)run->request->seed));
    cJSON *dim = cJSON_AddObjectToObject(o, "dim");
    for (size_t i = 0; i < c->ndim; i++) {
        cJSON_DeleteItemFromObjectCaseSensitive(dim, c->dim[i].name);
        cJSON_AddItemToObject(dim, c->dim[i].name, result_ns((double)c->dim[i].value));
    }
    add_io_types(o, "input_dtype", c->input_dtype, c->ninput_dtype);
    add_io_types(o, "output_dtype", c->output_dtype, c->noutput_dtype);
    add_permutations(o, c);
    cJSON *config = cJSON_AddObjectToObject(o, "compiler_config");
    for (size_t i = 0; i < c->nconfig; i++) {
        cJSON_DeleteItemFromObjectCaseSensitive(config, c->compiler_config[i].key);
        cJSON_AddStringToObject(config, c->compiler_config[i].key, c->compiler_config[i].value);
    }
    cJSON_AddItemToObject(o, "min_share", result_real(run->request->min_share));
    cJSON_AddItemToObject(o, "min_gain_ns", result_ns((double)run->request->min_gain_ns));
}

void result_add_head(cJSON *root, const Language *lang)
{
    cJSON_AddNumberToObject(root, "schema_version", RESULT_SCHEMA_VERSION);
    cJSON *tool = cJSON_AddObjectToObject(root, "tool");
    cJSON_AddStringToObject(tool, "name", "npu-advise");
    cJSON_AddStringToObject(tool, "version", NPU_ADVISE_VERSION);
    cJSON_AddStringToObject(root, "language", language_tag(lang));
}

void result_add_subject(cJSON *root, const AdviseRun *run)
{
    add_onnx_model(root, run);
    add_traces(root, run);
    cJSON_AddStringToObject(root, "target", run->variant.compile.target);
    cJSON_AddStringToObject(root, "sdk", sdk_text(run->variant.compile.sdk));
    cJSON_AddStringToObject(
        root, "objective", run->request->objective == OBJECTIVE_LATENCY ? "latency" : "throughput");
    add_options(root, run);
    result_add_setup(root, &run->setup, run->program);
    cJSON *notes = cJSON_AddArrayToObject(root, "notes");
    for (size_t i = 0; i < run->notes->nnote; i++)
        cJSON_AddItemToArray(notes, result_message(run, run->notes->note[i].said));
}

static void add_figure(cJSON *parent, const char *key, cJSON *interval)
{
    cJSON_AddStringToObject(interval, "mode", "predicted");
    cJSON_AddItemToObject(parent, key, interval);
}

static void add_prediction(cJSON *root, const Prediction *p)
{
    cJSON *o = cJSON_AddObjectToObject(root, "prediction");
    add_figure(o, "latency_ns", result_interval_ns(p->latency_ns));
    add_figure(o, "npu_ns", result_interval_ns(p->npu_ns));
    add_figure(o, "host_ns", result_interval_ns(p->host_ns));
    add_figure(o, "io_ns", result_interval_ns(p->io_ns));
    add_figure(o, "throughput_per_s", result_interval(p->throughput_per_s));
}

/* Warm-up excluded, unless there is nothing else. */
static const Distribution *settled_latency(const TraceStats *s)
{
    return s->warm.count ? &s->warm : &s->latency;
}

static cJSON *json_measured(const Measured *m)
{
    if (!m || m->count == 0)
        return cJSON_CreateNull();
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToObject(o, "median", result_ns((double)m->median_ns));
    cJSON_AddItemToObject(o, "lo", result_ns((double)m->lo_ns));
    cJSON_AddItemToObject(o, "hi", result_ns((double)m->hi_ns));
    return o;
}

static void add_interval_of_median(cJSON *o, const char *key, const Measured *m)
{
    if (m->count) {
        /* Below five values no pair of them is a 90 % interval of the median. */
        int64_t more = m->count < 5 ? m->hi_ns - m->lo_ns : 0;
        Measured wide = {m->median_ns, m->lo_ns - more, m->hi_ns + more, m->count, m->skew};
        wide.lo_ns = wide.lo_ns < 0 ? 0 : wide.lo_ns;
        cJSON_AddItemToObject(o, key, json_measured(&wide));
    } else {
        cJSON_AddNullToObject(o, key);
    }
}

/* Values for a gate: single latencies, and the intervals of medians. */
static void add_samples(cJSON *parent, const AdviseRun *run)
{
    const LatencySamples *s = &run->samples;
    cJSON *o = cJSON_AddObjectToObject(parent, "samples");
    cJSON_AddStringToObject(o, "per", s->per_trace ? "trace" : "inference");
    cJSON_AddItemToObject(o, "n", result_ns((double)s->n));
    cJSON *values = cJSON_AddArrayToObject(o, "values");
    for (size_t i = 0; i < s->nvalue; i++)
        cJSON_AddItemToArray(values, result_ns((double)s->value[i]));
    cJSON_AddItemToObject(o, "median", result_interval_ns(s->median));
    cJSON_AddItemToObject(o, "p90", result_interval_ns(s->p90));
    cJSON_AddItemToObject(o, "max", result_ns((double)s->max));
    add_interval_of_median(o, "npu_ns", &run->rec->npu);
    add_interval_of_median(o, "host_ns", &run->rec->host);
    add_interval_of_median(o, "io_ns", &run->rec->io);
}

/* Images per second, requests in flight, and utilization. */
static void add_load(cJSON *parent, const AdviseRun *run)
{
    TraceLoad load = trace_load(run->stats);
    double images = (double)run->program->images;
    cJSON_AddItemToObject(parent, "throughput_per_s", result_real(load.per_s * images));
    cJSON_AddItemToObject(parent, "concurrency", result_real(load.concurrency));
    cJSON *busy = cJSON_AddObjectToObject(parent, "busy");
    cJSON *pe = cJSON_AddArrayToObject(busy, "pe");
    for (size_t i = 0; i < load.nlane; i++)
        cJSON_AddItemToArray(pe, result_real(load.lane[i]));
    cJSON_AddItemToObject(busy, "link", result_real(load.link));
    cJSON_AddItemToObject(busy, "host", result_real(load.host));
}

static void add_measured(cJSON *root, const AdviseRun *run)
{
    const Reconciliation *r = run->rec;
    if (!r || evidence_lacks_npu(r)) {
        cJSON_AddNullToObject(root, "measured");
        return;
    }
    const Distribution *d = settled_latency(run->stats);
    cJSON *o = cJSON_AddObjectToObject(root, "measured");
    cJSON_AddItemToObject(o, "inferences", result_ns((double)r->inferences));
    cJSON *latency = cJSON_AddObjectToObject(o, "latency_ns");
    cJSON_AddItemToObject(latency, "min", result_ns((double)d->min));
    cJSON_AddItemToObject(latency, "median", result_ns((double)d->median));
    cJSON_AddItemToObject(latency, "mean", result_ns(d->mean));
    cJSON_AddItemToObject(latency, "p90", result_ns((double)d->p90));
    cJSON_AddItemToObject(latency, "p99", result_ns((double)d->p99));
    cJSON_AddItemToObject(latency, "max", result_ns((double)d->max));
    cJSON_AddItemToObject(o, "npu_ns", result_ns((double)r->npu.median_ns));
    cJSON_AddItemToObject(o, "host_ns", result_ns((double)r->host.median_ns));
    cJSON_AddItemToObject(o, "io_ns", result_ns((double)r->io.median_ns));
    cJSON_AddItemToObject(o, "unattributed_ns", result_ns((double)r->unattributed_ns));
    cJSON_AddItemToObject(o, "waiting_ns", result_ns((double)r->waiting_ns));
    add_load(o, run);
    cJSON_AddItemToObject(o, "npu_utilisation", result_real(r->npu_utilisation));
    add_samples(o, run);
}

static cJSON *json_nodes(const AdviseRun *run, const NodeId *node, size_t n)
{
    const Graph *g = run->program->model->graph;
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < n; i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(node_label(run->arena, &g->node[node[i]])));
    return list;
}

static cJSON *json_step(const AdviseRun *run, const Sensitivity *sensitivity, const Step *s)
{
    assert(s->id < run->program->nstep);
    const StepPrediction *t = &run->prediction->step[s->id];
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, "id", s->id);
    cJSON_AddStringToObject(o, "kind", step_kind_name(s->kind));
    cJSON_AddStringToObject(o, "op", s->op);
    cJSON_AddItemToObject(o, "onnx_nodes", json_nodes(run, s->node, s->nnode));
    cJSON_AddItemToObject(o, "deps", json_ids(s->dep, s->ndep));
    cJSON_AddItemToObject(o, "inputs", json_ids(s->input, s->ninput));
    cJSON_AddItemToObject(o, "outputs", json_ids(s->output, s->noutput));
    cJSON_AddStringToObject(o, "reason", reason_key(s->reason));
    cJSON_AddItemToObject(o, "predicted_ns",
                          t->known ? result_interval_ns(t->total_ns) : cJSON_CreateNull());
    cJSON_AddItemToObject(o, "measured_ns",
                          json_measured(run->rec ? &run->rec->step[s->id] : NULL));
    cJSON_AddStringToObject(o, "limited_by", limit_key(t->limit));
    double share = sensitivity_step(sensitivity, run->program, run->time, s->id);
    cJSON_AddItemToObject(o, "sensitivity", result_real_if(t->known, share));
    return o;
}

/* Of N, C, H, W; null where it is not known. */
static cJSON *json_sizes(const int64_t size[4])
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < 4; i++)
        cJSON_AddItemToArray(list, result_ns_if(size[i] >= 0, (double)size[i]));
    return list;
}

/* A tensor between steps. */
static cJSON *json_value(const AdviseRun *run, const PTensor *t)
{
    const Graph *g = run->program->model->graph;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, "id", t->id);
    cJSON_AddItemToObject(o, "name",
                          result_text(t->tensor < g->ntensor ? g->tensor[t->tensor].name : NULL));
    cJSON_AddItemToObject(o, "from", result_ns_if(t->producer != STEP_NONE, (double)t->producer));
    cJSON_AddStringToObject(o, "dtype", dtype_name(t->dtype));
    cJSON_AddStringToObject(o, "layout", layout_name(t->layout));
    cJSON_AddItemToObject(o, "shape", json_sizes((int64_t[]){t->n, t->c, t->h, t->w}));
    cJSON_AddItemToObject(o, "bytes", result_ns_if(t->bytes >= 0, (double)t->bytes));
    return o;
}

static cJSON *json_operator(const AdviseRun *run, const LowOp *op)
{
    const OpPrediction *t = &run->prediction->op[op->id];
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, "step_id", op->step);
    cJSON_AddStringToObject(o, "kind", program_lowop_name(op->kind));
    cJSON_AddItemToObject(o, "onnx_nodes", json_nodes(run, op->node, op->nnode));
    cJSON_AddItemToObject(o, "deps", json_ids(op->dep, op->ndep));
    cJSON_AddItemToObject(o, "output_shape",
                          json_sizes((int64_t[]){op->n, op->c_out, op->h_out, op->w_out}));
    cJSON_AddItemToObject(o, "macs", result_ns((double)op->macs));
    cJSON_AddItemToObject(
        o, "bytes",
        result_ns((double)op->bytes_in + (double)op->bytes_out + (double)op->weight_bytes));
    cJSON_AddItemToObject(o, "sram_bytes", result_ns((double)op->live_bytes));
    cJSON_AddItemToObject(o, "predicted_ns", result_interval_ns(t->total_ns));
    cJSON_AddItemToObject(o, "measured_ns", json_measured(run->rec ? &run->rec->op[op->id] : NULL));
    cJSON_AddStringToObject(o, "limited_by", limit_key(t->limit));
    return o;
}

static void add_coverage(cJSON *root, const AdviseRun *run)
{
    const Program *p = run->program;
    cJSON *o = cJSON_AddObjectToObject(root, "coverage");
    cJSON_AddItemToObject(o, "nodes", result_ns((double)p->nodes));
    cJSON_AddItemToObject(o, "nodes_known", result_ns((double)p->nodes_known));
    json_add_texts(o, "unknown_ops", p->unknown_op, p->nunknown_op);
    cJSON_AddItemToObject(o, "matched_time_share",
                          run->rec ? result_real(run->rec->matched_time_share)
                                   : cJSON_CreateNull());
}

static void add_evidence(cJSON *root, const AdviseRun *run)
{
    const Reconciliation *r = run->rec;
    char grade[2] = {r ? r->grade : 'D', '\0'};
    cJSON *o = cJSON_AddObjectToObject(root, "evidence");
    cJSON_AddStringToObject(o, "grade", grade);
    cJSON_AddItemToObject(o, "refuted", result_text(r ? refutation_key(r->refuted) : NULL));
    cJSON *issues = cJSON_AddArrayToObject(o, "issues");
    if (!r)
        result_add_entry(
            issues, "code", "no-trace",
            result_message(run, MESSAGE(run->arena, phrase_arg(run->request->ntrace
                                                                   ? PHRASE_NO_INFERENCE_IN_TRACE
                                                                   : PHRASE_NO_TRACE))));
    for (size_t i = 0; r && i < r->nissue; i++)
        result_add_entry(issues, "code", r->issue[i].code, result_message(run, r->issue[i].said));
}

/* Null where nothing was recommended, or for a rate. */
static cJSON *json_advised(const AdviseRun *run, double ns)
{
    const Reach *x = &run->ranking.reach;
    return result_ns_if(x->known && run->request->objective == OBJECTIVE_LATENCY, ns);
}

static void add_ceiling(cJSON *root, const AdviseRun *run)
{
    const Reach *x = &run->ranking.reach;
    cJSON *o = cJSON_AddObjectToObject(root, "ceiling");
    cJSON_AddItemToObject(o, "host_free_ns", result_ns(run->time->host_free_ns));
    cJSON_AddItemToObject(o, "npu_free_ns", result_ns(run->time->npu_free_ns));
    cJSON_AddItemToObject(o, "advised_ns", json_advised(run, x->objective.mid));
    cJSON_AddItemToObject(o, "advised_host_ns", json_advised(run, x->host_ns));
    cJSON_AddBoolToObject(o, "advised_at_best", x->known && x->bounds);
}

void result_add_times(cJSON *root, const AdviseRun *run)
{
    const Program *p = run->program;
    add_prediction(root, run->prediction);
    add_measured(root, run);
    Sensitivity sensitivity =
        sensitivity_of(p, run->costs, &run->variant.run, run->time, run->request->objective);
    cJSON *steps = cJSON_AddArrayToObject(root, "steps");
    for (size_t i = 0; i < p->nstep; i++)
        cJSON_AddItemToArray(steps, json_step(run, &sensitivity, &p->step[i]));
    cJSON *values = cJSON_AddArrayToObject(root, "values");
    for (size_t i = 0; i < p->ntensor; i++)
        cJSON_AddItemToArray(values, json_value(run, &p->tensor[i]));
    cJSON *operators = cJSON_AddArrayToObject(root, "operators");
    for (size_t i = 0; i < p->nop; i++)
        cJSON_AddItemToArray(operators, json_operator(run, &p->op[i]));
    add_coverage(root, run);
    add_evidence(root, run);
    add_ceiling(root, run);
}
