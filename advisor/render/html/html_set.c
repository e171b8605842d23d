/* Writes the models of a run as a page with one row each, to sort and filter. */
#include "advisor/render/html/html.h"
#include "advisor/render/tables/set_summary.h"
#include "advisor/message/json.h"

/* With more models than that, the page has no sentence for each, for its size.  So many rows are
 * drawn when it opens, within a second; the others when a reader reaches them (style/report.js). */
enum { SENTENCES_MAX = 4000, DRAWN_MAX = 500 };

static bool has_sentences(const Page *p)
{
    return json_count(p->document, "models") <= SENTENCES_MAX;
}

static void write_counts(Page *p)
{
    Phrase text;
    html_leaf(p->h, "p", result_set_heading(&text, p->document, p->lang), "class", "verdict", NULL);
}

/* What a reader acts on: the error, what failed, or the verdict. */
static void write_words(Page *p, const cJSON *row)
{
    const char *error = json_text(row, "error", NULL);
    html_open(p->h, "td", NULL);
    if (error || has_sentences(p))
        html_text(p->h, error ? error : json_text(row, "verdict", ""));
    for (const cJSON *x = json_first(row, "failed"); x; x = x->next) {
        html_void(p->h, "br", NULL);
        html_leaf(p->h, "strong", x->valuestring, NULL);
    }
    html_close(p->h);
}

/* A link to its own page, where there is one. */
static void write_model(Page *p, const cJSON *row)
{
    double page;
    bool linked = cJSON_IsTrue(json_at(p->document, "pages")) && json_number(row, "page", &page);
    html_open(p->h, "th", "scope", "row", NULL);
    if (linked) {
        html_open(p->h, "a", NULL);
        html_attr(p->h, "href", "%.0f.html", page);
    }
    html_name(p->h, json_text(row, "model", "?"), PAGE_NAME);
    if (linked)
        html_close(p->h);
    html_close(p->h);
}

static void write_row(Page *p, const cJSON *row)
{
    static const char *const class[SET_STATUSES] = {"", "bad", "bad", "undecided"};
    int status = result_set_status_of(row);
    page_row_open(p);
    write_model(p, row);
    html_leaf(p->h, "td", result_set_status_word(status, p->lang), "class", class[status], NULL);
    page_cell_known(p, row, "now", "");
    page_cell_known(p, row, "gain", cJSON_IsTrue(json_at(row, "up_to")) ? "≤ " : "");
    page_cell_text(p, json_text(row, "rule_id", "–"));
    page_cell_text(p, json_text(row, "grade", "–"));
    write_words(p, row);
    page_row_close(p);
}

static double rank_of(const cJSON *row)
{
    return json_number_or(row, "gain", -1) + (result_set_status_of(row) ? 1e15 : 0);
}

ORDER_BY_POINTED(by_rank, cJSON, COMPARE(rank_of(b), rank_of(a)),
                 strcmp(json_text(a, "model", ""), json_text(b, "model", "")))

/* What did not pass, then the largest saving first. */
static const cJSON **sorted_models(const Page *p, size_t rows)
{
    const cJSON **list = ARENA_ARRAY(p->a, const cJSON *, rows + 1);
    size_t n = 0;
    for (const cJSON *row = json_first(p->document, "models"); row; row = row->next)
        list[n++] = row;
    qsort(list, n, sizeof *list, by_rank);
    return list;
}

/* Not drawn: the table's rows after this are in a template in place of the table's body. */
static void begin_rest(Page *p)
{
    html_close(p->h);
    html_open(p->h, "template", NULL);
}

static void write_note_of_rest(Page *p, size_t rows)
{
    Phrase text;
    html_open(p->h, "noscript", NULL);
    html_leaf(
        p->h, "p",
        phrase_format(&text, p->lang, PHRASE_SET_DRAWN, COUNTED(DRAWN_MAX), COUNTED(rows), NULL),
        NULL);
    html_close(p->h);
}

static void write_models(Page *p)
{
    static const PhraseId head[] = {PHRASE_SET_MODEL,  PHRASE_SET_STATUS, PHRASE_SET_NOW,
                                    PHRASE_SET_GAIN,   PHRASE_COL_RULE,   PHRASE_SET_GRADE,
                                    PHRASE_COL_RESULT, PHRASE_COUNT};
    size_t rows = json_count(p->document, "models");
    const cJSON **row = sorted_models(p, rows);
    if (rows > DRAWN_MAX)
        write_note_of_rest(p, rows);
    if (!has_sentences(p))
        html_leaf(p->h, "p", phrase_text(p->lang, PHRASE_SET_SENTENCES), NULL);
    page_table_open(p, "sortable filtered cards", PHRASE_SECTION_MODELS, head);
    for (size_t i = 0; i < rows; i++) {
        if (i == DRAWN_MAX)
            begin_rest(p);
        write_row(p, row[i]);
    }
    page_table_close(p);
}

