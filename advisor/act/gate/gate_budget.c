/* Asserts budgets, the absence of findings, and the suppressions that settings files name. */
#include "advisor/act/gate/gate_parts.h"
#include "advisor/report/tree_finding.h"
#include "advisor/rules/rule.h"
#include "graph/base/suggest.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool gate_parse_time(const char *text, double *ret_ns)
{
    static const struct {
        const char *unit;
        double ns;
    } units[] = {{"", 1}, {"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    char *end = NULL;
    double x = strtod(text, &end);
    if (end == text || !isfinite(x) || x < 0)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].unit) == 0) {
            *ret_ns = round(x * units[i].ns * 1e3) / 1e3; /* 4.1 * 1e6 is less than 4,100,000 */
            return true;
        }
    return false;
}

static Decision decide_budget(Interval v, double budget, bool at_least)
{
    assert(budget >= 0);
    double worse = at_least ? -v.lo : v.hi, better = at_least ? -v.hi : v.lo;
    double bound = at_least ? -budget : budget;
    return worse <= bound ? HOLDS : better > bound ? FAILS : UNDECIDED;
}

/* A trace was given: what it does not show is not replaced by a prediction. */
static bool is_measured(const cJSON *result)
{
    return json_count(result, "traces") > 0;
}

static const char *doubt_of(const Gate *g, const Metric *m, const MetricFigure *f, Decision d)
{
    Arena *a = g->arena;
    if (!f->known && !strcmp(json_text(g->result, "compiled.kind", ""), "tensorrt"))
        return "could not be checked: no file has it; trtexec writes the times of whole queries "
               "with --exportTimes, and into its log";
    if (!f->known)
        return "could not be checked: nothing is known";
    if (f->doubt || d != UNDECIDED)
        return f->doubt;
    return arena_printf(a, "90 %% interval %s to %s, on both sides of it: %s",
                        gate_metric_text(a, m, f->v.lo), gate_metric_text(a, m, f->v.hi),
                        f->sampled ? "trace more inferences, or leave more room"
                                   : "a trace would tell");
}

static void assert_budget(const Gate *g, const char *name, const Metric *m, double budget,
                          const char *text)
{
    MetricFigure f = gate_metric_figure(g->arena, g->result, name, g->q->aggregation,
                                        is_measured(g->result) ? TIMES_MEASURED : TIMES_PREDICTED);
    Decision decision = f.known ? decide_budget(f.v, budget, m->at_least) : UNDECIDED;
    gate_assert(g, &(Assertion){
                       .name = name,
                       .limit = &(GateLimit){m->at_least, m->is_time, budget},
                       .expected = arena_printf(g->arena, "%s %s", m->at_least ? ">=" : "<=", text),
                       .has_found = f.known,
                       .found = f.v.mid,
                       .value = f.value,
                       .nvalue = f.nvalue,
                       .decision = decision,
                       .detail = doubt_of(g, m, &f, decision)});
}

static Status bad_metric(Arena *a, const char *text, Diag *diag)
{
    const char *candidate[32];
    size_t n = 0;
    for (const Metric *m = gate_metric_table; m->name && n < 32; m++)
        candidate[n++] = m->name;
    const char *word = arena_strndup(a, text, strcspn(text, "="));
    const char *near = suggest_nearest(word, candidate, n);
    if (near && strcmp(near, word) != 0)
        return diag_set(diag, STATUS_USAGE, NULL, "--budget",
                        "'%s' is not a metric; did you mean '%s'?", word, near);
    return diag_set(
        diag, STATUS_USAGE, NULL, "--budget",
        "'%s': give METRIC=VALUE with latency_ns, npu_ns, host_ns, io_ns, "
        "throughput_per_s, host_steps, npu_segments, transfers, unknown_nodes, "
        "coverage or host:OP; of a compiled graph compute_ns, layers_ns, reformat_share or "
        "layers_above:TYPE",
        text);
}

