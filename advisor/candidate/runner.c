/* Splits the runner's command and adds the options of variant, load and outputs. */
#include "advisor/candidate/runner.h"

#include "graph/base/executable.h"
#include "graph/base/language.h"
#include "advisor/message/process.h"
#include "graph/compile/options.h"
#include "graph/options/option.h"

static const char **split_words(Arena *a, const char *text)
{
    WordList l = {.a = a};
    for (const char *s = text; *s;) {
        size_t len = strcspn(s, " \t\n");
        if (len)
            word_list_add(&l, arena_strndup(a, s, len));
        s += len + strspn(s + len, " \t\n");
    }
    word_list_add(&l, NULL);
    return l.word;
}

Status runner_split_command(Arena *a, const char *text, OptionId option, const char *const **ret,
                            Diag *diag)
{
    *ret = split_words(a, text);
    return **ret ? STATUS_OK
                 : diag_set(diag, STATUS_USAGE, NULL, option_flag(option), "names no program");
}

Status runner_command(Arena *a, const char *runner, const char *const **ret, Diag *diag)
{
    if (runner)
        return runner_split_command(a, runner, OPTION_RUNNER, ret, diag);
    const char **command = ARENA_ARRAY(a, const char *, 3);
    command[0] = executable_sibling(a, "npu-exec");
    if (!command[0])
        return diag_set(diag, STATUS_INPUT, NULL, option_flag(OPTION_VERIFY),
                        "npu-exec is not beside npu-advise");
    command[1] =
        arena_printf(a, "%s=%s", option_flag(OPTION_LANG), language_tag(language_spoken()));
    *ret = command;
    return STATUS_OK;
}

/* Several threads that share the work count as one faster thread. */
void runner_call_application(RunnerCall *call, const Trial *t)
{
    QueueDemand d = predict_demand(t->program, &t->variant.run, t->time);
    if (!(d.application_ns > 0))
        return;
    call->blocks = t->variant.run.workers <= d.blocking_callers;
    int threads = d.application_servers > 1 && !call->blocks ? d.application_servers : 1;
    assert(threads > 0);
    call->application_ns = d.application_ns / threads;
}

static void add_open_words(WordList *l, const RunnerCall *c)
{
    const char *const word[] = {
        option_flag(OPTION_RATE),
        arena_printf(l->a, "%s%.6f", c->open->equal_gaps ? "fixed:" : "", c->open->requests_per_s),
        option_flag(OPTION_WARMUP),
        arena_printf(l->a, "%d", OPEN_WARMUP),
        option_flag(OPTION_JSON),
        c->statistics};
    assert(c->open->requests_per_s > 0);
    word_list_extend(l, word, sizeof word / sizeof *word);
}

const char **runner_words(Arena *a, const char *const *command, const RunnerCall *c)
{
    size_t noption = 0, nrun = 0;
    const char **option = compile_options_argv(a, &c->variant->compile, &noption);
    const char **run = run_options_argv(a, &c->variant->run, true, &nrun);
    const char *const tail[] = {option_flag(OPTION_RUNS), arena_printf(a, "%d", c->runs),
                                option_flag(OPTION_SEED),
                                arena_printf(a, "%llu", (unsigned long long)c->seed)};
    const char *const trace[] = {option_flag(OPTION_TRACE), c->trace},
                      *const more[] = {option_flag(OPTION_MEMBERS), option_flag(OPTION_WARMUP),
                                       "5"};
    assert(command[0] && c->model);
    WordList l = {.a = a};
    word_list_extend(&l, command, SIZE_MAX);
    word_list_add(&l, c->model);
    word_list_extend(&l, option, noption);
    word_list_extend(&l, run, nrun);
    word_list_extend(&l, tail, sizeof tail / sizeof *tail);
    if (c->trace)
        word_list_extend(&l, trace, sizeof trace / sizeof *trace);
    if (c->open)
        add_open_words(&l, c);
    if (c->application_ns > 0) {
        word_list_add(&l, option_flag(OPTION_SUBMIT_TIME));
        word_list_add(&l, arena_printf(a, "%.3f", c->application_ns / 1e3));
        word_list_add(
            &l, arena_printf(a, "%s=%s", option_flag(OPTION_API), c->blocks ? "sync" : "queue"));
    }
    if (c->members)
        word_list_extend(&l, more, sizeof more / sizeof *more);
    if (c->outline)
        word_list_add(&l, arena_printf(a, "%s=none", option_flag(OPTION_VERBOSITY)));
    word_list_add(&l, NULL);
    return l.word;
}
