/* Builds the result of a compiled graph with its times.
 *
 * What only models have is NULL or empty, and `compiled` is what only such a graph has. */
#include "advisor/advise/compiled/compiled_result.h"

#include "advisor/options/config.h"
#include "advisor/message/phrase.h"
#include "advisor/report/result_json.h"
#include "graph/base/file.h"
#include "graph/import/imported.h"
#include "graph/model/dtype.h"
#include "trace/readers/engine.h"

#include <string.h>
#include <strings.h>

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

static const char *target_of(const Imported *g)
{
    if (g->kind == IMPORT_TENSORRT)
        return "tensorrt";
    return g->target ? g->target : "unknown";
}

/* ---- rules without advice, and what was not done to the end ---- */

static bool is_switched_off(const CompiledRun *run, const RuleOutcome *x)
{
    return x->outcome == OUTCOME_PASSED && config_is_off(&run->settings, x->rule->id);
}

static ResultTexts passed_rules(const CompiledRun *run)
{
    const char **item = ARENA_ARRAY(run->arena, const char *, run->matches.noutcome);
    size_t n = 0;
    for (size_t i = 0; i < run->matches.noutcome; i++) {
        const RuleOutcome *x = &run->matches.outcome[i];
        if (x->outcome == OUTCOME_PASSED && !is_switched_off(run, x))
            item[n++] = x->rule->id;
    }
    return (ResultTexts){item, n};
}

static ResultNotApplicableList not_applicable_rules(const CompiledRun *run)
{
    ResultNotApplicable *item = ARENA_ARRAY(run->arena, ResultNotApplicable, run->matches.noutcome);
    size_t n = 0;
    for (size_t i = 0; i < run->matches.noutcome; i++) {
        const RuleOutcome *x = &run->matches.outcome[i];
        bool off = is_switched_off(run, x);
        const Message *why =
            off ? MESSAGE(run->arena, phrase_arg(PHRASE_CONFIGURED_OFF)) : x->reason;
        if (off || x->outcome == OUTCOME_NOT_APPLICABLE)
            item[n++] = (ResultNotApplicable){x->rule->id, compiled_message(run, why)};
    }
    return (ResultNotApplicableList){item, n};
}

typedef struct {
    const CompiledRun *run;
    ResultIncomplete *item;
    size_t count, cap;
} IncompleteList;

static void add_incomplete(IncompleteList *list, ResultIncompleteKind kind, const Message *said)
{
    const char *text = compiled_message(list->run, said);
    *VEC_PUSH(list->run->arena, list->item, list->count, list->cap) =
        (ResultIncomplete){kind, text};
}

/* True for a file that is named as a model but holds a compiled graph. */
static bool is_called_a_model(const char *path)
{
    static const char *const suffix[] = {".onnx", ".tflite"};
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof suffix / sizeof *suffix; i++)
        if (n > strlen(suffix[i]) && !strcasecmp(path + n - strlen(suffix[i]), suffix[i]))
            return true;
    return false;
}

static void add_incomplete_inputs(IncompleteList *list)
{
    Arena *a = list->run->arena;
    const TraceStats *s = list->run->program_trace;
    const char *model = list->run->request->model_path;
    if (is_called_a_model(model))
        add_incomplete(
            list, RESULT_INCOMPLETE_KIND_MODEL,
            MESSAGE(a, phrase_arg(PHRASE_NOT_THE_MODEL), arg_text(file_base_name(model))));
    for (size_t i = 0; s && i < s->nfile; i++)
        if (s->file[i].repairs.unterminated)
            add_incomplete(list, RESULT_INCOMPLETE_KIND_TRACE,
                           MESSAGE(a, phrase_arg(PHRASE_TRACE_BREAKS_OFF),
                                   arg_text(file_base_name(s->file[i].path))));
}

/* Inputs and rules that were not read or evaluated to their end: no gate may pass on them. */
static ResultIncompleteList incomplete_parts(const CompiledRun *run)
{
    IncompleteList list = {.run = run};
    add_incomplete_inputs(&list);
    for (size_t i = 0; i < run->matches.noutcome; i++) {
        const RuleOutcome *x = &run->matches.outcome[i];
        if (x->stopped && !config_is_off(&run->settings, x->rule->id))
            add_incomplete(&list, RESULT_INCOMPLETE_KIND_RULE, x->reason);
    }
    const Config *c = run->request->config;
    for (size_t i = 0; c && i < c->nfile; i++)
        if (c->file[i]->refused)
            add_incomplete(&list, RESULT_INCOMPLETE_KIND_SETTINGS,
                           MESSAGE(run->arena, phrase_arg(PHRASE_SETTINGS_BAD),
                                   arg_text(c->file[i]->file), arg_text(c->file[i]->refused)));
    return (ResultIncompleteList){list.item, list.count};
}

/* ---- the evidence ---- */

static ResultCoverage coverage_of(const CompiledRun *run)
{
    const LayerTimes *t = run->layer;
    int64_t known = 0;
    for (size_t i = 0; i < run->graph->nop; i++)
        known += run->graph->op[i].type != NULL;
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
        item[i] = (ResultIssue){t->issue[i].code, compiled_message(run, t->issue[i].said)};
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
    r->target = target_of(run->graph);
    r->sdk = run->sdk;
    r->objective = RESULT_OBJECTIVE_LATENCY;
    r->options = result_options(q);
    r->notes = result_notes(a, run->notes, q->lang);
    r->compiled = compiled_layers(run);
    r->steps = compiled_steps(run);
    r->coverage = coverage_of(run);
    r->evidence = evidence_of(run);
    r->recommendations = compiled_recommendations(run);
    r->combined = compiled_combined(run);
    r->observations = compiled_observations(run);
    r->passed = passed_rules(run);
    r->not_applicable = not_applicable_rules(run);
    r->suppressed = compiled_suppressed(run);
    r->rules = result_rules(a, &run->book, q->lang);
    r->incomplete = incomplete_parts(run);
    r->gate = result_gate(a, &run->settings);
    return r;
}
