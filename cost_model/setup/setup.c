/* Reads the set-up off lanes and categories, and finds the rest by compiling candidates. */
#include "cost_model/setup/setup.h"

#include "graph/model/stored_ranges.h"
#include "cost_model/setup/setup_search.h"
#include "graph/compile/machine.h"
#include "graph/compile/options.h"
#include "graph/model/dtype.h"
#include "graph/model/model.h"
#include "graph/options/option.h"

typedef struct {
    Arena *arena;
    const SetupRequest *ask;
    const CompileOptions *said; /* as asked, types by tensor */
    const TraceStats *stats;
    Setup *ret;
} SetupFinder;

ENUM_WORDS(setup_source_name, SetupSource, SETUP_DEFAULT + 1, "option", "trace", "default")

const char *setup_option(SetupItemId i)
{
    static const OptionId option[] = {
#define X(id, option) OPTION_##option,
        SETUP_ITEMS(X)
#undef X
    };
    assert(i < SETUP_COUNT);
    return option_flag(option[i]);
}

const SetupItem *setup_contradiction(const Setup *s, SetupItemId *ret_id)
{
    for (int i = 0; i < SETUP_COUNT; i++)
        if (s->item[i].seen) {
            if (ret_id)
                *ret_id = (SetupItemId)i;
            return &s->item[i];
        }
    return NULL;
}

bool setup_is_undecided(const Setup *s)
{
    return LIST_ANY(i, SETUP_COUNT, s->item[i].undecided);
}

/* ---- what was said ---- */

static bool was_given(const CompileOptions *o, const RunOptions *r, SetupItemId i)
{
    const bool given[] = {
        [SETUP_TARGET] = o->target_given,      [SETUP_SDK] = o->sdk_given,
        [SETUP_BATCH] = o->batch_given,        [SETUP_WORKERS] = r->workers_given,
        [SETUP_DEVICES] = r->devices_given,    [SETUP_INPUT] = o->ninput_dtype > 0,
        [SETUP_OUTPUT] = o->noutput_dtype > 0, [SETUP_PERMUTE] = o->npermute > 0};
    static_assert(sizeof given / sizeof *given == SETUP_COUNT, "every item can be given");
    assert(i < SETUP_COUNT);
    return given[i];
}

/* The type of all whose type can be chosen, or of all if that is none. */
static const char *types_text(const Model *m, const TensorId *id, size_t n, const IoType *set,
                              size_t nset)
{
    DType all = DT_UNKNOWN;
    const Tensor *tensor = m->graph->tensor;
    bool chosen = LIST_ANY(i, n, setup_can_convert(&tensor[id[i]]));
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        const Tensor *t = &tensor[id[i]];
        if (chosen && !setup_can_convert(t))
            continue;
        DType type = t->is_input ? model_input_dtype(m, t) : model_output_dtype(m, t);
        type = type == DT_UNKNOWN ? tensor_dtype(t) : type;
        for (size_t k = 0; k < nset; k++)
            if (strcmp(set[k].name, t->name) == 0)
                type = set[k].dtype;
        if (used++ && type != all)
            return "mixed";
        all = type;
    }
    return n ? dtype_name(all) : "none";
}

static const char *permute_text(Arena *a, const CompileOptions *o)
{
    const char *text = "";
    for (size_t i = 0; i < o->npermute; i++) {
        const char *axes = "";
        for (int k = 0; k < o->permute[i].rank; k++)
            axes = arena_printf(a, "%s%s%d", axes, k ? "," : "", o->permute[i].axis[k]);
        text = arena_printf(a, "%s%s[%s]", text, i ? "," : "", axes);
    }
    return o->npermute ? arena_printf(a, "[%s]", text) : "none";
}

static const char *value_of(Arena *a, const Model *m, const CompileOptions *o, const RunOptions *r,
                            SetupItemId i)
{
    const Graph *g = m->graph;
    switch (i) {
    case SETUP_TARGET:
        return o->target;
    case SETUP_SDK:
        return sdk_text(o->sdk);
    case SETUP_BATCH:
        return arena_printf(a, "%lld", (long long)o->batch);
    case SETUP_WORKERS:
        return arena_printf(a, "%d", r->workers);
    case SETUP_DEVICES:
        return arena_printf(a, "%d", r->devices);
    case SETUP_INPUT:
        return types_text(m, g->input, g->ninput, o->input_dtype, o->ninput_dtype);
    case SETUP_OUTPUT:
        return types_text(m, g->output, g->noutput, o->output_dtype, o->noutput_dtype);
    case SETUP_PERMUTE:
        return permute_text(a, o);
    case SETUP_COUNT:
        break;
    }
    return NULL;
}

