/* Runs both variants in processes of their own, collects their traces and decides the verdict. */
#include "advisor/candidate/verify.h"

#include "advisor/message/json.h"
#include "advisor/message/phrase.h"
#include "advisor/message/process.h"
#include "advisor/candidate/ensemble.h"
#include "cost_model/evidence_grade.h"
#include "graph/base/statistics.h"
#include "graph/base/random.h"
#include "graph/compile/options.h"
#include "graph/edit/edit.h"
#include "graph/onnx/onnx.h"
#include "graph/options/option.h"

enum {
    ROUND_RUNS = 10, /* of an external runner, before the other variant has its turn */
    ROUNDS_MIN = 3,  /* 30 pairs */
    ROUNDS_MAX = 12,
    RUNS_PER_WORKER = 8,  /* so that filling and draining the pipeline do not decide */
    RUNS_OF_A_MEMBER = 2, /* divides the runs: the members are many */
    MORE_RUNS = 4,        /* times as many, where rates still scatter too much to be compared … */
    MORE_ROUNDS = 2,      /* … so often */
};

/* Wide: more than this share of the measured value, and of the baseline's rate. */
#define NARROW_SHARE   0.2
#define NARROW_OF_RATE 0.01

static const char SIMULATOR[] = "npu-exec (simulation)";

struct Verifier {
    Arena *a;
    const WhatIf *w;
    const char *model_path;
    const char *const *command; /* NULL-terminated words */
    const char *name;           /* of the runner, in reports */
    bool is_simulator;          /* npu-exec: paired by seed */
    int runs;
    uint64_t seed;
    Helper *helper;
    TempFolder folder;
    bool is_ensemble;  /* npu-exec beside this program, on all of its simulated chips … */
    Ensemble ensemble; /* … known after the first run */
    double nothing;    /* smaller shares of the baseline are no saving */
    Sample baseline[ENSEMBLE_MEMBERS_MAX]; /* the simulator's */
    Sample current[ENSEMBLE_MEMBERS_MAX];  /* of the variant that runs … */
    Sample previous[ENSEMBLE_MEMBERS_MAX]; /* … and of the one before it … */
    bool has_previous;                     /* … where steps of a plan are compared */
    size_t files;                          /* made so far, for their names */
    const char *failure;                   /* of the first run that failed; NULL */
};

Status verifier_open(Arena *a, const VerifyRequest *q, Verifier **ret, Diag *diag)
{
    Verifier *v = ARENA_NEW(a, Verifier);
    /* Seeds of runs differ from those of the user's traces. */
    uint64_t seed = random_bits(q->seed, HASH_SEED, VERIFY_RUNS, VERIFY_LIMIT_S) >> 13;
    *v = (Verifier){.a = a,
                    .w = q->w,
                    .model_path = q->model_path,
                    .helper = q->helper,
                    .runs = q->runs > 0 ? q->runs : VERIFY_RUNS,
                    .seed = seed | UINT64_C(1) << 50,
                    .is_ensemble = q->runner == NULL,
                    .ensemble.count = 1};
    if (strcmp(q->model_path, "-") == 0)
        return diag_set(diag, STATUS_USAGE, NULL, option_flag(OPTION_VERIFY),
                        "needs a model in a file, not from standard input");
    Status st = runner_command(a, q->runner, &v->command, diag);
    if (st)
        return st;
    v->name = file_base_name(v->command[0]);
    v->is_simulator = strcmp(v->name, "npu-exec") == 0;
    v->name = v->is_simulator ? SIMULATOR : v->name;
    st = process_temp_folder_make(a, &v->folder, diag);
    if (!st)
        *ret = v;
    return st;
}

const char *verifier_name(const Verifier *v)
{
    return v->name;
}

bool verifier_is_named(const Verifier *v)
{
    return !v->is_ensemble;
}

const char *verifier_failure(const Verifier *v)
{
    return v->failure;
}

void verifier_close(Verifier *v)
{
    if (v)
        process_temp_folder_remove(&v->folder);
}

/* Path of the model to run: the user's file, or a model written beside the traces: an edited one,
 * or one with the rows of the compiler's table. */
static Status model_file(Verifier *v, const Trial *t, const char **ret, Diag *diag)
{
    const CompileOptions *o = &t->variant.compile;
    const Graph *g = v->w->model->graph;
    *ret = v->model_path;
    bool tells = v->is_simulator && LIST_ANY(i, g->nnode, g->node[i].told);
    if (variant_is_options_only(&t->variant) && !tells)
        return STATUS_OK;
    Model *edited = NULL;
    Status st = model_edit(t->arena, v->w->model, o->edit, o->nedit, &edited, diag);
    if (!st)
        edited->tells_rows = tells;
    const char *path = arena_printf(t->arena, "%s/%zu.onnx", v->folder.path, v->files++);
    st = st ? st : onnx_write(edited, path, diag);
    if (!st)
        *ret = path;
    return st;
}

