/* Looks builds up by choice and by settings, and compiles those that are new. */
#include "advisor/candidate/search/builds.h"

#include "advisor/rules/variant.h"
#include "advisor/candidate/whatif.h"
#include "cost_model/predict.h"
#include "graph/compile/options.h"

enum { BUILDS_EXPECTED = 1024 };

void builds_init(Builds *b, Arena *a, const Space *s, TuneWatch watch)
{
    *b = (Builds){.a = a, .watch = watch, .space = s, .w = *s->w};
    b->w.objective = OBJECTIVE_LATENCY;
    b->w.latency_limit_ns = 0;
    strmap_init(&b->by_choice, a, BUILDS_EXPECTED);
    strmap_init(&b->by_settings, a, BUILDS_EXPECTED);
}

static const char *choice_key(Arena *a, const PartSet *set, int pe, int64_t batch)
{
    char way[PARTS_MAX + 1];
    for (size_t i = 0; i < PARTS_MAX; i++)
        way[i] = (char)('0' + set->way[i]);
    way[PARTS_MAX] = '\0';
    return arena_printf(a, "%s %d %lld", way, pe, (long long)batch);
}

/* Everything that decides how long a variant takes. */
static const char *settings_key(Arena *a, const Variant *v)
{
    size_t n = 0, nrun = 0;
    const char **word = compile_options_argv(a, &v->compile, &n);
    const char **run = run_options_argv(a, &v->run, true, &nrun);
    const char *text =
        arena_printf(a, "%g %d %d", v->run.spared_ns, v->run.patches, v->run.application_threads);
    for (size_t i = 0; i < n; i++)
        text = arena_printf(a, "%s %s", text, word[i]);
    for (size_t i = 0; i < nrun; i++)
        text = arena_printf(a, "%s %s", text, run[i]);
    for (size_t i = 0; i < v->compile.nedit; i++) {
        const Edit *e = &v->compile.edit[i];
        text = arena_printf(a, "%s|%d %s %lld %s", text, (int)e->kind, e->where ? e->where : "",
                            (long long)e->number, e->text ? e->text : "");
    }
    return text;
}

/* The variant alone, not compiled. */
static bool variant_of(const Builds *b, Arena *a, const Attempt *t, Variant *ret)
{
    Diag why;
    *ret = b->w.baseline.variant;
    return !LIST_ANY(i, t->nset, variant_apply(a, ret, b->w.model, &t->set[i], &why));
}

static QueueDemand demand_with(const Trial *t, int workers)
{
    RunOptions run = t->variant.run;
    run.workers = workers;
    run.devices = 1;
    return predict_demand(t->program, &run, t->time);
}

static void measure_build(const Builds *b, Build *x, const Trial *t)
{
    int patches = t->variant.run.patches > 1 ? t->variant.run.patches : 1;
    x->fits = t->time->nunknown <= b->w.baseline.time->nunknown;
    x->alone = demand_with(t, 1);
    x->loaded = demand_with(t, 2);
    x->latency = t->time->latency_ns;
    x->per_s = t->time->throughput_per_s;
    x->latency_ns = t->time->latency_ns.mid;
    x->skew_ns = patches * predict_skew(t->time);
    x->images = predict_images(t->program, &t->variant.run) / patches;
    x->parts = patches;
    x->cap = predict_worker_cap(t->program, b->w.costs);
    x->application_ns = t->variant.run.application_ns;
}

static void compile_build(Builds *b, Build *x, const Attempt *t)
{
    Trial trial;
    Diag why;
    b->ncompiled++;
    if (b->watch.tell)
        b->watch.tell(b->watch.user, b->ncompiled);
    if (whatif_try(&b->w, t->set, t->nset, &trial, &why))
        return;
    measure_build(b, x, &trial);
    trial_free(&trial);
}

static void take_measures(Build *x, const Build *same)
{
    Build own = *x;
    *x = *same;
    x->set = own.set;
    x->pe = own.pe;
    x->batch = own.batch;
    x->needs = own.needs;
}

static void fill_build(Builds *b, Build *x)
{
    Arena *scratch = arena_new(0);
    Attempt t = space_settings(scratch, b->space, &x->set, x->pe, x->batch);
    Variant v;
    if (variant_of(b, scratch, &t, &v)) {
        const char *key = settings_key(scratch, &v);
        uint32_t same = strmap_get(&b->by_settings, key);
        if (same != STRMAP_NONE)
            take_measures(x, b->build[same]);
        else
            compile_build(b, x, &t);
        if (same == STRMAP_NONE)
            strmap_put(&b->by_settings, arena_strdup(b->a, key), (uint32_t)b->nbuild - 1);
    }
    arena_free(scratch);
}

static NeedSet build_needs(const Builds *b, const PartSet *set, int pe, int64_t batch)
{
    const CompileOptions *now = &b->w.baseline.variant.compile;
    NeedSet needs = space_needs(b->space, set);
    if (pe != now->pe)
        needs |= space_axis_needs(AXIS_TARGET);
    if (batch != now->batch)
        needs |= space_axis_needs(AXIS_BATCH);
    return needs;
}

const Build *builds_get(Builds *b, const PartSet *set, int pe, int64_t batch)
{
    const char *key = choice_key(b->a, set, pe, batch);
    uint32_t known = strmap_get(&b->by_choice, key);
    if (known != STRMAP_NONE)
        return b->build[known];
    Build *x = ARENA_NEW(b->a, Build);
    *x = (Build){.set = *set, .pe = pe, .batch = batch, .needs = build_needs(b, set, pe, batch)};
    *VEC_PUSH(b->a, b->build, b->nbuild, b->cap) = x;
    strmap_put(&b->by_choice, key, (uint32_t)b->nbuild - 1);
    fill_build(b, x);
    return x;
}

const Build *builds_known(const Builds *b, const PartSet *set, int pe, int64_t batch)
{
    Arena *scratch = arena_new(0);
    uint32_t known = strmap_get(&b->by_choice, choice_key(scratch, set, pe, batch));
    arena_free(scratch);
    return known == STRMAP_NONE ? NULL : b->build[known];
}

Status builds_trial(const Builds *b, const Build *x, int workers, int devices, Trial *ret,
                    Diag *diag)
{
    Attempt t = space_settings(b->a, b->space, &x->set, x->pe, x->batch);
    Status st = whatif_try(&b->w, t.set, t.nset, ret, diag);
    if (st)
        return st;
    ret->variant.run.workers = workers;
    ret->variant.run.devices = devices;
    if (b->space->open[AXIS_DEPTH])
        ret->variant.run.queue_depth = 0;
    predict_totals(ret->program, b->w.costs, &ret->variant.run, ret->time);
    return STATUS_OK;
}

QueueDemand builds_demand(const Build *x, int under_way, int devices)
{
    QueueDemand d = under_way > 1 ? x->loaded : x->alone;
    d.npu_servers *= devices;
    d.pcie_servers *= devices;
    return d;
}