/* ---- what is read off the trace ---- */

/* What the trace shows of an item; taken over unless something else was said. */
static bool record_seen(SetupFinder *f, SetupItemId i, const char *said, const char *seen)
{
    SetupItem *x = &f->ret->item[i];
    bool given = x->source != SETUP_DEFAULT;
    if (given && strcmp(said, seen) != 0)
        x->seen = seen;
    if (!given)
        x->source = SETUP_TRACE;
    return !given;
}

static void see_sdk(SetupFinder *f)
{
    Sdk seen = f->stats->sdk, said = f->said->sdk;
    if (!seen)
        return;
    /* Host spans of the category Nux are those of any SDK before 0.10. */
    bool fits = f->said->sdk_given && seen < 10 && said < 10;
    if (fits)
        return;
    if (record_seen(f, SETUP_SDK, sdk_text(said), sdk_text(seen)))
        f->ret->compile.sdk = seen;
}

/* More requests at once than there are workers cannot be; fewer are the application's affair. */
static void see_workers(SetupFinder *f)
{
    int seen = f->stats->lanes < 1024 ? (int)f->stats->lanes : 1024;
    if (f->stats->ninference < 2 || seen < 1)
        return;
    bool fewer = f->ask->run->workers_given && seen <= f->ask->run->workers;
    const char *text = arena_printf(f->arena, "%d", seen);
    if (!fewer &&
        record_seen(f, SETUP_WORKERS, arena_printf(f->arena, "%d", f->ask->run->workers), text))
        f->ret->run.workers = seen;
}

static void see_devices(SetupFinder *f)
{
    const TraceStats *s = f->stats;
    int cards = LIST_SUM(int, i, s->ndevice_lane,
                         !LIST_ANY(k, i, s->device_lane[k].card == s->device_lane[i].card));
    if (cards == 0)
        return;
    const char *text = arena_printf(f->arena, "%d", cards);
    if (record_seen(f, SETUP_DEVICES, arena_printf(f->arena, "%d", f->ask->run->devices), text))
        f->ret->run.devices = cards;
}

/* PEs of a program by the names of lanes or the numbers of PEs; 0 where they leave it open. */
static int pes_seen(const TraceStats *s, int pe_count)
{
    int width = 0;
    for (size_t i = 0; i < s->ndevice_lane; i++) {
        int w = s->device_lane[i].last_pe - s->device_lane[i].first_pe + 1;
        if (w > pe_count || (width && w != width))
            return 0;
        width = w;
    }
    for (size_t i = 0; i < s->nexecution && !width; i++)
        if (s->execution[i].pe_index > 0 && s->execution[i].pe_index < pe_count)
            return 1; /* a program on all PEs begins at the first */
    return width;
}

/* ---- what is found by compiling ---- */

/* Spans of the category Nux are those of any SDK before 0.10: the steps tell which. */
static void add_sdks(const SetupFinder *f, SetupSearch *s)
{
    bool open = f->stats->sdk == SDK_0_9 && s->said->sdk <= SDK_0_9;
    s->sdk[s->count[AXIS_SDK]++] = s->said->sdk;
    for (Sdk v = SDK_0_9; open && v >= SDK_OLDEST_TAKEN; v--)
        if (v != s->said->sdk)
            s->sdk[s->count[AXIS_SDK]++] = v;
}

/* Powers of two, as the vendor's tools ask for; from where a search for throughput may lead on, two
 * to an octave. */
static int64_t next_batch(int64_t b)
{
    enum { POWERS = 128 };
    bool power = (b & (b - 1)) == 0;
    return b < POWERS ? 2 * b : power ? b + b / 2 : b + b / 3;
}

static void add_batches(SetupSearch *s)
{
    enum { COUNT_MAX = 1 << 14 };
    size_t n = 0;
    for (int64_t b = 1; b <= COUNT_MAX; b = next_batch(b)) {
        int64_t before = n ? s->batch[n - 1] : 0;
        if (s->said->batch > before && s->said->batch < b)
            s->batch[n++] = s->said->batch;
        s->batch[n++] = b;
    }
    if (s->said->batch > COUNT_MAX)
        s->batch[n++] = s->said->batch;
    assert(n <= BATCHES_MAX);
    s->count[AXIS_BATCH] = n;
    for (uint8_t i = 0; i < n; i++)
        if (s->batch[i] == s->said->batch)
            s->said_at.at[AXIS_BATCH] = i;
}