/* ---- what they say together ---- */

static void write_rules(Page *p)
{
    static const PhraseId head[] = {PHRASE_COL_RULE, PHRASE_SET_ADVICE, PHRASE_SET_MODELS_COUNT,
                                    PHRASE_SET_GAINS, PHRASE_COUNT};
    page_note(p, PHRASE_SET_RULES_NOTE);
    page_table_open(p, "sortable", PHRASE_SET_RULES, head);
    for (const cJSON *x = json_first(p->document, "rules"); x; x = x->next) {
        page_row_open(p);
        page_cell_head(p, json_text(x, "rule_id", "?"));
        page_cell_text(p, json_text(x, "title", "?"));
        page_cell_count(p, json_number_or(x, "models", 0));
        page_cell_value(p, json_number_or(x, "gain", 0), json_text(x, "unit", "ns"));
        page_row_close(p);
    }
    page_table_close(p);
}

static void write_host(Page *p)
{
    static const PhraseId head[] = {PHRASE_SET_OPERATOR, PHRASE_SET_MODELS_COUNT,
                                    PHRASE_SET_STEPS,    PHRASE_SET_STEPS_MEASURED,
                                    PHRASE_SET_TIME,     PHRASE_COUNT};
    page_table_open(p, "sortable", PHRASE_SET_HOST, head);
    for (const cJSON *x = json_first(p->document, "host"); x; x = x->next) {
        page_row_open(p);
        page_cell_head(p, json_text(x, "op", "?"));
        page_cell_count(p, json_number_or(x, "models", 0));
        page_cell_count(p, json_number_or(x, "steps", 0));
        page_cell_count(p, json_number_or(x, "measured_steps", 0));
        page_cell_value(p, json_number_or(x, "ns", 0), "ns");
        page_row_close(p);
    }
    page_table_close(p);
}

static void write_sdks(Page *p)
{
    static const PhraseId head[] = {
        PHRASE_SET_SDK,    PHRASE_SET_MODELS_COUNT, PHRASE_DIFF_FASTER,   PHRASE_DIFF_SLOWER,
        PHRASE_FLEET_SAME, PHRASE_DIFF_BROKEN,      PHRASE_DIFF_REPAIRED, PHRASE_COUNT};
    static const char *const key[] = {"models", "faster", "slower", "same", "broken", "repaired"};
    page_note(p, PHRASE_SET_SDKS_NOTE);
    page_table_open(p, "sortable", PHRASE_SET_SDKS, head);
    for (const cJSON *x = json_first(p->document, "sdks"); x; x = x->next) {
        char name[60];
        page_row_open(p);
        snprintf(name, sizeof name, "%s → %s", json_text(x, "old", "?"), json_text(x, "new", "?"));
        page_cell_head(p, name);
        for (size_t i = 0; i < sizeof key / sizeof *key; i++)
            page_cell_count(p, json_number_or(x, key[i], 0));
        page_row_close(p);
    }
    page_table_close(p);
}

/* Of few models the index comes first, of many what they say together. */
enum { FEW = 20, SECTIONS_MAX = 6 };

static void choose_sections(const cJSON *summary, Section list[SECTIONS_MAX])
{
    static const struct {
        const char *key;
        Section section;
    } sums[] = {
        {"sdks", {"sdks", PHRASE_SET_SDKS, PHRASE_SET_SDKS, write_sdks}},
        {"rules", {"rules", PHRASE_SET_RULES, PHRASE_SET_RULES, write_rules}},
        {"host", {"host", PHRASE_SET_HOST, PHRASE_SET_HOST, write_host}},
    };
    static const Section models = {"recommendations", PHRASE_SECTION_MODELS, PHRASE_SECTION_MODELS,
                                   write_models};
    bool few = json_count(summary, "models") <= FEW;
    size_t n = 0;
    list[n++] = (Section){"verdict", PHRASE_SECTION_VERDICT, PHRASE_SECTION_VERDICT, write_counts};
    if (few)
        list[n++] = models;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        if (json_count(summary, sums[i].key) > 0)
            list[n++] = sums[i].section;
    if (!few)
        list[n++] = models;
    list[n] = (Section){NULL, PHRASE_COUNT, PHRASE_COUNT, NULL};
}

bool html_set(FILE *out, const cJSON *summary, const View *view)
{
    Section sections[SECTIONS_MAX];
    choose_sections(summary, sections);
    Phrase text;
    Sheet sheet = {.title = {phrase_format(&text, view->lang, PHRASE_SET_TITLE,
                                           COUNTED(json_number_or(summary, "files", 0)), NULL),
                             NULL},
                   .section = sections,
                   .document = summary};
    return html_document(out, view, &sheet);
}