/* Rejects traces that are incomplete. */
static Status check_whole(const Verifier *v, const TraceStats *stats, int runs, Diag *diag)
{
    const char *name = file_base_name(v->command[0]);
    if (stats->file[0].repairs.unterminated)
        return diag_set(diag, STATUS_INPUT, name, NULL, "wrote a trace that breaks off");
    if ((double)stats->ninference < RUNS_MIN_SHARE * runs)
        return diag_set(diag, STATUS_INPUT, name, NULL, "wrote a trace of %zu inferences, not %d",
                        (size_t)stats->ninference, runs);
    return STATUS_OK;
}

/* Adds one trace to one sample. */
static Status gather_file(Verifier *v, const Trial *t, const char *trace, int runs, Sample *s,
                          TraceStats **ret, Diag *diag)
{
    TraceReadOptions read = {0};
    Status st = trace_stats(t->arena, &trace, 1, &read, ret, diag);
    st = st ? st : check_whole(v, *ret, runs, diag);
    if (!st)
        sample_add(v->a, s, t, *ret);
    return st;
}

/* Each member's trace lies beside the first, as FILE.K. */
static Status gather_all(Verifier *v, const Trial *t, const char *trace, int runs, Sample *s,
                         TraceStats **ret_stats, Diag *diag)
{
    Status st = STATUS_OK;
    for (size_t k = 0; k < ENSEMBLE_MEMBERS_MAX && !st; k++) {
        const char *file = k ? arena_printf(t->arena, "%s.%zu", trace, k) : trace;
        TraceStats *stats = NULL;
        if (k && (!v->is_ensemble || access(file, R_OK) != 0))
            break;
        v->ensemble.count = k + 1;
        st = gather_file(v, t, file, runs, &s[k], &stats, diag);
        if (ret_stats)
            ret_stats[k] = stats;
    }
    return st;
}

/* Runs the trial; sets the call's model and, by the pointer, the file that it writes. */
static Status run_call(Verifier *v, const Trial *t, RunnerCall *call, const char **ret_file,
                       Diag *diag)
{
    Status st = model_file(v, t, &call->model, diag);
    if (st)
        return st;
    call->variant = &t->variant;
    *ret_file = arena_printf(t->arena, "%s/%zu.json", v->folder.path, v->files++);
    return helper_run(v->helper, runner_words(t->arena, v->command, call),
                      (ProcessLimits){VERIFY_LIMIT_S, v->folder.path}, diag);
}

/* Adds to s[0], or to each member's; `ret_stats` (may be NULL) takes full traces. */
static Status run_once(Verifier *v, const Trial *t, int runs, uint64_t seed, Sample *s,
                       TraceStats **ret_stats, Diag *diag)
{
    RunnerCall call = {.runs = runs,
                       .seed = seed,
                       .members = v->is_ensemble,
                       .outline = v->is_simulator && !ret_stats};
    if (v->is_simulator)
        runner_call_application(&call, t);
    Status st = run_call(v, t, &call, &call.trace, diag);
    st = st ? st : gather_all(v, t, call.trace, runs, s, ret_stats, diag);
    if (st && !v->failure)
        v->failure = arena_strdup(v->a, diag->text);
    return st;
}

static int max_workers(const Trial *from, const Trial *to)
{
    int a = from->variant.run.workers, b = to->variant.run.workers;
    return a > b ? a : b;
}

/* `least`, or more where a rate of several workers is asked for. */
static int runs_that_fill(const Verifier *v, const Trial *from, const Trial *to, int least)
{
    int most = max_workers(from, to);
    bool fills = v->w->objective == OBJECTIVE_THROUGHPUT && most > 1;
    return fills && RUNS_PER_WORKER * most > least ? RUNS_PER_WORKER * most : least;
}

static int runs_for(const Verifier *v, const Trial *from, const Trial *to)
{
    int runs = runs_that_fill(v, from, to, v->runs);
    return v->is_ensemble ? (runs + RUNS_OF_A_MEMBER - 1) / RUNS_OF_A_MEMBER : runs;
}

/* The baseline is run once for each number of runs asked for. */
static Status run_baseline(Verifier *v, const Trial *from, int runs, Sample *before, Diag *diag)
{
    const Reconciliation *rec = v->w->rec;
    bool judged = v->is_ensemble && rec && rec->inferences && !evidence_is_foreign(rec) &&
                  before == v->baseline;
    TraceStats *stats[ENSEMBLE_MEMBERS_MAX] = {NULL};
    if (before->n >= (size_t)runs)
        return STATUS_OK;
    memset(before, 0, ENSEMBLE_MEMBERS_MAX * sizeof *before);
    Status st = run_once(v, from, runs, v->seed, before, judged ? stats : NULL, diag);
    if (!st && judged)
        ensemble_drop(&v->ensemble, v->w, from, stats);
    return st;
}

