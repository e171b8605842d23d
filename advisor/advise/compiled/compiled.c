/* Reads graph and times, joins them, matches the rules and ranks the matches by their bounds. */
#include "advisor/advise/compiled/compiled.h"

#include "advisor/advise/compiled/layer_facts.h"
#include "advisor/advise/compiled/program_times.h"
#include "advisor/advise/compiled/table_traits.h"
#include "advisor/advise/traces.h"
#include "advisor/options/config.h"
#include "advisor/rules/rule.h"
#include "advisor/message/phrase.h"
#include "graph/compile/options.h"
#include "graph/base/limits.h"

/* ---- reading ---- */

enum { PROBE_BYTES = 1 << 16 };

static bool begins_as_graph(const uint8_t *beginning, size_t n)
{
    return imported_recognise((InFile){.data = beginning, .size = n});
}

static bool begins_as_either(const uint8_t *beginning, size_t n)
{
    return begins_as_graph(beginning, n) || engine_recognise(beginning, n) != ENGINE_NOTHING;
}

static bool file_begins_as(const char *path, bool (*as)(const uint8_t *beginning, size_t n))
{
    uint8_t *beginning = limits_alloc(PROBE_BYTES);
    size_t n = file_in_peek(path, beginning, PROBE_BYTES);
    bool yes = n && as(beginning, n);
    free(beginning);
    return yes;
}

bool compiled_recognise(const char *path)
{
    return file_begins_as(path, begins_as_either);
}

bool compiled_is_graph(const char *path)
{
    return file_begins_as(path, begins_as_graph);
}

/* Takes the medians of spans that a trace names as stages; what --app tells stays.  True: the trace
 * has nothing else. */
static bool take_stages(Arena *a, AdviseRequest *q, const char *path)
{
    TraceStats *s = NULL;
    Diag unread = {0};
    bool any = false;
    if (compiled_is_graph(path) ||
        traces_read(a, &path, 1, &q->trace_options, q->notes, &s, &unread))
        return false;
    for (size_t i = 0; i < s->nother_name; i++)
        for (ApplicationStage k = 0; k < STAGE_COUNT; k++)
            if (!strcmp(s->other_name[i].name, application_stage_name(k))) {
                q->stage_ns[k] = q->stage_ns[k] ? q->stage_ns[k] : s->other_name[i].median_ns;
                any = true;
            }
    return any && !s->nnpu_name && !s->nhost_name;
}

static void take_application(Arena *a, AdviseRequest *q)
{
    const char **rest = ARENA_ARRAY(a, const char *, q->ntrace + 1);
    size_t n = 0;
    for (size_t i = 0; i < q->ntrace; i++)
        if (!take_stages(a, q, q->trace[i]))
            rest[n++] = q->trace[i];
    q->trace = rest;
    q->ntrace = n;
}

Status compiled_take_table(Arena *a, AdviseRequest *q, Diag *diag)
{
    CompileOptions *o = &q->baseline.compile;
    InFile file;
    Imported *g;
    Diag unread = {0}; /* what is wrong with the file is said where it is read */
    if (!q->ntrace || compiled_is_graph(q->model_path) || !compiled_is_graph(q->trace[0]) ||
        file_in_open(&file, q->trace[0], 0, &unread))
        return STATUS_OK;
    Status st = imported_read(a, file, &g, &unread);
    file_in_close(&file);
    if (st || !g->rknn)
        return STATUS_OK;
    take_application(a, q);
    const TableTraits *table = table_traits(a, g);
    q->table = q->trace[0];
    q->rows = g->rknn->timed ? NULL : g;
    if (q->rows)
        q->ntrace = 0;
    bool named = table->chip && !table->chip_by_cores;
    if (named && o->target_given && strcmp(table->chip, o->target_name) != 0)
        return diag_set(diag, STATUS_USAGE, q->table, NULL, "is a table of %s, not of %s",
                        table->chip, o->target);
    if (!table->chip && !o->target_given)
        return diag_set(diag, STATUS_USAGE, q->table, NULL,
                        "does not name its chip: give --target");
    if (!o->ddr_mhz && table->ddr_mhz > 0) {
        o->ddr_mhz = (int)lround(table->ddr_mhz);
        notes_add(q->notes, "ddr-clock", phrase_arg(PHRASE_TABLE_DDR),
                  arg_fixed(table->ddr_mhz, 0));
    }
    return o->target_given ? STATUS_OK : compile_option_set(o, a, OPTION_TARGET, table->chip, diag);
}

