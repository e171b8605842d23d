/* The models of a run as a page: one row each, that sorts and filters. */
#include "advisor/html/html.h"
#include "advisor/say/json.h"

/* Of more models than that the page has no sentence each: it is to open in a second. */
enum { STATUSES = 4, SENTENCES_MOST = 4000 };

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
    char n[24];
    snprintf(n, sizeof n, "%zu", json_count(p->r, "models"));
    html_open(p->h, "p", "class", "verdict", NULL);
    html_text(p->h, say_with(&text, p->lang, SAY_SET_MODELS, n, NULL));
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

static void value_cell(Page *p, const cJSON *row, const char *key)
{
    double v;
    html_open(p->h, "td", "class", "number", NULL);
    if (json_number(row, key, &v))
        page_value(p, v, json_text(row, "unit", "ns"));
    else
        html_text(p->h, "–");
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
    value_cell(p, row, "now");
    value_cell(p, row, "gain");
    page_cell_text(p, json_text(row, "rule_id", "–"));
    page_cell_text(p, json_text(row, "grade", "–"));
    write_words(p, row);
    page_row_close(p);
}

static void write_models(Page *p)
{
    static const PhraseId head[] = {SAY_SET_MODEL, SAY_SET_STATUS, SAY_SET_NOW,    SAY_SET_GAIN,
                                    SAY_COL_RULE,  SAY_SET_GRADE,  SAY_COL_RESULT, SAY_COUNT};
    const cJSON *row;
    if (!has_sentences(p))
        html_leaf(p->h, "p", say(p->lang, SAY_SET_SENTENCES), NULL);
    page_table_open(p, "sortable filtered", SAY_SECTION_MODELS, head);
    cJSON_ArrayForEach(row, json_at(p->r, "models")) write_row(p, row);
    page_table_close(p);
}

bool html_set(FILE *out, const cJSON *summary, const View *view)
{
    static const Section sections[] = {
        {"verdict", SAY_SECTION_VERDICT, SAY_SECTION_VERDICT, write_counts},
        {"recommendations", SAY_SECTION_MODELS, SAY_SECTION_MODELS, write_models},
        {NULL, SAY_COUNT, SAY_COUNT, NULL},
    };
    char n[40];
    snprintf(n, sizeof n, "%zu", json_count(summary, "models"));
    Phrase text;
    Sheet sheet = {{say_with(&text, view->lang, SAY_SET_TITLE, n, NULL), NULL}, sections, false};
    return html_document(out, summary, view, &sheet);
}
