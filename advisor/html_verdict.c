/* Section 1: the verdict, the few figures that carry it, where the time goes, the gate. */
#include "advisor/html.h"
#include "advisor/verdict.h"

#include <string.h>

/* The title, the fix and a link: what to do first, without scrolling. */
static void first_step(Page *p)
{
    const cJSON *first = p->d.first;
    if (!first)
        return;
    html_open(p->h, "p", "class", "first", NULL);
    html_open(p->h, "a", NULL);
    html_attr(p->h, "href", "#%s", json_text(first, "fingerprint", ""));
    html_text(p->h, json_text(first, "title", "?"));
    html_close(p->h);
    html_text(p->h, " ");
    html_open(p->h, "span", "class", "tag", NULL);
    html_text(p->h, say_key(p->lang, "WHERE_", json_text(first, "fix.where", "?")));
    html_text(p->h, ", ");
    html_text(p->h, say_key(p->lang, "APPLY_", json_text(first, "applicability", "?")));
    html_close(p->h);
    html_close(p->h);
    html_open(p->h, "pre", "class", "fix", "tabindex", "0", NULL);
    html_leaf(p->h, "code", json_text(first, "fix.text", "?"), NULL);
    html_close(p->h);
}

static void key_open(Page *p, PhraseId id)
{
    html_open(p->h, "div", NULL);
    html_leaf(p->h, "dt", say(p->lang, id), NULL);
    html_open(p->h, "dd", NULL);
}

static void key_close(Page *p)
{
    html_close(p->h);
    html_close(p->h);
}

static void key_figures(Page *p)
{
    const cJSON *r = p->r;
    html_open(p->h, "dl", "class", "keys", NULL);
    key_open(p, SAY_KEY_OBJECTIVE);
    html_text(p->h,
              say(p->lang, p->d.throughput ? SAY_OBJECTIVE_THROUGHPUT : SAY_OBJECTIVE_LATENCY));
    key_close(p);
    key_open(p, p->d.measured ? SAY_KEY_MEASURED : SAY_KEY_PREDICTED);
    page_value(p, p->d.baseline, p->d.unit);
    key_close(p);
    if (cJSON_IsObject(json_at(r, "combined"))) {
        key_open(p, SAY_KEY_TOGETHER);
        bool verified = cJSON_IsObject(json_at(r, "combined.verified"));
        page_interval(p, json_at(r, verified ? "combined.verified" : "combined.predicted"),
                      p->d.unit);
        key_close(p);
    }
    key_open(p, SAY_KEY_HOST_FREE);
    page_value(p, json_number_or(r, "ceiling.host_free_ns", 0), "ns");
    key_close(p);
    key_open(p, SAY_KEY_TARGET);
    html_textf(p->h, "%s, SDK %s", json_text(r, "target", "?"), json_text(r, "sdk", "?"));
    key_close(p);
    key_open(p, SAY_KEY_EVIDENCE);
    html_open(p->h, "a", "href", "#evidence", NULL);
    html_text(p->h, json_text(r, "evidence.grade", "?"));
    html_close(p->h);
    key_close(p);
    html_close(p->h);
}

static void assertion(Page *p, const cJSON *a)
{
    const cJSON *pass = json_at(a, "pass"), *v;
    double found;
    page_row_open(p);
    page_cell_head(p, json_text(a, "name", "?"));
    page_cell_text(p, json_text(a, "expected", "?"));
    html_open(p->h, "td", "class", "number", NULL);
    if (json_number(a, "found", &found))
        page_number(p, found);
    else
        html_text(p->h, say(p->lang, SAY_UNKNOWN));
    html_close(p->h);
    html_open(p->h, "td", "class", "number", NULL);
    cJSON_ArrayForEach(v, json_at(a, "values"))
    {
        page_number(p, v->valuedouble);
        html_text(p->h, v->next ? ", " : "");
    }
    html_close(p->h);
    page_cell_text(p, say(p->lang, cJSON_IsTrue(pass)    ? SAY_GATE_PASSED
                                   : cJSON_IsFalse(pass) ? SAY_GATE_FAILED
                                                         : SAY_GATE_INCONCLUSIVE));
    page_row_close(p);
}

static void gate(Page *p)
{
    static const PhraseId head[] = {SAY_COL_ASSERTION, SAY_COL_EXPECTED, SAY_COL_FOUND,
                                    SAY_COL_VALUES,    SAY_COL_RESULT,   SAY_COUNT};
    const char *status = json_text(p->r, "gate.status", "none");
    const cJSON *a;
    if (!strcmp(status, "none"))
        return;
    html_open(p->h, "p", "class", strcmp(status, "passed") ? "bad" : "good", NULL);
    html_textf(p->h, "%s: %s", say(p->lang, SAY_GATE), say_key(p->lang, "GATE_", status));
    html_close(p->h);
    page_table_open(p, "", SAY_GATE, head);
    cJSON_ArrayForEach(a, json_at(p->r, "gate.assertions")) assertion(p, a);
    page_table_close(p);
}

void html_verdict(Page *p)
{
    char pairs[32];
    Phrase buf;
    html_leaf(p->h, "p", verdict_sentence(&buf, p->r, &p->d, p->lang), "class", "verdict", NULL);
    first_step(p);
    key_figures(p);
    if (p->d.verified) {
        snprintf(pairs, sizeof pairs, "%d", p->d.pairs);
        html_leaf(p->h, "p",
                  say_with(&buf, p->lang, p->d.simulated ? SAY_SIMULATION : SAY_RUN_BY, p->d.runner,
                           pairs, NULL),
                  "class", "note", NULL);
    }
    gate(p);
}