/* Times without a graph: the layers that they name, without anything else. */
static void graph_of_rows(CompiledRun *run)
{
    Imported *g = ARENA_NEW(run->arena, Imported);
    *g = (Imported){.arena = run->arena, .kind = IMPORT_TENSORRT, .names_only = true};
    for (size_t i = 0; i < run->times.nrow; i++)
        *VEC_PUSH(run->arena, g->op, g->nop, g->op_cap) =
            (ImportOp){.name = run->times.row[i].name, .subgraph = IMPORT_NONE};
    run->graph = g;
    run->no_gain = MESSAGE(run->arena, phrase_arg(PHRASE_TIMES_WITHOUT_LAYERS));
}

static Status read_model(CompiledRun *run, Diag *diag)
{
    InFile file;
    char *sha = arena_alloc(run->arena, 65);
    Status st = file_in_open(&file, run->request->model_path, 0, diag);
    if (st)
        return st;
    sha256_hex(file.data, file.size, sha);
    run->sha256 = sha;
    if (imported_recognise(file))
        st = imported_read(run->arena, file, &run->graph, diag);
    else if (!(st = engine_times_add(&run->times, file, sha, diag)))
        graph_of_rows(run);
    file_in_close(&file);
    return st;
}

static Status read_trace(CompiledRun *run, const char *path, Diag *diag)
{
    InFile file;
    char sha256[65];
    Status st = engine_text(run->arena, path, &file, sha256, diag);
    if (st)
        return st;
    if (imported_recognise(file))
        return imported_read(run->arena, file, &run->other_graph, diag);
    /* A second layer list is the model at another batch; a profile after it belongs to it. */
    if (run->other_graph && run->times.nrow &&
        engine_recognise(file.data, file.size) == ENGINE_PROFILE)
        return engine_times_add(&run->other_times, file, sha256, diag);
    st = engine_times_add(&run->times, file, sha256, diag);
    if (!st)
        imported_take_log(run->graph, (const char *)file.data, file.size);
    return st;
}

/* Of a program for the NPU: any trace that a model may have. */
static Status read_program_trace(CompiledRun *run, Diag *diag)
{
    const AdviseRequest *q = run->request;
    TraceStats *stats = NULL;
    if (q->ntrace == 0)
        return STATUS_OK;
    Status st =
        traces_read(run->arena, q->trace, q->ntrace, &q->trace_options, q->notes, &stats, diag);
    st = st ? st : traces_need_spans(stats, diag);
    st = st ? st : traces_match(run->arena, stats, &q->trace_options, NULL, diag);
    if (st)
        return st;
    run->program_trace = stats;
    program_times(&run->times, run->graph, stats);
    for (size_t i = 0; i < stats->nfile; i++) {
        EngineFile *f =
            VEC_PUSH(run->arena, run->times.file, run->times.nfile, run->times.file_cap);
        *f = (EngineFile){.path = stats->file[i].path, .kind = ENGINE_TRACE};
        snprintf(f->sha256, sizeof f->sha256, "%s", stats->file[i].sha256);
    }
    return STATUS_OK;
}

