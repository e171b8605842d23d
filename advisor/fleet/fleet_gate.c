/* Counts the verdicts of a comparison and adds one assertion for each budget. */
#include "advisor/fleet/fleet_gate.h"

enum { PASSED, FAILED, INCONCLUSIVE = 3 };
static const char *const status_name[] = {"passed", "failed", "", "inconclusive"};

static double count_of(const cJSON *diff, const char *verdict)
{
    return json_number_or(cJSON_GetObjectItemCaseSensitive(json_at(diff, "counts"), verdict), "",
                          0);
}

static int check_verdict(const cJSON *diff, const char *verdict, double most, double *ret_found)
{
    double found = count_of(diff, verdict);
    if (!strcmp(verdict, "slower") || !strcmp(verdict, "faster"))
        found += count_of(diff, "mixed");
    *ret_found = found;
    if (found > most)
        return FAILED;
    bool open =
        (!strcmp(verdict, "slower") || !strcmp(verdict, "faster") || !strcmp(verdict, "mixed")) &&
        found + count_of(diff, "undecided") > most;
    return open ? INCONCLUSIVE : PASSED;
}

static Status read_budget(const cJSON *diff, const char *text, char verdict[32], double *ret,
                          Diag *diag)
{
    const char *equals = strchr(text, '=');
    size_t n = equals ? (size_t)(equals - text) : 0;
    char *end = NULL;
    long most = equals ? strtol(equals + 1, &end, 10) : -1;
    if (n > 0 && n < 32) {
        memcpy(verdict, text, n);
        verdict[n] = '\0';
    }
    if (n == 0 || n >= 32 || end == equals + 1 || *end || most < 0 ||
        !cJSON_GetObjectItemCaseSensitive(json_at(diff, "counts"), verdict))
        return diag_set(
            diag, STATUS_USAGE, NULL, NULL,
            "--budget '%s': for two fleets, give VERDICT=N, such as slower=0; verdicts: "
            "slower, faster, mixed, same, undecided, broken, repaired, added, gone",
            text);
    *ret = (double)most;
    return STATUS_OK;
}

static void add_assertion(cJSON *list, const char *verdict, const char *text, double found,
                          int status)
{
    cJSON *o = json_add_row(list);
    cJSON_AddStringToObject(o, "name", verdict);
    char expected[48];
    snprintf(expected, sizeof expected, "<= %.30s", strchr(text, '=') + 1);
    cJSON_AddStringToObject(o, "expected", expected);
    cJSON_AddNumberToObject(o, "found", found);
    if (status == INCONCLUSIVE)
        cJSON_AddNullToObject(o, "pass");
    else
        cJSON_AddBoolToObject(o, "pass", status == PASSED);
}

Status fleet_gate(cJSON *diff, const char *const *budget, size_t n, int *ret_exit, Diag *diag)
{
    *ret_exit = PASSED;
    if (n == 0)
        return STATUS_OK;
    cJSON *gate = cJSON_AddObjectToObject(diff, "gate"), *list = cJSON_CreateArray();
    Status st = STATUS_OK;
    for (size_t i = 0; i < n && !st; i++) {
        char verdict[32];
        double most = 0, found;
        st = read_budget(diff, budget[i], verdict, &most, diag);
        if (st)
            break;
        int status = check_verdict(diff, verdict, most, &found);
        if (*ret_exit != FAILED && status != PASSED)
            *ret_exit = status;
        add_assertion(list, verdict, budget[i], found, status);
    }
    assert(*status_name[*ret_exit]);
    cJSON_AddStringToObject(gate, "status", status_name[*ret_exit]);
    cJSON_AddItemToObject(gate, "assertions", list);
    return st;
}
