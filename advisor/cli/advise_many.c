/* Runs all models or one shard of them, writes every output, and checks that no file changed since
 * the plan. */
#include "advisor/cli/advise_many.h"

#include "advisor/cli/advise_one.h"
#include "advisor/cli/output.h"
#include "advisor/fleet/fleet.h"
#include "advisor/fleet/fleet_file.h"
#include "advisor/fleet/journal.h"
#include "advisor/fleet/models.h"
#include "advisor/fleet/shards_file.h"
#include "advisor/cli/shards_args.h"
#include "advisor/cli/progress.h"
#include "advisor/act/gate/baseline.h"
#include "advisor/message/process.h"
#include "graph/base/limits.h"

#include <sys/stat.h>

typedef struct {
    Context *context;
    const Args *given;
    const ShardPlan *plan;
    const ModelFile *file; /* of each model of the plan; its name as results tell of it */
    Progress progress;
} Work;

/* The options for one model: the whole result is wanted, whatever is made of it. */
static Status args_for(Arena *a, const Work *w, size_t i, Args *ret, Diag *diag)
{
    assert(i < w->plan->nmodel);
    Args g = *w->given;
    const char **model = ARENA_NEW(a, const char *);
    Status st = STATUS_OK;
    *model = w->file[i].path;
    g.of_set = w->plan->model[i];
    g.positional = model;
    g.npositional = 1;
    g.compile.dims_of_others = true;
    args_add(a, &g, OPTION_JSON, "");
    for (size_t k = 0; w->plan->item && k < w->plan->item[i].nsetting && !st; k++)
        st = shards_args_set(a, &g, &w->plan->item[i].setting[k],
                             args_text(&g, OPTION_SHARDS, NULL), diag);
    *ret = g;
    return st;
}

static bool is_of_others(const Notes *notes, const char *dim)
{
    size_t prefix = strlen(DIM_OF_OTHERS);
    return LIST_ANY(i, notes->nnote,
                    !strncmp(notes->note[i].cause, DIM_OF_OTHERS, prefix) &&
                        !strcmp(notes->note[i].cause + prefix, dim));
}

/* A result tells the dimensions that its model has: so it can be seen that none has one. */
static void drop_dims_of_others(Arena *a, Result *r, const Notes *notes)
{
    ResultIntMap *dim = &r->options.dim;
    ResultIntPair *own = ARENA_ARRAY(a, ResultIntPair, dim->count + 1);
    size_t n = 0;
    for (size_t i = 0; i < dim->count; i++)
        if (!is_of_others(notes, dim->item[i].key))
            own[n++] = dim->item[i];
    if (dim->item)
        *dim = (ResultIntMap){own, n};
}

static Status check_file_unchanged(const char *path, const char *planned, Diag *diag)
{
    char now[65];
    Status st = shards_args_digest(path, now, diag);
    if (!st && strcmp(now, planned))
        st = diag_set(diag, STATUS_INPUT, path, NULL,
                      "has changed since the list of work was made; write the list again");
    return st;
}

/* A plan says what is advised about: what has become something else is not. */
static Status check_planned(const ShardItem *item, const char *trace, Diag *diag)
{
    Status st =
        item->sha256 ? check_file_unchanged(item->model.path, item->sha256, diag) : STATUS_OK;
    if (!st && trace && item->trace_sha256)
        st = check_file_unchanged(trace, item->trace_sha256, diag);
    if (!st && !trace != !item->trace_sha256)
        st = diag_set(diag, STATUS_INPUT, item->model.path, NULL,
                      trace ? "has a trace beside it that the list of work does not name"
                            : "no longer has the trace beside it that the list of work names");
    return st;
}

/* In a copy of this process: the time that one model needs. */
static Status advise_item(const Work *w, Context *c, size_t i, Result **ret)
{
    Args args;
    const char *path = w->file[i].path, *trace = models_trace_beside(c->arena, path);
    double limit;
    if (!args_text(w->given, OPTION_TIME, NULL) ||
        !limits_read_time(args_text(w->given, OPTION_TIME, ""), &limit))
        limit = limits_default_time(&path, 1, &trace, trace != NULL);
    limits_set_time(limit);
    Status st = args_for(c->arena, w, i, &args, c->diag);
    if (!st && w->plan->item)
        st = check_planned(&w->plan->item[i], trace, c->diag);
    return st ? st : advise_one(c, &args, trace, ret);
}

static int advise_plan_item(void *user, size_t i, const Result **ret, const char **ret_error)
{
    const Work *w = user;
    Notes notes;
    Diag diag = {0};
    Context c = *w->context;
    Result *r = NULL;
    notes_init(&notes, c.arena);
    c.notes = &notes;
    c.diag = &diag;
    Status st = advise_item(w, &c, i, &r);
    if (r)
        drop_dims_of_others(c.arena, r, &notes);
    *ret = r;
    *ret_error = st ? arena_strdup(c.arena, diag.text) : NULL;
    assert(r || st);
    return st ? status_exit_code(st) : c.exit_code;
}

static void update_progress(void *user, size_t done, size_t all)
{
    Work *w = user;
    progress_show(&w->progress, done, all);
}

static Status refuse_options(const Args *given, Diag *diag)
{
    if (args_text(given, OPTION_TRACE, NULL))
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--trace is for one model; name the trace of each in npu-advise.json, "
                        "or lay it beside the model as MODEL.trace.json");
    if (args_text(given, OPTION_SHARD, NULL) && args_text(given, OPTION_WRITE_BASELINE, NULL))
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--write-baseline is for all models; give it to `merge`");
    return STATUS_OK;
}