Status gate_read_budget(Arena *a, const char *text, Budget *ret, Diag *diag)
{
    const char *equals = strchr(text, '=');
    Budget b = {.text = equals ? equals + 1 : ""};
    size_t len = equals ? (size_t)(equals - text) : 0;
    if (!equals || !gate_metric_find(text, len, &b.metric))
        return bad_metric(a, text, diag);
    char *end = NULL;
    bool good = b.metric.is_time
                    ? gate_parse_time(b.text, &b.value)
                    : (b.value = strtod(b.text, &end), end != b.text && !*end && b.value >= 0);
    if (!good)
        return diag_set(diag, STATUS_USAGE, NULL, "--budget", "'%s' is not a %s", b.text,
                        b.metric.is_time ? "time (4ms, 250us, 20000)" : "number");
    b.name = arena_strndup(a, text, len);
    *ret = b;
    return STATUS_OK;
}

static bool is_overruled(const GateRequest *q, size_t i)
{
    assert(q->nadded_budget <= q->nbudget);
    size_t len = strcspn(q->budget[i], "="), decided = q->nbudget - q->nadded_budget;
    for (size_t k = i + 1; k < decided; k++)
        if (!strncmp(q->budget[k], q->budget[i], len + 1))
            return true;
    return false;
}

Status gate_budgets(const Gate *g, bool structure)
{
    for (size_t i = 0; i < g->q->nbudget; i++) {
        Budget b;
        Status st = gate_read_budget(g->arena, g->q->budget[i], &b, g->diag);
        if (st)
            return st;
        if (b.metric.structure == structure && !is_overruled(g->q, i))
            assert_budget(g, b.name, &b.metric, b.value, b.text);
    }
    return STATUS_OK;
}

/* A gain whose interval holds 0 may be none: were it held against the model, a gate would pass and
 * fail by chance. */
static bool may_gain_nothing(const cJSON *rec)
{
    double lo;
    if (json_at(rec, "gain.removes")) /* a bound of measured layers: always from 0 */
        return json_number_or(rec, "gain.predicted.hi", 0) <= 0;
    return (json_number(rec, "gain.verified.lo", &lo) || json_number(rec, "gain.rank_lo", &lo) ||
            json_number(rec, "gain.predicted.lo", &lo)) &&
           lo <= 0;
}

/* Held against the model, if it gains anything. */
static bool could_count(const cJSON *rec, Level least)
{
    Level level = LEVEL_INFO;
    level_from_name(json_text(rec, "level", "info"), &level);
    const char *verdict = json_text(rec, "verdict", "");
    return level >= least && strcmp(verdict, "no-gain") != 0 &&
           strcmp(verdict, "regression") != 0 && !gate_is_of_run(rec) &&
           tree_finding_has_action(rec) && !cJSON_IsObject(json_at(rec, "suppression"));
}

/* Advice that was tried and does not help, whose gain may be none (its interval holds 0), or that
 * is suppressed, is not held against the model. */
static bool finding_counts(const cJSON *rec, Level least)
{
    return could_count(rec, least) && !may_gain_nothing(rec);
}

/* The runs of a trace are so few or so far apart that they hide what it gains. */
static bool is_hidden_by_trace(const Gate *g, const cJSON *rec, Level least)
{
    return is_measured(g->result) && could_count(rec, least) && may_gain_nothing(rec) &&
           !cJSON_IsObject(json_at(rec, "gain.verified")) &&
           json_number_or(rec, "gain.predicted.mid", 0) > 0;
}

/* Some rule looked at this model: else silence means nothing. */
static bool rules_were_applied(const cJSON *result)
{
    if (tree_finding_next(result, NULL) || json_count(result, "passed"))
        return true;
    for (const cJSON *s = json_first(result, "suppressed"); s; s = s->next)
        if (strcmp(json_text(s, "reason", ""), "configured"))
            return true;
    return false;
}

static const char *add_name(Arena *a, const char *list, const char *name)
{
    return *list ? arena_printf(a, "%s, %s", list, name) : arena_strdup(a, name);
}

/* What a level finds. */
typedef struct {
    double n;
    const char *list;   /* their fingerprints */
    const char *hidden; /* of those that may gain something, as the trace has it */
} Found;

/* Why nobody can tell that there is none; NULL when somebody can. */
static const char *why_undecided(const Gate *g, const Found *f)
{
    if (*f->hidden)
        return arena_printf(g->arena, "the trace does not decide whether these gain anything: %s",
                            f->hidden);
    return gate_has_unknown_cost(g->result)
               ? "some steps have no known cost: what advice about them gains cannot be told"
               : NULL;
}

