/* Chooses a point for each route, orders its changes into rows and predicts each prefix. */
#include "advisor/candidate/search/plan.h"

#include "advisor/candidate/whatif.h"
#include "advisor/rules/lever.h"
#include "cost_model/interval.h"
#include "cost_model/predict.h"

const char *route_name(Route r)
{
    static const char *const name[] = {"same_outputs", "new_outputs", "retrain"};
    static_assert(sizeof name / sizeof *name == ROUTE_COUNT, "a name for each route");
    assert((unsigned)r < ROUTE_COUNT);
    return name[r];
}

static bool is_latency(const PlanSet *s)
{
    return s->goal.objective == OBJECTIVE_LATENCY;
}

/* ---- figures after a change ---- */

/* ns of now for one of the predicted baseline. */
static double latency_scale(const PlanNow *n)
{
    double base = n->base_ns - n->unattributed_ns, now = n->latency_ns - n->unattributed_ns;
    return base > 0 && now > 0 ? now / base : n->base_ns > 0 ? n->latency_ns / n->base_ns : 1;
}

double plan_latency_after(const PlanNow *n, double predicted_ns)
{
    return fmax(0, n->latency_ns - (n->base_ns - predicted_ns) * latency_scale(n));
}

double plan_rate_after(const PlanNow *n, double predicted)
{
    return n->base_per_s > 0 ? n->per_s * predicted / n->base_per_s : 0;
}

/* The objective after `mid` is predicted, with the error of a saving. */
static Interval objective_after(const PlanSet *s, double mid, Interval gain)
{
    const PlanNow *n = &s->now;
    Interval x = {mid - (gain.hi - gain.mid), mid, mid + (gain.mid - gain.lo)};
    if (is_latency(s))
        return (Interval){plan_latency_after(n, x.lo), plan_latency_after(n, mid),
                          plan_latency_after(n, x.hi)};
    x = (Interval){fmax(0, mid - (gain.mid - gain.lo)), mid, mid + (gain.hi - gain.mid)};
    return (Interval){plan_rate_after(n, x.lo), plan_rate_after(n, mid), plan_rate_after(n, x.hi)};
}

static double point_value(const PlanSet *s, const TunePoint *p)
{
    return is_latency(s) ? p->latency_ns : p->per_s;
}

/* The program of a plan was never measured, even where each part of it was: steps wait for each
 * other in another way.  Assumed for the middle of its law: on 15 networks and five chips 0.12
 * holds the plans that 0.2 does. */
#define PLAN_ERROR 0.12

/* The saving is known to a share of it, and what is left to a share of that: the narrower ends.
 * What stays of a median was measured with noise, which no difference shows; a rate is a mean.
 * The law knows nothing of other PEs and another batch: `ratio`. */
static Interval narrower_interval(Interval by_saving, Interval law, Interval ratio, double scale,
                                  double noise)
{
    double mid = by_saving.mid, off = PLAN_ERROR * mid;
    by_saving.lo = mid - hypot(mid - by_saving.lo, noise / 2 * mid);
    by_saving.hi = mid + hypot(by_saving.hi - mid, noise / 2 * mid);
    double lo = mid - hypot(scale * hypot(law.mid - law.lo, ratio.lo), off);
    double hi = mid + hypot(scale * hypot(law.hi - law.mid, ratio.hi), off);
    return (Interval){fmax(by_saving.lo, lo), mid, fmin(by_saving.hi, hi)};
}

void plan_set_predicted(const PlanSet *s, Plan *p)
{
    const PlanNow *n = &s->now;
    double scale =
        is_latency(s) ? latency_scale(n) : (n->base_per_s > 0 ? n->per_s / n->base_per_s : 1);
    p->predicted = objective_after(s, point_value(s, &p->point), p->gain.gain);
    Interval ratio = p->gain.ratio;
    if (is_latency(s)) /* a saving that is larger leaves less */
        ratio = (Interval){-ratio.hi, 0, -ratio.lo};
    p->predicted =
        narrower_interval(p->predicted, p->law, ratio, scale, is_latency(s) ? n->noise : 0);
    double other_ns = plan_latency_after(n, p->point.latency_ns),
           other = plan_rate_after(n, p->point.per_s);
    p->latency_ns = is_latency(s) ? p->predicted : interval_exact(other_ns);
    p->per_s = is_latency(s) ? interval_exact(other) : p->predicted;
    p->source = SOURCE_PREDICTED;
}

