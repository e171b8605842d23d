/* Builds the result of a compiled graph with its times.
 *
 * What only models have is NULL or empty, and `compiled` is what only such a graph has. */
#include "advisor/advise/compiled/compiled_result.h"

#include "advisor/report/result_json.h"
#include "advisor/advise/compiled/table_traits.h"
#include "graph/model/dtype.h"

/* ---- the subject ---- */

/* Without items where not even the number of dimensions is known. */
static ResultDims shape_of(Arena *a, const ImportTensor *t)
{
    if (t->rank < 0)
        return (ResultDims){NULL, 0};
    ResultDim *dim = ARENA_ARRAY(a, ResultDim, (size_t)t->rank);
    for (int i = 0; i < t->rank; i++)
        dim[i].size = result_int_if(t->dim[i] >= 0, result_ns((double)t->dim[i]));
    return (ResultDims){dim, (size_t)t->rank};
}

static ResultTensorList bound_tensors(const CompiledRun *run, bool inputs)
{
    const Imported *g = run->graph;
    ResultTensor *item = NULL;
    size_t n = 0, cap = 0;
    for (size_t i = 0; i < g->ntensor; i++) {
        const ImportTensor *t = &g->tensor[i];
        if (t->bound && (t->producer == IMPORT_NONE) == inputs)
            *VEC_PUSH(run->arena, item, n, cap) =
                (ResultTensor){t->name, dtype_name(t->dtype), shape_of(run->arena, t)};
    }
    return (ResultTensorList){item, n};
}

static size_t inferences_in(const EngineTimes *t, EngineFileKind kind)
{
    if (kind == ENGINE_PROFILE || kind == ENGINE_TRACE)
        return t->iterations;
    return kind == ENGINE_TIMES ? t->stage[ENGINE_COMPUTE].n : 0;
}

static ResultTraceList trace_files(const CompiledRun *run)
{
    const EngineTimes *t = &run->times;
    ResultTrace *item = ARENA_ARRAY(run->arena, ResultTrace, t->nfile);
    for (size_t i = 0; i < t->nfile; i++) {
        const EngineFile *f = &t->file[i];
        item[i] = (ResultTrace){.file = file_base_name(f->path),
                                .sha256 = f->sha256,
                                .format = engine_file_key(f->kind),
                                .inferences = (int64_t)inferences_in(t, f->kind)};
    }
    return (ResultTraceList){item, t->nfile};
}

static const char *target_of(const CompiledRun *run)
{
    const Imported *g = run->graph;
    if (run->layer->table && run->layer->table->chip)
        return run->layer->table->chip;
    if (g->kind == IMPORT_TENSORRT)
        return "tensorrt";
    return g->target ? g->target : "unknown";
}

/* ---- the evidence ---- */

static ResultCoverage coverage_of(const CompiledRun *run)
{
    const LayerTimes *t = run->layer;
    int64_t known = LIST_SUM(int64_t, i, run->graph->nop, run->graph->op[i].type != NULL);
    return (ResultCoverage){
        .nodes = (int64_t)run->graph->nop,
        .nodes_known = known,
        .matched_time_share = result_real_if(t->sum_ns > 0, result_real(t->joined_ns / t->sum_ns))};
}

static ResultEvidence evidence_of(const CompiledRun *run)
{
    const LayerTimes *t = run->layer;
    const char grade[] = {run->no_gain ? 'D' : t->grade, '\0'};
    ResultIssue *item = ARENA_ARRAY(run->arena, ResultIssue, t->nissue);
    for (size_t i = 0; i < t->nissue; i++)
        item[i] = (ResultIssue){t->issue[i].code, RESULT_SENTENCE(run, t->issue[i].said)};
    return (ResultEvidence){.grade = result_word(result_grade_words, grade),
                            .issues = {item, t->nissue}};
}

/* ---- the whole ---- */

const Result *compiled_result(const CompiledRun *run)
{
    Arena *a = run->arena;
    const AdviseRequest *q = run->request;
    Result *r = ARENA_NEW(a, Result);
    *r = result_head(q->lang);
    r->model = (ResultModel){.file = file_base_name(q->model_path),
                             .sha256 = run->sha256,
                             .inputs = bound_tensors(run, true),
                             .outputs = bound_tensors(run, false)};
    r->traces = trace_files(run);
    r->target = target_of(run);
    r->sdk = run->sdk;
    r->objective = RESULT_OBJECTIVE_LATENCY;
    r->options = result_options(a, q);
    r->notes = result_notes(a, run->notes, q->lang);
    r->compiled = compiled_layers(run);
    r->steps = compiled_steps(run);
    r->coverage = coverage_of(run);
    r->evidence = evidence_of(run);
    r->by_hand = compiled_hand_work(run);
    r->observations = compiled_observations(run);
    r->suppressed = compiled_suppressed(run);
    result_set_rules(r, a, &run->rules, q->lang);
    return r;
}
