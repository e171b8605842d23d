/* Writes GitHub annotations as workflow commands on stdout.  A step shows ten of each kind: nine,
 * and one that says how many more there are. */
#include "advisor/render/forms/out.h"
#include "advisor/report/settings_line.h"

enum { ERROR, WARNING, NOTICE, KINDS, SHOWN = 9 };
static const char *const kind_name[] = {"error", "warning", "notice"};
static_assert(sizeof kind_name / sizeof *kind_name == KINDS, "a name for each kind");

typedef struct {
    FILE *out;
    Arena *a;
    const char *file;
    int line;
    size_t count[KINDS];
    char left[KINDS][400]; /* names of those that are not shown */
} Annotations;

static const char *escape_property(Arena *a, const char *text)
{
    return out_escape(a, text, "%\r\n:,", "%%%02X");
}

static void note_left(Annotations *n, int kind, const char *name)
{
    size_t used = strlen(n->left[kind]), size = sizeof n->left[kind] - used;
    const char *text = out_escape(n->a, name, "%\r\n", "%%%02X");
    if (strlen(text) + 3 <= size)
        snprintf(n->left[kind] + used, size, "%s %s", used ? "," : ":", text);
}

/* `name` is for the line about those that are not shown. */
static void put_annotation(Annotations *n, int kind, const char *title, const char *name,
                           const char *message)
{
    assert(kind < KINDS);
    if (n->count[kind]++ >= SHOWN) {
        note_left(n, kind, name);
        return;
    }
    fprintf(n->out, "::%s file=%s,line=%d,title=%s::%s\n", kind_name[kind],
            escape_property(n->a, n->file), n->line, escape_property(n->a, title),
            out_escape(n->a, message, "%\r\n", "%%%02X"));
}

static void put_assertions(Annotations *n, const ResultAssertionList *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const ResultAssertion *x = &list->item[i];
        if (!x->pass.value)
            put_annotation(n, ERROR, x->pass.known ? "Gate failed" : "Gate inconclusive",
                           arena_printf(n->a, "%s (%s)", out_text(n->a, x->name, 100),
                                        x->pass.known ? "gate failed" : "gate inconclusive"),
                           out_assertion(n->a, x));
    }
}

/* What takes a check away is said where the checks are. */
static void put_settings(Annotations *n, const ResultSettingList *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const ResultSetting *x = &list->item[i];
        if (x->took_away.count || x->ignored.count)
            put_annotation(n, NOTICE, "Settings", "settings",
                           out_text(n->a, settings_line(n->a, x, NULL), 1200));
    }
}

static void put_findings(Annotations *n, const Result *r)
{
    for (size_t i = 0; i < finding_count(r); i++) {
        ReportedFinding x = finding_at(r, i);
        if (x.suppression || !finding_has_action(x.fix))
            continue;
        put_annotation(n,
                       x.level == RESULT_LEVEL_ERROR  ? ERROR
                       : x.level == RESULT_LEVEL_WARN ? WARNING
                                                      : NOTICE,
                       out_text(n->a, x.fingerprint, 100), out_text(n->a, x.fingerprint, 100),
                       out_message(n->a, r, &x));
    }
}

static void put_annotations(void *user, Arena *a, const ResultEntry *entry, const Result *result,
                            const View *view)
{
    Annotations *n = user;
    n->a = a;
    n->file = out_file(a, result, view);
    n->line = view->anchor_line > 0 ? view->anchor_line : 1;
    if (entry->error)
        put_annotation(n, ERROR, out_status(entry->status), out_text(a, entry->model, 100),
                       out_text(a, entry->error, 1000));
    put_assertions(n, &result->gate.assertions);
    put_settings(n, &result->gate.settings);
    put_findings(n, result);
}

bool out_github(FILE *out, const ResultSet *set, const View *view)
{
    Annotations n = {.out = out};
    out_each(set, view, put_annotations, &n);
    for (int k = 0; k < KINDS; k++)
        if (n.count[k] > SHOWN)
            fprintf(out, "::%s title=npu-advise::%zu more%s\n", kind_name[k], n.count[k] - SHOWN,
                    n.left[k]);
    return !ferror(out);
}
