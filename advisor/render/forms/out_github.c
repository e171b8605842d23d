/* Writes GitHub annotations as workflow commands on stdout.  A step shows ten of each kind: nine,
 * and one that says how many more there are. */
#include "advisor/render/forms/out.h"
#include "advisor/report/tree_settings_line.h"

#include "advisor/report/tree_finding.h"
#include "advisor/message/json.h"

#include <assert.h>
#include <string.h>

enum { ERROR, WARNING, NOTICE, KINDS, SHOWN = 9 };
static const char *const kind_name[] = {"error", "warning", "notice"};
static_assert(sizeof kind_name / sizeof *kind_name == KINDS, "a name for each kind");

typedef struct {
    FILE *out;
    Arena *a;
    const char *file;
    int line;
    size_t count[KINDS];
} Annotations;

static const char *escape_property(Arena *a, const char *text)
{
    return out_escape(a, text, "%\r\n:,", "%%%02X");
}

static void put_annotation(Annotations *n, int kind, const char *title, const char *message)
{
    assert(kind < KINDS);
    if (n->count[kind]++ >= SHOWN)
        return;
    fprintf(n->out, "::%s file=%s,line=%d,title=%s::%s\n", kind_name[kind],
            escape_property(n->a, n->file), n->line, escape_property(n->a, title),
            out_escape(n->a, message, "%\r\n", "%%%02X"));
}

static void put_assertions(Annotations *n, const cJSON *result)
{
    for (const cJSON *x = json_first(result, "gate.assertions"); x; x = x->next)
        if (!cJSON_IsTrue(json_at(x, "pass")))
            put_annotation(n, ERROR,
                           cJSON_IsFalse(json_at(x, "pass")) ? "Gate failed" : "Gate inconclusive",
                           out_assertion(n->a, x));
}

/* What takes a check away is said where the checks are. */
static void put_settings(Annotations *n, const cJSON *result)
{
    for (const cJSON *x = json_first(result, "gate.settings"); x; x = x->next)
        if (json_count(x, "took_away") || json_count(x, "ignored"))
            put_annotation(n, NOTICE, "Settings",
                           out_text(n->a, tree_settings_line(n->a, x, NULL), 1200));
}

static void put_recommendations(Annotations *n, const cJSON *result)
{
    for (const cJSON *rec = NULL; (rec = tree_finding_next(result, rec));) {
        const char *level = json_text(rec, "level", "info");
        if (cJSON_IsObject(json_at(rec, "suppression")) || !tree_finding_has_action(rec))
            continue;
        put_annotation(n,
                       !strcmp(level, "error")  ? ERROR
                       : !strcmp(level, "warn") ? WARNING
                                                : NOTICE,
                       out_text(n->a, json_text(rec, "fingerprint", "?"), 100),
                       out_message(n->a, rec));
    }
}

static void put_annotations(void *user, const ResultEntry *entry, const cJSON *result,
                            const View *view)
{
    Annotations *n = user;
    n->a = arena_new(0);
    n->file = out_file(n->a, result, view);
    n->line = view->anchor_line > 0 ? view->anchor_line : 1;
    if (entry->error)
        put_annotation(n, ERROR, out_status(entry->status), out_text(n->a, entry->error, 1000));
    put_assertions(n, result);
    put_settings(n, result);
    put_recommendations(n, result);
    arena_free(n->a);
}

bool out_github(FILE *out, const ResultSet *set, const View *view)
{
    Annotations n = {.out = out};
    out_each(set, view, put_annotations, &n);
    for (int k = 0; k < KINDS; k++)
        if (n.count[k] > SHOWN)
            fprintf(out, "::%s title=npu-advise::%zu more are in the other outputs\n", kind_name[k],
                    n.count[k] - SHOWN);
    return !ferror(out);
}
