/* Builds the inputs of a run, its program, and the predicted and measured times. */
#include "advisor/advise/result.h"
#include "cost_model/evidence_grade.h"
#include "cost_model/reconcile.h"
#include "graph/compile/machine.h"
#include "graph/compile/options.h"
#include "graph/compile/program.h"
#include "graph/model/dtype.h"
#include "graph/model/model.h"
#include "graph/model/stored_ranges.h"
#include "trace/readers/trace_formats.h"

#include "advisor/report/result_json.h"
#include "cost_model/sensitivity.h"

#include "trace/stats/load.h"
#include "cost_model/terms.h"

static ResultDims dimensions_of(Arena *a, const Shape *s)
{
    if (s->rank == RANK_UNKNOWN)
        return (ResultDims){0};
    ResultDim *list = ARENA_ARRAY(a, ResultDim, (size_t)s->rank);
    for (int i = 0; i < s->rank; i++) {
        bool known = s->dim[i].value != DIM_UNKNOWN;
        list[i] =
            (ResultDim){result_int_if(known, s->dim[i].value), known ? NULL : s->dim[i].symbol};
    }
    return (ResultDims){list, (size_t)s->rank};
}

static ResultTensor tensor_of(Arena *a, const Tensor *t, DType dtype)
{
    return (ResultTensor){t->name, dtype_name(dtype), dimensions_of(a, &t->shape)};
}

/* Outputs as in the file, with symbols; else as inferred. */
static const Tensor *output_at(const AdviseRun *run, size_t i)
{
    const Graph *file = run->model->graph, *known = run->program->model->graph;
    const Tensor *t = &file->tensor[file->output[i]];
    bool silent = t->dtype == DT_UNKNOWN || t->shape.rank == RANK_UNKNOWN;
    return silent && known->noutput == file->noutput ? &known->tensor[known->output[i]] : t;
}

static ResultModel model_of(const AdviseRun *run)
{
    Arena *a = run->arena;
    const Model *m = run->model;
    const Graph *g = m->graph;
    ResultTensor *in = ARENA_ARRAY(a, ResultTensor, g->ninput),
                 *out = ARENA_ARRAY(a, ResultTensor, g->noutput);
    for (size_t i = 0; i < g->ninput; i++)
        in[i] =
            tensor_of(a, &g->tensor[g->input[i]], model_input_dtype(m, &g->tensor[g->input[i]]));
    for (size_t i = 0; i < g->noutput; i++)
        out[i] = tensor_of(a, output_at(run, i), model_output_dtype(m, output_at(run, i)));
    char *sha = arena_alloc(a, 65);
    sha256_hex(m->file.data, m->file.size, sha);
    return (ResultModel){.file = file_base_name(run->request->model_path),
                         .sha256 = sha,
                         .opset = m->opset,
                         .precision = precision_name(run->program->precision),
                         .inputs = {in, g->ninput},
                         .outputs = {out, g->noutput}};
}

static ResultTraceList traces_of(const AdviseRun *run)
{
    size_t n = run->stats ? run->stats->nfile : 0;
    ResultTrace *list = ARENA_ARRAY(run->arena, ResultTrace, n);
    for (size_t i = 0; i < n; i++) {
        const TraceInfo *f = &run->stats->file[i];
        list[i] = (ResultTrace){file_base_name(f->path), f->sha256, trace_format_name(f->format),
                                (int64_t)run->stats->run[i].inferences};
    }
    return (ResultTraceList){list, n};
}

/* Whether entry i of n, each of which begins with its name, has a later one of that name: it wins.
 */
static bool is_overridden(const void *entry, size_t size, size_t i, size_t n)
{
    const char *const *name = (const void *)((const char *)entry + i * size), *const * later;
    for (size_t k = i + 1; k < n; k++) {
        later = (const void *)((const char *)entry + k * size);
        if (!strcmp(*later, *name))
            return true;
    }
    return false;
}

/* Defines a function that makes a map of entries, of each name the last one; `x` is one of them. */
#define LAST_ENTRIES(function, Map, Pair, Entry, ...)                                              \
    static Map function(Arena *a, const Entry *entry, size_t n)                                    \
    {                                                                                              \
        Pair *list = ARENA_ARRAY(a, Pair, n);                                                      \
        size_t kept = 0;                                                                           \
        for (const Entry *x = entry; x < entry + n; x++)                                           \
            if (!is_overridden(entry, sizeof *x, (size_t)(x - entry), n))                          \
                list[kept++] = (Pair){__VA_ARGS__};                                                \
        return (Map){list, kept};                                                                  \
    }
LAST_ENTRIES(io_types, ResultTextMap, ResultTextPair, IoType, x->name, dtype_name(x->dtype))
LAST_ENTRIES(dimension_values, ResultIntMap, ResultIntPair, DimBinding, x->name, x->value)
LAST_ENTRIES(compiler_config, ResultTextMap, ResultTextPair, KeyValue, x->key, x->value)

