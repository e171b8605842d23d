/* Compiles candidates in the order of their plausibility, as few as tell the best. */
#include "cost_model/setup/setup_search.h"
#include "cost_model/setup/places.h"
#include "graph/edit/edit.h"
#include "graph/model/model.h"

bool setup_can_convert(const Tensor *t)
{
    DType type = tensor_dtype(t);
    return type == DT_FLOAT32 || type == DT_UINT8 || type == DT_INT8;
}

static void set_types(Arena *a, const Graph *g, const TensorId *id, size_t n, DType type,
                      IoType **ret, size_t *ret_count)
{
    *ret = ARENA_ARRAY(a, IoType, n + 1);
    *ret_count = 0;
    for (size_t i = 0; i < n; i++)
        if (setup_can_convert(&g->tensor[id[i]]))
            (*ret)[(*ret_count)++] = (IoType){g->tensor[id[i]].name, type};
}

CompileOptions setup_options(Arena *a, const SetupSearch *s, Candidate x)
{
    for (int k = 0; k < AXIS_COUNT; k++)
        assert(x.at[k] < s->count[k]);
    CompileOptions o = *s->said;
    const Graph *g = s->model->graph;
    o.pe = s->pe[x.at[AXIS_PE]];
    if (o.pe != s->said->pe) {
        TargetText text;
        o.target = arena_strdup(a, target_text(&text, o.target_name, o.pe));
    }
    o.sdk = s->sdk[x.at[AXIS_SDK]];
    o.batch = s->batch[x.at[AXIS_BATCH]];
    if (s->input[x.at[AXIS_INPUT]] != DT_UNKNOWN)
        set_types(a, g, g->input, g->ninput, s->input[x.at[AXIS_INPUT]], &o.input_dtype,
                  &o.ninput_dtype);
    if (s->output[x.at[AXIS_OUTPUT]] != DT_UNKNOWN)
        set_types(a, g, g->output, g->noutput, s->output[x.at[AXIS_OUTPUT]], &o.output_dtype,
                  &o.noutput_dtype);
    if (s->permute[x.at[AXIS_PERMUTE]]) {
        o.permute = (Permutation *)s->permute[x.at[AXIS_PERMUTE]];
        o.npermute = g->ninput;
    }
    if (x.at[AXIS_PLACE])
        o.unknown_on = places_other(o.unknown_on);
    return o;
}

static const Tried *find_tried(const SetupSearch *s, Candidate x)
{
    return LIST_FIND(i, s->tried, s->ntried, memcmp(&s->tried[i].candidate, &x, sizeof x) == 0);
}

/* A batch other than one is rarely left unstated: odds of 7 to 1 against it. */
#define UNSTATED_COST 4.0

static Resemblance measure_resemblance(Arena *scratch, const SetupSearch *s,
                                       const CompileOptions *o)
{
    Diag why;
    Program *p;
    if (compile_model(scratch, s->model, s->machine, o, NULL, &p, &why))
        return (Resemblance){.cost = INFINITY};
    RunOptions alone = {.workers = 1, .devices = 1};
    const Prediction *t = predict(scratch, p, s->costs, &alone);
    int per_card = compile_options_lanes(o, s->machine);
    int at_once = s->tasks_at_once < per_card ? s->tasks_at_once : per_card;
    return resemblance_of(scratch, s->typical, p, s->costs, t, at_once);
}

static double batch_change_cost(const SetupSearch *s, Candidate x)
{
    return s->batch[x.at[AXIS_BATCH]] == s->said->batch ? 0 : UNSTATED_COST;
}

static Resemblance compile_and_compare(const SetupSearch *s, Candidate x)
{
    Arena *scratch = arena_new(0);
    CompileOptions o = setup_options(scratch, s, x);
    Resemblance ret = measure_resemblance(scratch, s, &o);
    ret.cost += batch_change_cost(s, x);
    arena_free(scratch);
    return ret;
}

double setup_plain_cost(const SetupSearch *s, const Tried *t)
{
    return t->resemblance.cost - batch_change_cost(s, t->candidate);
}

/* Sides of images. */
enum { SIDE_STEP = 32 };

static int64_t scaled_side(int64_t side, double times)
{
    int64_t steps = llround((double)side * times / SIDE_STEP);
    return SIDE_STEP * (steps > 1 ? steps : 1);
}

/* Edits that scale both sides of every input image by `times` (0: as they are); returns their
 * number. */
static size_t scale_pictures(const Graph *g, double times, Edit *ret)
{
    size_t n = 0;
    for (size_t i = 0; i < g->ninput; i++) {
        int axis = edit_width_axis(g, g->input[i]);
        const Tensor *t = &g->tensor[g->input[i]];
        for (int k = 1; axis > 0 && k >= 0; k--) {
            int64_t side = t->shape.dim[axis - k].value;
            if (side > 1)
                ret[n++] = (Edit){k ? EDIT_HEIGHT : EDIT_WIDTH, t->name,
                                  times > 0 ? scaled_side(side, times) : side, NULL};
        }
    }
    return n;
}

OtherSize setup_other_size(const SetupSearch *s, Candidate x)
{
    static const double times[] = {0.5, M_SQRT1_2, M_SQRT2, 2};
    OtherSize best = {.cost = INFINITY};
    const Graph *g = s->model->graph;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        Arena *scratch = arena_new(0);
        CompileOptions o = setup_options(scratch, s, x);
        o.edit = ARENA_ARRAY(scratch, Edit, 2 * g->ninput + 1);
        o.nedit = scale_pictures(g, times[i], o.edit);
        double cost = o.nedit >= 2 ? measure_resemblance(scratch, s, &o).cost : INFINITY;
        if (cost < best.cost) {
            best = (OtherSize){cost, o.edit[0].number, o.edit[1].number, 0, 0};
            scale_pictures(g, 0, o.edit);
            best.own_height = o.edit[0].number;
            best.own_width = o.edit[1].number;
        }
        arena_free(scratch);
    }
    return best;
}