/* The application's share takes the host's cores, and no run has it. */
static double run_left(const PlanSet *s, const Plan *p, double share, double application_ns)
{
    const PlanNow *n = &s->now;
    const Build *b = p->point.build;
    double per_s = n->per_s * (1 + share), core_ns = b->loaded.host_ns + application_ns;
    if (!is_latency(s))
        return application_ns > 0 ? fmin(per_s, 1e9 * b->images * b->loaded.host_servers / core_ns)
                                  : per_s;
    /* Unattributed time that the baseline of the run does not have, noise apart. */
    double less = fmax(0, n->latency_ns / (1 + n->noise) - p->verified.before);
    double missing = fmin(n->unattributed_ns, less), now = n->latency_ns - missing;
    double base = fmax(now / (1 + n->noise), fmin(p->verified.before, now * (1 + n->noise)));
    return missing + (now + share * (base - now)) * (1 - share);
}

double plan_run_left(const PlanSet *s, const Plan *p, double share)
{
    return run_left(s, p, share, p->point.build->application_ns.mid);
}

void plan_set_run(const PlanSet *s, Plan *p)
{
    Interval share = p->verified.share, own = p->point.build->application_ns;
    double images = p->point.build->images * p->point.workers;
    Interval x = {run_left(s, p, share.lo, own.hi), plan_run_left(s, p, share.mid),
                  run_left(s, p, share.hi, own.lo)};
    x = (Interval){fmin(x.lo, x.hi), x.mid, fmax(x.lo, x.hi)};
    p->source = p->verified.simulated ? SOURCE_SIMULATED : SOURCE_MEASURED;
    if (is_latency(s)) {
        p->latency_ns = x;
        p->per_s = interval_exact(s->now.per_s * s->now.latency_ns / fmax(x.mid, 1));
        return;
    }
    p->per_s = x;
    p->latency_ns =
        interval_exact(fmax(p->point.build->latency_ns, 1e9 * images / fmax(x.mid, 1e-9)));
}

/* ---- rows ---- */

typedef struct {
    PlanSet *s;
    Plan *p;
    const TunePoint *now; /* the baseline */
} Rows;

static void add_setting_row(Rows *r, SpaceAxis axis, int64_t now, int64_t value)
{
    if (now == value)
        return;
    r->p->row[r->p->nrow++] =
        (PlanRow){.axis = axis, .now = now, .value = value, .needs = space_axis_needs(axis)};
}

static void list_rows(Rows *r)
{
    const Space *s = r->s->space;
    const Variant *now = &s->w->baseline.variant;
    const TunePoint *p = &r->p->point;
    r->p->row = ARENA_ARRAY(r->s->a, PlanRow, s->npart + AXIS_COUNT);
    for (size_t i = 0; i < s->npart; i++) {
        if (!p->build->set.way[i])
            continue;
        const Part *part = &s->part[i];
        size_t attempt = part->attempt[p->build->set.way[i] - 1];
        r->p->row[r->p->nrow++] =
            (PlanRow){.part = part,
                      .attempt = attempt,
                      .needs = attempt_needs(&part->proposal->match->attempt[attempt], s->moves)};
    }
    add_setting_row(r, AXIS_TARGET, now->compile.pe, p->build->pe);
    add_setting_row(r, AXIS_BATCH, now->compile.batch, p->build->batch);
    add_setting_row(r, AXIS_WORKERS, now->run.workers, p->workers);
    if (space_queue_depth(s, p->workers))
        add_setting_row(r, AXIS_DEPTH, now->run.queue_depth, p->workers);
    add_setting_row(r, AXIS_DEVICES, now->run.devices, p->devices);
}

