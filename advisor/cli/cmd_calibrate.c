/* Implements `npu-advise calibrate`, which fits the cost model to the user's traces. */
#include "advisor/options/command.h"
#include "advisor/options/args.h"
#include "advisor/advise/result.h"
#include "advisor/advise/traced.h"
#include "advisor/advise/traces.h"
#include "advisor/message/json.h"
#include "advisor/message/phrase.h"
#include "advisor/message/plain.h"
#include "advisor/report/result_json.h"
#include "cost_model/calibrate.h"
#include "cost_model/costs.h"
#include "cost_model/predict.h"
#include "cost_model/setup/setup.h"
#include "graph/compile/machine.h"
#include "graph/compile/program.h"
#include "graph/model/dtype.h"
#include "graph/tflite/tflite.h"
#include "trace/stats/stats.h"

typedef struct {
    Context *c;
    const Args *args;
    const Machine *machine;
    const Costs *costs;
    CalibrationRun *run;
    Traced *traced; /* per run */
    size_t nrun;
} Job;

/* A fit to a run that was set up in another way, or of another model, would be wrong unseen. */
static Status refuse_unfit(Job *j, const char *model, const TraceStats *stats, const Traced *t)
{
    const char *against = traced_contradiction(j->c->arena, t);
    if (against)
        return diag_set(
            j->c->diag, STATUS_INPUT, model, NULL,
            "its trace shows %s, which was said: leave the option out, or give the trace "
            "of that run",
            against);
    bool other = t->rec->refuted && t->rec->refuted != REFUTED_SIZE; /* the user says whose it is */
    if (other && stats->nexecution > 0)
        return diag_set(j->c->diag, STATUS_INPUT, model, NULL,
                        "the trace is not of this model: give the model that was run");
    return STATUS_OK;
}

/* One model with the traces that belong to it, compiled as they show that it was. */
static Status add_run(Job *j, const char *model, const char *const *trace, size_t ntrace)
{
    Arena *a = j->c->arena;
    Model *m = NULL;
    TraceStats *stats = NULL;
    TraceReadOptions read = {.no_hash = true};
    RunOptions run = {.workers = 1, .devices = 1};
    Status st = traces_read(a, trace, ntrace, &read, j->c->notes, &stats, j->c->diag);
    st = st ? st : traces_need_spans(stats, j->c->diag);
    st = st ? st : model_load(a, model, j->c->notes, &m, j->c->diag);
    SetupRequest of = {m, j->machine, j->costs, &j->args->compile, &run};
    Traced *t = &j->traced[j->nrun];
    st = st ? st : traces_match(a, stats, &read, &of, j->c->diag);
    if (!st)
        st = traced_find(a, &(TracedInput){m, j->machine, j->costs, stats, &j->args->compile},
                         j->c->notes, t, j->c->diag);
    st = st ? st : refuse_unfit(j, model, stats, t);
    if (st)
        return st;
    if (setup_is_undecided(&t->setup))
        notes_add(j->c->notes, "undecided", phrase_arg(PHRASE_NOTE_FIRST_TAKEN));
    assert(t->program && t->rec);
    j->run[j->nrun++] = (CalibrationRun){.program = t->program, .rec = t->rec};
    return STATUS_OK;
}

static Status add_runs(Job *j)
{
    size_t ntrace = 0, nmodel = j->args->npositional;
    const char **trace = args_all(j->c->arena, j->args, OPTION_TRACE, &ntrace);
    if (ntrace == 0 || (nmodel != 1 && nmodel != ntrace))
        return diag_set(j->c->diag, STATUS_USAGE, NULL, NULL,
                        "calibrate needs one --trace per model, in the same order, or one model "
                        "with all its traces");
    j->run = ARENA_ARRAY(j->c->arena, CalibrationRun, nmodel);
    j->traced = ARENA_ARRAY(j->c->arena, Traced, nmodel);
    Status st = STATUS_OK;
    for (size_t i = 0; i < nmodel && !st; i++)
        st = nmodel == 1 ? add_run(j, j->args->positional[0], trace, ntrace)
                         : add_run(j, j->args->positional[i], &trace[i], 1);
    return st;
}

static void print_change(Arena *a, FILE *out, const char *name, double from, Interval to,
                         size_t spans, const char *kept)
{
    fprintf(out, "  %-26s %12.5g  ", name, from);
    fputs(kept ? arena_printf(a, "kept: %s\n", kept)
               : arena_printf(a, "-> %.5g [%.5g %.5g], %zu spans\n", to.mid, to.lo, to.hi, spans),
          out);
}

static void print_laws(Arena *a, FILE *out, const Calibration *cal)
{
    for (size_t i = 0; i < cal->nlaw; i++) {
        const CalibratedLaw *l = &cal->law[i];
        if (l->law.of_operator && l->kept && !l->spans)
            continue; /* there are a hundred */
        const char *name =
            l->law.from ? arena_printf(a, "%s %s", l->law.op, dtype_name(l->law.from)) : l->law.op;
        print_change(a, out, arena_printf(a, "%s, fixed ns", name), l->prior->fixed_ns.mid,
                     l->law.fixed_ns, l->spans, l->kept);
        if (!l->kept)
            print_change(a, out,
                         arena_printf(a, "%s, ns per %s", name, costs_host_unit_text(l->law.unit)),
                         l->prior->per_unit_ns.mid, l->law.per_unit_ns, l->spans, NULL);
        for (int k = 0; !l->kept && k < l->law.nalso; k++)
            print_change(
                a, out,
                arena_printf(a, "%s, ns per %s", name, costs_host_unit_text(l->law.also[k].unit)),
                l->prior->also[k].per_unit_ns.mid, l->law.also[k].per_unit_ns, l->spans, NULL);
    }
}

