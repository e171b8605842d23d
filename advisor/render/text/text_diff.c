/* Prints a comparison of two results or traces as text. */
#include "advisor/act/diff/diff.h"
#include "advisor/message/figure.h"
#include "advisor/message/json.h"
#include "advisor/message/plain.h"
#include "advisor/render/text/text_parts.h"

enum { NAME = 43, OLD = 45, NEW = 56, CHANGE = 67, ROWS_SHOWN = 12, FINDINGS_SHOWN = 8 };

static TextStyle style_of(const char *verdict)
{
    static const TextStyle style[] = {STYLE_BAD, STYLE_NONE, STYLE_GOOD};
    return style[1 + diff_sign(verdict)];
}

static void put_column_value(TextOut *t, size_t column, const cJSON *metric, const char *path)
{
    Figure f;
    double value;
    text_cell(t, column, STYLE_NONE,
              json_number(metric, path, &value)
                  ? figure_value(&f, value, json_text(metric, "unit", "ns"))
                  : "-");
}

/* A figure by its name in the JSON; an operator is called as it is. */
static const char *metric_label(const TextOut *t, const cJSON *metric)
{
    return phrase_by_key(t->lang, "FIGURE_", json_text(metric, "name", "?"));
}

static void put_diff_row(TextOut *t, const cJSON *m)
{
    const char *verdict = json_text(m, "verdict", "?");
    double percent;
    Plain name;
    text_line(t, 0, 0);
    text_put(t, STYLE_NONE, plain(&name, metric_label(t, m), NAME));
    put_column_value(t, OLD, m, "old.mid");
    put_column_value(t, NEW, m, "new.mid");
    text_to(t, CHANGE);
    bool known = diff_percent(m, &percent);
    if (!strcmp(verdict, "same") || (known && fabs(percent) < 0.05))
        text_put(t, STYLE_DIM,
                 phrase_text(t->lang, known && fabs(percent) < 0.05 ? PHRASE_DIFF_UNCHANGED
                                                                    : PHRASE_DIFF_CHANCE));
    else if (known)
        text_putf(t, style_of(verdict), "%+.1f\xc2\xa0%%", percent);
    else
        text_put(t, style_of(verdict), phrase_by_key(t->lang, "DIFF_", verdict));
    text_end(t);
    if (*json_text(m, "how", "")) {
        text_paragraph(t, (TextPlace){2, 2}, STYLE_DIM, json_text(m, "how", ""));
    }
}

static void put_diff_rows(TextOut *t, const cJSON *list, PhraseId heading, size_t rows)
{
    size_t left = json_count(list, "");
    if (!left)
        return;
    text_end(t);
    text_line(t, 0, 0);
    text_put(t, STYLE_BOLD, phrase_text(t->lang, heading));
    const TextHead column[] = {{OLD, phrase_text(t->lang, PHRASE_COL_BEFORE)},
                               {NEW, phrase_text(t->lang, PHRASE_COL_AFTER)},
                               {CHANGE, phrase_text(t->lang, PHRASE_COL_DIFFERENCE)}};
    text_heads(t, column, sizeof column / sizeof *column);
    for (const cJSON *m = json_first(list, ""); m && rows--; m = m->next, left--)
        put_diff_row(t, m);
    text_more(t, 0, left);
}

static void put_recommendation(TextOut *t, const cJSON *r)
{
    const char *state = json_text(r, "state", "?"), *unit = json_text(r, "unit", "ns");
    double was, gain;
    Figure before, f;
    text_line(t, 0, 20);
    text_put(t, style_of(state),
             strcmp(state, "unchanged") ? phrase_by_key(t->lang, "DIFF_", state)
                                        : phrase_text(t->lang, PHRASE_DIFF_STILL));
    text_to(t, 12);
    text_putf(t, STYLE_BOLD, "%s ", json_text(r, "rule_id", "?"));
    text_put(t, STYLE_NONE, json_text(r, "title", "?"));
    bool has_new = json_number(r, "new", &gain), has_old = json_number(r, "old", &was);
    figure_value(&before, has_old ? was : 0, unit);
    figure_value(&f, has_new ? gain : 0, unit);
    if (has_old)
        text_putf(t, STYLE_DIM, "  %s", before.text);
    if (has_new && (!has_old || strcmp(before.text, f.text)))
        text_putf(t, STYLE_DIM, "%s%s", has_old ? " → " : "  ", f.text);
    text_end(t);
}

