/* Prints a comparison of two fleets as text. */
#include "advisor/act/diff/diff.h"
#include "advisor/message/figure.h"
#include "advisor/message/json.h"
#include "advisor/message/plain.h"
#include "advisor/render/text/text_parts.h"

enum { MODEL = 12, OLD = 44, NEW = 56, CHANGE = 68, STEPS_SHOWN = 5 };

/* Without `verbose`: rows of operators and of rules, and the line after which no model begins. */
enum { ROWS_SHOWN = 6, LINES_SHOWN = 25 };

static TextStyle style_of(const char *verdict)
{
    static const TextStyle style[] = {STYLE_BAD, STYLE_BOLD, STYLE_GOOD};
    return style[1 + diff_sign(verdict)];
}

static const char *word_of(const Language *lang, const char *verdict)
{
    return !strcmp(verdict, "same") ? phrase_text(lang, PHRASE_FLEET_SAME)
                                    : phrase_by_key(lang, "DIFF_", verdict);
}

/* "200 models: 3 slower (1.5 %), 197 the same (98.5 %)" */
static void put_counts(TextOut *t, const cJSON *diff)
{
    double all = 0;
    char list[800] = "";
    Phrase p;
    for (const cJSON *x = json_first(diff, "counts"); x; x = x->next)
        all += x->valuedouble;
    for (const cJSON *x = json_first(diff, "counts"); x; x = x->next) {
        char share[24];
        size_t used = strlen(list);
        if (!(x->valuedouble > 0))
            continue;
        snprintf(share, sizeof share, "%.3g", 100 * x->valuedouble / all);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                 phrase_format(&p, t->lang, PHRASE_FLEET_COUNT, COUNTED(x->valuedouble),
                               word_of(t->lang, x->string), share, NULL));
    }
    text_paragraph(t, (TextPlace){0, 2}, STYLE_BOLD,
                   phrase_format(&p, t->lang, PHRASE_FLEET_MODELS, COUNTED(all), list, NULL));
}

static void put_times(TextOut *t, const cJSON *row)
{
    Figure f;
    double old, new;
    bool has_old = json_number(row, "old_ns", &old), has_new = json_number(row, "new_ns", &new);
    text_cell(t, OLD, STYLE_NONE,
              has_old ? figure_value(&f, old, "ns") : phrase_text(t->lang, PHRASE_FLEET_NONE));
    text_cell(t, NEW, STYLE_NONE,
              has_new ? figure_value(&f, new, "ns") : phrase_text(t->lang, PHRASE_FLEET_NONE));
    text_to(t, CHANGE);
    if (has_old && has_new && old > 0)
        text_putf(t, STYLE_NONE, "%+.1f %%", 100 * (new / old - 1));
}

static void put_steps(TextOut *t, const cJSON *row)
{
    int shown = 0;
    Phrase p;
    Plain name;
    for (const cJSON *s = json_first(row, "steps"); s; s = s->next) {
        if (shown++ == STEPS_SHOWN)
            break;
        text_line(t, MODEL + 2, MODEL + 2);
        const char *words =
            phrase_format(&p, t->lang, PHRASE_FLEET_STEP, COUNTED(json_number_or(s, "step", 0)),
                          json_text(s, "kind", "?"), json_text(s, "op", "?"), NULL);
        text_put(t, STYLE_DIM, plain(&name, words, OLD - MODEL - 4));
        put_times(t, s);
        text_end(t);
    }
}

static void put_model(TextOut *t, const cJSON *row)
{
    const char *verdict = json_text(row, "verdict", "?"), *error = json_text(row, "error", NULL);
    Plain name;
    text_line(t, 0, MODEL);
    text_put(t, style_of(verdict), word_of(t->lang, verdict));
    text_cell(t, MODEL, STYLE_NONE, plain(&name, json_text(row, "model", "?"), OLD - MODEL - 2));
    if (!cJSON_IsTrue(json_at(row, "measured"))) /* latencies scatter: measured steps tell */
        put_times(t, row);
    text_end(t);
    if (error) {
        text_line(t, MODEL + 2, MODEL + 2);
        text_put(t, STYLE_NONE, error);
        text_end(t);
    }
    put_steps(t, row);
}

static void put_models(TextOut *t, const cJSON *list, size_t lines)
{
    size_t left = json_count(list, "");
    for (const cJSON *row = json_first(list, ""); row && t->lines < lines; row = row->next, left--)
        put_model(t, row);
    text_more(t, 0, left);
}

static const char *format_percent(char *text, size_t size, const cJSON *change, const char *key)
{
    snprintf(text, size, "%+.1f", 100 * json_number_or(change, key, 0));
    return text;
}

