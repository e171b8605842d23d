/* Verification. */
#include "advisor/try/verify.h"

#include "advisor/say/phrase.h"
#include "advisor/say/process.h"
#include "advisor/try/sample.h"
#include "cost_model/predict.h"
#include "graph/compile/options.h"
#include "graph/edit/edit.h"
#include "graph/onnx/onnx.h"
#include "trace/stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUND_RUNS = 10,  /* of an external runner, before the other variant has its turn */
    ROUNDS_LEAST = 3, /* 30 pairs */
    ROUNDS_MOST = 12,
    RUNS_PER_WORKER = 8, /* so that filling and draining the pipeline do not decide */
};

static const char SIMULATOR[] = "npu-exec (simulation)";

struct Verifier {
    Arena *a;
    const WhatIf *w;
    const char *model_path;
    const char *const *command; /* NULL-terminated words */
    const char *name;           /* of the runner, as reports say it */
    bool is_simulator;          /* npu-exec: paired by seed */
    int runs;
    uint64_t seed;
    Helper *helper;
    TempFolder folder;
    Sample baseline[2];  /* the simulator's: as the user runs it, and at its best worker count */
    size_t files;        /* made so far, for their names */
    const char *failure; /* of the first run that failed; NULL */
};

static const char **split_words(Arena *a, const char *text)
{
    const char **word = NULL;
    size_t n = 0, cap = 0;
    for (const char *s = text; *s;) {
        size_t len = strcspn(s, " \t\n");
        if (len)
            *VEC_PUSH(a, word, n, cap) = arena_strndup(a, s, len);
        s += len + strspn(s + len, " \t\n");
    }
    *VEC_PUSH(a, word, n, cap) = NULL;
    return word;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

Status runner_command(Arena *a, const char *runner, const char *const **ret, Diag *diag)
{
    const char **command = runner ? split_words(a, runner) : ARENA_ARRAY(a, const char *, 2);
    if (!runner)
        command[0] = program_beside(a, "npu-exec");
    if (!command[0] && runner)
        return diag_set(diag, STATUS_USAGE, NULL, "--runner", "names no program");
    if (!command[0])
        return diag_set(diag, STATUS_INPUT, NULL, "--verify", "npu-exec is not beside npu-advise");
    *ret = command;
    return STATUS_OK;
}

Status verifier_open(Arena *a, const WhatIf *w, const char *model_path, const char *runner,
                     Helper *helper, int runs, uint64_t seed, Verifier **ret, Diag *diag)
{
    Verifier *v = ARENA_NEW(a, Verifier);
    *v = (Verifier){.a = a,
                    .w = w,
                    .model_path = model_path,
                    .helper = helper,
                    .runs = runs > 0 ? runs : VERIFY_RUNS,
                    .seed = seed};
    if (strcmp(model_path, "-") == 0)
        return diag_set(diag, STATUS_USAGE, NULL, "--verify",
                        "needs a model in a file, not from standard input");
    Status st = runner_command(a, runner, &v->command, diag);
    if (st)
        return st;
    v->name = base_name(v->command[0]);
    v->is_simulator = strcmp(v->name, "npu-exec") == 0;
    v->name = v->is_simulator ? SIMULATOR : v->name;
    st = temp_folder_make(a, &v->folder, diag);
    if (!st)
        *ret = v;
    return st;
}

const char *verifier_failure(const Verifier *v)
{
    return v->failure;
}

void verifier_close(Verifier *v)
{
    if (v)
        temp_folder_remove(&v->folder);
}

/* What one call of the runner is about. */
typedef struct {
    const char *model;
    const Variant *variant;
    int runs;
    uint64_t seed;
    const char *trace;
} Call;

static const char **call_words(Arena *a, const char *const *command, const Call *c)
{
    size_t noption = 0, nrun = 0, n = 0, cap = 0;
    const char **option = compile_options_argv(a, &c->variant->compile, &noption), **word = NULL;
    const char **run = run_options_argv(a, &c->variant->run, true, &nrun);
    for (size_t i = 0; command[i]; i++)
        *VEC_PUSH(a, word, n, cap) = command[i];
    *VEC_PUSH(a, word, n, cap) = c->model;
    for (size_t i = 0; i < noption; i++)
        *VEC_PUSH(a, word, n, cap) = option[i];
    for (size_t i = 0; i < nrun; i++)
        *VEC_PUSH(a, word, n, cap) = run[i];
    const char *tail[] = {"--runs",  arena_printf(a, "%d", c->runs),
                          "--seed",  arena_printf(a, "%llu", (unsigned long long)c->seed),
                          "--trace", c->trace,
                          NULL};
    for (size_t i = 0; i < sizeof tail / sizeof *tail; i++)
        *VEC_PUSH(a, word, n, cap) = tail[i];
    return word;
}

Status runner_run(Arena *a, const char *runner, const char *model_path, const Variant *v, int runs,
                  uint64_t seed, const char *trace_path, Diag *diag)
{
    const char *const *command = NULL;
    Status st = runner_command(a, runner, &command, diag);
    Call call = {model_path, v, runs, seed, trace_path};
    return st ? st
              : process_run(call_words(a, command, &call), (ProcessLimits){VERIFY_LIMIT_S, NULL},
                            diag);
}

/* Path of the model to run: the user's file, or the edited model written beside the traces. */
static Status model_file(Verifier *v, const Trial *t, const char **ret, Diag *diag)
{
    const CompileOptions *o = &t->variant.compile;
    *ret = v->model_path;
    if (variant_is_options_only(&t->variant))
        return STATUS_OK;
    Model *edited = NULL;
    Status st = model_edit(t->arena, v->w->model, o->edit, o->nedit, &edited, diag);
    const char *path = arena_printf(t->arena, "%s/%zu.onnx", v->folder.path, v->files++);
    if (!st)
        st = onnx_write(edited, path, diag);
    if (!st)
        *ret = path;
    return st;
}

static int by_time(const void *pa, const void *pb)
{
    double a = *(const double *)pa, b = *(const double *)pb;
    return a < b ? -1 : a > b;
}

/* Adds the inferences of a trace to the sample.  Throughput counts from when the workers are all
 * busy and warm-up is over; latency pairs every run, since both variants warm up alike. */
static void gather(Arena *a, Sample *s, const Trial *t, const TraceStats *stats)
{
    size_t n = stats->ninference, settled = (size_t)t->variant.run.workers;
    double *end = ARENA_ARRAY(a, double, n);
    int patches = t->variant.run.patches > 1 ? t->variant.run.patches : 1; /* runs per picture */
    for (size_t i = 0; i < n; i++) {
        const InferenceStat *x = &stats->inference[i];
        *VEC_PUSH(a, s->latency_ns, s->n, s->latency_cap) =
            (double)x->dur_ns * patches - t->variant.run.spared_ns + t->variant.run.behind_ns.mid;
        end[i] = (double)(x->start_ns + x->dur_ns);
        if (x->warm_up && i + 1 > settled && i + 1 < n / 2)
            settled = i + 1;
    }
    if (n)
        qsort(end, n, sizeof *end, by_time);
    for (size_t i = settled < n ? settled : n; i < n; i++)
        if (i)
            *VEC_PUSH(a, s->period_ns, s->nperiod, s->period_cap) = end[i] - end[i - 1];
    s->images = predict_images(t->program, &t->variant.run) / patches;
}

/* A trace that was cut off shows the runs that happened to be over by then. */
static Status check_whole(const Verifier *v, const TraceStats *stats, int runs, Diag *diag)
{
    const char *name = base_name(v->command[0]);
    if (stats->file[0].repairs.unterminated)
        return diag_set(diag, STATUS_INPUT, name, NULL, "wrote a trace that breaks off");
    if ((double)stats->ninference < RUNS_LEAST_SHARE * runs)
        return diag_set(diag, STATUS_INPUT, name, NULL, "wrote a trace of %zu inferences, not %d",
                        (size_t)stats->ninference, runs);
    return STATUS_OK;
}

static Status run_once(Verifier *v, const Trial *t, int runs, uint64_t seed, Sample *s, Diag *diag)
{
    const char *model = NULL;
    Status st = model_file(v, t, &model, diag);
    if (st)
        return st;
    const char *trace = arena_printf(t->arena, "%s/%zu.json", v->folder.path, v->files++);
    Call call = {model, &t->variant, runs, seed, trace};
    st = helper_run(v->helper, call_words(t->arena, v->command, &call),
                    (ProcessLimits){VERIFY_LIMIT_S, v->folder.path}, diag);
    TraceStats *stats = NULL;
    TraceReadOptions read = {0};
    if (!st)
        st = trace_stats(t->arena, &trace, 1, &read, &stats, diag);
    if (!st)
        st = check_whole(v, stats, runs, diag);
    if (!st)
        gather(v->a, s, t, stats);
    else if (!v->failure)
        v->failure = arena_strdup(v->a, diag->text);
    return st;
}

static int runs_for(const Verifier *v, const Trial *from, const Trial *to)
{
    int most = from->variant.run.workers > to->variant.run.workers ? from->variant.run.workers
                                                                   : to->variant.run.workers;
    bool fills = v->w->objective == OBJECTIVE_THROUGHPUT && most > 1;
    return fills && RUNS_PER_WORKER * most > v->runs ? RUNS_PER_WORKER * most : v->runs;
}

static size_t block_for(const Trial *from, const Trial *to)
{
    int a = from->variant.run.workers, b = to->variant.run.workers;
    return (size_t)(a > b ? a : b);
}

/* One process per variant and seed: the runs pair by index.  The baseline is run once for each
 * number of runs asked for. */
static Status pair_simulated(Verifier *v, const Trial *from, const Trial *to, Verified *ret,
                             Diag *diag)
{
    int runs = runs_for(v, from, to);
    Sample *before = &v->baseline[from == &v->w->at_best], after = {0};
    Status st = STATUS_OK;
    if (before->n < (size_t)runs) {
        *before = (Sample){0};
        st = run_once(v, from, runs, v->seed, before, diag);
    }
    if (!st)
        st = run_once(v, to, runs, v->seed, &after, diag);
    if (!st)
        *ret = sample_compare(v->a, before, &after, v->w->objective, block_for(from, to), v->seed);
    return st;
}

static bool is_narrow(const Verified *m)
{
    return m->n > 0 && m->hi - m->lo <= 0.2 * fabs(m->median);
}

static Status pair_interleaved(Verifier *v, const Trial *from, const Trial *to, Verified *ret,
                               Diag *diag)
{
    Sample before = {0}, after = {0};
    Verified m = {0};
    Status st = STATUS_OK;
    for (int r = 0; r < ROUNDS_MOST && !st && !(r >= ROUNDS_LEAST && is_narrow(&m)); r++) {
        uint64_t seed = v->seed + (uint64_t)r;
        st = run_once(v, from, ROUND_RUNS, seed, &before, diag);
        if (!st)
            st = run_once(v, to, ROUND_RUNS, seed, &after, diag);
        if (!st)
            m = sample_compare(v->a, &before, &after, v->w->objective, block_for(from, to),
                               v->seed);
    }
    if (!st)
        *ret = m;
    return st;
}

Verdict verify_judge(const Verified *m, Interval predicted, double scale)
{
    if (m->n == 0)
        return VERDICT_NOT_VERIFIABLE;
    if ((m->lo <= 0 && m->hi >= 0) || fabs(m->median) < NOTHING_SHARE * scale)
        return VERDICT_NO_GAIN;
    if (m->hi < 0)
        return VERDICT_REGRESSION;
    return m->hi < predicted.lo ? VERDICT_SMALLER : VERDICT_CONFIRMED;
}

bool verified_in_simulation(const Verified *m)
{
    return m->runner && strcmp(m->runner, SIMULATOR) == 0;
}

static int by_chance(const void *pa, const void *pb)
{
    const Proposal *a = *(Proposal *const *)pa, *b = *(Proposal *const *)pb;
    if (a->verified.p != b->verified.p)
        return a->verified.p < b->verified.p ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* Of all errors of one run, together. */
#define ERROR_LEVEL 0.10

void verify_correct(Arena *a, Proposal *const *rec, size_t n)
{
    Proposal **list = ARENA_ARRAY(a, Proposal *, n);
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        if (rec[i]->verified.n)
            list[m++] = rec[i];
    if (m)
        qsort(list, m, sizeof *list, by_chance);
    bool stands = true;
    for (size_t i = 0; i < m; i++) {
        stands = stands && list[i]->verified.p <= ERROR_LEVEL / (double)(m - i);
        if (!stands)
            list[i]->verdict = VERDICT_NO_GAIN;
    }
}

Verdict verify_attempt(Verifier *v, const Attempt *t, const Gain *predicted, Verified *ret_verified,
                       const Said **ret_why)
{
    Trial trial;
    Diag diag;
    if (whatif_try(v->w, t->set, t->nset, &trial, &diag)) {
        *ret_why = said_verbatim(v->a, diag.text);
        return VERDICT_NOT_VERIFIABLE;
    }
    const Trial *from = whatif_reference(v->w, &trial);
    Verified m = {0};
    Status st = v->is_simulator ? pair_simulated(v, from, &trial, &m, &diag)
                                : pair_interleaved(v, from, &trial, &m, &diag);
    double scale = prediction_objective(from->time, v->w->objective).mid;
    trial_free(&trial);
    if (st || m.n == 0) {
        *ret_why = st ? said_verbatim(v->a, diag.text) : SAID(v->a, arg_phrase(SAY_TOO_FEW_RUNS));
        return VERDICT_NOT_VERIFIABLE;
    }
    m.runner = v->name;
    *ret_verified = m;
    return verify_judge(&m, predicted->gain, scale);
}