/* The point with the first `n` rows. */
static bool prefix_point(Rows *r, size_t n, TunePoint *ret)
{
    const Space *s = r->s->space;
    const Variant *now = &s->w->baseline.variant;
    PartSet set = {{0}};
    int64_t axis[AXIS_COUNT] = {[AXIS_TARGET] = now->compile.pe,
                                [AXIS_BATCH] = now->compile.batch,
                                [AXIS_WORKERS] = now->run.workers,
                                [AXIS_DEVICES] = now->run.devices};
    for (size_t i = 0; i < n; i++) {
        const PlanRow *x = &r->p->row[i];
        if (x->part)
            set.way[x->part - s->part] = r->p->point.build->set.way[x->part - s->part];
        else
            axis[x->axis] = x->value;
    }
    if (!space_fits(s, &set))
        return false;
    const Build *x = search_add(&r->s->search, &set, (int)axis[AXIS_TARGET], axis[AXIS_BATCH]);
    *ret = front_point(s, x, (int)axis[AXIS_WORKERS], (int)axis[AXIS_DEVICES]);
    return x->fits;
}

static void swap_rows(Plan *p, size_t i, size_t k)
{
    PlanRow x = p->row[i];
    p->row[i] = p->row[k];
    p->row[k] = x;
}

/* Puts the change with the best prefix at `n`. */
static void order_row(Rows *r, size_t n)
{
    size_t best = r->p->nrow;
    double value = 0;
    TunePoint x;
    for (size_t i = n; i < r->p->nrow; i++) {
        swap_rows(r->p, n, i);
        bool fits = prefix_point(r, n + 1, &x);
        double now = fits ? point_value(r->s, &x) : 0;
        if (fits && (best == r->p->nrow || front_is_better(r->s->goal.objective, now, value))) {
            best = i;
            value = now;
        }
        swap_rows(r->p, n, i);
    }
    if (best < r->p->nrow)
        swap_rows(r->p, n, best);
}

static LeverSetting axis_setting(const PlanSet *s, const PlanRow *x)
{
    const CompileOptions *now = &s->space->w->baseline.variant.compile;
    LeverSetting set = {.lever = space_axis_lever(x->axis), .value = lever_number(x->value)};
    if (x->axis == AXIS_TARGET)
        set.value = (LeverTerm){TERM_TARGET, now->target_name, .pe = (int)x->value};
    return set;
}

/* The row's own settings; those that others make are theirs. */
static Attempt own_settings(const PlanSet *s, const PlanRow *x)
{
    const Attempt *t = x->part ? &x->part->proposal->match->attempt[x->attempt] : NULL;
    Attempt own = {ARENA_ARRAY(s->a, LeverSetting, t ? t->nset : 1), 0};
    if (!t)
        own.set[own.nset++] = axis_setting(s, x);
    for (size_t i = 0; t && i < t->nset; i++)
        if (!t->set[i].given)
            own.set[own.nset++] = t->set[i];
    return own;
}

/* The order in which changes are applied; settings of the run last. */
static int order_of(const PlanRow *x)
{
    return x->part ? space_order_of(x->part, x->attempt) : 2000 + (int)x->axis;
}

static Attempt settings_of_rows(const PlanSet *s, const Plan *p, size_t n)
{
    size_t count = 0, *index = ARENA_ARRAY(s->a, size_t, n + 1);
    for (size_t i = 0; i < n; i++) {
        size_t k = i;
        for (; k > 0 && order_of(&p->row[index[k - 1]]) > order_of(&p->row[i]); k--)
            index[k] = index[k - 1];
        index[k] = i;
        count += p->row[i].own.nset;
    }
    Attempt all = {ARENA_ARRAY(s->a, LeverSetting, count + 1), 0};
    for (size_t i = 0; i < n; i++) {
        const Attempt *own = &p->row[index[i]].own;
        for (size_t k = 0; k < own->nset; k++)
            if (!attempt_has(&all, &own->set[k]))
                all.set[all.nset++] = own->set[k];
    }
    return all;
}