static void put_operator(TextOut *t, const cJSON *o)
{
    enum { OPERATOR = 20, SIZE = 24 };
    char lo[SIZE], mid[SIZE], hi[SIZE], name[80];
    const cJSON *change = json_at(o, "change");
    Phrase p;
    Plain shown;
    snprintf(name, sizeof name, "%s %s", json_text(o, "kind", "?"), json_text(o, "op", "?"));
    text_line(t, 0, OPERATOR);
    text_put(t, json_number_or(change, "mid", 0) > 0 ? STYLE_BAD : STYLE_GOOD,
             plain(&shown, name, OPERATOR - 2));
    text_cell(t, OPERATOR, STYLE_NONE,
              phrase_format(
                  &p, t->lang, PHRASE_FLEET_OPERATOR, COUNTED(json_number_or(o, "models", 0)),
                  format_percent(mid, SIZE, change, "mid"), format_percent(lo, SIZE, change, "lo"),
                  format_percent(hi, SIZE, change, "hi"), COUNTED(json_number_or(o, "faster", 0)),
                  COUNTED(json_number_or(o, "slower", 0)), NULL));
    text_end(t);
}

static void put_operators(TextOut *t, const cJSON *list, size_t rows)
{
    size_t left = json_count(list, "");
    if (!left)
        return;
    text_put(t, STYLE_BOLD, phrase_text(t->lang, PHRASE_FLEET_OPERATORS));
    text_end(t);
    for (const cJSON *o = json_first(list, ""); o && rows--; o = o->next, left--)
        put_operator(t, o);
    text_more(t, 0, left);
    text_end(t);
}

static void put_rule_side(TextOut *t, size_t column, const cJSON *side, const char *unit)
{
    Figure f;
    text_to(t, column);
    text_putf(t, STYLE_NONE, "%.0f, %s", json_number_or(side, "models", 0),
              figure_value(&f, json_number_or(side, "gain", 0), unit));
}

static void put_rules(TextOut *t, const cJSON *list, size_t rows)
{
    size_t left = json_count(list, "");
    if (!left)
        return;
    text_end(t);
    const TextHead column[] = {{MODEL, phrase_text(t->lang, PHRASE_FLEET_BEFORE)},
                               {OLD, phrase_text(t->lang, PHRASE_FLEET_AFTER)}};
    text_line(t, 0, 0);
    text_put(t, STYLE_BOLD, phrase_text(t->lang, PHRASE_FLEET_RULES));
    text_heads(t, column, sizeof column / sizeof *column);
    for (const cJSON *r = json_first(list, ""); r && rows--; r = r->next, left--) {
        const char *unit = json_text(r, "unit", "ns");
        text_put(t, STYLE_BOLD, json_text(r, "rule_id", "?"));
        put_rule_side(t, MODEL, json_at(r, "old"), unit);
        put_rule_side(t, OLD, json_at(r, "new"), unit);
        text_end(t);
    }
    text_more(t, 0, left);
}

static void put_gate(TextOut *t, const cJSON *gate)
{
    if (!gate)
        return;
    text_end(t);
    for (const cJSON *x = json_first(gate, "assertions"); x; x = x->next) {
        Phrase p;
        const cJSON *pass = json_at(x, "pass");
        PhraseId word = cJSON_IsTrue(pass)    ? PHRASE_GATE_PASSED
                        : cJSON_IsFalse(pass) ? PHRASE_GATE_FAILED
                                              : PHRASE_GATE_INCONCLUSIVE;
        text_line(t, 0, 2);
        text_put(t, cJSON_IsTrue(pass) ? STYLE_GOOD : STYLE_BAD, phrase_text(t->lang, word));
        text_put(t, STYLE_NONE, "  ");
        text_put(t, STYLE_NONE,
                 phrase_format(&p, t->lang, PHRASE_ASSERTION, json_text(x, "name", "?"),
                               json_text(x, "expected", "?"),
                               COUNTED(json_number_or(x, "found", 0)), NULL));
        text_end(t);
    }
}

void text_fleet_diff(FILE *out, const cJSON *diff, const View *view)
{
    TextOut t = {.out = out, .colour = view->colour, .lang = view->lang};
    Phrase p;
    double tests = json_number_or(diff, "tests", 0);
    size_t rows = view->verbose ? SIZE_MAX : ROWS_SHOWN;
    put_counts(&t, diff);
    text_line(&t, 0, 0);
    if (tests > 0) {
        text_put(&t, STYLE_DIM,
                 phrase_format(&p, t.lang, PHRASE_FLEET_TESTS, COUNTED(tests),
                               COUNTED(json_number_or(diff, "sensitive", 0)), NULL));
        text_end(&t);
    }
    text_end(&t);
    put_operators(&t, json_at(diff, "operators"), rows);
    put_models(&t, json_at(diff, "models"), view->verbose ? SIZE_MAX : LINES_SHOWN);
    put_rules(&t, json_at(diff, "rules"), rows);
    put_gate(&t, json_at(diff, "gate"));
}
