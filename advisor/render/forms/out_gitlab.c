/* Writes a GitLab Code Quality report, an array of findings with a fingerprint each.  Suppressed
 * ones are left out. */
#include "advisor/render/forms/out.h"

static const char *gitlab_severity(ResultLevel level)
{
    return level == RESULT_LEVEL_ERROR ? "critical" : level == RESULT_LEVEL_WARN ? "major" : "info";
}

/* Where the issues of a model are. */
typedef struct {
    Arena *a;
    cJSON *list;
    const char *file;
    int line;
} Issues;

/* One model in two folders gives the same fingerprints: the path makes them differ. */
static void add_quality_issue(const Issues *n, const char *description, const char *check,
                              const char *fingerprint, const char *how_bad)
{
    cJSON *o = json_add_row(n->list);
    cJSON_AddStringToObject(o, "description", description);
    cJSON_AddStringToObject(o, "check_name", check);
    cJSON_AddStringToObject(o, "fingerprint", arena_printf(n->a, "%s: %s", n->file, fingerprint));
    cJSON_AddStringToObject(o, "severity", how_bad);
    cJSON *location = cJSON_AddObjectToObject(o, "location");
    cJSON_AddStringToObject(location, "path", n->file);
    cJSON_AddNumberToObject(cJSON_AddObjectToObject(location, "lines"), "begin", n->line);
}

static void add_assertion_issues(const Issues *n, const ResultAssertionList *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const ResultAssertion *x = &list->item[i];
        if (!x->pass.value)
            add_quality_issue(n, out_assertion(n->a, x), "gate",
                              arena_printf(n->a, "gate: %s", out_text(n->a, x->name, 400)),
                              x->pass.known ? "blocker" : "major");
    }
}

static void add_finding_issues(const Issues *n, const Result *r)
{
    for (size_t i = 0; i < finding_count(r); i++) {
        ReportedFinding x = finding_at(r, i);
        if (!x.suppression && finding_has_action(x.fix))
            add_quality_issue(n, out_message(n->a, r, &x), out_text(n->a, x.rule_id, 40),
                              out_text(n->a, x.fingerprint, 100), gitlab_severity(x.level));
    }
}

static void add_result_issues(void *user, Arena *a, const ResultEntry *entry, const Result *result,
                              const View *view)
{
    const Issues n = {.a = a,
                      .list = user,
                      .file = out_file(a, result, view),
                      .line = view->anchor_line > 0 ? view->anchor_line : 1};
    if (entry->error)
        add_quality_issue(&n, out_text(a, entry->error, 1000), "model", out_status(entry->status),
                          "blocker");
    add_assertion_issues(&n, &result->gate.assertions);
    add_finding_issues(&n, result);
}

bool out_gitlab(FILE *out, const ResultSet *set, const View *view)
{
    cJSON *list = cJSON_CreateArray();
    out_each(set, view, add_result_issues, list);
    json_print(out, list);
    cJSON_Delete(list);
    return !ferror(out);
}
