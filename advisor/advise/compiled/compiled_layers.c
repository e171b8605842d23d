/* Builds the steps of the result from layers: kinds, precisions and stages. */
#include "advisor/advise/compiled/compiled_result.h"

#include "advisor/advise/compiled/layer_facts.h"
#include "advisor/advise/compiled/table_traits.h"
#include "advisor/report/result_json.h"
#include "graph/model/dtype.h"

/* The spread over the runs is in no file: the ends are those of mean and median. */
static const ResultMeasuredNs *measured_time(const CompiledRun *run, size_t i)
{
    double mean = run->layer->ns[i], median = run->layer->median_ns[i];
    if (mean < 0)
        return NULL;
    if (median < 0)
        median = mean;
    return RESULT_NEW(run->arena, ResultMeasuredNs,
                      {.median = result_ns(median),
                       .lo = result_ns(fmin(mean, median)),
                       .hi = result_ns(fmax(mean, median)),
                       .mean = {result_ns(mean), true}});
}

static ResultLayerTensorList layer_tensors(const CompiledRun *run, const uint32_t *id, size_t n)
{
    ResultLayerTensor *item = ARENA_ARRAY(run->arena, ResultLayerTensor, n);
    for (size_t i = 0; i < n; i++) {
        const ImportTensor *t = &run->graph->tensor[id[i]];
        item[i] = (ResultLayerTensor){t->name, dtype_name(t->dtype), t->layout,
                                      result_int_if(t->bytes >= 0, result_ns((double)t->bytes))};
    }
    return (ResultLayerTensorList){item, n};
}

static ResultReal real_if_known(double v)
{
    return result_real_if(v >= 0, result_real(v));
}

/* As it is printed, where the graph is a table of RKNN. */
static const ResultTableRow *row_of(const CompiledRun *run, size_t i)
{
    const RknnRow *row = run->graph->rknn ? &run->graph->rknn->row[i] : NULL;
    if (!row)
        return NULL;
    return RESULT_NEW(run->arena, ResultTableRow,
                      {.id = row->id,
                       .target = rknn_target_name(row->target),
                       .dtype = row->dtype,
                       .in_shape = row->in_shape,
                       .out_shape = row->out_shape,
                       .ddr_cycles = result_int_if(row->ddr_cycles >= 0, row->ddr_cycles),
                       .npu_cycles = result_int_if(row->npu_cycles >= 0, row->npu_cycles),
                       .total_cycles = result_int_if(row->total_cycles >= 0, row->total_cycles),
                       .time_us = real_if_known(row->time_us),
                       .mac_usage = row->mac_usage,
                       .work_load = row->work_load,
                       .rw_kb = real_if_known(row->rw_kb),
                       .full_name = row->full_name});
}

static const ResultTable *table_of(const CompiledRun *run)
{
    const TableTraits *x = run->layer->table;
    const RknnTable *t = x ? x->table : NULL;
    if (!t)
        return NULL;
    return RESULT_NEW(run->arena, ResultTable,
                      {.chip = x->chip,
                       .toolkit = t->log.word[RKNN_TOOLKIT],
                       .runtime = t->log.word[RKNN_RUNTIME],
                       .driver = t->log.word[RKNN_DRIVER],
                       .cores = (int64_t)x->cores,
                       .whole = t->whole,
                       .ddr_mhz = result_real_if(x->ddr_mhz > 0, result_real(x->ddr_mhz)),
                       .total_us = real_if_known(t->total_us),
                       .rw_kb = real_if_known(t->rw_kb),
                       .plain_us = real_if_known(t->log.plain_us),
                       .fps = real_if_known(t->log.fps),
                       .cpu_hz = real_if_known(t->log.clock_hz[RKNN_CPU_CLOCK]),
                       .npu_hz = real_if_known(t->log.clock_hz[RKNN_NPU_CLOCK]),
                       .ddr_hz = real_if_known(t->log.clock_hz[RKNN_DDR_CLOCK]),
                       .weight_kib = real_if_known(t->log.weight_kib),
                       .internal_kib = real_if_known(t->log.internal_kib)});
}