static void assert_none(const Gate *g, const char *name, const Found *f)
{
    bool refuted = gate_trace_is_refuted(g->result);
    bool checked = !refuted && gate_has_evidence(g->result) && rules_were_applied(g->result);
    bool fails = !refuted && f->n > 0;
    const char *doubt = checked && !fails ? why_undecided(g, f) : NULL;
    gate_assert(g, &(Assertion){.name = name,
                                .limit = &(GateLimit){.value = 0},
                                .has_found = fails || checked,
                                .found = f->n,
                                .value = &f->n,
                                .nvalue = 1,
                                .decision = fails               ? FAILS
                                            : checked && !doubt ? HOLDS
                                                                : UNDECIDED,
                                .detail = fails || (checked && !doubt) ? f->list
                                          : doubt                      ? doubt
                                                  : "could not be checked: no rule applies, or "
                                                    "nothing is known"});
}

/* With a baseline, only what is new counts. */
Status gate_findings(const Gate *g)
{
    const char *level = g->q->fail_on ? g->q->fail_on : "warn";
    Found f = {.list = "", .hidden = ""};
    Level least = LEVEL_WARN;
    if (!g->q->fail_on && !g->baseline)
        return STATUS_OK;
    level_from_name(level, &least);
    for (const cJSON *rec = NULL; (rec = tree_finding_next(g->result, rec));) {
        const char *fingerprint = json_text(rec, "fingerprint", "");
        BaselineState state = STATE_NEW;
        baseline_state_of(g->result, fingerprint, &state);
        if (state != STATE_NEW)
            continue;
        if (finding_counts(rec, least)) {
            f.n++;
            f.list = add_name(g->arena, f.list, fingerprint);
        } else if (is_hidden_by_trace(g, rec, least)) {
            f.hidden = add_name(g->arena, f.hidden, fingerprint);
        }
    }
    const char *what = g->baseline ? "new recommendations" : "recommendations";
    assert_none(g, arena_printf(g->arena, "%s of level %s or above", what, level), &f);
    return STATUS_OK;
}

/* The result is the gate's own to change. */
static cJSON *find_recommendation(const cJSON *result, const char *fingerprint)
{
    const cJSON *rec = json_find(json_at(result, "recommendations"), "fingerprint", fingerprint);
    if (!rec)
        rec = json_find(json_at(result, "observations"), "fingerprint", fingerprint);
    return (cJSON *)(uintptr_t)rec;
}

static void mark_suppressed(cJSON *rec, const Suppression *s)
{
    cJSON_DeleteItemFromObjectCaseSensitive(rec, "suppression");
    cJSON *o = cJSON_AddObjectToObject(rec, "suppression");
    cJSON_AddStringToObject(o, "reason", s->reason);
    json_add_text(o, "owner", s->owner);
    json_add_text(o, "until", s->until);
}

/* Stale: there is no such finding any more.  Expired: it counts again. */
Status gate_suppressions(const Gate *g)
{
    for (size_t i = 0; i < g->q->nsuppression; i++) {
        const Suppression *s = &g->q->suppression[i];
        cJSON *rec = find_recommendation(g->result, s->fingerprint);
        assert(g->q->today);
        bool expired = s->until && strcmp(g->q->today, s->until) > 0;
        bool used =
            rec || json_find(json_at(g->result, "suppressed"), "fingerprint", s->fingerprint);
        double found = used;
        const char *detail = s->reason;
        if (!used)
            detail = arena_printf(g->arena,
                                  "stale: nothing has this fingerprint any more; take it "
                                  "out (%s)",
                                  s->reason);
        else if (expired)
            detail = arena_printf(g->arena, "expired after %s (%s)", s->until, s->reason);
        if (rec && !expired)
            mark_suppressed(rec, s);
        gate_assert(g, &(Assertion){.name = arena_printf(g->arena, "suppression %s%s",
                                                         s->fingerprint, expired ? " in time" : ""),
                                    .limit = &(GateLimit){.at_least = true, .value = 1},
                                    .has_found = true,
                                    .found = expired ? 0 : found,
                                    .value = &found,
                                    .nvalue = 1,
                                    .decision = used && !expired ? HOLDS : FAILS,
                                    .detail = detail});
    }
    return STATUS_OK;
}
