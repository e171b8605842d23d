/* The gate. */
#include "advisor/gate.h"

#include "advisor/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Metrics of --budget.  Measured medians count before predictions. */
static const struct {
    const char *name, *measured, *predicted;
    bool at_least, is_time;
} metric[] = {
    {"latency_ns", "measured.latency_ns.median", "prediction.latency_ns", false, true},
    {"npu_ns", "measured.npu_ns", "prediction.npu_ns", false, true},
    {"host_ns", "measured.host_ns", "prediction.host_ns", false, true},
    {"io_ns", "measured.io_ns", "prediction.io_ns", false, true},
    {"throughput_per_s", "", "prediction.throughput_per_s", true, false},
};
enum { METRICS = sizeof metric / sizeof *metric };

bool gate_parse_time(const char *text, double *ret_ns)
{
    static const struct {
        const char *unit;
        double ns;
    } units[] = {{"", 1}, {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    char *end = NULL;
    double x = strtod(text, &end);
    if (end == text || !isfinite(x) || x < 0)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].unit) == 0) {
            *ret_ns = x * units[i].ns;
            return true;
        }
    return false;
}

/* true, false, or undecided: an interval that holds the budget decides nothing. */
typedef enum { FAILS, HOLDS, UNDECIDED } Decision;

static void add_assertion(cJSON *gate, const char *name, const char *expected, cJSON *found,
                          cJSON *values, Decision d)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", name);
    cJSON_AddStringToObject(o, "expected", expected);
    cJSON_AddItemToObject(o, "found", found);
    cJSON_AddItemToObject(o, "values", values);
    cJSON_AddItemToObject(o, "pass",
                          d == UNDECIDED ? cJSON_CreateNull() : cJSON_CreateBool(d == HOLDS));
    cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(gate, "assertions"), o);
}

static Decision decide(double lo, double hi, double budget, bool at_least)
{
    double worse = at_least ? lo : hi, better = at_least ? hi : lo;
    double sign = at_least ? -1 : 1;
    return sign * worse <= sign * budget   ? HOLDS
           : sign * better > sign * budget ? FAILS
                                           : UNDECIDED;
}

static void assert_budget(cJSON *result, cJSON *gate, size_t m, double budget, const char *text)
{
    char expected[128], path[128];
    snprintf(expected, sizeof expected, "%s %s", metric[m].at_least ? ">=" : "<=", text);
    double lo = 0, mid = 0, hi = 0;
    cJSON *values = cJSON_CreateArray();
    bool found = metric[m].measured[0] && json_number(result, metric[m].measured, &mid);
    lo = hi = mid;
    if (!found) {
        snprintf(path, sizeof path, "%s.mid", metric[m].predicted);
        found = json_number(result, path, &mid);
        snprintf(path, sizeof path, "%s.lo", metric[m].predicted);
        lo = json_number_or(result, path, mid);
        snprintf(path, sizeof path, "%s.hi", metric[m].predicted);
        hi = json_number_or(result, path, mid);
    }
    if (found) {
        cJSON_AddItemToArray(values, cJSON_CreateNumber(lo));
        cJSON_AddItemToArray(values, cJSON_CreateNumber(hi));
    }
    add_assertion(gate, metric[m].name, expected,
                  found ? cJSON_CreateNumber(mid) : cJSON_CreateNull(), values,
                  found ? decide(lo, hi, budget, metric[m].at_least) : UNDECIDED);
}

static Status apply_budget(cJSON *result, cJSON *gate, const char *text, Diag *diag)
{
    const char *equals = strchr(text, '=');
    for (size_t m = 0; equals && m < METRICS; m++) {
        size_t len = (size_t)(equals - text);
        if (strlen(metric[m].name) != len || strncmp(metric[m].name, text, len) != 0)
            continue;
        double budget = 0;
        char *end = NULL;
        bool good = metric[m].is_time ? gate_parse_time(equals + 1, &budget)
                                      : (budget = strtod(equals + 1, &end),
                                         end != equals + 1 && !*end && budget >= 0);
        if (!good)
            return diag_set(diag, STATUS_USAGE, NULL, "--budget", "'%s' is no %s", equals + 1,
                            metric[m].is_time ? "time (4ms, 250us, 20000)" : "number");
        assert_budget(result, gate, m, budget, equals + 1);
        return STATUS_OK;
    }
    return diag_set(diag, STATUS_USAGE, NULL, "--budget",
                    "'%s': give latency_ns, npu_ns, host_ns, io_ns or throughput_per_s = VALUE",
                    text);
}

/* Advice that was tried and does not help is not held against the model. */
static bool counts(const cJSON *rec, Level least)
{
    Level level = LEVEL_INFO;
    level_from_name(json_text(rec, "level", "info"), &level);
    const char *verdict = json_text(rec, "verdict", "");
    return level >= least && strcmp(verdict, "no-gain") != 0 && strcmp(verdict, "regression") != 0;
}

static Status apply_fail_on(cJSON *result, cJSON *gate, const char *text, Diag *diag)
{
    Level least = LEVEL_INFO;
    if (!level_from_name(text, &least))
        return diag_set(diag, STATUS_USAGE, NULL, "--fail-on", "'%s': give info, warn or error",
                        text);
    const cJSON *rec = NULL;
    int n = 0;
    cJSON_ArrayForEach(rec, cJSON_GetObjectItemCaseSensitive(result, "recommendations")) n +=
        counts(rec, least);
    char name[64];
    snprintf(name, sizeof name, "recommendations of level %s or above", text);
    cJSON *values = cJSON_CreateArray();
    cJSON_AddItemToArray(values, cJSON_CreateNumber(n));
    add_assertion(gate, name, "<= 0", cJSON_CreateNumber(n), values, n == 0 ? HOLDS : FAILS);
    return STATUS_OK;
}

/* One failure fails; else one that is undecided makes all of it so. */
static const char *status_of(const cJSON *gate)
{
    const cJSON *a = NULL;
    bool undecided = false;
    cJSON_ArrayForEach(a, cJSON_GetObjectItemCaseSensitive(gate, "assertions"))
    {
        const cJSON *pass = cJSON_GetObjectItemCaseSensitive(a, "pass");
        if (cJSON_IsFalse(pass))
            return "failed";
        undecided |= cJSON_IsNull(pass);
    }
    return undecided ? "inconclusive" : "passed";
}

Status gate_apply(cJSON *result, const AdviseRequest *q, Diag *diag)
{
    cJSON *gate = cJSON_GetObjectItemCaseSensitive(result, "gate");
    Status st = STATUS_OK;
    for (size_t i = 0; i < q->nbudget && !st; i++)
        st = apply_budget(result, gate, q->budget[i], diag);
    if (!st && q->fail_on)
        st = apply_fail_on(result, gate, q->fail_on, diag);
    if (!st && (q->nbudget || q->fail_on))
        cJSON_ReplaceItemInObjectCaseSensitive(gate, "status", cJSON_CreateString(status_of(gate)));
    return st;
}

int gate_exit_code(const cJSON *result, const char *inconclusive)
{
    const char *status = json_text(result, "gate.status", "none");
    if (strcmp(status, "failed") == 0)
        return 1;
    if (strcmp(status, "inconclusive") != 0)
        return 0;
    if (inconclusive && strcmp(inconclusive, "pass") == 0)
        return 0;
    return inconclusive && strcmp(inconclusive, "fail") == 0 ? 1 : 3;
}
