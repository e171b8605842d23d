/* Prints a row per model from the summary of the set, under a heading for each file with several
 * settings. */
#include "advisor/render/tables/set_summary.h"
#include "advisor/message/json.h"

#include "advisor/message/figure.h"
#include "advisor/message/plain.h"
#include "advisor/render/text/text_parts.h"

enum { MODEL = 14, NOW = 43, ADVICE = 54, PASSED_SHOWN = 30 };

static TextStyle style_of(int status)
{
    static const TextStyle style[SET_STATUSES] = {STYLE_GOOD, STYLE_BAD, STYLE_BAD, STYLE_BOLD};
    return style[status];
}

static void put_advice(TextOut *t, const cJSON *row)
{
    Figure f;
    double now, gain;
    const char *unit = json_text(row, "unit", "ns");
    text_to(t, NOW);
    if (json_number(row, "now", &now))
        text_put(t, STYLE_NONE, figure_value(&f, now, unit));
    text_to(t, ADVICE);
    if (!json_number(row, "gain", &gain))
        return;
    text_putf(t, STYLE_BOLD, "%s %s", json_text(row, "rule_id", "?"),
              cJSON_IsTrue(json_at(row, "up_to")) ? "≤ " : "");
    text_put(t, STYLE_NONE, figure_value(&f, gain, unit));
}

/* A model that is there with several settings heads them. */
static void put_heading(TextOut *t, const cJSON *row, const char **before)
{
    Plain name;
    const char *file = json_text(row, "file", NULL);
    if (!file || (*before && !strcmp(*before, file)))
        return;
    *before = file;
    text_paragraph(t, (TextPlace){MODEL, MODEL}, STYLE_BOLD,
                   plain(&name, file, text_room(t) - MODEL));
}

static void put_row(TextOut *t, const cJSON *row)
{
    Plain name;
    const char *settings = json_text(row, "settings", NULL);
    int status = result_set_status_of(row);
    text_line(t, 0, 0);
    text_put(t, style_of(status), result_set_status_word(status, t->lang));
    text_cell(t, MODEL, STYLE_NONE,
              plain(&name, settings ? settings : json_text(row, "model", "?"), NOW - MODEL - 2));
    put_advice(t, row);
    text_end(t);
    text_paragraph(t, (TextPlace){2, 2}, STYLE_NONE, json_text(row, "error", ""));
    for (const cJSON *x = json_first(row, "failed"); x; x = x->next)
        text_paragraph(t, (TextPlace){2, 4}, style_of(result_set_status_of(row)), x->valuestring);
}

static void put_head(TextOut *t)
{
    const TextHead column[] = {{MODEL, phrase_text(t->lang, PHRASE_SET_MODEL)},
                               {NOW, phrase_text(t->lang, PHRASE_SET_NOW)},
                               {ADVICE, phrase_text(t->lang, PHRASE_SET_FIRST)}};
    text_line(t, 0, 0);
    text_heads(t, column, sizeof column / sizeof *column);
}

/* Every model that is not well, and the first of the others. */
void text_set(FILE *out, const cJSON *summary, const View *view)
{
    TextOut t = {.out = out, .colour = view->colour, .lang = view->lang};
    Phrase p;
    size_t passed = 0, most = view->verbose ? SIZE_MAX : PASSED_SHOWN;
    text_paragraph(&t, (TextPlace){0, 2}, STYLE_BOLD, result_set_heading(&p, summary, t.lang));
    text_end(&t);
    put_head(&t);
    const char *heading = NULL;
    for (const cJSON *row = json_first(summary, "models"); row; row = row->next) {
        bool well = json_number_or(row, "status", 0) < 1;
        passed += well;
        if (well && passed > most)
            continue;
        put_heading(&t, row, &heading);
        put_row(&t, row);
    }
    text_more(&t, 0, passed > most ? passed - most : 0);
}
