/* GitLab Code Quality: an array of findings, each with a fingerprint of its own.  Suppressed ones
 * are left out. */
#include "advisor/forms/out.h"

#include "advisor/result/finding.h"
#include "advisor/say/json.h"

#include <string.h>

static const char *severity(const char *level)
{
    return !strcmp(level, "error") ? "critical" : !strcmp(level, "warn") ? "major" : "info";
}

static void add(cJSON *list, const char *description, const char *check, const char *fingerprint,
                const char *how_bad, const char *uri, int line)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "description", description);
    cJSON_AddStringToObject(o, "check_name", check);
    cJSON_AddStringToObject(o, "fingerprint", fingerprint);
    cJSON_AddStringToObject(o, "severity", how_bad);
    cJSON *location = cJSON_AddObjectToObject(o, "location");
    cJSON_AddStringToObject(location, "path", uri);
    cJSON_AddNumberToObject(cJSON_AddObjectToObject(location, "lines"), "begin", line);
    cJSON_AddItemToArray(list, o);
}

bool out_gitlab(FILE *out, const cJSON *result, const View *view)
{
    Arena *a = arena_new(0);
    cJSON *list = cJSON_CreateArray();
    const char *uri = out_uri(a, result, view);
    int line = view->anchor_line > 0 ? view->anchor_line : 1;
    const cJSON *x;
    cJSON_ArrayForEach(x, json_at(result, "gate.assertions")) if (!cJSON_IsTrue(json_at(x, "pass")))
    {
        const char *name = out_shown(a, json_text(x, "name", "?"), 400);
        add(list, out_assertion(a, x), "gate", arena_printf(a, "%s: gate: %s", uri, name),
            cJSON_IsFalse(json_at(x, "pass")) ? "blocker" : "major", uri, line);
    }
    /* One model in two folders gives the same fingerprints: the path makes them differ. */
    for (x = NULL; (x = finding_next(result, x));) {
        if (cJSON_IsObject(json_at(x, "suppression")) || !finding_has_action(x))
            continue;
        add(list, out_message(a, x), out_shown(a, json_text(x, "rule_id", "?"), 40),
            arena_printf(a, "%s: %s", uri, out_shown(a, json_text(x, "fingerprint", "?"), 100)),
            severity(json_text(x, "level", "info")), uri, line);
    }
    json_print(out, list);
    cJSON_Delete(list);
    arena_free(a);
    return !ferror(out);
}