/* The settings up to row `n`, of which those above it are given: effect_of then tells the row's. */
static Attempt row_on_top(const PlanSet *s, const Plan *p, size_t n)
{
    Attempt all = settings_of_rows(s, p, n + 1);
    for (size_t i = 0; i < all.nset; i++)
        all.set[i].given = n > 0 && attempt_has(&p->row[n - 1].upto, &all.set[i]);
    return all;
}

static Status point_trial(const PlanSet *s, const TunePoint *p, Trial *ret)
{
    Diag why;
    return builds_trial(s->search.builds, p->build, p->workers, p->devices, ret, &why);
}

/* The saving of one point over another, and the objective there by its own law. */
static Gain gain_between_points(const PlanSet *s, const Trial *from, const TunePoint *to,
                                Interval *ret_law)
{
    Trial t;
    *ret_law = (Interval){0, 0, 0};
    if (point_trial(s, to, &t))
        return (Gain){0};
    Gain g = whatif_gain_over(s->space->w, from, &t);
    *ret_law = prediction_objective(t.time, s->goal.objective);
    trial_free(&t);
    return g;
}

static Interval scaled_error(const PlanSet *s, Interval gain, double mid)
{
    const PlanNow *n = &s->now;
    double k = is_latency(s) ? latency_scale(n) : n->base_per_s > 0 ? n->per_s / n->base_per_s : 1;
    return (Interval){mid - k * (gain.mid - gain.lo), mid, mid + k * (gain.hi - gain.mid)};
}

/* The difference of the middles of two prefixes, as printed: whole nanoseconds. */
static double row_difference(const PlanSet *s, const TunePoint *before, const TunePoint *after)
{
    const PlanNow *n = &s->now;
    if (!is_latency(s))
        return plan_rate_after(n, after->per_s) - plan_rate_after(n, before->per_s);
    return round(plan_latency_after(n, before->latency_ns)) -
           round(plan_latency_after(n, after->latency_ns));
}

static void merge_with_next(PlanRow *x)
{
    x[0].merged = true;
    x[1].saves = interval_add(x[0].saves, x[1].saves);
    x[0].saves = interval_exact(0);
}

void plan_merge_rows(Plan *p)
{
    for (size_t i = 0; i + 1 < p->nrow; i++)
        if (p->row[i].saves.mid < 0)
            merge_with_next(&p->row[i]);
    if (p->nrow > 1 && p->row[p->nrow - 1].saves.mid < 0)
        merge_with_next(&p->row[p->nrow - 2]);
}

static void predict_rows(Rows *r)
{
    Plan *p = r->p;
    TunePoint before = *r->now, after = before;
    for (size_t i = 0; i < p->nrow; i++) {
        PlanRow *x = &p->row[i];
        Trial from;
        x->own = own_settings(r->s, x);
        x->upto = settings_of_rows(r->s, p, i + 1);
        if (!prefix_point(r, i + 1, &after))
            continue;
        Gain g = {0};
        Interval law;
        if (!point_trial(r->s, &before, &from)) {
            g = gain_between_points(r->s, &from, &after, &law);
            trial_free(&from);
        }
        x->saves = scaled_error(r->s, g.gain, row_difference(r->s, &before, &after));
        Attempt own = row_on_top(r->s, p, i);
        x->effect = effect_of(r->s->a, r->s->space->w, &own);
        before = after;
    }
    plan_merge_rows(p);
}

/* ---- the plan ---- */

ORDER_BY_POINTED(by_text, char, strcmp(a, b))

/* Independent of the order of rows. */
static void set_id(const PlanSet *s, Plan *p)
{
    const Variant *now = &s->space->w->baseline.variant;
    const char **text = ARENA_ARRAY(s->a, const char *, p->nrow + 1);
    for (size_t i = 0; i < p->nrow; i++) {
        const PlanRow *x = &p->row[i];
        text[i] = x->part ? arena_printf(s->a, "%s %zu", x->part->proposal->fingerprint, x->attempt)
                          : arena_printf(s->a, "%d %" PRId64, (int)x->axis, x->value);
    }
    ORDER_LIST(text, p->nrow, by_text);
    uint64_t h = strmap_hash_string(HASH_SEED, now->compile.target);
    for (size_t i = 0; i < p->nrow; i++)
        h = strmap_hash_string(h, text[i]);
    snprintf(p->id, sizeof p->id, "%08" PRIx32, (uint32_t)(h ^ h >> 32));
}

