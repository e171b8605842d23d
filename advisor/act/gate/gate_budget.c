/* Asserts budgets, absence of findings, and suppressions that settings files name. */
#include "advisor/act/gate/gate_parts.h"
#include "advisor/report/result_json.h"
#include "graph/options/suggest.h"
#include "graph/options/option.h"

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

/* With a trace, predictions do not replace the values that the trace lacks. */
static bool is_measured(const Result *r)
{
    return r->traces.count > 0;
}

static const char *doubt_of(const Gate *g, const Metric *m, const MetricFigure *f, Decision d)
{
    Arena *a = g->arena;
    const ResultCompiled *compiled = g->result->compiled;
    if (!f->known && compiled && compiled->kind == RESULT_KIND_TENSORRT)
        return "no file has it; trtexec writes the times of whole queries with --exportTimes, and "
               "into its log";
    if (!f->known)
        return gate_why_unknown(g->result, "this run has no such figure");
    if (f->doubt || d != UNDECIDED)
        return f->doubt;
    return arena_printf(a, "the 90 %% interval, %s to %s, contains the limit; %s",
                        gate_metric_text(a, m, f->v.lo), gate_metric_text(a, m, f->v.hi),
                        f->sampled ? "trace more inferences, or allow more"
                                   : "a trace would decide");
}

static void assert_budget(Gate *g, const char *name, const Metric *m, double budget,
                          const char *text)
{
    MetricFigure f = gate_metric_figure(g->arena, g->result, name, g->q->aggregation,
                                        is_measured(g->result) ? TIMES_MEASURED : TIMES_PREDICTED);
    Decision decision = f.known ? decide_budget(f.v, budget, m->at_least) : UNDECIDED;
    gate_assert(g, &(Assertion){
                       .name = name,
                       .limit = &(GateLimit){m->at_least, gate_metric_unit(m), budget},
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
        return diag_set(diag, STATUS_USAGE, NULL, option_flag(OPTION_BUDGET),
                        "'%s' is not a metric; did you mean '%s'?", word, near);
    return diag_set(
        diag, STATUS_USAGE, NULL, option_flag(OPTION_BUDGET),
        "'%s': give METRIC=VALUE with latency_ns, npu_ns, host_ns, io_ns, "
        "throughput_per_s, host_steps, npu_segments, transfers, unknown_nodes, "
        "coverage or host:OP; of a compiled graph compute_ns, layers_ns, reformat_share or "
        "layers_above:TYPE",
        text);
}

/* With its unit, where it is not 0: "latency_ns=2" was rather meant in ms. */
static bool reads_time(const char *text, double *ret)
{
    return gate_parse_time(text, ret) &&
           (*ret <= 0 || !isdigit((unsigned char)text[strlen(text) - 1]));
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
                    ? reads_time(b.text, &b.value)
                    : (b.value = strtod(b.text, &end), end != b.text && !*end && b.value >= 0);
    if (!good)
        return diag_set(diag, STATUS_USAGE, NULL, option_flag(OPTION_BUDGET), "'%s' is not a %s",
                        b.text,
                        b.metric.is_time ? "time with its unit (4ms, 250us, 20000ns)" : "number");
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

Status gate_budgets(Gate *g, bool structure)
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

/* A saving whose interval holds 0 may be none: were it held against the model, a gate would pass
 * and fail by chance. */
static bool may_save_nothing(const ReportedFinding *f)
{
    const ResultInterval *x = f->alone ? f->alone->predicted : NULL;
    if (f->by_hand) /* a bound: always from 0 */
        return !x || x->hi <= 0;
    return x && x->lo <= 0;
}

/* Held against the model, if it saves anything; an error stops it, whatever it saves. */
static bool could_count(const ReportedFinding *f, ResultLevel least)
{
    bool noted = f->observation && f->level < RESULT_LEVEL_ERROR;
    return f->level >= least && !noted && !finding_needs_retraining(f) && !gate_is_of_run(f) &&
           finding_has_action(f->fix) && !f->suppression;
}

/* The runs of a trace are so few or so far apart that they hide what it gains. */
static bool is_hidden_by_trace(const Gate *g, const ReportedFinding *f, ResultLevel least)
{
    const ResultInterval *x = f->alone ? f->alone->predicted : NULL;
    return x && is_measured(g->result) && could_count(f, least) && may_save_nothing(f) &&
           x->mid > 0;
}

/* Some rule looked at this model: else silence means nothing. */
static bool rules_were_applied(const Result *r)
{
    if (finding_count(r) || r->passed.count)
        return true;
    return LIST_ANY(i, r->suppressed.count,
                    r->suppressed.item[i].reason != RESULT_REASON_CONFIGURED);
}

static const char *add_name(Arena *a, const char *list, const char *name)
{
    return *list ? arena_printf(a, "%s, %s", list, name) : arena_strdup(a, name);
}

/* What a level finds. */
typedef struct {
    double n;
    const char **name, *list; /* their fingerprints */
    const char *hidden;       /* of those that may gain something, as the trace has it */
} Found;

/* Why it is not certain that there are no findings; NULL if it is certain. */
static const char *why_undecided(const Gate *g, const Found *f)
{
    if (*f->hidden)
        return arena_printf(g->arena, "the trace does not decide whether these save anything: %s",
                            f->hidden);
    return gate_has_unknown_cost(g->result)
               ? "some steps have no known cost: what changes of them save is unknown"
               : NULL;
}

static void assert_none(Gate *g, const char *name, const Found *f)
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
                                                  : gate_why_unknown(g->result, "no rule applies"),
                                .findings = {f->name, fails ? (size_t)f->n : 0}});
}

