/* Asserts that no structure or time of a result is worse than in the baseline. */
#include "advisor/act/gate/gate_parts.h"
#include "advisor/message/json.h"
#include "advisor/message/phrase.h"

/* What is worse by how much, as an interval; positive is worse.  Chance on both sides adds in
 * quadrature.  The doubt of two predictions is about the same figures of the same machine and goes
 * together: end is compared with end. */
static Interval worse_by(Interval then, Interval now, bool sampled, bool at_least)
{
    Interval d = {.mid = now.mid - then.mid};
    if (sampled) {
        d.lo = d.mid - hypot(now.mid - now.lo, then.hi - then.mid);
        d.hi = d.mid + hypot(now.hi - now.mid, then.mid - then.lo);
    } else {
        double low = now.lo - then.lo, high = now.hi - then.hi;
        d.lo = fmin(d.mid, fmin(low, high));
        d.hi = fmax(d.mid, fmax(low, high));
    }
    return at_least ? (Interval){-d.hi, -d.mid, -d.lo} : d;
}

/* A regression is more than tolerated, and no chance.  More than tolerated that may be chance is
 * undecided; so are a few samples that could hide one. */
static Decision decide_regression(Interval worse, double tolerated, bool few)
{
    if (worse.mid > tolerated)
        return worse.lo > 0 ? FAILS : UNDECIDED;
    return few && worse.hi > tolerated ? UNDECIDED : HOLDS;
}

static const char *percent_text(Arena *a, double part, double whole)
{
    part = part == 0 ? 0 : part; /* no -0 */
    return whole > 0 && isfinite(part) ? arena_printf(a, "%.1f %%", 100 * part / whole) : "any";
}

static void assert_time(Gate *g, const Metric *m, const char *kind, Interval then, MetricFigure now)
{
    Arena *a = g->arena;
    double tolerated = then.mid * g->q->regression_percent / 100;
    if (m->is_time)
        tolerated = fmax(tolerated, (double)g->q->regression_floor_ns);
    double bound = m->at_least ? then.mid - tolerated : then.mid + tolerated;
    Interval w = worse_by(then, now.v, now.sampled, m->at_least);
    const char *detail =
        arena_printf(a, "baseline %s, %s of it allowed; %s worse (90 %% interval %s to %s)",
                     gate_metric_text(a, m, then.mid), percent_text(a, tolerated, then.mid),
                     percent_text(a, w.mid, then.mid), percent_text(a, w.lo, then.mid),
                     percent_text(a, w.hi, then.mid));
    const char *missing = now.sampled && !g->result->traces.count
                              ? "not measured in this run (no --trace)"
                              : "this run has no such figure";
    gate_assert(g, &(Assertion){
                       .name = arena_printf(a, "%s %s against the baseline", kind, m->name),
                       .limit = &(GateLimit){m->at_least, m->is_time, bound},
                       .has_found = now.known,
                       .found = now.v.mid,
                       .value = now.value,
                       .nvalue = now.nvalue,
                       .decision = now.known ? decide_regression(w, tolerated, now.few) : UNDECIDED,
                       .detail = now.known ? detail : gate_why_unknown(g->result, missing)});
}

static void times_of(Gate *g, TimeSource source)
{
    const char *kind = source == TIMES_MEASURED ? "measured" : "predicted";
    const cJSON *then = json_at(g->baseline->tree, kind);
    for (const Metric *m = gate_metric_table; m->name; m++) {
        Interval v;
        const cJSON *o = json_at(then, m->name);
        if (m->structure || !json_number(o, "mid", &v.mid))
            continue;
        v.lo = fmin(v.mid, json_number_or(o, "lo", v.mid));
        v.hi = fmax(v.mid, json_number_or(o, "hi", v.mid));
        assert_time(g, m, kind, v,
                    gate_metric_figure(g->arena, g->result, m->name, AGGREGATE_MEDIAN, source));
    }
}

static void assert_structure(Gate *g, const char *name, GateLimit then)
{
    MetricFigure now =
        gate_metric_figure(g->arena, g->result, name, AGGREGATE_MEDIAN, TIMES_PREDICTED);
    double slack = 1e-6 * fabs(then.value); /* a share is written with six digits */
    bool good = then.at_least ? now.v.mid >= then.value - slack : now.v.mid <= then.value + slack;
    assert(!then.is_time);
    gate_assert(g, &(Assertion){.name = arena_printf(g->arena, "%s against the baseline", name),
                                .limit = &then,
                                .has_found = now.known,
                                .found = now.v.mid,
                                .value = now.value,
                                .nvalue = now.nvalue,
                                .decision = !now.known ? UNDECIDED
                                            : good     ? HOLDS
                                                       : FAILS});
}

/* Operators on the host: those of the baseline, and those that it did not have. */
static void host_operators(Gate *g)
{
    const cJSON *then = json_at(g->baseline->tree, "host_ops");
    for (const cJSON *o = json_first(then, ""); o; o = o->next)
        if (o->string && *o->string && cJSON_IsNumber(o))
            assert_structure(g, arena_printf(g->arena, "host:%s", o->string),
                             (GateLimit){.value = o->valuedouble});
    StrMap seen;
    strmap_init(&seen, g->arena, 16);
    for (size_t i = 0; i < g->result->steps.count; i++) {
        const char *op = g->result->steps.item[i].op;
        if (!*op || g->result->steps.item[i].kind != RESULT_STEP_KIND_HOST ||
            strmap_get(&seen, op) != STRMAP_NONE || cJSON_GetObjectItemCaseSensitive(then, op))
            continue;
        strmap_put(&seen, op, 1);
        assert_structure(g, arena_printf(g->arena, "host:%s", op), (GateLimit){.value = 0});
    }
}

static void check_structure(Gate *g)
{
    const cJSON *then = json_at(g->baseline->tree, "structure");
    for (const Metric *m = gate_metric_table; m->name; m++) {
        double v;
        if (m->structure && json_number(then, m->name, &v))
            assert_structure(g, m->name, (GateLimit){.at_least = m->at_least, .value = v});
    }
    host_operators(g);
}

/* What is fixed should leave the baseline, or it could come back unnoticed. */
static void report_fixed_findings(Gate *g)
{
    const ResultFindingList *gone = &g->result->gate.baseline->gone;
    const char *list = "";
    double n = (double)gone->count;
    for (size_t i = 0; i < gone->count; i++) {
        const char *name = gone->item[i].fingerprint;
        list = *list ? arena_printf(g->arena, "%s, %s", list, name) : name;
    }
    if (n > 0)
        notes_add(g->notes, "baseline-gone", phrase_arg(PHRASE_NOTE_BASELINE_GONE),
                  arg_count((int64_t)n), arg_text(list));
    if (g->q->strict_baseline)
        gate_assert(g, &(Assertion){.name = "findings of the baseline that are fixed",
                                    .limit = &(GateLimit){.value = 0},
                                    .has_found = true,
                                    .found = n,
                                    .value = &n,
                                    .nvalue = 1,
                                    .decision = n > 0 ? FAILS : HOLDS,
                                    .detail = list});
}

void gate_regressions(Gate *g, bool of_structure)
{
    if (of_structure) {
        report_fixed_findings(g);
        check_structure(g);
        return;
    }
    times_of(g, TIMES_MEASURED);
    times_of(g, TIMES_PREDICTED);
}