Plan plan_of_point(PlanSet *s, Route route, const TunePoint *point)
{
    Plan p = {.route = route, .point = *point, .needs = point->needs};
    Rows r = {s, &p, &s->search.baseline};
    list_rows(&r);
    for (size_t i = 0; i < p.nrow; i++)
        order_row(&r, i);
    predict_rows(&r);
    p.settings = settings_of_rows(s, &p, p.nrow);
    p.application_ns = point->build->application_ns;
    p.gain = gain_between_points(s, &s->space->w->baseline, point, &p.law);
    p.at_least = s->space->w->baseline.time->nunknown > 0;
    plan_set_predicted(s, &p);
    set_id(s, &p);
    return p;
}

/* ---- routes ---- */

double plan_value(const PlanSet *s, const Plan *p)
{
    return is_latency(s) ? p->latency_ns.mid + p->application_ns.mid : p->per_s.mid;
}

double plan_saves(const PlanSet *s, const Plan *p)
{
    return is_latency(s) ? s->now.latency_ns - p->latency_ns.mid : p->per_s.mid - s->now.per_s;
}

/* By which share `x` is better than `y`, both values of the objective. */
static double share_better(const PlanSet *s, double x, double y)
{
    if (is_latency(s))
        return y > 0 ? 1 - x / y : 0;
    return y > 0 ? x / y - 1 : x > 0;
}

static bool may_recommend(const PlanSet *s, const Plan *p)
{
    return s->retrain_asked || p->route != ROUTE_RETRAIN;
}

static bool keeps_limit(const PlanSet *s, double total_ns)
{
    return !(s->goal.limit_ns > 0) || total_ns <= s->goal.limit_ns;
}

static bool plan_keeps_limit(const PlanSet *s, const Plan *p)
{
    return keeps_limit(s, p->latency_ns.mid + p->application_ns.mid);
}

/* Whether it is worth a route after `last`, the one before it; NULL: it is the first. */
static bool is_worth_route(const PlanSet *s, const Plan *p, const Plan *last, double min_share)
{
    double value = plan_value(s, p);
    if (!p->nrow || !plan_keeps_limit(s, p))
        return false;
    if (last)
        return share_better(s, value, plan_value(s, last)) >= PLAN_WORTH;
    return !keeps_limit(s, s->now.latency_ns) ||
           share_better(s, value, is_latency(s) ? s->now.latency_ns : s->now.per_s) >= min_share;
}

static void keep_worthy(PlanSet *s, double min_share)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->nplan; i++)
        if (is_worth_route(s, &s->plan[i], kept ? &s->plan[kept - 1] : NULL, min_share))
            s->plan[kept++] = s->plan[i];
    s->nplan = s->recommended = kept;
    for (size_t i = 0; i < kept && may_recommend(s, &s->plan[i]); i++)
        if (i == 0 || share_better(s, plan_value(s, &s->plan[i]), plan_value(s, &s->plan[0])) >=
                          PLAN_WORTH_OUTPUTS)
            s->recommended = i;
}

/* Where nothing keeps the limit: the plan that comes nearest. */
static void keep_fastest(PlanSet *s)
{
    const Plan *best = NULL;
    for (size_t i = 0; i < s->nplan; i++) {
        const Plan *p = &s->plan[i];
        double total = p->latency_ns.mid + p->application_ns.mid;
        if (p->nrow && may_recommend(s, p) && total < s->now.latency_ns &&
            (!best || total < best->latency_ns.mid + best->application_ns.mid))
            best = p;
    }
    if (best)
        s->plan[0] = *best;
    s->nplan = best ? 1 : 0;
    s->recommended = 0;
}