/* The order in which one would ask: pixels are uint8, codes of outputs int8. */
enum { TYPES = 3 };
static const DType input_type[TYPES] = {DT_UINT8, DT_FLOAT32, DT_INT8};
static const DType output_type[TYPES] = {DT_INT8, DT_FLOAT32, DT_UINT8};
static_assert(TYPES + 1 <= AXIS_MAX, "the search has room for the types and the model's own");

static size_t add_types(const Model *m, const TensorId *id, size_t n, const IoType *set,
                        size_t nset, const DType *type, DType *ret)
{
    const char *said = types_text(m, id, n, set, nset);
    bool others =
        strcmp(said, "mixed") == 0 || LIST_ANY(i, TYPES, strcmp(said, dtype_name(type[i])) == 0);
    size_t count = 0;
    ret[count++] = DT_UNKNOWN;
    for (size_t i = 0; others && i < TYPES && !m->stored_ranges; i++) /* which says the types */
        if (strcmp(said, dtype_name(type[i])) != 0)
            ret[count++] = type[i];
    return count;
}

/* NCHW fed as NHWC, and the other way round. */
static void add_permutations(SetupFinder *f, SetupSearch *s)
{
    static const Permutation axes[] = {{{0, 2, 3, 1}, 4}, {{0, 3, 1, 2}, 4}};
    const Graph *g = f->ask->model->graph;
    s->permute[s->count[AXIS_PERMUTE]++] = NULL;
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
        Permutation *all = ARENA_ARRAY(f->arena, Permutation, g->ninput + 1);
        for (size_t k = 0; k < g->ninput; k++)
            all[k] = g->tensor[g->input[k]].shape.rank == 4 ? axes[i] : (Permutation){.rank = 0};
        s->permute[s->count[AXIS_PERMUTE]++] = all;
    }
}

/* Host times scatter by half: a median of fewer says nothing about factors of two. */
enum { TELLING_INFERENCES = 3 };

/* More of the NPU's operators than this are in one of trace and program alone. */
#define OTHER_MODEL_DISTANCE 0.5

static void open_search(SetupFinder *f, const Typical *typical, SetupSearch *s)
{
    const Graph *g = f->ask->model->graph;
    int per_card = f->ret->run.devices > 1 ? f->ret->run.devices : 1;
    CompileOptions *as_seen = ARENA_NEW(f->arena, CompileOptions);
    *as_seen = f->ret->compile;
    if (f->ret->item[SETUP_SDK].seen)
        as_seen->sdk = f->stats->sdk;
    *s = (SetupSearch){.model = f->ask->model,
                       .machine = f->ask->machine,
                       .costs = f->ask->costs,
                       .typical = typical,
                       .said = as_seen,
                       .tasks_at_once = (int)f->stats->lanes / per_card};
    int seen = pes_seen(f->stats, f->ask->machine->pe_count), said = f->ret->compile.pe;
    int other = said == 1 ? f->ask->machine->pe_count : 1;
    s->pe[s->count[AXIS_PE]++] = seen ? seen : said;
    if (!seen && f->ask->machine->pe_count > 1)
        s->pe[s->count[AXIS_PE]++] = other;
    add_sdks(f, s);
    s->count[AXIS_PLACE] = s->said->unknown_on_given ? 1 : 2;
    add_batches(s);
    s->count[AXIS_INPUT] = add_types(f->ask->model, g->input, g->ninput, s->said->input_dtype,
                                     s->said->ninput_dtype, input_type, s->input);
    s->count[AXIS_OUTPUT] = add_types(f->ask->model, g->output, g->noutput, s->said->output_dtype,
                                      s->said->noutput_dtype, output_type, s->output);
    add_permutations(f, s);
    /* Without the host's operators, its conversions are unknown. */
    if (LIST_ANY(i, typical->nhost, typical->host[i].kind == SPAN_HOST_OPERATOR))
        return;
    s->count[AXIS_INPUT] = s->count[AXIS_OUTPUT] = s->count[AXIS_PERMUTE] = 1;
}

typedef struct {
    SetupItemId item;
    double cost;
    const char *text;
} Fitting;

ORDER_BY(by_cost, Fitting, COMPARE(a->cost, b->cost))

