/* Writes the result document of a compiled graph with its times.
 *
 * The keys are those of any result; those of a model alone are null or empty, and `compiled` holds
 * the keys of a compiled graph alone. */
#include "advisor/advise/compiled/compiled_json.h"

#include "advisor/advise/tree_value.h"
#include "advisor/options/config.h"
#include "advisor/message/phrase.h"
#include "graph/base/file.h"
#include "graph/import/imported.h"
#include "graph/model/dtype.h"
#include "trace/readers/engine.h"

#include <string.h>
#include <strings.h>

/* ---- the subject ---- */

static void add_tensor(cJSON *list, const ImportTensor *t)
{
    cJSON *o = cJSON_CreateObject(), *shape = t->rank < 0 ? NULL : cJSON_CreateArray();
    cJSON_AddStringToObject(o, "name", t->name);
    cJSON_AddStringToObject(o, "dtype", dtype_name(t->dtype));
    for (int i = 0; i < t->rank; i++)
        cJSON_AddItemToArray(shape, tree_ns_if(t->dim[i] >= 0, (double)t->dim[i]));
    cJSON_AddItemToObject(o, "shape", shape ? shape : cJSON_CreateNull());
    cJSON_AddItemToArray(list, o);
}

static void add_compiled_model(cJSON *root, const CompiledRun *run)
{
    const Imported *g = run->graph;
    cJSON *o = cJSON_AddObjectToObject(root, "model");
    cJSON_AddStringToObject(o, "file", file_base_name(run->request->model_path));
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
        cJSON_AddStringToObject(o, "file", file_base_name(t->file[i].path));
        cJSON_AddStringToObject(o, "sha256", t->file[i].sha256);
        cJSON_AddStringToObject(o, "format", engine_file_key(t->file[i].kind));
        bool runs = t->file[i].kind == ENGINE_PROFILE || t->file[i].kind == ENGINE_TRACE;
        size_t n = runs                              ? t->iterations
                   : t->file[i].kind == ENGINE_TIMES ? t->stage[ENGINE_COMPUTE].n
                                                     : 0;
        cJSON_AddItemToObject(o, "inferences", tree_ns((double)n));
        cJSON_AddItemToArray(list, o);
    }
}

static void add_subject(cJSON *root, const CompiledRun *run)
{
    add_compiled_model(root, run);
    add_traces(root, run);
    bool engine = run->graph->kind == IMPORT_TENSORRT;
    const char *target = engine ? "tensorrt" : run->graph->target;
    cJSON_AddStringToObject(root, "target", target ? target : "unknown");
    cJSON_AddStringToObject(root, "sdk", compiled_version(run));
    cJSON_AddStringToObject(root, "objective", "latency");
    cJSON *o = cJSON_AddObjectToObject(root, "options");
    cJSON_AddItemToObject(o, "min_share", tree_real(run->request->min_share));
    cJSON_AddItemToObject(o, "min_gain_ns", tree_ns((double)run->request->min_gain_ns));
    cJSON_AddNullToObject(root, "setup"); /* nothing of a built engine is open */
    cJSON *notes = cJSON_AddArrayToObject(root, "notes");
    for (size_t i = 0; i < run->notes->nnote; i++)
        cJSON_AddItemToArray(notes, compiled_message(run, run->notes->note[i].said));
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
        const Message *why =
            off ? MESSAGE(run->arena, phrase_arg(PHRASE_CONFIGURED_OFF)) : x->reason;
        tree_add_entry(not_applicable, "rule_id", x->rule->id, compiled_message(run, why));
    }
}

static void add_one_incomplete(cJSON *list, const CompiledRun *run, const char *kind,
                               const Message *said)
{
    tree_add_entry(list, "kind", kind, compiled_message(run, said));
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

static void add_incomplete_inputs(cJSON *list, const CompiledRun *run)
{
    const TraceStats *s = run->program_trace;
    const char *model = run->request->model_path;
    if (is_called_a_model(model))
        add_one_incomplete(
            list, run, "model",
            MESSAGE(run->arena, phrase_arg(PHRASE_NOT_THE_MODEL), arg_text(file_base_name(model))));
    for (size_t i = 0; s && i < s->nfile; i++)
        if (s->file[i].repairs.unterminated)
            add_one_incomplete(list, run, "trace",
                               MESSAGE(run->arena, phrase_arg(PHRASE_TRACE_BREAKS_OFF),
                                       arg_text(file_base_name(s->file[i].path))));
}

/* Inputs and rules that were not read or evaluated to their end: no gate may pass on them. */
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
                               MESSAGE(run->arena, phrase_arg(PHRASE_SETTINGS_BAD),
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
    cJSON_AddItemToObject(c, "nodes", tree_ns((double)g->nop));
    cJSON_AddItemToObject(c, "nodes_known", tree_ns((double)known));
    cJSON_AddArrayToObject(c, "unknown_ops");
    cJSON_AddItemToObject(c, "matched_time_share",
                          tree_real_if(t->sum_ns > 0, t->joined_ns / t->sum_ns));
    cJSON *e = cJSON_AddObjectToObject(root, "evidence");
    char grade[2] = {run->no_gain ? 'D' : t->grade, '\0'};
    cJSON_AddStringToObject(e, "grade", grade);
    cJSON_AddNullToObject(e, "refuted");
    cJSON *issues = cJSON_AddArrayToObject(e, "issues");
    for (size_t i = 0; i < t->nissue; i++)
        tree_add_entry(issues, "code", t->issue[i].code, compiled_message(run, t->issue[i].said));
}

cJSON *compiled_result(const CompiledRun *run)
{
    cJSON *root = cJSON_CreateObject();
    tree_add_head(root, run->request->lang);
    add_subject(root, run);
    compiled_add_facts(root, run);
    cJSON_AddNullToObject(root, "prediction");
    cJSON_AddNullToObject(root, "measured");
    compiled_add_steps(root, run);
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
    compiled_add_recommendations(root, run);
    compiled_add_combined(root, run);
    cJSON_AddNullToObject(root, "tuned");
    compiled_add_observations(root, run);
    add_outcomes(root, run);
    compiled_add_skipped(root, run);
    cJSON_AddItemToObject(root, "rules", tree_rules(run->arena, &run->book, run->request->lang));
    add_incomplete(root, run);
    tree_add_gate(root, run->arena, &run->settings);
    return root;
}