/* A table has its times; a trace beside it may have the application's. */
static Status read_table_times(CompiledRun *run, Diag *diag)
{
    AdviseRequest *q = ARENA_NEW(run->arena, AdviseRequest);
    *q = *run->request;
    take_application(run->arena, q);
    run->request = q;
    if (q->ntrace)
        return diag_set(diag, STATUS_USAGE, q->trace[0], NULL,
                        "is not read: the table has the times of its layers");
    table_times(&run->times, run->graph);
    for (size_t i = 0; i < run->times.nfile; i++)
        snprintf(run->times.file[i].sha256, sizeof run->times.file[i].sha256, "%s", run->sha256);
    return STATUS_OK;
}

static Status read_all(CompiledRun *run, Diag *diag)
{
    const AdviseRequest *q = run->request;
    engine_times_init(&run->times, run->arena);
    engine_times_init(&run->other_times, run->arena);
    Status st = read_model(run, diag);
    if (!st && run->graph->rknn)
        return read_table_times(run, diag);
    if (!st && run->graph->kind != IMPORT_TENSORRT)
        return read_program_trace(run, diag);
    for (size_t i = 0; i < q->ntrace && !st; i++)
        st = read_trace(run, q->trace[i], diag);
    return st;
}

/* The version from the log, or the one that most rules are written for. */
enum { VERSION_ASSUMED = 1000 };

/* The toolkit wrote the model; the runtime is at least as new. */
static const char *table_toolkit(const RknnTable *t)
{
    return t->log.word[RKNN_TOOLKIT] ? t->log.word[RKNN_TOOLKIT] : t->log.word[RKNN_RUNTIME];
}

static const char *told_version(const CompiledRun *run)
{
    bool engine = run->graph->kind == IMPORT_TENSORRT;
    const char *toolkit = run->graph->rknn ? table_toolkit(run->graph->rknn) : NULL;
    if (toolkit && rule_version("rknn", toolkit))
        return rule_version_text(run->arena, "rknn", rule_version("rknn", toolkit));
    if (engine && run->times.version)
        return rule_version_text(run->arena, "tensorrt", run->times.version);
    return !engine && run->graph->sdk ? run->graph->sdk : "unknown";
}

static void join_layer_times(CompiledRun *run)
{
    run->layer = layer_times_join(run->arena, run->graph, &run->times);
    run->layer->stage_ns = run->request->stage_ns;
    table_judge(run->arena, run->layer);
    run->look = layer_traits_find(run->arena, run->layer);
    if (run->other_graph)
        run->other = layer_times_join(run->arena, run->other_graph, &run->other_times);
    if (run->request->verify)
        notes_add(run->notes, "not-built", phrase_arg(PHRASE_NOTE_NOT_BUILT));
    run->sdk = told_version(run);
    run->version = run->graph->rknn ? rule_version("rknn", run->sdk) : run->times.version;
    if (!run->version && run->graph->kind == IMPORT_TENSORRT) {
        run->version = VERSION_ASSUMED;
        notes_add(run->notes, "assumed-version", phrase_arg(PHRASE_NOTE_NO_VERSION));
    }
    if (run->no_gain)
        run->layer->gains = false;
    else if (!run->times.nrow && run->graph->rknn)
        run->no_gain = MESSAGE(run->arena, phrase_arg(PHRASE_TABLE_UNTIMED));
    else if (!run->times.nrow)
        run->no_gain = MESSAGE(run->arena, phrase_arg(run->graph->kind == IMPORT_TENSORRT
                                                          ? PHRASE_NO_LAYER_TIMES
                                                          : PHRASE_NO_STEP_TIMES));
    else if (run->layer->sum_ns <= 0)
        run->no_gain = MESSAGE(run->arena, phrase_arg(PHRASE_ALL_ZERO));
    else if (!run->layer->gains)
        run->no_gain = MESSAGE(run->arena, phrase_arg(PHRASE_OTHER_BUILD));
}

/* ---- recommendations ---- */

static uint64_t hash_text(uint64_t h, const char *text)
{
    return strmap_hash_string(h, text ? text : "");
}