/* One process per variant and seed: the runs pair by index. */
static Status pair_runs(Verifier *v, const Trial *from, const Trial *to, int runs,
                        VerifiedStep *ret, Diag *diag)
{
    bool shared = from == &v->w->baseline;
    Sample own[ENSEMBLE_MEMBERS_MAX], after[ENSEMBLE_MEMBERS_MAX];
    Sample *before = shared ? v->baseline : own;
    Verified m[ENSEMBLE_MEMBERS_MAX], step[ENSEMBLE_MEMBERS_MAX];
    const Sample *last = v->has_previous ? v->previous : before;
    memset(own, 0, sizeof own);
    memset(after, 0, sizeof after);
    Status st = run_baseline(v, from, runs, before, diag);
    st = st ? st : run_once(v, to, runs, v->seed, after, NULL, diag);
    for (size_t k = 0; k < v->ensemble.count && !st; k++) {
        size_t block = (size_t)max_workers(from, to);
        m[k] = sample_compare(v->a, &before[k], &after[k], v->w->objective, block, v->seed);
        step[k] = sample_compare(v->a, &last[k], &after[k], v->w->objective, block, v->seed);
    }
    if (st)
        return st;
    ret->all = v->is_ensemble ? ensemble_span(&v->ensemble, m, v->nothing) : m[0];
    ret->step = v->is_ensemble ? ensemble_span(&v->ensemble, step, v->nothing) : step[0];
    memcpy(v->current, after, sizeof after);
    return STATUS_OK;
}

static bool is_narrow(const Verified *m)
{
    return m->n > 0 && m->hi - m->lo <= NARROW_SHARE * fabs(m->median);
}

/* Latencies are paired run by run; a rate needs more runs to be precise. */
static Status pair_simulated(Verifier *v, const Trial *from, const Trial *to, VerifiedStep *ret,
                             Diag *diag)
{
    int runs = runs_for(v, from, to);
    Status st = pair_runs(v, from, to, runs, ret, diag);
    for (int k = 0; k < MORE_ROUNDS && !st && v->w->objective == OBJECTIVE_THROUGHPUT; k++) {
        const Verified *m = &ret->all;
        if (is_narrow(m) || m->hi - m->lo <= NARROW_OF_RATE * m->before)
            break;
        st = pair_runs(v, from, to, runs *= MORE_RUNS, ret, diag);
    }
    return st;
}

static Status pair_interleaved(Verifier *v, const Trial *from, const Trial *to, Verified *ret,
                               Diag *diag)
{
    Sample before = {0}, after = {0};
    Verified m = {0};
    Status st = STATUS_OK;
    int runs = runs_that_fill(v, from, to, ROUND_RUNS);
    for (int r = 0; r < ROUNDS_MAX && !st && !(r >= ROUNDS_MIN && is_narrow(&m)); r++) {
        uint64_t seed = v->seed + (uint64_t)r;
        st = run_once(v, from, runs, seed, &before, NULL, diag);
        st = st ? st : run_once(v, to, runs, seed, &after, NULL, diag);
        if (!st)
            m = sample_compare(v->a, &before, &after, v->w->objective,
                               (size_t)max_workers(from, to), v->seed);
    }
    if (!st)
        *ret = m;
    return st;
}

Verdict verify_compare(const Verified *m, Interval predicted, double least)
{
    if (m->n == 0)
        return VERDICT_NOT_VERIFIABLE;
    assert(m->lo <= m->hi);
    if ((m->lo <= 0 && m->hi >= 0) || fabs(m->median) < least)
        return VERDICT_NO_GAIN;
    if (m->hi < 0)
        return VERDICT_REGRESSION;
    if (m->lo > predicted.hi)
        return VERDICT_LARGER;
    return m->hi < predicted.lo ? VERDICT_SMALLER : VERDICT_CONFIRMED;
}

/* The baseline's run shows which members the trace contradicts. */
static Status run_pairs(Verifier *v, const Trial *from, const Trial *to, VerifiedStep *ret,
                        Diag *diag)
{
    Status st = STATUS_OK;
    if (!v->is_simulator)
        return pair_interleaved(v, from, to, &ret->all, diag);
    if (from != &v->w->baseline)
        st = run_baseline(v, &v->w->baseline, runs_for(v, from, to), v->baseline, diag);
    return st ? st : pair_simulated(v, from, to, ret, diag);
}

static Verified scale_verified(Verified m, double before)
{
    m.lo = before * m.share.lo;
    m.median = before * m.share.mid;
    m.hi = before * m.share.hi;
    return m;
}

