/* Splits the runner's command into words and adds options for the variant, the load and the
 * outputs. */
#include "advisor/candidate/runner.h"

#include "graph/base/executable.h"
#include "advisor/message/process.h"
#include "cost_model/predict.h"
#include "graph/compile/options.h"

#include <string.h>

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

Status runner_split_command(Arena *a, const char *text, const char *option, const char *const **ret,
                            Diag *diag)
{
    *ret = split_words(a, text);
    return **ret ? STATUS_OK : diag_set(diag, STATUS_USAGE, NULL, option, "names no program");
}

Status runner_command(Arena *a, const char *runner, const char *const **ret, Diag *diag)
{
    if (runner)
        return runner_split_command(a, runner, "--runner", ret, diag);
    const char **command = ARENA_ARRAY(a, const char *, 2);
    command[0] = executable_sibling(a, "npu-exec");
    if (!command[0])
        return diag_set(diag, STATUS_INPUT, NULL, "--verify", "npu-exec is not beside npu-advise");
    *ret = command;
    return STATUS_OK;
}

/* Threads that share the work are one that is as many times as fast. */
void runner_call_application(RunnerCall *call, const Trial *t)
{
    QueueDemand d = predict_demand(t->program, &t->variant.run, t->time);
    if (!(d.application_ns > 0))
        return;
    call->blocks = t->variant.run.workers <= d.blocking_callers;
    int threads = d.application_servers > 1 && !call->blocks ? d.application_servers : 1;
    call->application_ns = d.application_ns / threads;
}

enum { OPEN_WORDS = 6 };

static const char *open_word(Arena *a, const RunnerCall *c, size_t i)
{
    const char *word[OPEN_WORDS] = {"--rate", "", "--warmup", "", "--json", c->statistics};
    if (i == 1)
        return arena_printf(a, "%s%.6f", c->open->equal_gaps ? "fixed:" : "",
                            c->open->requests_per_s);
    return i == 3 ? arena_printf(a, "%d", OPEN_WARMUP) : word[i];
}

const char **runner_words(Arena *a, const char *const *command, const RunnerCall *c)
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
    const char *tail[] = {"--runs", arena_printf(a, "%d", c->runs), "--seed",
                          arena_printf(a, "%llu", (unsigned long long)c->seed)};
    const char *more[] = {"--members", "--warmup", "5"};
    for (size_t i = 0; i < sizeof tail / sizeof *tail; i++)
        *VEC_PUSH(a, word, n, cap) = tail[i];
    if (c->trace) {
        *VEC_PUSH(a, word, n, cap) = "--trace";
        *VEC_PUSH(a, word, n, cap) = c->trace;
    }
    for (size_t i = 0; i < OPEN_WORDS && c->open; i++)
        *VEC_PUSH(a, word, n, cap) = open_word(a, c, i);
    if (c->application_ns > 0) {
        *VEC_PUSH(a, word, n, cap) = "--submit-time";
        *VEC_PUSH(a, word, n, cap) = arena_printf(a, "%.3f", c->application_ns / 1e3);
        *VEC_PUSH(a, word, n, cap) = c->blocks ? "--api=sync" : "--api=queue";
    }
    for (size_t i = 0; i < sizeof more / sizeof *more && c->members; i++)
        *VEC_PUSH(a, word, n, cap) = more[i];
    if (c->outline)
        *VEC_PUSH(a, word, n, cap) = "--verbosity=none";
    *VEC_PUSH(a, word, n, cap) = NULL;
    return word;
}

Status runner_run(Arena *a, const char *runner, const char *model_path, const Variant *v, int runs,
                  uint64_t seed, const char *trace_path, Diag *diag)
{
    const char *const *command = NULL;
    Status st = runner_command(a, runner, &command, diag);
    RunnerCall call = {
        .model = model_path, .variant = v, .runs = runs, .seed = seed, .trace = trace_path};
    return st ? st
              : process_run(runner_words(a, command, &call), (ProcessLimits){VERIFY_LIMIT_S, NULL},
                            diag);
}