void plan_choose(PlanSet *s, double min_share)
{
    bool kept = keeps_limit(s, s->now.latency_ns);
    for (size_t i = 0; i < s->nplan; i++)
        kept |= may_recommend(s, &s->plan[i]) && plan_keeps_limit(s, &s->plan[i]);
    if (kept)
        keep_worthy(s, min_share);
    else
        keep_fastest(s);
}

const Plan *plan_recommended(const PlanSet *s)
{
    return s->recommended < s->nplan ? &s->plan[s->recommended] : NULL;
}

Route route_of_needs(NeedSet needs)
{
    if (needs & NEED_RETRAIN)
        return ROUTE_RETRAIN;
    return needs & NEED_OUTPUT ? ROUTE_NEW_OUTPUTS : ROUTE_SAME_OUTPUTS;
}

/* What a search with more needs finds and asks no more than plans before it takes their place. */
static void find_route(PlanSet *s, NeedSet allowed)
{
    TunePoint point;
    const Plan *last = s->nplan ? &s->plan[s->nplan - 1] : NULL;
    search_route(&s->search, allowed, last ? &last->point : NULL, &point);
    if (last && point.build == last->point.build && point.workers == last->point.workers)
        return;
    Route route = route_of_needs(point.needs);
    while (s->nplan && s->plan[s->nplan - 1].route >= route)
        s->nplan--;
    s->plan[s->nplan++] = plan_of_point(s, route, &point);
}

/* The limit is of now; the search compares it with predictions. */
static void take_baseline(PlanSet *s)
{
    PlanNow *n = &s->now;
    n->base_ns = s->search.baseline.latency_ns;
    n->base_per_s = s->search.baseline.per_s;
    if (n->source == SOURCE_PREDICTED) {
        n->latency_ns = n->base_ns;
        n->per_s = n->base_per_s;
    }
    double *limit = &s->search.goal.limit_ns;
    if (*limit > 0)
        *limit = fmax(1, n->base_ns - (n->latency_ns - *limit) / latency_scale(n));
}

void plan_find(PlanSet *ret, Arena *a, const PlanRequest *q)
{
    static const NeedSet without[ROUTE_COUNT] = {NEED_OUTPUT | NEED_RETRAIN, NEED_RETRAIN, 0};
    Space *space = ARENA_NEW(a, Space);
    NeedSet most = q->needs | NEED_RETRAIN; /* what retraining adds is told in one line */
    space_init(space, a, q->w, q->proposal, q->nproposal,
               (SpaceLimits){
                   .said = q->said, .needs = most, .cards = q->cards, .allow_sdk = q->allow_sdk});
    *ret = (PlanSet){.a = a,
                     .space = space,
                     .goal = q->goal,
                     .now = q->now,
                     .retrain_asked = q->needs & NEED_RETRAIN};
    search_open(&ret->search, a, space, q->goal, q->min_share, q->work, q->watch);
    take_baseline(ret);
    for (Route r = 0; r < ROUTE_COUNT; r++)
        find_route(ret, most & ~without[r]);
    plan_choose(ret, q->min_share);
}

bool plan_with(const PlanSet *s, const Plan *p, const Attempt *more, double *ret, double *ret_most)
{
    Trial t;
    Diag why;
    size_t n = p ? p->settings.nset : 0;
    LeverSetting *set = ARENA_ARRAY(s->a, LeverSetting, n + more->nset + 1);
    if (n)
        memcpy(set, p->settings.set, n * sizeof *set);
    Attempt all = {set, n};
    for (size_t i = 0; i < more->nset; i++)
        if (!attempt_has(&all, &more->set[i]))
            all.set[all.nset++] = more->set[i];
    if (whatif_try(s->space->w, all.set, all.nset, &t, &why))
        return false;
    Objective o = s->goal.objective;
    *ret = prediction_objective(t.time, o).mid;
    *ret_most = t.most ? prediction_objective(t.most, o).mid : *ret;
    trial_free(&t);
    return true;
}