static ResultIntLists permutations_of(Arena *a, const CompileOptions *c)
{
    ResultInts *list = ARENA_ARRAY(a, ResultInts, c->npermute);
    for (size_t i = 0; i < c->npermute; i++) {
        int64_t *axis = ARENA_ARRAY(a, int64_t, PERMUTE_MAX_RANK);
        for (int k = 0; k < c->permute[i].rank; k++)
            axis[k] = c->permute[i].axis[k];
        list[i] = (ResultInts){axis, (size_t)c->permute[i].rank};
    }
    return (ResultIntLists){list, c->npermute};
}

ResultOptions result_options(Arena *a, const AdviseRequest *q)
{
    return (ResultOptions){.min_share = result_real(q->min_share),
                           .min_gain_ns = q->min_gain_ns,
                           .needs = result_needs(a, q->needs),
                           .allow_sdk = q->allow_sdk};
}

static ResultOptions options_of(const AdviseRun *run)
{
    Arena *a = run->arena;
    const CompileOptions *c = &run->variant.compile;
    ResultOptions o = result_options(a, run->request);
    o.batch = result_int_if(true, c->batch);
#define RUN_OPTION(field, ...)                                                                     \
    o.field = result_int_if(run->variant.run.field, run->variant.run.field);
#include "graph/compile/run_options.def"
    o.pes = result_int_if(c->pes > 0, c->pes);
    o.host_cores = result_int_if(true, c->host_cores);
    o.ddr_mhz = result_int_if(c->ddr_mhz > 0, c->ddr_mhz);
    o.unknown_on = compile_unknown_on_word(c);
    o.seed = result_int_if(true, (int64_t)run->request->seed);
    o.dim = dimension_values(a, c->dim, c->ndim);
    o.input_dtype = io_types(a, c->input_dtype, c->ninput_dtype);
    o.output_dtype = io_types(a, c->output_dtype, c->noutput_dtype);
    o.permute_input = permutations_of(a, c);
    o.compiler_config = compiler_config(a, c->compiler_config, c->nconfig);
    return o;
}

Result result_head(const Language *lang)
{
    return (Result){.tool.version = NPU_ADVISE_VERSION, .language = language_tag(lang)};
}

void result_set_subject(Result *ret, const AdviseRun *run)
{
    Arena *a = run->arena;
    *ret = result_head(run->request->lang);
    ret->model = model_of(run);
    ret->traces = traces_of(run);
    ret->target = run->variant.compile.target;
    ret->sdk = sdk_text(run->variant.compile.sdk);
    ret->objective = run->request->objective == OBJECTIVE_LATENCY ? RESULT_OBJECTIVE_LATENCY
                                                                  : RESULT_OBJECTIVE_THROUGHPUT;
    ret->options = options_of(run);
    ret->setup = RESULT_NEW(a, ResultSetup, result_setup(a, &run->setup, run->program));
    ret->notes = result_notes(a, run->notes, run->request->lang);
}

static ResultFigureNs figure_of(Interval v)
{
    ResultIntervalNs t = result_interval_ns(v);
    return (ResultFigureNs){t.lo, t.mid, t.hi};
}

static const ResultPrediction *prediction_of(Arena *a, const Prediction *p)
{
    ResultInterval rate = result_interval(p->throughput_per_s);
    return RESULT_NEW(a, ResultPrediction,
                      {.latency_ns = figure_of(p->latency_ns),
                       .npu_ns = figure_of(p->npu_ns),
                       .host_ns = figure_of(p->host_ns),
                       .io_ns = figure_of(p->io_ns),
                       .throughput_per_s = {rate.lo, rate.mid, rate.hi}});
}

static const ResultMeasuredNs *measured_time(Arena *a, const Measured *m)
{
    if (m->count == 0)
        return NULL;
    return RESULT_NEW(a, ResultMeasuredNs,
                      {.median = m->median_ns, .lo = m->lo_ns, .hi = m->hi_ns});
}

static const ResultMeasuredNs *interval_of_median(Arena *a, const Measured *m)
{
    /* Below five values no pair of them is a 90 % interval of the median. */
    int64_t more = m->count < 5 ? m->hi_ns - m->lo_ns : 0;
    Measured wide = {m->median_ns, m->lo_ns - more, m->hi_ns + more, m->count, m->skew};
    wide.lo_ns = wide.lo_ns < 0 ? 0 : wide.lo_ns;
    return measured_time(a, &wide);
}

