/* Prints each assertion that fails or is undecided, with its values, and counts those that hold.
 * All of it is in the JSON, the report and the JUnit file. */
#include "advisor/render/text/text_gate.h"

#include "advisor/act/gate/baseline.h"
#include "advisor/report/tree_settings_line.h"
#include "advisor/message/figure.h"
#include "advisor/message/phrase.h"
#include "advisor/render/text/text_label.h"

#include <string.h>

enum { VALUES = 8 }; /* shown */

static const char *format_amount(Figure *f, bool is_time, double v)
{
    if (is_time)
        return figure_time(f, v);
    snprintf(f->text, sizeof f->text, "%.6g", v);
    return f->text;
}

/* "<= 75.5 ms": the limit in the unit that people read. */
static const char *limit_text(Figure *f, const cJSON *a, bool is_time)
{
    Figure value;
    double v;
    if (!is_time || !json_number(a, "limit.value", &v))
        return json_text(a, "expected", "?");
    snprintf(f->text, sizeof f->text, "%.8s %.40s", json_text(a, "limit.relation", "?"),
             figure_time(&value, v));
    return f->text;
}

static void put_values(TextOut *t, const cJSON *a, bool is_time)
{
    const cJSON *values = json_at(a, "values");
    int n = 0, all = cJSON_GetArraySize(values);
    Figure f;
    if (all < 2)
        return;
    text_put(t, STYLE_DIM, " (");
    for (const cJSON *v = json_first(values, ""); v; v = v->next) {
        if (n == VALUES)
            break;
        text_putf(t, STYLE_DIM, "%s%s", n++ ? ", " : "",
                  format_amount(&f, is_time, v->valuedouble));
    }
    text_putf(t, STYLE_DIM, all > VALUES ? ", … %d)" : ")", all);
}

static void put_assertion(TextOut *t, const cJSON *a)
{
    const char *metric = json_text(a, "name", "?"), *detail = json_text(a, "detail", "");
    Figure limit, found = {.text = "?"};
    Phrase p;
    double v;
    bool is_time = !strcmp(json_text(a, "limit.unit", ""), "ns");
    if (json_number(a, "found", &v))
        format_amount(&found, is_time, v);
    text_line(t, TEXT_LABEL, TEXT_LABEL + 2);
    text_put(t, cJSON_IsFalse(json_at(a, "pass")) ? STYLE_BAD : STYLE_NONE,
             phrase_format(&p, t->lang, PHRASE_ASSERTION, metric, limit_text(&limit, a, is_time),
                           found.text, NULL));
    put_values(t, a, is_time);
    if (detail[0])
        text_putf(t, STYLE_DIM, ": %s", detail);
    text_end(t);
}

static void put_count(TextOut *t, PhraseId id, size_t n, size_t of)
{
    char count[32], all[32];
    Phrase p;
    snprintf(count, sizeof count, "%zu", n);
    snprintf(all, sizeof all, "%zu", of);
    text_put(t, STYLE_NONE, phrase_format(&p, t->lang, id, count, all, NULL));
}

/* "against the baseline: 1 new, 2 unchanged, 0 improved, 1 gone" */
static void put_baseline(TextOut *t, const cJSON *result)
{
    char n[STATE_COUNT][32];
    Phrase p;
    if (!cJSON_IsObject(json_at(result, "gate.baseline")))
        return;
    for (int i = 0; i < STATE_COUNT; i++) {
        char path[64];
        snprintf(path, sizeof path, "gate.baseline.%s", baseline_state_name((BaselineState)i));
        snprintf(n[i], sizeof n[i], "%zu", json_count(result, path));
    }
    text_line(t, TEXT_LABEL, TEXT_LABEL + 2);
    text_put(t, STYLE_NONE,
             phrase_format(&p, t->lang, PHRASE_BASELINE_STATES, n[0], n[1], n[2], n[3], NULL));
    text_end(t);
}

static void put_settings(TextOut *t, const cJSON *result)
{
    Arena *a = arena_new(0);
    bool first = true;
    for (const cJSON *x = json_first(result, "gate.settings"); x; x = x->next) {
        text_line(t, first ? 0 : TEXT_LABEL, TEXT_LABEL + 2);
        if (first)
            text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_LABEL_SETTINGS));
        text_to(t, TEXT_LABEL);
        text_put(t, STYLE_NONE, tree_settings_line(a, x, t->lang));
        text_end(t);
        first = false;
    }
    arena_free(a);
}

static void put_gate(TextOut *t, const cJSON *result)
{
    const char *status = json_text(result, "gate.status", "none");
    const cJSON *list = json_at(result, "gate.assertions");
    size_t all = json_count(result, "gate.assertions"), hold = 0;
    if (!strcmp(status, "none"))
        return;
    for (const cJSON *a = json_first(list, ""); a; a = a->next)
        hold += cJSON_IsTrue(json_at(a, "pass")) ? 1 : 0;
    text_label(t, PHRASE_LABEL_GATE);
    text_put(t, !strcmp(status, "passed") ? STYLE_GOOD : STYLE_BAD,
             phrase_by_key(t->lang, "GATE_", status));
    put_count(t, PHRASE_ASSERTIONS_HOLD, hold, all);
    text_end(t);
    for (const cJSON *a = json_first(list, ""); a; a = a->next)
        if (!cJSON_IsTrue(json_at(a, "pass")))
            put_assertion(t, a);
    put_baseline(t, result);
}

void text_gate(TextOut *t, const cJSON *result)
{
    put_gate(t, result);
    put_settings(t, result);
}
