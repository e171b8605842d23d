/* The models of a run as a page: one row each, that sorts and filters. */
#include "advisor/html/html.h"
#include "advisor/tables/set_summary.h"
#include "advisor/say/json.h"

/* Of more models than that the page has no sentence each, for its size; and so many rows are drawn
 * when it opens, within a second: the others when somebody comes to them (style/report.js). */
enum { STATUSES = 4, SENTENCES_MOST = 4000, DRAWN_MOST = 500 };

static bool has_sentences(const Page *p)
{
    return json_count(p->r, "models") <= SENTENCES_MOST;
}

static const PhraseId status_word[STATUSES] = {SAY_SET_PASSED, SAY_SET_FAILED, SAY_SET_UNREADABLE,
                                               SAY_SET_INCONCLUSIVE};

static int status_of(const cJSON *row)
{
    return (int)json_number_or(row, "status", 0) & (STATUSES - 1);
}

static void write_counts(Page *p)
{
    static const int order[STATUSES] = {2, 1, 3, 0};
    const cJSON *counts = json_at(p->r, "counts");
    Phrase text;
    html_open(p->h, "p", "class", "verdict", NULL);
    html_text(p->h, result_set_heading(&text, p->r, p->lang));
    const char *before = " ";
    for (size_t i = 0; i < STATUSES; i++) {
        double count = json_number_or(cJSON_GetArrayItem(counts, order[i]), "", 0);
        if (count == 0)
            continue;
        html_text(p->h, before);
        page_number(p, count);
        html_textf(p->h, " %s", say(p->lang, status_word[order[i]]));
        before = ", ";
    }
    html_close(p->h);
}

/* What a reader acts on: the error, what failed, or the verdict. */
static void write_words(Page *p, const cJSON *row)
{
    const char *error = json_text(row, "error", NULL);
    const cJSON *x;
    html_open(p->h, "td", NULL);
    if (error || has_sentences(p))
        html_text(p->h, error ? error : json_text(row, "verdict", ""));
    cJSON_ArrayForEach(x, json_at(row, "failed"))
    {
        html_void(p->h, "br", NULL);
        html_leaf(p->h, "strong", x->valuestring, NULL);
    }
    html_close(p->h);
}

static void write_row(Page *p, const cJSON *row)
{
    static const char *const class[STATUSES] = {"good", "bad", "bad", "undecided"};
    page_row_open(p);
    html_open(p->h, "th", "scope", "row", NULL);
    html_name(p->h, json_text(row, "model", "?"), PAGE_NAME);
    html_close(p->h);
    html_leaf(p->h, "td", say(p->lang, status_word[status_of(row)]), "class", class[status_of(row)],
              NULL);
    page_cell_known(p, row, "now");
    page_cell_known(p, row, "gain");
    page_cell_text(p, json_text(row, "rule_id", "–"));
    page_cell_text(p, json_text(row, "grade", "–"));
    write_words(p, row);
    page_row_close(p);
}

/* Not drawn: the table's rows after this stand in a template, which takes the place of its body. */
static void begin_rest(Page *p)
{
    html_close(p->h);
    html_open(p->h, "template", NULL);
}

static void write_note_of_rest(Page *p, size_t rows)
{
    char first[24], all[24];
    Phrase text;
    snprintf(first, sizeof first, "%d", DRAWN_MOST);
    snprintf(all, sizeof all, "%zu", rows);
    html_open(p->h, "noscript", NULL);
    html_leaf(p->h, "p", say_with(&text, p->lang, SAY_SET_DRAWN, first, all, NULL), NULL);
    html_close(p->h);
}

static void write_models(Page *p)
{
    static const PhraseId head[] = {SAY_SET_MODEL, SAY_SET_STATUS, SAY_SET_NOW,    SAY_SET_GAIN,
                                    SAY_COL_RULE,  SAY_SET_GRADE,  SAY_COL_RESULT, SAY_COUNT};
    const cJSON *row;
    size_t n = 0, rows = json_count(p->r, "models");
    if (rows > DRAWN_MOST)
        write_note_of_rest(p, rows);
    if (!has_sentences(p))
        html_leaf(p->h, "p", say(p->lang, SAY_SET_SENTENCES), NULL);
    page_table_open(p, "sortable filtered", SAY_SECTION_MODELS, head);
    cJSON_ArrayForEach(row, json_at(p->r, "models"))
    {
        if (n++ == DRAWN_MOST)
            begin_rest(p);
        write_row(p, row);
    }
    page_table_close(p);
}

/* ---- what they say together ---- */