static const ResultLayer *layer_of(const CompiledRun *run, size_t i)
{
    const ImportOp *op = &run->graph->op[i];
    const ImportLayer *l = &op->layer;
    return RESULT_NEW(run->arena, ResultLayer,
                      {.name = op->name,
                       .kind = layer_kind_key(run->look[i].kind),
                       .work = import_work_name(op->work),
                       .origin = l->origin,
                       .tactic = l->tactic,
                       .weights = l->weights == DT_UNKNOWN ? NULL : dtype_name(l->weights),
                       .inputs = layer_tensors(run, op->input, op->ninput),
                       .outputs = layer_tensors(run, op->output, op->noutput),
                       .row = row_of(run, i)});
}

/* Dependencies earlier in the list: files list layers in any order. */
static ResultInts deps_of(const CompiledRun *run, size_t i)
{
    const ImportOp *op = &run->graph->op[i];
    int64_t *item = ARENA_ARRAY(run->arena, int64_t, op->ninput);
    size_t n = 0;
    for (size_t k = 0; k < op->ninput; k++) {
        uint32_t p = run->graph->tensor[op->input[k]].producer;
        if (p != IMPORT_NONE && p < i)
            item[n++] = p;
    }
    return (ResultInts){item, n};
}

ResultStepList compiled_steps(const CompiledRun *run)
{
    const Imported *g = run->graph;
    ResultStep *item = ARENA_ARRAY(run->arena, ResultStep, g->nop);
    for (size_t i = 0; i < g->nop; i++) {
        const ImportOp *op = &g->op[i];
        item[i] =
            (ResultStep){.id = (int64_t)i,
                         .kind = result_word(result_step_kind_words, op->kind ? op->kind : "layer"),
                         .op = op->type ? op->type : "unknown",
                         .onnx_nodes = {op->layer.node, op->layer.nnode},
                         .deps = deps_of(run, i),
                         .reason = "none",
                         .measured_ns = measured_time(run, i),
                         .limited_by = RESULT_LIMIT_UNKNOWN,
                         .layer = layer_of(run, i)};
    }
    return (ResultStepList){item, g->nop};
}

/* ---- what only a compiled graph has ---- */

static const ResultStage *stage_of(const CompiledRun *run, EngineStageKind kind)
{
    const EngineStage *s = &run->times.stage[kind];
    if (!s->known)
        return NULL;
    return RESULT_NEW(run->arena, ResultStage,
                      {.n = (int64_t)s->n,
                       .min = result_ns(s->min),
                       .median = result_ns(s->median),
                       .mean = result_ns(s->mean),
                       .p90 = result_int_if(s->p90 >= 0, result_ns(s->p90)),
                       .p99 = result_int_if(s->p99 >= 0, result_ns(s->p99)),
                       .max = result_ns(s->max),
                       .cv = result_real_if(!(s->cv < 0), result_real(s->cv))});
}

static ResultStages stages_of(const CompiledRun *run)
{
    return (ResultStages){.compute = stage_of(run, ENGINE_COMPUTE),
                          .h2d = stage_of(run, ENGINE_H2D),
                          .d2h = stage_of(run, ENGINE_D2H),
                          .latency = stage_of(run, ENGINE_LATENCY),
                          .enqueue = stage_of(run, ENGINE_ENQUEUE)};
}

/* Layers of one name, and their time. */
typedef struct {
    size_t layers;
    double ns;
} LayerSum;

static void add_layer(LayerSum *sum, const CompiledRun *run, size_t i)
{
    sum->layers++;
    sum->ns += fmax(run->layer->ns[i], 0);
}

static double share_of_all(const CompiledRun *run, double ns)
{
    return result_real(run->layer->sum_ns > 0 ? ns / run->layer->sum_ns : 0);
}

/* The groups that have layers, in the order of `name`. */
static ResultLayerGroupList layer_groups(const CompiledRun *run, const char *const *name,
                                         size_t nname,
                                         const char *(*name_of)(const LayerTraits *layer))
{
    ResultLayerGroup *item = ARENA_ARRAY(run->arena, ResultLayerGroup, nname);
    size_t n = 0;
    for (size_t k = 0; k < nname; k++) {
        LayerSum sum = {0, 0};
        for (size_t i = 0; i < run->graph->nop; i++)
            if (!strcmp(name_of(&run->look[i]), name[k]))
                add_layer(&sum, run, i);
        if (sum.layers)
            item[n++] = (ResultLayerGroup){name[k], (int64_t)sum.layers, result_ns(sum.ns),
                                           share_of_all(run, sum.ns)};
    }
    return (ResultLayerGroupList){item, n};
}