/* Values for a gate: single latencies, and the intervals of medians. */
static ResultSamples samples_of(const AdviseRun *run)
{
    const LatencySamples *s = &run->samples;
    return (ResultSamples){.per = s->per_trace ? RESULT_PER_TRACE : RESULT_PER_INFERENCE,
                           .n = (int64_t)s->n,
                           .values = {s->value, s->nvalue},
                           .median = result_interval_ns(s->median),
                           .p90 = result_interval_ns(s->p90),
                           .max = s->max,
                           .npu_ns = interval_of_median(run->arena, &run->rec->npu),
                           .host_ns = interval_of_median(run->arena, &run->rec->host),
                           .io_ns = interval_of_median(run->arena, &run->rec->io)};
}

static ResultBusy busy_of(Arena *a, const TraceLoad *load)
{
    double *pe = ARENA_ARRAY(a, double, load->nlane);
    for (size_t i = 0; i < load->nlane; i++)
        pe[i] = result_real(load->lane[i]);
    return (ResultBusy){{pe, load->nlane}, result_real(load->link), result_real(load->host)};
}

static const ResultMeasured *measurement_of(const AdviseRun *run)
{
    const Reconciliation *r = run->rec;
    if (!r || evidence_lacks_npu(r))
        return NULL;
    const TraceStats *s = run->stats; /* warm-up excluded, unless there is nothing else */
    const Distribution *d = s->warm.count ? &s->warm : &s->latency;
    TraceLoad load = trace_load(run->stats);
    return RESULT_NEW(
        run->arena, ResultMeasured,
        {.inferences = (int64_t)r->inferences,
         .latency_ns = {d->min, d->median, result_ns(d->mean), d->p90, d->p99, d->max},
         .npu_ns = r->npu.median_ns,
         .host_ns = r->host.median_ns,
         .io_ns = r->io.median_ns,
         .unattributed_ns = r->unattributed_ns,
         .waiting_ns = r->waiting_ns,
         .throughput_per_s = result_real(load.per_s * (double)run->program->images),
         .concurrency = result_real(load.concurrency),
         .busy = busy_of(run->arena, &load),
         .npu_utilisation = result_real(r->npu_utilisation),
         .samples = samples_of(run)});
}

static ResultTexts node_labels(const AdviseRun *run, const NodeId *node, size_t n)
{
    const Graph *g = run->program->model->graph;
    const char **list = ARENA_ARRAY(run->arena, const char *, n);
    for (size_t i = 0; i < n; i++)
        list[i] = node_label(run->arena, &g->node[node[i]]);
    return (ResultTexts){list, n};
}

/* Times of a trace that is ignored are no times of this program. */
static bool is_trusted(const Reconciliation *r)
{
    return r && !r->refuted;
}

static ResultStep step_of(const AdviseRun *run, const Sensitivity *sensitivity, const Step *s)
{
    assert(s->id < run->program->nstep);
    Arena *a = run->arena;
    const StepPrediction *t = &run->prediction->step[s->id];
    double share = sensitivity_step(sensitivity, run->program, run->time, s->id);
    return (ResultStep){
        .id = s->id,
        .kind = result_word(result_step_kind_words, step_kind_name(s->kind)),
        .op = s->op,
        .onnx_nodes = node_labels(run, s->node, s->nnode),
        .deps = result_ids(a, s->dep, s->ndep),
        .inputs = result_ids(a, s->input, s->ninput),
        .outputs = result_ids(a, s->output, s->noutput),
        .reason = reason_key(s->reason),
        .predicted_ns =
            t->known ? RESULT_NEW(a, ResultIntervalNs, result_interval_ns(t->total_ns)) : NULL,
        .measured_ns = is_trusted(run->rec) ? measured_time(a, &run->rec->step[s->id]) : NULL,
        .limited_by = result_word(result_limit_words, limit_key(t->limit)),
        .sensitivity = result_real_if(t->known, result_real(share))};
}

/* Of N, C, H, W; unknown below 0. */
static ResultOptInts sizes_of(Arena *a, int64_t n, int64_t c, int64_t h, int64_t w)
{
    ResultInt *list = ARENA_ARRAY(a, ResultInt, 4);
    list[0] = result_int_if(n >= 0, n);
    list[1] = result_int_if(c >= 0, c);
    list[2] = result_int_if(h >= 0, h);
    list[3] = result_int_if(w >= 0, w);
    return (ResultOptInts){list, 4};
}

/* A tensor between steps. */
static ResultValue value_of(const AdviseRun *run, const PTensor *t)
{
    const Graph *g = run->program->model->graph;
    return (ResultValue){.id = t->id,
                         .name = t->tensor < g->ntensor ? g->tensor[t->tensor].name : NULL,
                         .from = result_int_if(t->producer != STEP_NONE, t->producer),
                         .dtype = dtype_name(t->dtype),
                         .layout = result_word(result_layout_words, layout_name(t->layout)),
                         .shape = sizes_of(run->arena, t->n, t->c, t->h, t->w),
                         .bytes = result_int_if(t->bytes >= 0, t->bytes)};
}