/* A hash of a layer without names. */
static uint64_t hash_layer(const Imported *g, uint32_t i)
{
    const ImportOp *op = &g->op[i];
    uint64_t h = hash_text(hash_text(HASH_SEED, op->type), op->layer.operation);
    for (size_t k = 0; k < op->ninput + op->noutput; k++) {
        const ImportTensor *t = &g->tensor[layer_tensor(op, k)];
        h = hash_text(h, t->format);
        h = strmap_hash_bytes(h, t->dim, sizeof *t->dim * (size_t)(t->rank > 0 ? t->rank : 0));
    }
    return h;
}

/* Order in the file plays no part: layers are added up. */
static uint64_t hash_advice(const CompiledRun *run, const Bound *b)
{
    return LIST_SUM(uint64_t, i, b->nremoves, hash_layer(run->graph, b->removes[i])) +
           3 * LIST_SUM(uint64_t, i, b->nchanges, hash_layer(run->graph, b->changes[i]));
}

static const char *advice_fingerprint(CompiledRun *run, const CompiledAdvice *x)
{
    uint64_t h = hash_advice(run, &x->bound), twin = 0;
    h = strmap_hash_string(strmap_hash_bytes(HASH_SEED, &h, sizeof h), x->match->rule->id);
    const char *text = arena_printf(run->arena, "%s-%012" PRIx64, x->match->rule->id, h >> 16);
    for (size_t i = 0; i < run->nadvice; i++)
        twin += !strncmp(run->advice[i].fingerprint, text, strlen(text));
    if (twin) {
        h = strmap_hash_bytes(h, &twin, sizeof twin);
        text = arena_printf(run->arena, "%s-%012" PRIx64, x->match->rule->id, h >> 16);
    }
    return text;
}

static const Message *why_held(CompiledRun *run, CompiledAdvice *x)
{
    const Match *m = x->match;
    const AdviseRequest *q = run->request;
    if (config_is_off(&run->rules.settings, m->rule->id)) {
        x->suppressed = RESULT_REASON_CONFIGURED;
        return MESSAGE(run->arena, phrase_arg(PHRASE_CONFIGURED_OFF));
    }
    if (!strcmp(m->rule->group, "evidence"))
        return MESSAGE(run->arena, phrase_arg(PHRASE_IS_EVIDENCE));
    if (m->withheld)
        return m->withheld;
    if (run->no_gain)
        return run->no_gain;
    if (!x->bound.known || x->bound.at_most_ns <= 0)
        return m->untried ? m->untried : MESSAGE(run->arena, phrase_arg(PHRASE_NO_TIME_BOUNDS));
    const Message *small =
        bound_is_small(run->arena, run->layer, &x->bound, q->min_share, (double)q->min_gain_ns);
    if (small)
        x->suppressed = RESULT_REASON_SMALL;
    return small;
}

/* A rule passes below its own minimum share. */
static bool is_below_min_share(const CompiledRun *run, const Match *m, const Bound *b)
{
    double least = m->rule->bound.least / 100;
    return least > 0 && run->layer->sum_ns > 0 && b->at_most_ns < least * run->layer->sum_ns;
}

static void add_advice(CompiledRun *run, const Match *m, Bound bound)
{
    CompiledAdvice x = {.match = m, .bound = bound};
    Bound *place = ARENA_ARRAY(run->arena, Bound, m->nplace + 1);
    for (size_t i = 0; i < m->nplace; i++)
        place[i] = bound_of_occurrence(run->arena, run->layer, &m->place[i]);
    x.place = place;
    x.fingerprint = advice_fingerprint(run, &x);
    x.held = why_held(run, &x);
    run->advice[run->nadvice++] = x;
}

static double advice_weight(const CompiledAdvice *x)
{
    return x->bound.at_most_ns * applicability_weight(x->match->rule->applicability);
}

ORDER_BY(by_rank, CompiledAdvice, COMPARE(!!a->held, !!b->held),
         a->held ? 0 : COMPARE(advice_weight(b), advice_weight(a)),
         strcmp(a->match->rule->id, b->match->rule->id), strcmp(a->fingerprint, b->fingerprint))