static const char *kind_of(const LayerTraits *layer)
{
    return layer_kind_key(layer->kind);
}

static ResultLayerGroupList kind_groups(const CompiledRun *run)
{
    const char *name[LAYER_KIND_COUNT];
    for (int k = 0; k < LAYER_KIND_COUNT; k++)
        name[k] = layer_kind_key((LayerKind)k);
    return layer_groups(run, name, LAYER_KIND_COUNT, kind_of);
}

/* The widest type of the inputs and outputs. */
static const char *precision_of(const LayerTraits *x)
{
    static const DType order[] = {DT_FLOAT64, DT_FLOAT32, DT_FLOAT16, DT_BFLOAT16};
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        if (x->in == order[k] || x->out == order[k])
            return dtype_name(order[k]);
    if (x->touches_int8)
        return dtype_name(x->quantized_in ? x->in : x->quantized_out ? x->out : DT_INT8);
    return dtype_name(x->in != DT_UNKNOWN ? x->in : x->out);
}

static ResultLayerGroupList precision_groups(const CompiledRun *run)
{
    static const char *const name[] = {
        "float64",    "float32", "float16", "bfloat16", "float8e4m3fn", "int8",   "int4",
        "float4e2m1", "int32",   "int64",   "uint8",    "bool",         "unknown"};
    return layer_groups(run, name, sizeof name / sizeof *name, precision_of);
}

enum { STRAYS_SHOWN = 20 };

static ResultTimesWithoutLayerList times_without_layer(const CompiledRun *run)
{
    const LayerTimes *t = run->layer;
    size_t n = t->stray < STRAYS_SHOWN ? t->stray : STRAYS_SHOWN;
    ResultTimesWithoutLayer *item = ARENA_ARRAY(run->arena, ResultTimesWithoutLayer, n);
    for (size_t i = 0; i < n; i++)
        item[i] = (ResultTimesWithoutLayer){t->stray_row[i]->name,
                                            result_ns(t->stray_row[i]->average_ns)};
    return (ResultTimesWithoutLayerList){item, n};
}

static ResultTexts layers_without_time(const CompiledRun *run)
{
    const char **item = ARENA_ARRAY(run->arena, const char *, STRAYS_SHOWN);
    size_t n = 0;
    for (size_t i = 0; run->times.nrow && i < run->graph->nop && n < STRAYS_SHOWN; i++)
        if (run->layer->ns[i] < 0)
            item[n++] = run->graph->op[i].name;
    return (ResultTexts){item, n};
}

static ResultReformats reformats_of(const CompiledRun *run)
{
    LayerSum sum = {0, 0};
    for (size_t i = 0; i < run->graph->nop; i++) {
        const char *type = run->graph->op[i].type;
        if (run->look[i].kind == LAYER_REFORMAT && !(type && !strcmp(type, "MyelinReformat")))
            add_layer(&sum, run, i);
    }
    return (ResultReformats){(int64_t)sum.layers, result_ns(sum.ns), share_of_all(run, sum.ns)};
}

const ResultCompiled *compiled_layers(const CompiledRun *run)
{
    const LayerTimes *t = run->layer;
    return RESULT_NEW(
        run->arena, ResultCompiled,
        {.kind = result_word(result_kind_words, layer_facts_import_key(run->graph->kind)),
         .names_only = run->graph->names_only,
         .layers = (int64_t)run->graph->nop,
         .times = (int64_t)run->times.nrow,
         .joined = (int64_t)t->joined,
         .runs = (int64_t)run->times.iterations,
         .sum_ns = result_int_if(run->times.nrow, result_ns(t->sum_ns)),
         .event_ns = result_real_if(t->event_ns > 0, result_real(t->event_ns)),
         .stages = stages_of(run),
         .reformats = reformats_of(run),
         .kinds = kind_groups(run),
         .precisions = precision_groups(run),
         .times_without_layer = times_without_layer(run),
         .layers_without_time = layers_without_time(run),
         .table = table_of(run)});
}
