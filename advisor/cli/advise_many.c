/* Many models. */
#include "advisor/cli/advise_many.h"

#include "advisor/cli/advise_one.h"
#include "advisor/cli/output.h"
#include "advisor/fleet/fleet.h"
#include "advisor/fleet/models.h"
#include "advisor/fleet/part.h"
#include "advisor/gate/baseline.h"
#include "advisor/say/phrase.h"
#include "advisor/say/process.h"
#include "graph/base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    Context *context;
    const Args *given;
    bool shows_progress;
} Work;

/* The options for one model: the whole result is wanted, whatever is made of it. */
static Args args_for(Arena *a, const Args *given, const ModelFile *file)
{
    Args g = *given;
    const char **model = ARENA_NEW(a, const char *);
    *model = file->path;
    g.of_set = file->name;
    g.positional = model;
    g.npositional = 1;
    g.compile.dims_of_others = true;
    args_add(a, &g, "json", "");
    return g;
}

/* A result tells the dimensions that its model has: so it can be seen that none has one. */
static void drop_dims_of_others(cJSON *result, const Notes *notes)
{
    cJSON *dim = cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(result, "options"), "dim");
    size_t prefix = strlen(DIM_OF_OTHERS);
    for (size_t i = 0; dim && i < notes->nnote; i++)
        if (!strncmp(notes->note[i].cause, DIM_OF_OTHERS, prefix))
            cJSON_DeleteItemFromObjectCaseSensitive(dim, notes->note[i].cause + prefix);
}

/* In a copy of this process. */
static int advise(void *user, const ModelFile *file, cJSON **ret_result, const char **ret_error)
{
    const Work *w = user;
    Arena *a = w->context->arena;
    Notes notes;
    Diag diag = {0};
    Context c = *w->context;
    notes_init(&notes, a);
    c.notes = &notes;
    c.diag = &diag;
    Args args = args_for(a, w->given, file);
    Status st = advise_one(&c, &args, models_trace_beside(a, file->path), ret_result);
    drop_dims_of_others(*ret_result, &notes);
    *ret_error = st ? arena_strdup(a, diag.text) : NULL;
    return st ? status_exit_code(st) : c.exit_code;
}

static void progress(void *user, size_t done, size_t all)
{
    const Work *w = user;
    if (!w->shows_progress)
        return;
    fprintf(w->context->err, done < all ? "\r%zu of %zu models" : "\r\033[K", done, all);
    fflush(w->context->err);
}

static Status refuse_options(const Args *given, Diag *diag)
{
    static const struct {
        const char *option, *instead;
    } of_one[] = {
        {"trace", "name the trace of each in npu-advise.json, or lay it beside the model as "
                  "MODEL.trace.json"},
    };
    for (size_t i = 0; i < sizeof of_one / sizeof *of_one; i++)
        if (args_text(given, of_one[i].option, NULL))
            return diag_set(diag, STATUS_USAGE, NULL, NULL, "--%s goes with one model; %s",
                            of_one[i].option, of_one[i].instead);
    if (args_text(given, "shard", NULL) && args_text(given, "write-baseline", NULL))
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--write-baseline goes with all models; give it to `merge`");
    return STATUS_OK;
}

/* One that is none would be told once for each model; what it has and the run has not, by none. */
static Status check_baseline(Context *c, const Args *given, const Plan *plan)
{
    const char *path = args_text(given, "baseline", NULL), *gone = NULL;
    size_t ngone = 0;
    Status st = STATUS_OK;
    if (path)
        st = baseline_check_set(c->arena, path, plan->model, plan->nmodel, &gone, &ngone, c->diag);
    if (gone)
        notes_add(c->notes, "baseline-models", arg_phrase(SAY_NOTE_BASELINE_MODELS),
                  arg_count((int64_t)ngone), arg_text(gone));
    return st;
}

static void plan_of(Arena *a, const Args *given, const ModelList *list, Plan *ret)
{
    const char **name = ARENA_ARRAY(a, const char *, list->count + 1);
    for (size_t i = 0; i < list->count; i++)
        name[i] = list->file[i].name;
    ret->model = name;
    ret->nmodel = list->count;
    ret->settings = output_settings(a, given);
    const char **dim = ARENA_ARRAY(a, const char *, given->compile.ndim + 1);
    for (size_t i = 0; i < given->compile.ndim; i++)
        dim[i] = given->compile.dim[i].name;
    ret->dim = dim;
    ret->ndim = given->compile.ndim;
}

static Status read_shard(const Args *given, Plan *plan, Diag *diag)
{
    const char *shard = args_text(given, "shard", NULL);
    plan->shard = plan->of = 1;
    if (!shard)
        return STATUS_OK;
    if (!args_text(given, "ndjson", NULL))
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--shard writes lines for `merge`: name their file with --ndjson");
    return shard_read(shard, &plan->shard, &plan->of, diag);
}

Status finish_many(Context *c, const Args *given, const Plan *plan, const ResultSet *set,
                   const View *view)
{
    const char *baseline = args_text(given, "write-baseline", NULL);
    Status st = plan_check_dims(plan, set, c->diag);
    if (!st && baseline)
        st = baseline_save_set(c->arena, set, baseline, c->out, c->diag);
    if (!st)
        st = output_set(c, given, set, view);
    if (!st)
        c->exit_code = result_set_status(set);
    return st;
}

/* What a set is read from lies in a temporary file that has no name. */
static Status run_all(Context *c, const FleetRun *run, const Args *given, const View *view)
{
    ResultSet set;
    FILE *store = temp_file();
    if (!store)
        return diag_set(c->diag, STATUS_INPUT, NULL, NULL, "no temporary file: %s",
                        strerror(errno));
    Status st = fleet_run(c->arena, run, store, &set, c->diag);
    if (!st)
        st = finish_many(c, given, &run->plan, &set, view);
    fclose(store);
    return st;
}

static Status run_shard(Context *c, const FleetRun *run, const char *path)
{
    OutFile f;
    Status st = outfile_open(&f, path, c->diag);
    if (st)
        return st;
    st = fleet_run(c->arena, run, f.stream, NULL, c->diag);
    if (st) {
        outfile_abort(&f);
        return st;
    }
    return outfile_commit(&f, c->diag);
}

Status advise_many(Context *c, const Args *given, const ModelList *list)
{
    View view;
    Work w = {c, given, isatty(fileno(c->err)) && !args_flag(given, "quiet")};
    FleetRun run = {.file = list->file, .advise = advise, .progress = progress, .user = &w};
    plan_of(c->arena, given, list, &run.plan);
    Status st = refuse_options(given, c->diag);
    if (!st)
        st = check_baseline(c, given, &run.plan);
    if (!st)
        st = output_check(c, given);
    if (!st)
        st = view_from_args(c, given, &view);
    if (!st)
        st = read_shard(given, &run.plan, c->diag);
    if (st)
        return st;
    run.jobs = c->helper ? 1
                         : (int)args_int(given, "jobs",
                                         process_count()); /* which runs one program at a time */
    return args_text(given, "shard", NULL) ? run_shard(c, &run, args_text(given, "ndjson", NULL))
                                           : run_all(c, &run, given, &view);
}
