/* Writes what the gate demanded and found, and how the settings changed it. */
#include "advisor/render/html/html.h"
#include "advisor/report/tree_settings_line.h"
#include "advisor/message/json.h"

#include <string.h>

static void write_assertion(Page *p, const cJSON *a)
{
    const cJSON *pass = json_at(a, "pass");
    double found;
    page_row_open(p);
    page_cell_head(p, json_text(a, "name", "?"));
    page_cell_text(p, json_text(a, "expected", "?"));
    html_open(p->h, "td", "class", "number", NULL);
    if (json_number(a, "found", &found))
        page_number(p, found);
    else
        html_text(p->h, phrase_text(p->lang, PHRASE_UNKNOWN));
    html_close(p->h);
    html_open(p->h, "td", "class", "number", NULL);
    for (const cJSON *v = json_first(a, "values"); v; v = v->next) {
        page_number(p, v->valuedouble);
        html_text(p->h, v->next ? ", " : "");
    }
    html_close(p->h);
    page_cell_text(p, phrase_text(p->lang, cJSON_IsTrue(pass)    ? PHRASE_GATE_PASSED
                                           : cJSON_IsFalse(pass) ? PHRASE_GATE_FAILED
                                                                 : PHRASE_GATE_INCONCLUSIVE));
    page_row_close(p);
}

static void write_gate_settings(Page *p)
{
    const cJSON *list = json_at(p->r, "gate.settings");
    if (!list || !list->child)
        return;
    Arena *a = arena_new(0);
    html_leaf(p->h, "h3", phrase_text(p->lang, PHRASE_SETTINGS), NULL);
    html_open(p->h, "ul", NULL);
    for (const cJSON *x = json_first(list, ""); x; x = x->next)
        html_leaf(p->h, "li", tree_settings_line(a, x, p->lang), NULL);
    html_close(p->h);
    arena_free(a);
}

static void write_assertion_table(Page *p)
{
    static const PhraseId head[] = {PHRASE_COL_ASSERTION, PHRASE_COL_EXPECTED, PHRASE_COL_FOUND,
                                    PHRASE_COL_VALUES,    PHRASE_COL_RESULT,   PHRASE_COUNT};
    const char *status = json_text(p->r, "gate.status", "none");
    if (!strcmp(status, "none"))
        return;
    html_open(p->h, "p", "class", strcmp(status, "passed") ? "bad" : "good", NULL);
    html_textf(p->h, "%s: %s", phrase_text(p->lang, PHRASE_GATE),
               phrase_by_key(p->lang, "GATE_", status));
    html_close(p->h);
    page_table_open(p, "", PHRASE_GATE, head);
    for (const cJSON *a = json_first(p->r, "gate.assertions"); a; a = a->next)
        write_assertion(p, a);
    page_table_close(p);
}

void html_gate(Page *p)
{
    write_assertion_table(p);
    write_gate_settings(p);
}
