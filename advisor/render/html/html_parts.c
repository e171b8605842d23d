/* Implements the parts that several sections of the report share. */
#include "advisor/render/html/html.h"
#include "advisor/report/command_words.h"

#include "advisor/message/json.h"

void page_anchor(Page *p, const char *id)
{
    if (strmap_add(&p->anchors, id, 0))
        html_attr(p->h, "id", "%s", id);
}

const char *page_apply_command(Page *p, const char *plan)
{
    return command_apply(p->a, p->result, p->again_apply, plan);
}

void page_command(Page *p, const char *command)
{
    html_open(p->h, "pre", "class", "fix", "tabindex", "0", NULL);
    html_leaf(p->h, "code", command, NULL);
    html_close(p->h);
}

void page_heading(Page *p, const char *tag, PhraseId id)
{
    html_leaf(p->h, tag, phrase_text(p->lang, id), NULL);
}

void page_note(Page *p, PhraseId id)
{
    html_leaf(p->h, "p", phrase_text(p->lang, id), "class", "note", NULL);
}

Phrase page_count(const Page *p, PhraseId id, size_t n)
{
    Phrase buf;
    phrase_format(&buf, p->lang, id, COUNTED(n), NULL);
    return buf;
}

static void put_data(Page *p, double value, const char *text)
{
    char exact[40];
    html_leaf(p->h, "data", text, "value", json_number_text(exact, value), NULL);
}

void page_number(Page *p, double value)
{
    char text[40];
    put_data(p, value, json_number_text(text, value));
}

void page_value(Page *p, double value, const char *unit)
{
    Figure f;
    put_data(p, value, figure_value(&f, value, unit));
}

void page_interval(Page *p, const ResultInterval *x, const char *unit)
{
    Figure f[3];
    figure_interval_parts(f, x->lo, x->mid, x->hi, unit);
    html_open(p->h, "span", "class", "interval", NULL);
    put_data(p, x->mid, f[1].text);
    if (!strcmp(f[0].text, f[2].text)) { /* exact */
        html_close(p->h);
        return;
    }
    html_text(p->h, " [");
    put_data(p, x->lo, f[0].text);
    html_text(p->h, ", ");
    put_data(p, x->hi, f[2].text);
    html_text(p->h, "]");
    html_close(p->h);
}

void page_table_open(Page *p, const char *class, PhraseId caption, const PhraseId *head)
{
    /* Focusable, so that a wide table can be scrolled with the keyboard. */
    html_open(p->h, "div", "class", "scroll", "tabindex", "0", "role", "group", "aria-label",
              phrase_text(p->lang, caption), NULL);
    html_open(p->h, "table", "class", class, NULL);
    html_leaf(p->h, "caption", phrase_text(p->lang, caption), NULL);
    html_open(p->h, "thead", NULL);
    html_open(p->h, "tr", NULL);
    for (; *head != PHRASE_COUNT; head++)
        html_leaf(p->h, "th", phrase_text(p->lang, *head), "scope", "col", NULL);
    html_close(p->h);
    html_close(p->h);
    html_open(p->h, "tbody", NULL);
}

void page_table_close(Page *p)
{
    for (int i = 0; i < 3; i++)
        html_close(p->h);
}

enum { SCREENFUL = 30 };

void page_fold_open(Page *p, PhraseId what, size_t rows)
{
    if (rows <= SCREENFUL)
        return;
    html_open(p->h, "details", "class", "long", NULL);
    html_open(p->h, "summary", NULL);
    html_textf(p->h, "%s (%zu)", phrase_text(p->lang, what), rows);
    html_close(p->h);
}

void page_fold_close(Page *p, size_t rows)
{
    if (rows <= SCREENFUL)
        return;
    html_leaf(p->h, "p", page_count(p, PHRASE_PRINT_CUT, rows).text, "class", "note cut", NULL);
    html_close(p->h);
}

void page_and_more(Page *p, size_t all, size_t shown)
{
    if (all > shown)
        html_leaf(p->h, "p", page_count(p, PHRASE_AND_MORE, all - shown).text, "class", "note",
                  NULL);
}

void page_row_open(Page *p)
{
    html_open(p->h, "tr", NULL);
}

void page_row_close(Page *p)
{
    html_close(p->h);
}

void page_cell_text(Page *p, const char *text)
{
    html_leaf(p->h, "td", text, NULL);
}

void page_cell_head(Page *p, const char *text)
{
    html_leaf(p->h, "th", text, "scope", "row", NULL);
}

void page_field_open(Page *p, PhraseId name)
{
    page_row_open(p);
    page_cell_head(p, phrase_text(p->lang, name));
    html_open(p->h, "td", NULL);
}

void page_field_close(Page *p)
{
    html_close(p->h);
    page_row_close(p);
}

void page_cell_value(Page *p, double value, const char *unit)
{
    html_open(p->h, "td", "class", "number", NULL);
    page_value(p, value, unit);
    html_close(p->h);
}

void page_cell_count(Page *p, double n)
{
    html_open(p->h, "td", "class", "number", NULL);
    page_number(p, n);
    html_close(p->h);
}

void page_cell_known(Page *p, const cJSON *row, const char *key, const char *before)
{
    double v;
    html_open(p->h, "td", "class", "number", NULL);
    bool known = json_number(row, key, &v);
    html_text(p->h, known ? before : "–");
    if (known)
        page_value(p, v, json_text(row, "unit", "ns"));
    html_close(p->h);
}

void page_cell_interval(Page *p, const ResultInterval *x, const char *unit)
{
    html_open(p->h, "td", "class", "number", NULL);
    if (x)
        page_interval(p, x, unit);
    else
        html_text(p->h, "–");
    html_close(p->h);
}

void page_bar(Page *p, const char *class, double from, double to, double full)
{
    double scale = full > 0 ? 1000 / full : 0, x = from * scale, width = (to - from) * scale;
    html_open(p->h, "svg", "class", "bar", "viewBox", "0 0 1000 10", "preserveAspectRatio", "none",
              "aria-hidden", "true", NULL);
    html_open(p->h, "rect", "class", class, "height", "10", NULL);
    html_attr(p->h, "x", "%.1f", x);
    html_attr(p->h, "width", "%.1f", width < 2 && to > from ? 2 : width);
    html_close(p->h);
    html_close(p->h);
}