static void mark_passed(CompiledRun *run, const Rule *rule)
{
    for (size_t i = 0; i < run->rules.matches.noutcome; i++)
        if (run->rules.matches.outcome[i].rule == rule)
            run->rules.matches.outcome[i].outcome = OUTCOME_PASSED;
}

static void rank_advice(CompiledRun *run)
{
    run->advice = ARENA_ARRAY(run->arena, CompiledAdvice, run->rules.matches.nmatch + 1);
    for (size_t i = 0; i < run->rules.matches.nmatch; i++) {
        const Match *m = &run->rules.matches.match[i];
        Bound b = bound_of_match(run->arena, run->layer, m);
        if (is_below_min_share(run, m, &b))
            mark_passed(run, m->rule);
        else
            add_advice(run, m, b);
    }
    qsort(run->advice, run->nadvice, sizeof *run->advice, by_rank);
    while (run->nrecommended < run->nadvice && !run->advice[run->nrecommended].held)
        run->nrecommended++;
}

/* True for a file that is named as a model but holds a compiled graph. */
static bool is_called_a_model(const char *path)
{
    static const char *const suffix[] = {".onnx", ".tflite"};
    size_t n = strlen(path);
    return LIST_ANY(i, sizeof suffix / sizeof *suffix,
                    n > strlen(suffix[i]) && !strcasecmp(path + n - strlen(suffix[i]), suffix[i]));
}

/* After the ranking, by which rules pass; in the order in which what is incomplete is said. */
static void settle_compiled_rules(CompiledRun *run)
{
    Arena *a = run->arena;
    const char *model = run->request->model_path;
    if (is_called_a_model(model))
        run_rules_incomplete(
            &run->rules, a, RESULT_INCOMPLETE_KIND_MODEL,
            MESSAGE(a, phrase_arg(PHRASE_NOT_THE_MODEL), arg_text(file_base_name(model))));
    run_rules_broken_traces(&run->rules, a, run->program_trace);
    run_rules_settle(&run->rules, a);
    run_rules_refused_settings(&run->rules, a, run->request->config);
}

static Status match_compiled_rules(CompiledRun *run, Diag *diag)
{
    const AdviseRequest *q = run->request;
    RunRules *rules = &run->rules;
    const char *kind = layer_facts_import_key(run->graph->kind);
    Status st = run_rules_load(rules, run->arena, q, kind, diag);
    if (st)
        return st;
    xmlDoc *facts = layer_facts(run->arena, run->layer, run->look, run->other);
    rules->matches = match_rules(run->arena, &rules->book, facts,
                                 (RuleScope){.sdk = run->version, .family = ""}, q->lang);
    xmlFreeDoc(facts);
    rank_advice(run);
    settle_compiled_rules(run);
    return STATUS_OK;
}

Status compiled_advise(Arena *a, const AdviseRequest *q, const char *onnx,
                       const Result **ret_result, Diag *diag)
{
    CompiledRun run = {.arena = a, .request = q, .notes = q->notes};
    Status st = read_all(&run, diag);
    if (!st && onnx)
        st = compiled_tie(&run, onnx, diag);
    if (st)
        return st;
    join_layer_times(&run);
    st = match_compiled_rules(&run, diag);
    if (st)
        return st;
    *ret_result = compiled_result(&run);
    if (run.no_gain)
        return diag_set(diag, STATUS_UNDECIDED, file_base_name(q->model_path), NULL,
                        "no gain can be told: %s", message_format(a, q->lang, run.no_gain));
    return STATUS_OK;
}

Status compiled_facts(Arena *a, const AdviseRequest *q, xmlDoc **ret_doc, Diag *diag)
{
    CompiledRun run = {.arena = a, .request = q, .notes = q->notes};
    Status st = read_all(&run, diag);
    if (st)
        return st;
    join_layer_times(&run);
    *ret_doc = layer_facts(a, run.layer, run.look, run.other);
    return STATUS_OK;
}