/* All values of the axis that fit nearly as well as the best; first the one that is taken. */
static void list_candidates(SetupFinder *f, const SetupSearch *s, int best, SetupAxis axis,
                            SetupItemId i)
{
    SetupItem *x = &f->ret->item[i];
    Fitting fit[BATCHES_MAX];
    size_t n = 0;
    static_assert(AXIS_MAX <= BATCHES_MAX, "`fit` has room for every axis");
    assert(s->count[axis] <= BATCHES_MAX);
    for (uint8_t k = 0; k < s->count[axis]; k++) {
        double gap = setup_gap(s, best, axis, k);
        Candidate y = s->tried[best].candidate;
        y.at[axis] = k;
        CompileOptions o = setup_options(f->arena, s, y);
        if (gap < SETUP_DECIDED)
            fit[n++] = (Fitting){i, k == s->said_at.at[axis] ? -1 : gap,
                                 value_of(f->arena, f->ask->model, &o, &f->ret->run, i)};
    }
    ORDER_LIST(fit, n, by_cost);
    for (size_t k = 0; k < n && k < SETUP_CANDIDATES_MAX; k++)
        x->candidate[x->ncandidate++] = fit[k].text;
    x->undecided = n > 1;
}

/* Between output types that the host makes in nearly the same time nothing depends on which it is;
 * nor on a permutation that changes no step. */
static bool is_quiet(SetupAxis axis)
{
    return axis == AXIS_OUTPUT || axis == AXIS_PERMUTE;
}

/* Among those that fit as well, what one would ask for first. */
static uint8_t first_fitting(const SetupSearch *s, int best, SetupAxis axis)
{
    uint8_t k = 0;
    while (setup_gap(s, best, axis, k) >= SETUP_DECIDED)
        k++; /* the best itself has no gap */
    return k;
}

/* What the times say of one axis; returns the value to advise on.  What was said, or is the
 * default, stands unless the times are clearly against it. */
static uint8_t settle_axis(SetupFinder *f, const SetupSearch *s, int best, SetupAxis axis,
                           SetupItemId i)
{
    SetupItem *item = &f->ret->item[i];
    uint8_t own = s->said_at.at[axis];
    uint8_t seen =
        is_quiet(axis) ? first_fitting(s, best, axis) : s->tried[best].candidate.at[axis];
    bool given = item->source == SETUP_OPTION;
    double enough = is_quiet(axis) ? 2 * SETUP_DECIDED : SETUP_DECIDED;
    bool against = setup_gap(s, best, axis, own) >= enough;
    if (given && against) {
        CompileOptions fits = setup_options(f->arena, s, s->tried[best].candidate);
        item->seen = value_of(f->arena, f->ask->model, &fits, &f->ret->run, i);
    }
    if (given || s->count[axis] == 1)
        return own;
    if (!is_quiet(axis))
        list_candidates(f, s, best, axis, i);
    bool is_default = !against && (item->undecided || is_quiet(axis));
    item->source = is_default ? SETUP_DEFAULT : SETUP_TRACE;
    return against ? seen : own;
}

/* Two images take about as long as one of twice the area: a batch that was not stated looks like
 * another size. */
static int64_t batch_as_likely(const SetupSearch *s, Candidate own, double cost)
{
    const Tried *best = NULL;
    for (size_t i = 0; i < s->ntried; i++) {
        const Tried *t = &s->tried[i];
        if (t->candidate.at[AXIS_BATCH] == own.at[AXIS_BATCH] ||
            setup_plain_cost(s, t) >= cost + SETUP_DECIDED)
            continue;
        if (!best || setup_plain_cost(s, t) < setup_plain_cost(s, best))
            best = t;
    }
    return best ? s->batch[best->candidate.at[AXIS_BATCH]] : 0;
}

/* Where one list of operators serves images of every size, only times tell which it was. */
static void look_for_size(SetupFinder *f, const SetupSearch *s, Candidate own)
{
    OtherSize other = setup_other_size(s, own);
    for (size_t i = 0; i < s->ntried && isfinite(other.cost); i++)
        if (memcmp(&s->tried[i].candidate, &own, sizeof own) == 0)
            f->ret->size_fits = fmax(0, setup_plain_cost(s, &s->tried[i]) - other.cost);
    if (f->ret->item[SETUP_BATCH].source != SETUP_OPTION)
        f->ret->size_batch = batch_as_likely(s, own, other.cost);
    f->ret->size[0] = other.height;
    f->ret->size[1] = other.width;
    f->ret->own_size[0] = other.own_height;
    f->ret->own_size[1] = other.own_width;
}