static ResultOperator operator_of(const AdviseRun *run, const LowOp *op)
{
    const OpPrediction *t = &run->prediction->op[op->id];
    double bytes = (double)op->bytes_in + (double)op->bytes_out + (double)op->weight_bytes;
    return (ResultOperator){
        .step_id = op->step,
        .kind = program_lowop_name(op->kind),
        .onnx_nodes = node_labels(run, op->node, op->nnode),
        .deps = result_ids(run->arena, op->dep, op->ndep),
        .output_shape = sizes_of(run->arena, op->n, op->c_out, op->h_out, op->w_out),
        .macs = op->macs,
        .bytes = result_ns(bytes),
        .sram_bytes = op->live_bytes,
        .predicted_ns = result_interval_ns(t->alone_ns),
        .measured_ns =
            is_trusted(run->rec) ? measured_time(run->arena, &run->rec->op[op->id]) : NULL,
        .limited_by = result_word(result_limit_words, limit_key(t->limit))};
}

static ResultCoverage coverage_of(const AdviseRun *run)
{
    const Program *p = run->program;
    double share = run->rec ? result_real(run->rec->matched_time_share) : 0;
    return (ResultCoverage){.nodes = (int64_t)p->nodes,
                            .nodes_known = (int64_t)p->nodes_known,
                            .unknown_ops = {p->unknown_op, p->nunknown_op},
                            .matched_time_share = result_real_if(run->rec, share)};
}

static ResultEvidence without_trace(const AdviseRun *run)
{
    const AdviseRequest *q = run->request;
    PhraseId why = q->rows     ? PHRASE_ROWS_OF_TABLE
                   : q->ntrace ? PHRASE_NO_INFERENCE_IN_TRACE
                               : PHRASE_NO_TRACE;
    const Message *text = MESSAGE(run->arena, phrase_arg(why));
    return (ResultEvidence){
        .grade = RESULT_GRADE_D,
        .issues = {RESULT_NEW(run->arena, ResultIssue, {"no-trace", RESULT_SENTENCE(run, text)}),
                   1}};
}

static ResultEvidence result_evidence(const AdviseRun *run)
{
    const Reconciliation *r = run->rec;
    if (!r)
        return without_trace(run);
    ResultIssue *list = ARENA_ARRAY(run->arena, ResultIssue, r->nissue);
    for (size_t i = 0; i < r->nissue; i++)
        list[i] = (ResultIssue){r->issue[i].code, RESULT_SENTENCE(run, r->issue[i].said)};
    const char grade[] = {r->grade, '\0'};
    return (ResultEvidence){.grade = result_word(result_grade_words, grade),
                            .refuted =
                                result_word(result_refuted_words, refutation_key(r->refuted)),
                            .compared = is_trusted(r) ? (int64_t)r->compared : 0,
                            .outside = is_trusted(r) ? (int64_t)r->outside : 0,
                            .issues = {list, r->nissue}};
}

static const ResultCeiling *ceiling_of(const AdviseRun *run)
{
    return RESULT_NEW(run->arena, ResultCeiling,
                      {.host_free_ns = result_ns(run->time->host_free_ns),
                       .npu_free_ns = result_ns(run->time->npu_free_ns)});
}

static ResultStepList steps_of(const AdviseRun *run)
{
    const Program *p = run->program;
    Sensitivity sensitivity =
        sensitivity_of(p, run->costs, &run->variant.run, run->time, run->request->objective);
    ResultStep *list = ARENA_ARRAY(run->arena, ResultStep, p->nstep);
    for (size_t i = 0; i < p->nstep; i++)
        list[i] = step_of(run, &sensitivity, &p->step[i]);
    return (ResultStepList){list, p->nstep};
}

void result_set_times(Result *ret, const AdviseRun *run)
{
    const Program *p = run->program;
    ret->prediction = prediction_of(run->arena, run->prediction);
    ret->measured = measurement_of(run);
    ret->steps = steps_of(run);
    ResultValue *value = ARENA_ARRAY(run->arena, ResultValue, p->ntensor);
    for (size_t i = 0; i < p->ntensor; i++)
        value[i] = value_of(run, &p->tensor[i]);
    ret->values = (ResultValueList){value, p->ntensor};
    ResultOperator *op = ARENA_ARRAY(run->arena, ResultOperator, p->nop);
    for (size_t i = 0; i < p->nop; i++)
        op[i] = operator_of(run, &p->op[i]);
    ret->operators = (ResultOperatorList){op, p->nop};
    ret->coverage = coverage_of(run);
    ret->evidence = result_evidence(run);
    ret->ceiling = ceiling_of(run);
}