static void number_cell(Page *p, const cJSON *o, const char *key)
{
    html_open(p->h, "td", "class", "number", NULL);
    page_number(p, json_number_or(o, key, 0));
    html_close(p->h);
}

static void write_rules(Page *p)
{
    static const PhraseId head[] = {SAY_COL_RULE, SAY_SET_ADVICE, SAY_SET_MODELS_COUNT,
                                    SAY_SET_GAINS, SAY_COUNT};
    const cJSON *x;
    page_note(p, SAY_SET_RULES_NOTE);
    page_table_open(p, "sortable", SAY_SET_RULES, head);
    cJSON_ArrayForEach(x, json_at(p->r, "rules"))
    {
        page_row_open(p);
        page_cell_head(p, json_text(x, "rule_id", "?"));
        page_cell_text(p, json_text(x, "title", "?"));
        number_cell(p, x, "models");
        page_cell_value(p, json_number_or(x, "gain", 0), json_text(x, "unit", "ns"));
        page_row_close(p);
    }
    page_table_close(p);
}

static void write_host(Page *p)
{
    static const PhraseId head[] = {SAY_SET_OPERATOR,       SAY_SET_MODELS_COUNT, SAY_SET_STEPS,
                                    SAY_SET_STEPS_MEASURED, SAY_SET_TIME,         SAY_COUNT};
    const cJSON *x;
    page_table_open(p, "sortable", SAY_SET_HOST, head);
    cJSON_ArrayForEach(x, json_at(p->r, "host"))
    {
        page_row_open(p);
        page_cell_head(p, json_text(x, "op", "?"));
        number_cell(p, x, "models");
        number_cell(p, x, "steps");
        number_cell(p, x, "measured_steps");
        page_cell_value(p, json_number_or(x, "ns", 0), "ns");
        page_row_close(p);
    }
    page_table_close(p);
}

static void write_sdks(Page *p)
{
    static const PhraseId head[] = {
        SAY_SET_SDK,    SAY_SET_MODELS_COUNT, SAY_DIFF_FASTER,   SAY_DIFF_SLOWER,
        SAY_FLEET_SAME, SAY_DIFF_BROKEN,      SAY_DIFF_REPAIRED, SAY_COUNT};
    static const char *const key[] = {"models", "faster", "slower", "same", "broken", "repaired"};
    const cJSON *x;
    page_note(p, SAY_SET_SDKS_NOTE);
    page_table_open(p, "sortable", SAY_SET_SDKS, head);
    cJSON_ArrayForEach(x, json_at(p->r, "sdks"))
    {
        char name[60];
        page_row_open(p);
        snprintf(name, sizeof name, "%s → %s", json_text(x, "old", "?"), json_text(x, "new", "?"));
        page_cell_head(p, name);
        for (size_t i = 0; i < sizeof key / sizeof *key; i++)
            number_cell(p, x, key[i]);
        page_row_close(p);
    }
    page_table_close(p);
}

/* Of few models the index comes first, of many what they say together. */
enum { FEW = 20, SECTIONS_MOST = 6 };

static void choose_sections(const cJSON *summary, Section list[SECTIONS_MOST])
{
    static const struct {
        const char *key;
        Section section;
    } sums[] = {
        {"sdks", {"sdks", SAY_SET_SDKS, SAY_SET_SDKS, write_sdks}},
        {"rules", {"rules", SAY_SET_RULES, SAY_SET_RULES, write_rules}},
        {"host", {"host", SAY_SET_HOST, SAY_SET_HOST, write_host}},
    };
    static const Section models = {"recommendations", SAY_SECTION_MODELS, SAY_SECTION_MODELS,
                                   write_models};
    bool few = json_count(summary, "models") <= FEW;
    size_t n = 0;
    list[n++] = (Section){"verdict", SAY_SECTION_VERDICT, SAY_SECTION_VERDICT, write_counts};
    if (few)
        list[n++] = models;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        if (json_count(summary, sums[i].key) > 0)
            list[n++] = sums[i].section;
    if (!few)
        list[n++] = models;
    list[n] = (Section){NULL, SAY_COUNT, SAY_COUNT, NULL};
}

bool html_set(FILE *out, const cJSON *summary, const View *view)
{
    Section sections[SECTIONS_MOST];
    choose_sections(summary, sections);
    char n[40];
    snprintf(n, sizeof n, "%.0f", json_number_or(summary, "files", 0));
    Phrase text;
    Sheet sheet = {{say_with(&text, view->lang, SAY_SET_TITLE, n, NULL), NULL}, sections, false};
    return html_document(out, summary, view, &sheet);
}
