/* Reads the gate's options, runs its assertions in order, and derives the status from them. */
#include "advisor/act/gate/gate.h"

#include "advisor/act/gate/gate_parts.h"
#include "advisor/options/args.h"
#include "advisor/report/result_json.h"
#include "graph/options/option.h"

#include <time.h>

/* --today, else SOURCE_DATE_EPOCH, else the clock; UTC. */
static Status find_today(Arena *a, const Args *args, const char **ret, Diag *diag)
{
    const char *given = args_text(args, OPTION_TODAY, NULL), *epoch = getenv("SOURCE_DATE_EPOCH");
    if (given && !config_is_date(given))
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--today '%s' is not a date such as 2027-01-31", given);
    time_t now = time(NULL);
    if (epoch && *epoch) {
        char *end;
        errno = 0;
        long long seconds = strtoll(epoch, &end, 10);
        if (*end || errno || seconds < 0 || seconds > 253402300799)
            return diag_set(diag, STATUS_USAGE, NULL, "SOURCE_DATE_EPOCH",
                            "'%s' is not a number of seconds", epoch);
        now = (time_t)seconds;
    }
    struct tm date;
    char text[16];
    gmtime_r(&now, &date);
    strftime(text, sizeof text, "%Y-%m-%d", &date);
    *ret = given ? given : arena_strdup(a, text);
    return STATUS_OK;
}

static void read_choices(const Args *args, GateRequest *q)
{
    q->aggregation = (Aggregation)args_word(args, OPTION_AGGREGATION, AGGREGATE_MEDIAN);
    assert(q->aggregation <= AGGREGATE_PESSIMISTIC);
    q->inconclusive = args_word(args, OPTION_INCONCLUSIVE, -1) + 1;
    q->regression_percent = args_real(args, OPTION_REGRESSION_PERCENT, 5);
    q->regression_floor_ns = args_time_ns(args, OPTION_REGRESSION_FLOOR, 50000);
}

Status gate_request_from_args(Arena *a, const Args *args, const Config *c, GateRequest *ret,
                              Diag *diag)
{
    GateRequest q = {.fail_on = args_text(args, OPTION_FAIL_ON, NULL),
                     .baseline = args_text(args, OPTION_BASELINE, NULL),
                     .of_set = args->of_set,
                     .strict_baseline = args_flag(args, OPTION_STRICT_BASELINE),
                     .suppression = c->suppression,
                     .nsuppression = c->nsuppression,
                     .nadded_budget = c->nadded_budget};
    for (size_t i = 0; i < c->nfile; i++)
        q.settings_refused |= c->file[i]->refused != NULL;
    q.budget = args_all(a, args, OPTION_BUDGET, &q.nbudget);
    if (q.fail_on && !result_word(result_level_words, q.fail_on))
        return diag_set(diag, STATUS_USAGE, NULL, option_flag(OPTION_FAIL_ON),
                        "'%s': give info, warn or error", q.fail_on);
    if (args_word(args, OPTION_AGGREGATION, 0) == AGGREGATION_P99)
        return diag_set(diag, STATUS_USAGE, NULL, option_flag(OPTION_AGGREGATION),
                        "p99 is one of `tune`; a gate takes median, p90 or pessimistic");
    read_choices(args, &q);
    Status st = STATUS_OK;
    Budget budget;
    for (size_t i = 0; i < q.nbudget && !st; i++)
        st = gate_read_budget(a, q.budget[i], &budget, diag);
    st = st ? st : find_today(a, args, &q.today, diag);
    if (!st)
        *ret = q;
    return st;
}

/* One failure fails; else one that is undecided makes all of it so. */
static ResultStatus status_of(const ResultAssertionList *list)
{
    if (LIST_ANY(i, list->count, list->item[i].pass.known && !list->item[i].pass.value))
        return RESULT_STATUS_FAILED;
    return LIST_ALL(i, list->count, list->item[i].pass.known) ? RESULT_STATUS_PASSED
                                                              : RESULT_STATUS_INCONCLUSIVE;
}

/* What was not done to the end might have failed. */
static void assert_complete(Gate *g)
{
    const ResultIncompleteList *list = &g->result->incomplete;
    for (size_t i = 0; i < list->count; i++)
        gate_assert(
            g, &(Assertion){.name = arena_printf(g->arena, "%s complete",
                                                 result_incomplete_kind_words[list->item[i].kind]),
                            .expected = "to the end",
                            .decision = UNDECIDED,
                            .detail = list->item[i].text});
}

/* Structure and findings first: they are facts.  Times last. */
static Status assert_all(Gate *g)
{
    assert_complete(g);
    gate_suppressions(g);
    gate_findings(g);
    gate_accuracy(g);
    Status st = gate_budgets(g, true);
    if (!st && g->baseline)
        gate_regressions(g, true);
    st = st ? st : gate_budgets(g, false);
    if (!st && g->baseline)
        gate_regressions(g, false);
    return st;
}

/* A model that is newer than the baseline of its set: no one has accepted it. */
static void assert_in_baseline(Gate *g)
{
    gate_assert(g, &(Assertion){.name = "in the baseline",
                                .expected = "to be there",
                                .decision = UNDECIDED,
                                .detail = "the baseline has no such model; write it again with "
                                          "--write-baseline"});
}

static Status run_gate(Gate *g)
{
    Baseline baseline = {0};
    ResultGate *gate = &g->result->gate;
    const char *path = g->q->baseline;
    Status st = path ? baseline_load(path, g->q->of_set, g->result, &baseline, g->diag) : STATUS_OK;
    if (st)
        return st;
    g->baseline = baseline.tree ? &baseline : NULL;
    if (g->baseline)
        gate->baseline =
            baseline_compare(g->arena, g->baseline, g->result, g->q->regression_percent,
                             (double)g->q->regression_floor_ns);
    if (g->q->baseline && !g->baseline)
        assert_in_baseline(g);
    st = assert_all(g);
    gate->assertions = (ResultAssertionList){g->assertion, g->nassertion};
    gate->status = status_of(&gate->assertions);
    if (!st && g->baseline)
        gate_note_gone(g);
    baseline_free(&baseline);
    return st;
}

Status gate_judge(Arena *a, const Result *r, const GateRequest *q, Notes *notes, Result *ret,
                  Diag *diag)
{
    Gate g = {.arena = a, .result = ret, .q = q, .notes = notes, .diag = diag};
    *ret = *r;
    if (q->nbudget || q->fail_on || q->baseline || q->nsuppression || q->settings_refused ||
        q->loss_text)
        return run_gate(&g);
    return STATUS_OK;
}

int gate_exit_code(const ResultGate *gate, int inconclusive)
{
    assert(inconclusive >= 0 && inconclusive <= 2);
    if (gate->status == RESULT_STATUS_FAILED)
        return 1;
    if (gate->status != RESULT_STATUS_INCONCLUSIVE)
        return 0;
    const ResultAssertionList *list = &gate->assertions;
    if (inconclusive == 1 && LIST_ALL(i, list->count, list->item[i].found.known))
        return 0;
    return inconclusive == 2 ? 1 : 3;
}
