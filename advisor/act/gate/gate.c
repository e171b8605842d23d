/* Reads the gate's options, runs its assertions in order, and derives the status from them. */
#include "advisor/act/gate/gate.h"

#include "advisor/act/gate/gate_parts.h"
#include "advisor/options/args.h"
#include "advisor/rules/rule.h"
#include "graph/base/notes.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --today, else SOURCE_DATE_EPOCH, else the clock; UTC. */
static Status find_today(Arena *a, const Args *args, const char **ret, Diag *diag)
{
    const char *given = args_text(args, "today", NULL), *epoch = getenv("SOURCE_DATE_EPOCH");
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
    q->aggregation = (Aggregation)args_word(args, "aggregation", AGGREGATE_MEDIAN);
    assert(q->aggregation <= AGGREGATE_PESSIMISTIC);
    q->inconclusive = args_word(args, "inconclusive", -1) + 1;
    q->regression_percent = args_real(args, "regression-percent", 5);
    q->regression_floor_ns = args_time_ns(args, "regression-floor", 50000);
}

Status gate_request_from_args(Arena *a, const Args *args, const Config *c, GateRequest *ret,
                              Diag *diag)
{
    GateRequest q = {.fail_on = args_text(args, "fail-on", NULL),
                     .baseline = args_text(args, "baseline", NULL),
                     .of_set = args->of_set,
                     .strict_baseline = args_flag(args, "strict-baseline"),
                     .suppression = c->suppression,
                     .nsuppression = c->nsuppression,
                     .nadded_budget = c->nadded_budget};
    for (size_t i = 0; i < c->nfile; i++)
        q.settings_refused |= c->file[i]->refused != NULL;
    Level level;
    q.budget = args_all(a, args, "budget", &q.nbudget);
    if (q.fail_on && !level_from_name(q.fail_on, &level))
        return diag_set(diag, STATUS_USAGE, NULL, "--fail-on", "'%s': give info, warn or error",
                        q.fail_on);
    if (args_word(args, "aggregation", 0) == AGGREGATION_P99)
        return diag_set(diag, STATUS_USAGE, NULL, "--aggregation",
                        "p99 is one of `tune`; a gate takes median, p90 or pessimistic");
    read_choices(args, &q);
    Status st = STATUS_OK;
    Budget budget;
    for (size_t i = 0; i < q.nbudget && !st; i++)
        st = gate_read_budget(a, q.budget[i], &budget, diag);
    if (!st)
        st = find_today(a, args, &q.today, diag);
    if (!st)
        *ret = q;
    return st;
}

/* One failure fails; else one that is undecided makes all of it so. */
static const char *status_of(const cJSON *gate)
{
    bool undecided = false;
    for (const cJSON *a = json_first(gate, "assertions"); a; a = a->next) {
        const cJSON *pass = json_at(a, "pass");
        if (cJSON_IsFalse(pass))
            return "failed";
        undecided |= cJSON_IsNull(pass);
    }
    return undecided ? "inconclusive" : "passed";
}

/* What was not done to the end might have failed. */
static void assert_complete(const Gate *g)
{
    for (const cJSON *x = json_first(g->result, "incomplete"); x; x = x->next)
        gate_assert(g, &(Assertion){
                           .name = arena_printf(g->arena, "%s complete", json_text(x, "kind", "?")),
                           .expected = "to the end",
                           .decision = UNDECIDED,
                           .detail = json_text(x, "text", "")});
}

/* Structure and findings first: they are facts.  Times last. */
static Status assert_all(const Gate *g)
{
    assert_complete(g);
    Status st = gate_suppressions(g);
    if (!st)
        st = gate_findings(g);
    if (!st)
        gate_accuracy(g);
    if (!st)
        st = gate_budgets(g, true);
    if (!st && g->baseline)
        gate_regressions(g, true);
    if (!st)
        st = gate_budgets(g, false);
    if (!st && g->baseline)
        gate_regressions(g, false);
    return st;
}

/* A model that came after the baseline of its set: nobody has accepted what it is. */
static void assert_in_baseline(const Gate *g)
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
    Status st = STATUS_OK;
    if (g->q->baseline)
        st = baseline_load(g->q->baseline, g->q->of_set, g->result, &baseline, g->diag);
    if (st)
        return st;
    g->baseline = baseline.tree ? &baseline : NULL;
    g->gate = cJSON_GetObjectItemCaseSensitive(g->result, "gate");
    assert(cJSON_IsObject(g->gate));
    if (g->baseline)
        cJSON_ReplaceItemInObjectCaseSensitive(g->gate, "baseline",
                                               baseline_compare(g->baseline, g->result,
                                                                g->q->regression_percent,
                                                                (double)g->q->regression_floor_ns));
    if (g->q->baseline && !g->baseline)
        assert_in_baseline(g);
    st = assert_all(g);
    if (!st)
        cJSON_ReplaceItemInObjectCaseSensitive(g->gate, "status",
                                               cJSON_CreateString(status_of(g->gate)));
    g->baseline = NULL;
    baseline_free(&baseline);
    return st;
}

Status gate_apply(Arena *a, cJSON *result, const GateRequest *q, Notes *notes, Diag *diag)
{
    Gate g = {.arena = a, .result = result, .q = q, .notes = notes, .diag = diag};
    if (q->nbudget || q->fail_on || q->baseline || q->nsuppression || q->settings_refused ||
        q->loss_text)
        return run_gate(&g);
    return STATUS_OK;
}

static bool something_was_not_found(const cJSON *result)
{
    for (const cJSON *a = json_first(result, "gate.assertions"); a; a = a->next)
        if (!cJSON_IsNumber(json_at(a, "found")))
            return true;
    return false;
}

int gate_exit_code(const cJSON *result, int inconclusive)
{
    const char *status = json_text(result, "gate.status", "none");
    assert(inconclusive >= 0 && inconclusive <= 2);
    if (strcmp(status, "failed") == 0)
        return 1;
    if (strcmp(status, "inconclusive") != 0)
        return 0;
    if (inconclusive == 1 && !something_was_not_found(result))
        return 0;
    return inconclusive == 2 ? 1 : 3;
}