static void apply_best_setup(SetupFinder *f, const SetupSearch *s, int best)
{
    assert(best >= 0 && (size_t)best < s->ntried);
    const CompileOptions before = f->ret->compile;
    Candidate x = s->said_at;
    x.at[AXIS_PE] = settle_axis(f, s, best, AXIS_PE, SETUP_TARGET);
    x.at[AXIS_SDK] = settle_axis(f, s, best, AXIS_SDK, SETUP_SDK);
    x.at[AXIS_BATCH] = settle_axis(f, s, best, AXIS_BATCH, SETUP_BATCH);
    x.at[AXIS_INPUT] = settle_axis(f, s, best, AXIS_INPUT, SETUP_INPUT);
    x.at[AXIS_OUTPUT] = settle_axis(f, s, best, AXIS_OUTPUT, SETUP_OUTPUT);
    x.at[AXIS_PERMUTE] = settle_axis(f, s, best, AXIS_PERMUTE, SETUP_PERMUTE);
    if (setup_gap(s, best, AXIS_PLACE, s->said_at.at[AXIS_PLACE]) >= SETUP_DECIDED)
        x.at[AXIS_PLACE] = s->tried[best].candidate.at[AXIS_PLACE];
    look_for_size(f, s, x);
    f->ret->compile = setup_options(f->arena, s, x);
    if (f->ret->item[SETUP_SDK].source == SETUP_OPTION)
        f->ret->compile.sdk = before.sdk;
    if (f->ret->item[SETUP_TARGET].source != SETUP_TRACE) {
        f->ret->compile.pe = before.pe;
        f->ret->compile.target = before.target;
    }
}

/* Restores the given options; the SDK that wrote the trace remains known. */
static void reset_to_given(SetupFinder *f)
{
    Sdk sdk = f->ret->compile.sdk;
    f->ret->compile = *f->said;
    f->ret->compile.sdk = sdk;
    f->ret->run = *f->ask->run;
    for (int i = 0; i < SETUP_COUNT; i++) {
        SetupItem *x = &f->ret->item[i];
        if (i != SETUP_SDK && x->source == SETUP_TRACE)
            x->source = SETUP_DEFAULT;
        x->seen = NULL;
    }
}

static void search_setups(SetupFinder *f)
{
    Typical typical = typical_of(f->arena, f->stats);
    if (typical.inferences < TELLING_INFERENCES || typical.nhost + typical.ntask == 0)
        return;
    SetupSearch *s = ARENA_NEW(f->arena, SetupSearch);
    open_search(f, &typical, s);
    int best = setup_search(s);
    f->ret->compiled = s->ntried;
    if (best < 0)
        return;
    f->ret->compared = true;
    f->ret->best = s->tried[best].resemblance;
    if (s->tried[best].resemblance.npu_apart > OTHER_MODEL_DISTANCE) {
        reset_to_given(f); /* another model's run says nothing of this one's */
        return;
    }
    if (s->tried[best].resemblance.host_apart > 0)
        return; /* spans are missing, or steps are others than ours: times could be of either */
    f->ret->searched = true;
    apply_best_setup(f, s, best);
}

/* The PE mode that lanes tell, against what was said. */
static void see_target(SetupFinder *f)
{
    int seen = pes_seen(f->stats, f->ask->machine->pe_count);
    if (!seen)
        return;
    TargetText text;
    const char *name = arena_strdup(f->arena, target_text(&text, f->said->target_name, seen));
    if (seen != f->said->pe && record_seen(f, SETUP_TARGET, f->said->target, name)) {
        f->ret->compile.pe = seen;
        f->ret->compile.target = name;
    } else if (f->ret->item[SETUP_TARGET].source == SETUP_DEFAULT) {
        f->ret->item[SETUP_TARGET].source = SETUP_TRACE;
    }
}

void setup_find(Arena *a, const SetupRequest *q, const TraceStats *stats, Setup *ret)
{
    CompileOptions said = *q->compile;
    compile_options_name_types(a, &said, q->model->graph);
    compile_options_take_sdk(&said, q->model, stats ? NULL : q->model->notes);
    *ret = (Setup){.compile = said, .run = *q->run};
    for (int i = 0; i < SETUP_COUNT; i++)
        ret->item[i].source =
            was_given(&said, q->run, (SetupItemId)i) ? SETUP_OPTION : SETUP_DEFAULT;
    SetupFinder f = {a, q, &said, stats, ret};
    if (stats && stats->ninference &&
        (stats->format == TRACE_FURIOSA || stats->format == TRACE_FURIOSA_CSV)) {
        see_sdk(&f);
        see_workers(&f);
        see_devices(&f);
        see_target(&f);
        search_setups(&f);
    } else if (stats && stats->sdk && !said.sdk_given) {
        ret->compile.sdk = stats->sdk;
        ret->item[SETUP_SDK].source = SETUP_TRACE;
    }
    for (int i = 0; i < SETUP_COUNT; i++)
        ret->item[i].value = value_of(a, q->model, &ret->compile, &ret->run, (SetupItemId)i);
}