Verdict verify_attempt(Verifier *v, const Attempt *t, const Gain *predicted, Verified *ret_verified,
                       const Message **ret_why)
{
    VerifiedStep both = {0};
    v->has_previous = false;
    Verdict verdict = verify_step(v, t, predicted, &both, ret_why);
    if (both.all.n)
        *ret_verified = both.all;
    return verdict;
}

void verify_first(Verifier *v)
{
    v->has_previous = false;
}

Verdict verify_step(Verifier *v, const Attempt *t, const Gain *predicted, VerifiedStep *ret,
                    const Message **ret_why)
{
    Trial trial;
    Diag diag;
    VerifiedStep m = {0};
    const Trial *from = &v->w->baseline;
    Status st = whatif_try(v->w, t->set, t->nset, &trial, &diag);
    double scale = prediction_objective(from->time, v->w->objective).mid;
    if (st) {
        *ret_why = message_verbatim(v->a, diag.text);
        return VERDICT_NOT_VERIFIABLE;
    }
    v->nothing = NOTHING_SHARE;
    st = run_pairs(v, from, &trial, &m, &diag);
    trial_free(&trial);
    if (st || m.all.n == 0) {
        *ret_why =
            st ? message_verbatim(v->a, diag.text) : MESSAGE(v->a, phrase_arg(PHRASE_TOO_FEW_RUNS));
        return VERDICT_NOT_VERIFIABLE;
    }
    v->has_previous = v->is_simulator;
    memcpy(v->previous, v->current, sizeof v->previous);
    m.all.runner = v->name;
    m.all.simulated = v->is_simulator;
    *ret = m;
    /* The verdict uses the printed figures: the same shares of the predicted baseline. */
    Verified now = predicted->before > 0 ? scale_verified(m.all, scale = predicted->before) : m.all;
    return verify_compare(&now, predicted->gain, v->nothing * scale);
}

Status verify_watch(Verifier *v, const Attempt *t, Trial *ret_trial, TraceStats **ret_stats,
                    Diag *diag)
{
    Sample s[ENSEMBLE_MEMBERS_MAX];
    TraceStats *stats[ENSEMBLE_MEMBERS_MAX] = {NULL};
    memset(s, 0, sizeof s);
    Status st = whatif_try(v->w, t->set, t->nset, ret_trial, diag);
    if (st)
        return st;
    st = run_once(v, ret_trial, runs_for(v, &v->w->baseline, ret_trial), v->seed, s, stats, diag);
    if (st)
        trial_free(ret_trial);
    else
        *ret_stats = stats[ensemble_middle(&v->ensemble, v->a, s)];
    return st;
}

/* ---- requests that come at a rate ---- */

/* "941 us" under "99th percentile", as the vendor's bench writes it. */
static Status read_quantile(const char *path, double quantile, double *ret_ns, Diag *diag)
{
    cJSON *tree = NULL;
    Status st = json_load(path, &tree, diag);
    if (st)
        return st;
    const char *key = quantile >= 0.99  ? "99th percentile"
                      : quantile >= 0.9 ? "90th percentile"
                                        : "50th percentile";
    const cJSON *stats = json_at(tree, "result.latency stats"),
                *x = cJSON_GetObjectItemCaseSensitive(stats, key);
    char *end = NULL;
    double us = cJSON_IsString(x) ? strtod(x->valuestring, &end) : 0;
    bool good = end && us > 0 && !strcmp(end, " us");
    *ret_ns = us * 1e3;
    cJSON_Delete(tree);
    return good ? STATUS_OK
                : diag_set(diag, STATUS_INPUT, NULL, option_flag(OPTION_RATE),
                           "the runner wrote no '%s' in microseconds to --json", key);
}

static Status run_open(Verifier *v, const Trial *t, const OpenLoop *q, uint64_t seed,
                       double *ret_ns, Diag *diag)
{
    RunnerCall call = {.runs = OPEN_REQUESTS, .seed = seed, .open = q};
    Status st = run_call(v, t, &call, &call.statistics, diag);
    return st ? st : read_quantile(call.statistics, q->quantile, ret_ns, diag);
}

Status verify_open_loop(Verifier *v, const Attempt *t, const OpenLoop *q, Interval *ret, Diag *diag)
{
    Trial trial;
    double ns[OPEN_RUNS];
    Status st = whatif_try(v->w, t->set, t->nset, &trial, diag);
    if (st)
        return st;
    for (size_t i = 0; i < OPEN_RUNS && !st; i++)
        st = run_open(v, &trial, q, v->seed + i, &ns[i], diag);
    trial_free(&trial);
    if (st)
        return st;
    statistics_sort_reals(ns, OPEN_RUNS);
    *ret = (Interval){ns[0], ns[OPEN_RUNS / 2], ns[OPEN_RUNS - 1]};
    return STATUS_OK;
}
