/* Writes a GitLab Code Quality report, an array of findings with a fingerprint each.  Suppressed
 * ones are left out. */
#include "advisor/render/forms/out.h"

#include "advisor/report/tree_finding.h"
#include "advisor/message/json.h"

#include <string.h>

static const char *gitlab_severity(const char *level)
{
    return !strcmp(level, "error") ? "critical" : !strcmp(level, "warn") ? "major" : "info";
}

static void add_quality_issue(cJSON *list, const char *description, const char *check,
                              const char *fingerprint, const char *how_bad, const char *file,
                              int line)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "description", description);
    cJSON_AddStringToObject(o, "check_name", check);
    cJSON_AddStringToObject(o, "fingerprint", fingerprint);
    cJSON_AddStringToObject(o, "severity", how_bad);
    cJSON *location = cJSON_AddObjectToObject(o, "location");
    cJSON_AddStringToObject(location, "path", file);
    cJSON_AddNumberToObject(cJSON_AddObjectToObject(location, "lines"), "begin", line);
    cJSON_AddItemToArray(list, o);
}

typedef struct {
    Arena *a;
    cJSON *list;
} Findings;

static void add_result_issues(void *user, const ResultEntry *entry, const cJSON *result,
                              const View *view)
{
    const Findings *f = user;
    Arena *a = f->a;
    const char *file = out_file(a, result, view);
    int line = view->anchor_line > 0 ? view->anchor_line : 1;
    if (entry->error)
        add_quality_issue(f->list, out_text(a, entry->error, 1000), "model",
                          arena_printf(a, "%s: %s", file, out_status(entry->status)), "blocker",
                          file, line);
    for (const cJSON *x = json_first(result, "gate.assertions"); x; x = x->next) {
        const char *name = out_text(a, json_text(x, "name", "?"), 400);
        if (!cJSON_IsTrue(json_at(x, "pass")))
            add_quality_issue(f->list, out_assertion(a, x), "gate",
                              arena_printf(a, "%s: gate: %s", file, name),
                              cJSON_IsFalse(json_at(x, "pass")) ? "blocker" : "major", file, line);
    }
    /* One model in two folders gives the same fingerprints: the path makes them differ. */
    for (const cJSON *x = NULL; (x = tree_finding_next(result, x));) {
        if (cJSON_IsObject(json_at(x, "suppression")) || !tree_finding_has_action(x))
            continue;
        add_quality_issue(
            f->list, out_message(a, x), out_text(a, json_text(x, "rule_id", "?"), 40),
            arena_printf(a, "%s: %s", file, out_text(a, json_text(x, "fingerprint", "?"), 100)),
            gitlab_severity(json_text(x, "level", "info")), file, line);
    }
}

bool out_gitlab(FILE *out, const ResultSet *set, const View *view)
{
    Findings f = {.a = arena_new(0), .list = cJSON_CreateArray()};
    out_each(set, view, add_result_issues, &f);
    json_print(out, f.list);
    cJSON_Delete(f.list);
    arena_free(f.a);
    return !ferror(out);
}