static double try_candidate(SetupSearch *s, Candidate x)
{
    const Tried *known = find_tried(s, x);
    if (known)
        return known->resemblance.cost;
    if (s->ntried == TRIED_MAX)
        return INFINITY;
    s->tried[s->ntried] = (Tried){x, compile_and_compare(s, x)};
    return s->tried[s->ntried++].resemblance.cost;
}

static Candidate with_axis(Candidate x, SetupAxis axis, uint8_t value)
{
    x.at[axis] = value;
    return x;
}

/* Downhill along the batches, from both sides of the start. */
static Candidate climb_batch(SetupSearch *s, Candidate x)
{
    for (int step = 1; step >= -1; step -= 2)
        for (;;) {
            int next = x.at[AXIS_BATCH] + step;
            if (next < 0 || (size_t)next >= s->count[AXIS_BATCH])
                break;
            Candidate y = with_axis(x, AXIS_BATCH, (uint8_t)next);
            if (!(try_candidate(s, y) < try_candidate(s, x)))
                break;
            x = y;
        }
    return x;
}

static int best_of(const SetupSearch *s)
{
    int best = -1;
    for (size_t i = 0; i < s->ntried; i++) {
        double cost = s->tried[i].resemblance.cost;
        if (isfinite(cost) && (best < 0 || cost < s->tried[best].resemblance.cost))
            best = (int)i;
    }
    return best;
}

/* Larger batches are tried only where the trace leads to them. */
enum { COARSE_MAX = 128 };

/* Where an operator leaves the NPU from some batch on, there is a hill between two slopes: every
 * other power of two is tried, and then what lies beside the best. */
static void search_coarse_batches(SetupSearch *s, Candidate x)
{
    for (uint8_t i = 0; i < s->count[AXIS_BATCH] && s->batch[i] <= COARSE_MAX; i += 2)
        try_candidate(s, with_axis(x, AXIS_BATCH, i));
    climb_batch(s, s->tried[best_of(s)].candidate);
}

/* Along one axis, whatever fits the trace's host steps no worse than the best so far. */
static void explore_axis(SetupSearch *s, SetupAxis axis)
{
    int best = best_of(s);
    if (best < 0)
        return;
    Candidate from = s->tried[best].candidate;
    for (uint8_t k = 0; k < s->count[axis]; k++) {
        Candidate x = with_axis(from, axis, k);
        try_candidate(s, x);
        const Tried *t = find_tried(s, x);
        int now = best_of(s);
        if (t && isfinite(t->resemblance.cost) &&
            t->resemblance.host_apart <= s->tried[now].resemblance.host_apart)
            climb_batch(s, x);
    }
}

static void explore_unmatched(SetupSearch *s, SetupAxis axis)
{
    int best = best_of(s);
    if (best >= 0 && s->tried[best].resemblance.host_apart > 0)
        explore_axis(s, axis);
}

/* One conversion at either end looks like the other: what neither axis explains alone is looked
 * for on both. */
static void explore_types(SetupSearch *s)
{
    int best = best_of(s);
    if (best < 0 || s->tried[best].resemblance.host_apart <= 0)
        return;
    Candidate from = with_axis(s->tried[best].candidate, AXIS_PERMUTE, s->said_at.at[AXIS_PERMUTE]);
    for (uint8_t in = 0; in < s->count[AXIS_INPUT]; in++)
        for (uint8_t out = 0; out < s->count[AXIS_OUTPUT]; out++)
            try_candidate(s, with_axis(with_axis(from, AXIS_INPUT, in), AXIS_OUTPUT, out));
    climb_batch(s, s->tried[best_of(s)].candidate);
}

int setup_search(SetupSearch *s)
{
    for (size_t i = 0; i < s->count[AXIS_PE] * s->count[AXIS_SDK]; i++) {
        Candidate first = with_axis(s->said_at, AXIS_PE, (uint8_t)(i % s->count[AXIS_PE]));
        first.at[AXIS_SDK] = (uint8_t)(i / s->count[AXIS_PE]);
        try_candidate(s, first);
        if (best_of(s) >= 0)
            search_coarse_batches(s, first);
    }
    explore_unmatched(s, AXIS_PLACE);
    explore_axis(s, AXIS_INPUT);
    explore_unmatched(s, AXIS_PERMUTE);
    explore_axis(s, AXIS_OUTPUT);
    explore_types(s);
    int best = best_of(s);
    if (best < 0)
        return best;
    Candidate x = s->tried[best].candidate;
    for (SetupAxis axis = AXIS_PE; axis < AXIS_COUNT; axis++)
        try_candidate(
            s, with_axis(x, axis, s->said_at.at[axis])); /* what was said, with all else as seen */
    return best_of(s);
}

double setup_gap(const SetupSearch *s, int best, SetupAxis axis, uint8_t value)
{
    assert(best >= 0 && (size_t)best < s->ntried && axis < AXIS_COUNT);
    double least = INFINITY;
    for (size_t i = 0; i < s->ntried; i++)
        if (s->tried[i].candidate.at[axis] == value)
            least = fmin(least, s->tried[i].resemblance.cost);
    return least - s->tried[best].resemblance.cost;
}