/* With a baseline, only what is new counts. */
void gate_findings(Gate *g)
{
    const char *level = g->q->fail_on ? g->q->fail_on : "warn";
    ResultLevel least = (ResultLevel)result_word(result_level_words, level);
    Found found = {.name = ARENA_ARRAY(g->arena, const char *, finding_count(g->result) + 1),
                   .list = "",
                   .hidden = ""};
    if (!g->q->fail_on && !g->baseline)
        return;
    for (size_t i = 0; i < finding_count(g->result); i++) {
        ReportedFinding f = finding_at(g->result, i);
        BaselineState state = STATE_NEW;
        baseline_state(g->result->gate.baseline, f.fingerprint, &state);
        if (state != STATE_NEW)
            continue;
        /* What may save nothing (its interval holds 0), or is suppressed, is not held against the
         * model. */
        if (could_count(&f, least) && !may_save_nothing(&f)) {
            found.name[(size_t)found.n++] = f.fingerprint;
            found.list = add_name(g->arena, found.list, f.fingerprint);
        } else if (is_hidden_by_trace(g, &f, least)) {
            found.hidden = add_name(g->arena, found.hidden, f.fingerprint);
        }
    }
    const char *what = g->baseline ? "new findings" : "findings";
    assert_none(g, arena_printf(g->arena, "%s of level %s or above", what, level), &found);
}

/* The findings of the copy, which the gate may mark. */
typedef struct {
    ResultChange *change;
    ResultHandWork *by_hand;
    ResultObservation *observation;
} OwnFindings;

/* Gives the result a copy of a list, in items that may be changed. */
#define OWN_LIST(g, list, T, ret)                                                                  \
    do {                                                                                           \
        ret = ARENA_ARRAY((g)->arena, T, (list)->count + 1);                                       \
        for (size_t i_ = 0; i_ < (list)->count; i_++)                                              \
            ret[i_] = (list)->item[i_];                                                            \
        (list)->item = ret;                                                                        \
    } while (0)

static OwnFindings own_findings(Gate *g)
{
    OwnFindings own;
    OWN_LIST(g, &g->result->changes, ResultChange, own.change);
    OWN_LIST(g, &g->result->by_hand, ResultHandWork, own.by_hand);
    OWN_LIST(g, &g->result->observations, ResultObservation, own.observation);
    return own;
}

/* Where the suppression of a finding is kept; NULL: there is no such finding. */
static const ResultSuppression **find_suppression(const Gate *g, const OwnFindings *own,
                                                  const char *fingerprint)
{
    for (size_t i = 0; i < g->result->changes.count; i++)
        if (!strcmp(own->change[i].fingerprint, fingerprint))
            return &own->change[i].suppression;
    for (size_t i = 0; i < g->result->by_hand.count; i++)
        if (!strcmp(own->by_hand[i].fingerprint, fingerprint))
            return &own->by_hand[i].suppression;
    return LIST_VALUE(i, g->result->observations.count,
                      !strcmp(own->observation[i].fingerprint, fingerprint),
                      &own->observation[i].suppression, NULL);
}

static bool is_held_back(const Result *r, const char *fingerprint)
{
    return LIST_ANY(i, r->suppressed.count,
                    !strcmp(r->suppressed.item[i].fingerprint, fingerprint));
}

static void assert_suppression(Gate *g, const Suppression *s, bool used, bool expired)
{
    double found = used;
    const char *detail = s->reason;
    if (!used)
        detail = arena_printf(g->arena,
                              "stale: nothing has this fingerprint any more; take it "
                              "out (%s)",
                              s->reason);
    else if (expired)
        detail = arena_printf(g->arena, "expired after %s (%s)", s->until, s->reason);
    gate_assert(g, &(Assertion){.name = arena_printf(g->arena, "suppression %s%s", s->fingerprint,
                                                     expired ? " in time" : ""),
                                .limit = &(GateLimit){.at_least = true, .value = 1},
                                .has_found = true,
                                .found = expired ? 0 : found,
                                .value = &found,
                                .nvalue = 1,
                                .decision = used && !expired ? HOLDS : FAILS,
                                .detail = detail});
}

/* Stale: there is no such finding any more.  Expired: it counts again. */
void gate_suppressions(Gate *g)
{
    OwnFindings own = own_findings(g);
    for (size_t i = 0; i < g->q->nsuppression; i++) {
        const Suppression *s = &g->q->suppression[i];
        const ResultSuppression **place = find_suppression(g, &own, s->fingerprint);
        assert(g->q->today);
        bool expired = s->until && strcmp(g->q->today, s->until) > 0;
        if (place && !expired) {
            ResultSuppression *mark = ARENA_NEW(g->arena, ResultSuppression);
            *mark = (ResultSuppression){s->reason, s->owner, s->until};
            *place = mark;
        }
        assert_suppression(g, s, place || is_held_back(g->result, s->fingerprint), expired);
    }
}
