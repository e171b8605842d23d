/* Implements `npu-advise tune MODEL`, which searches the best plans and the Pareto front. */
#include "advisor/cli/advise_one.h"
#include "advisor/cli/output.h"
#include "advisor/cli/bundle_report.h"
#include "advisor/options/config.h"
#include "advisor/advise/advise.h"

static Status write_bundle(Context *c, const Args *args, const AdviseRequest *q, const Result *r,
                           Applied *done)
{
    Chosen chosen;
    Status st = apply_choose(c->arena, r, NULL, &chosen, c->diag);
    return st ? st
              : apply_write(c->arena, q, &chosen, args_text(args, OPTION_OUTPUT, NULL), done,
                            c->diag);
}

static Status show_tuning(Context *c, const Args *args, const Result *r, const View *view,
                          const Applied *done)
{
    Status st = output_result(c, args, r, view);
    if (!st && done->nfile && !output_forms_on_stdout(args))
        bundle_report(c, view, done, args_text(args, OPTION_OUTPUT, NULL));
    return st;
}

enum { PROGRESS_EVERY = 64 };

/* A terminal sees how far the search is. */
static void print_variant_count(void *user, size_t compiled)
{
    if (compiled % PROGRESS_EVERY == 0)
        fprintf(user, "\r%zu variants\033[K", compiled);
}

static void enable_progress(Context *c, const Args *args, TuneQuestion *asked)
{
    if (args_flag(args, OPTION_QUIET) || !isatty(fileno(c->err)))
        return;
    asked->tell = print_variant_count;
    asked->user = c->err;
}

Status cmd_tune(Context *c, const Args *args)
{
    AdviseRequest q;
    Config config;
    const Result *r = NULL;
    TuneQuestion asked;
    Applied done = {.nfile = 0};
    Status st = tune_question_from_args(args, &asked, c->diag);
    if (!st && args_flag(args, OPTION_OUTPUT))
        st = apply_check(c->arena, args_text(args, OPTION_OUTPUT, NULL), c->diag);
    st = st ? st : advise_one_request(c, args, &config, &q);
    if (st)
        return st;
    View view = view_from_args(c, args);
    q.front = view.front = true;
    enable_progress(c, args, &asked);
    Status tuned = advise_tune(c->arena, &q, &asked, &r, c->diag);
    if (asked.tell)
        fputs("\r\033[K", c->err);
    if (!r)
        return tuned;
    if (!tuned && args_flag(args, OPTION_OUTPUT))
        st = write_bundle(c, args, &q, r, &done);
    view_after(c, args, r->evidence.refuted, &view);
    c->exit_code = advise_one_exit_code(r);
    st = st ? st : show_tuning(c, args, r, &view, &done);
    return st ? st : tuned;
}