/* Reports an invalid baseline once, not per model, and its models that the run does not have. */
static Status check_baseline(Context *c, const Args *given, const ShardPlan *plan)
{
    const char *path = args_text(given, OPTION_BASELINE, NULL), *gone = NULL;
    size_t ngone = 0;
    Status st = STATUS_OK;
    if (path)
        st = baseline_check_set(c->arena, path, plan->model, plan->nmodel, &gone, &ngone, c->diag);
    if (gone)
        notes_add(c->notes, "baseline-models", phrase_arg(PHRASE_NOTE_BASELINE_MODELS),
                  arg_size(ngone), arg_text(gone));
    return st;
}

static void plan_of(Arena *a, const Args *given, const ModelList *list, ShardPlan *ret)
{
    const char **name = ARENA_ARRAY(a, const char *, list->count + 1);
    for (size_t i = 0; i < list->count; i++)
        name[i] = list->file[i].name;
    *ret = (ShardPlan){.model = name, .nmodel = list->count, .settings = output_settings(a, given)};
    const char **dim = ARENA_ARRAY(a, const char *, given->compile.ndim + 1);
    for (size_t i = 0; i < given->compile.ndim; i++)
        dim[i] = given->compile.dim[i].name;
    ret->dim = dim;
    ret->ndim = given->compile.ndim;
}

static Status read_shard(const Args *given, ShardPlan *plan, Diag *diag)
{
    const char *shard = args_text(given, OPTION_SHARD, NULL);
    plan->shard = plan->of = 1;
    if (!shard)
        return STATUS_OK;
    if (!args_text(given, OPTION_NDJSON, NULL))
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--shard writes lines for `merge`: name their file with --ndjson");
    return shards_parse(shard, &plan->shard, &plan->of, diag);
}

Status advise_many_finish(Context *c, const Args *given, const ShardPlan *plan,
                          const ResultSet *set, const View *view)
{
    const char *baseline = args_text(given, OPTION_WRITE_BASELINE, NULL);
    Status st = part_check_dims(plan, set, c->diag);
    if (!st && baseline)
        st = baseline_save_set(set, baseline, c->out, c->diag);
    if (!st && args_text(given, OPTION_SQLITE, NULL))
        st = fleet_file_write(set, args_text(given, OPTION_SQLITE, NULL), c->diag);
    st = st ? st : output_set(c, given, set, view);
    if (!st && baseline)
        output_wrote(c, given, baseline);
    if (!st)
        c->exit_code = result_set_status(set);
    return st;
}

static Status run_all(Context *c, const FleetRun *run, const Args *given, const View *view)
{
    ResultSet set;
    Journal journal;
    Status st = journal_open_temporary(c->arena, run->plan, &journal, c->diag);
    if (st)
        return st;
    st = fleet_run(c->arena, run, &journal, c->diag);
    st = st ? st : journal_set(&journal, &set, c->diag);
    st = st ? st : advise_many_finish(c, given, run->plan, &set, view);
    journal_close(&journal);
    return st;
}

/* The journal is only temporary if the output is not a file that lasts, such as a pipe, or if no
 * plan file lists the models. */
static Status open_journal(Context *c, const ShardPlan *plan, const char *path, Journal *ret,
                           bool *ret_done)
{
    struct stat st;
    bool lasts = strcmp(path, "-") != 0 && (stat(path, &st) != 0 || S_ISREG(st.st_mode));
    *ret_done = false;
    return plan->item && lasts ? journal_open(c->arena, plan, path, ret, ret_done, c->diag)
                               : journal_open_temporary(c->arena, plan, ret, c->diag);
}

static Status run_shard(Context *c, const FleetRun *run, const char *path)
{
    Journal journal;
    bool done;
    Status st = open_journal(c, run->plan, path, &journal, &done);
    if (done)
        notes_add(c->notes, "part-done", phrase_arg(PHRASE_NOTE_PART_DONE), arg_text(path));
    if (st || done)
        return st;
    st = fleet_run(c->arena, run, &journal, c->diag);
    st = st ? st : journal_write_part(&journal, path, c->diag);
    journal_close(&journal);
    return st;
}

static Status advise_plan(Context *c, const Args *given, const ModelFile *file, ShardPlan *plan)
{
    Work w = {c, given, plan, file, progress_of(c, given, PHRASE_PROGRESS_MODELS)};
    FleetRun run = {
        .plan = plan, .advise = advise_plan_item, .progress = update_progress, .user = &w};
    Status st = refuse_options(given, c->diag);
    st = st ? st : check_baseline(c, given, plan);
    st = st ? st : output_check(c, given);
    st = st ? st : read_shard(given, plan, c->diag);
    if (st)
        return st;
    View view = view_from_args(c, given);
    shards_balance(c->arena, plan);
    run.jobs = (int)args_int(given, OPTION_JOBS, process_count());
    if (c->helper) /* which runs one program at a time */
        run.jobs = 1;
    return args_text(given, OPTION_SHARD, NULL)
               ? run_shard(c, &run, args_text(given, OPTION_NDJSON, NULL))
               : run_all(c, &run, given, &view);
}

Status advise_many(Context *c, const Args *given, const ModelList *list)
{
    ShardPlan plan;
    plan_of(c->arena, given, list, &plan);
    return advise_plan(c, given, list->file, &plan);
}

Status advise_shards(Context *c, const Args *given)
{
    ShardPlan plan = {.settings = output_settings(c->arena, given)};
    Status st = shards_file_read(c->arena, args_text(given, OPTION_SHARDS, ""), &plan, c->diag);
    if (st)
        return st;
    ModelFile *file = ARENA_ARRAY(c->arena, ModelFile, plan.nmodel);
    for (size_t i = 0; i < plan.nmodel; i++)
        file[i] = plan.item[i].model;
    return advise_plan(c, given, file, &plan);
}