static void put_recommendations(TextOut *t, const cJSON *list, size_t rows)
{
    size_t left = json_count(list, "");
    if (left)
        text_end(t);
    for (const cJSON *r = json_first(list, ""); r && rows--; r = r->next, left--)
        put_recommendation(t, r);
    text_more(t, 0, left);
}

/* Below this share, two traces are not of one model: models and their `apply` results share
 * 0.61 to 0.97, pairs of different networks 0.28 to 0.59. */
#define SAME_MODEL 0.6

static void put_other_model(TextOut *t, const cJSON *diff)
{
    double common;
    Figure share;
    Phrase p;
    if (!json_number(diff, "common_operators", &common) || common >= SAME_MODEL)
        return;
    text_line(t, 0, 2);
    text_put(
        t, STYLE_BAD,
        phrase_format(&p, t->lang, PHRASE_DIFF_OTHER_MODEL, figure_share(&share, common), NULL));
    text_end(t);
}

/* "81.6 % less time" */
static const char *change_text(Phrase *buf, const Language *lang, const cJSON *m)
{
    const char *verdict = json_text(m, "verdict", "?");
    char percent[32];
    double change;
    diff_percent(m, &change);
    if (!strcmp(verdict, "same"))
        return phrase_text(lang, PHRASE_DIFF_NOISE);
    snprintf(percent, sizeof percent, "%.1f\xc2\xa0%%", fabs(change));
    return phrase_format(buf, lang, PHRASE_DIFF_BY, percent, phrase_by_key(lang, "BY_", verdict),
                         NULL);
}

static void put_headline(TextOut *t, const cJSON *diff)
{
    const cJSON *m = diff_headline(diff);
    const char *unit = json_text(m, "unit", "ns"), *verdict = json_text(m, "verdict", "?");
    Plain old, new;
    Figure was, is;
    Phrase p;
    text_line(t, 0, 2);
    text_put(t, STYLE_BOLD, plain(&old, json_text(diff, "old", "?"), 36));
    text_put(t, STYLE_NONE, " → ");
    text_put(t, STYLE_BOLD, plain(&new, json_text(diff, "new", "?"), 36));
    if (m) {
        text_putf(t, STYLE_NONE, ": %s %s → %s, ", metric_label(t, m),
                  figure_value(&was, json_number_or(m, "old.mid", 0), unit),
                  figure_value(&is, json_number_or(m, "new.mid", 0), unit));
        text_put(t, style_of(verdict), change_text(&p, t->lang, m));
    }
    text_end(t);
}

void text_diff(FILE *out, const cJSON *diff, const View *view)
{
    TextOut t = {.out = out, .colour = view->colour, .lang = view->lang};
    bool traces = !strcmp(json_text(diff, "kind", ""), "trace");
    size_t rows = view->verbose ? SIZE_MAX : ROWS_SHOWN;
    put_other_model(&t, diff);
    put_headline(&t, diff);
    if (cJSON_IsFalse(json_at(diff, "same_boundary")))
        text_paragraph(&t, (TextPlace){2, 2}, STYLE_NONE,
                       phrase_text(t.lang, PHRASE_DIFF_BOUNDARY));
    if (cJSON_IsFalse(json_at(diff, "same_precision")))
        text_paragraph(&t, (TextPlace){2, 2}, STYLE_NONE,
                       phrase_text(t.lang, PHRASE_DIFF_PRECISION));
    put_diff_rows(&t, json_at(diff, "parts"), traces ? PHRASE_DIFF_OPERATORS : PHRASE_DIFF_PARTS,
                  rows);
    put_diff_rows(&t, json_at(diff, "metrics"), PHRASE_DIFF_METRICS, rows);
    put_recommendations(&t, json_at(diff, "findings"), view->verbose ? SIZE_MAX : FINDINGS_SHOWN);
}
