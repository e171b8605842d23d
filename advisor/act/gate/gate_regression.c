/* Asserts that no structure or time of a result is worse than in the baseline. */
#include "advisor/act/gate/gate_parts.h"
#include "advisor/message/json.h"
#include "advisor/message/phrase.h"
#include "graph/options/option.h"

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

/* Worse by that share of the baseline: no time and no rate is better or worse by more than all of
 * it.  Of predictions, ends are compared with each other. */
static Interval worse_share(Interval worse, Interval then, MetricFigure now, bool at_least)
{
    Interval s = {worse.lo / then.mid, worse.mid / then.mid, worse.hi / then.mid};
    int sign = at_least ? -1 : 1;
    if (!now.sampled && then.lo > 0) {
        double low = sign * (now.v.lo / then.lo - 1), high = sign * (now.v.hi / then.hi - 1);
        s.lo = fmin(s.mid, fmin(low, high));
        s.hi = fmax(s.mid, fmax(low, high));
    }
    s.lo = at_least ? s.lo : fmax(s.lo, -1);
    return s;
}

static const char *percent_text(Arena *a, double share)
{
    share = fabs(share) < 0.0005 ? 0 : share; /* no -0 */
    return isfinite(share) ? arena_printf(a, "%.1f %%", 100 * share) : "any";
}

/* "948.6 % worse (90 % interval 780.5 % to 1021.1 %)", "2.4 % better" */
static const char *change_text(Arena *a, Interval worse)
{
    bool better = worse.mid < 0;
    const char *lo = percent_text(a, better ? -worse.hi : worse.lo),
               *hi = percent_text(a, better ? -worse.lo : worse.hi);
    const char *text =
        arena_printf(a, "%s %s", percent_text(a, fabs(worse.mid)), better ? "better" : "worse");
    return strcmp(lo, hi) ? arena_printf(a, "%s (90 %% interval %s to %s)", text, lo, hi) : text;
}

/* "limit = baseline 696 µs + 50.0 µs (--regression-floor); 948.6 % worse …" */
static const char *regression_text(Gate *g, const Metric *m, double then, double tolerated,
                                   Interval share)
{
    Arena *a = g->arena;
    double percent = g->q->regression_percent;
    bool by_floor = tolerated > then * percent / 100;
    const char *limit = arena_printf(
        a, "limit = baseline %s %c %s (%s)", gate_metric_text(a, m, then), m->at_least ? '-' : '+',
        by_floor ? gate_metric_text(a, m, tolerated) : arena_printf(a, "%g %%", percent),
        option_flag(by_floor ? OPTION_REGRESSION_FLOOR : OPTION_REGRESSION_PERCENT));
    return then > 0 ? arena_printf(a, "%s; %s", limit, change_text(a, share)) : limit;
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
        regression_text(g, m, then.mid, tolerated, worse_share(w, then, now, m->at_least));
    const char *missing = now.sampled && !g->result->traces.count
                              ? "not measured in this run (no --trace)"
                              : "this run has no such figure";
    gate_assert(g, &(Assertion){
                       .name = arena_printf(a, "%s %s against the baseline", kind, m->name),
                       .limit = &(GateLimit){m->at_least, gate_metric_unit(m), bound},
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
            cJSON_GetObjectItemCaseSensitive(then, op) || !strmap_add(&seen, op, 1))
            continue;
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

static const char *names_of_gone(Gate *g)
{
    const ResultFindingList *gone = &g->result->gate.baseline->gone;
    const char *list = "";
    for (size_t i = 0; i < gone->count; i++) {
        const char *name = gone->item[i].fingerprint;
        list = *list ? arena_printf(g->arena, "%s, %s", list, name) : name;
    }
    return list;
}

/* A finding that is gone should leave the baseline, or it could come back unnoticed. */
static void assert_none_gone(Gate *g)
{
    double n = (double)g->result->gate.baseline->gone.count;
    if (g->q->strict_baseline)
        gate_assert(g, &(Assertion){.name = "findings of the baseline that are gone",
                                    .limit = &(GateLimit){.value = 0},
                                    .has_found = true,
                                    .found = n,
                                    .value = &n,
                                    .nvalue = 1,
                                    .decision = n > 0 ? FAILS : HOLDS,
                                    .detail = names_of_gone(g)});
}

void gate_note_gone(Gate *g)
{
    size_t n = g->result->gate.baseline->gone.count;
    bool passed = g->result->gate.status == RESULT_STATUS_PASSED;
    if (n > 0)
        notes_add(g->notes, "baseline-gone",
                  phrase_arg(passed ? PHRASE_NOTE_BASELINE_UPDATE : PHRASE_NOTE_BASELINE_GONE),
                  arg_count((int64_t)n), arg_text(names_of_gone(g)));
}

void gate_regressions(Gate *g, bool of_structure)
{
    if (of_structure) {
        assert_none_gone(g);
        check_structure(g);
        return;
    }
    times_of(g, TIMES_MEASURED);
    times_of(g, TIMES_PREDICTED);
}