static void print_kinds(Arena *a, FILE *out, const Calibration *cal)
{
    for (int k = 0; k < LOWOP_KIND_COUNT; k++)
        for (int i = 0; i < TERM_MAX; i++)
            if (cal->kind_factor[k][i] != 1)
                fputs(arena_printf(
                          a, "  %-39s x %.4g, %zu spans\n",
                          arena_printf(a, "%s, %s", program_lowop_name((LowOpKind)k), cal->term[i]),
                          cal->kind_factor[k][i], cal->kind_spans[k]),
                      out);
}

static void print_setups(const Job *j)
{
    Arena *a = j->c->arena;
    for (size_t i = 0; i < j->nrun; i++) {
        Plain p;
        fprintf(
            j->c->out, "%s: %s\n",
            plain(&p, file_base_name(j->args->positional[j->args->npositional > 1 ? i : 0]), 60),
            traced_setup_text(a, &j->traced[i], j->c->language));
    }
}

static void print_text(Arena *a, FILE *out, const Calibration *cal)
{
    fputs(arena_printf(a, "%zu %s, %zu spans\n", cal->runs, cal->runs == 1 ? "run" : "runs",
                       cal->spans),
          out);
    for (size_t i = 0; i < cal->nfigure; i++) {
        const CalibratedFigure *f = &cal->figure[i];
        print_change(a, out, f->info->name, f->prior, f->value, f->spans, f->kept);
    }
    print_kinds(a, out, cal);
    print_laws(a, out, cal);
    fputs(arena_printf(a,
                       "NPU time: %.1f %% off before, %.1f %% after; on the wrong kind of "
                       "operator: %.1f %% and %.1f %%%s\n",
                       100 * cal->npu_before, 100 * cal->npu_after, 100 * cal->kinds_before,
                       100 * cal->kinds_after,
                       cal->npu_kept   ? "; the NPU's figures are kept"
                       : cal->runs > 1 ? " (each run predicted by the others)"
                                       : " (in sample: give a second model to check it)"),
          out);
}

static cJSON *json_of_figure(const CalibratedFigure *f)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", f->info->name);
    cJSON_AddNumberToObject(o, "prior", f->prior);
    cJSON_AddNumberToObject(o, "value", f->value.mid);
    cJSON_AddNumberToObject(o, "lo", f->value.lo);
    cJSON_AddNumberToObject(o, "hi", f->value.hi);
    cJSON_AddNumberToObject(o, "spans", (double)f->spans);
    json_add_text(o, "kept", f->kept);
    return o;
}

static void json_setups(cJSON *root, const Job *j)
{
    cJSON *list = cJSON_AddArrayToObject(root, "setups");
    for (size_t i = 0; i < j->nrun; i++) {
        ResultSetup setup = result_setup(j->c->arena, &j->traced[i].setup, j->traced[i].program);
        cJSON_AddItemToArray(list, result_setup_to_json(&setup));
    }
}

static cJSON *json_of(const Calibration *cal, const Job *j)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "target", cal->target);
    cJSON_AddNumberToObject(root, "runs", (double)cal->runs);
    cJSON_AddNumberToObject(root, "spans", (double)cal->spans);
    cJSON_AddNumberToObject(root, "npu_error_before", cal->npu_before);
    cJSON_AddNumberToObject(root, "npu_error_after", cal->npu_after);
    cJSON_AddNumberToObject(root, "kinds_error_before", cal->kinds_before);
    cJSON_AddNumberToObject(root, "kinds_error_after", cal->kinds_after);
    cJSON *list = cJSON_AddArrayToObject(root, "figures");
    for (size_t i = 0; i < cal->nfigure; i++)
        cJSON_AddItemToArray(list, json_of_figure(&cal->figure[i]));
    json_setups(root, j);
    return root;
}

static Status write_outputs(Context *c, const Args *args, const Calibration *cal, const Job *j)
{
    const char *json = args_text(args, OPTION_JSON, NULL);
    if (!json || strcmp(json, "-") != 0) {
        print_setups(j);
        print_text(c->arena, c->out, cal);
    }
    Status st = STATUS_OK;
    if (json) {
        cJSON *root = json_of(cal, j);
        st = json_save(root, json, c->out, c->diag);
        cJSON_Delete(root);
    }
    const char *path = args_text(args, OPTION_OUTPUT, NULL);
    return st || !path ? st : calibration_write(cal, path, c->diag);
}

Status cmd_calibrate(Context *c, const Args *args)
{
    Machine *machine = NULL;
    Costs *costs = NULL;
    Calibration *cal = NULL;
    const char *target = args->compile.target_name, *output = args_text(args, OPTION_OUTPUT, NULL);
    Status st = args_positional(args, 1, SIZE_MAX, "MODEL", c->diag);
    if (!st && output)
        st = file_out_check(output, c->diag);
    st = st ? st : machine_load(c->arena, target, &machine, c->diag);
    if (!st)
        st = costs_load(c->arena, target, args_text(args, OPTION_CALIBRATION, NULL), &costs,
                        c->diag);
    if (st)
        return st;
    Job j = {.c = c, .args = args, .machine = machine, .costs = costs};
    if ((st = add_runs(&j)))
        return st;
    if ((st = calibrate(c->arena, costs, j.run, j.nrun, &cal, c->diag)))
        return st;
    cal->target = machine->id;
    return write_outputs(c, args, cal, &j);
}
