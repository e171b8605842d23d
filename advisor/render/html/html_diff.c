/* Writes two results or two traces side by side as a page. */
#include "advisor/render/html/html.h"

#include "advisor/act/diff/diff.h"
#include "advisor/message/json.h"

enum { ROWS_SHOWN = 400 };

static const char *verdict_class(const char *verdict)
{
    static const char *const name[] = {"number bad", "number", "number good"};
    return name[1 + diff_sign(verdict)];
}

/* The larger of all values before and after: bars of one table share a scale per unit. */
static double largest_value(const cJSON *list, const char *unit)
{
    double most = 0, v;
    for (const cJSON *m = json_first(list, ""); m; m = m->next) {
        if (strcmp(json_text(m, "unit", ""), unit))
            continue;
        if (json_number(m, "old.mid", &v))
            most = fmax(most, v);
        if (json_number(m, "new.mid", &v))
            most = fmax(most, v);
    }
    return most;
}

static const char *metric_label(const Page *p, const cJSON *metric)
{
    return phrase_by_key(p->lang, "FIGURE_", json_text(metric, "name", "?"));
}

/* What the change is, in words and per cent. */
static void change_text(Page *p, const cJSON *m)
{
    const char *verdict = json_text(m, "verdict", "?");
    double percent;
    html_text(p->h, phrase_by_key(p->lang, "DIFF_", verdict));
    if (strcmp(verdict, "same") && diff_percent(m, &percent))
        html_textf(p->h, " %+.1f %%", percent);
}

static void put_headline(Page *p)
{
    const cJSON *m = diff_headline(p->document);
    if (!m)
        return;
    const char *unit = json_text(m, "unit", "ns");
    html_open(p->h, "p", "class", "verdict", NULL);
    html_textf(p->h, "%s: ", metric_label(p, m));
    page_value(p, json_number_or(m, "old.mid", 0), unit);
    html_text(p->h, " → ");
    page_value(p, json_number_or(m, "new.mid", 0), unit);
    html_text(p->h, ", ");
    if (!strcmp(json_text(m, "verdict", ""), "same"))
        html_text(p->h, phrase_text(p->lang, PHRASE_DIFF_NOISE));
    else
        change_text(p, m);
    html_close(p->h);
    if (cJSON_IsFalse(json_at(p->document, "same_boundary")))
        html_leaf(p->h, "p", phrase_text(p->lang, PHRASE_DIFF_BOUNDARY), NULL);
    if (cJSON_IsFalse(json_at(p->document, "same_precision")))
        html_leaf(p->h, "p", phrase_text(p->lang, PHRASE_DIFF_PRECISION), NULL);
}

/* {lo, mid, hi}, {mid} or null. */
static void write_side(Page *p, const cJSON *o, const char *unit)
{
    ResultInterval x;
    bool known = json_number(o, "mid", &x.mid);
    if (known && !(json_number(o, "lo", &x.lo) && json_number(o, "hi", &x.hi)))
        page_cell_value(p, x.mid, unit);
    else
        page_cell_interval(p, known ? &x : NULL, unit);
}

static void write_diff_row(Page *p, const cJSON *m, double most)
{
    static const char *const fill[] = {"loss", "now", "good"};
    const char *unit = json_text(m, "unit", "ns"), *verdict = json_text(m, "verdict", "?");
    double v;
    page_row_open(p);
    html_open(p->h, "th", "scope", "row", NULL);
    if (!json_at(m, "kind"))
        html_text(p->h, metric_label(p, m));
    else
        html_name(p->h, json_text(m, "name", "?"), PAGE_NAME);
    if (*json_text(m, "how", "")) {
        html_void(p->h, "br", NULL);
        html_leaf(p->h, "small", json_text(m, "how", ""), NULL);
    }
    if (json_number(m, "old.mid", &v))
        page_bar(p, "now", 0, v, most);
    if (json_number(m, "new.mid", &v))
        page_bar(p, fill[1 + diff_sign(verdict)], 0, v, most);
    html_close(p->h);
    write_side(p, json_at(m, "old"), unit);
    write_side(p, json_at(m, "new"), unit);
    html_open(p->h, "td", "class", verdict_class(verdict), NULL);
    change_text(p, m);
    html_close(p->h);
    page_row_close(p);
}

static void write_diff_table(Page *p, const char *path, PhraseId caption)
{
    static const PhraseId head[] = {PHRASE_COL_WHAT, PHRASE_COL_BEFORE, PHRASE_COL_AFTER,
                                    PHRASE_COL_CHANGE, PHRASE_COUNT};
    const cJSON *list = json_at(p->document, path);
    size_t n = 0, all = json_count(list, "");
    page_table_open(p, "sortable classes", caption, head);
    for (const cJSON *m = json_first(list, ""); m; m = m->next) {
        if (n++ == ROWS_SHOWN)
            break;
        write_diff_row(p, m, largest_value(list, json_text(m, "unit", "ns")));
    }
    page_table_close(p);
    page_and_more(p, all, ROWS_SHOWN);
}

static void write_metrics(Page *p)
{
    put_headline(p);
    page_note(p, PHRASE_DIFF_BARS);
    write_diff_table(p, "metrics", PHRASE_DIFF_METRICS);
}

static void write_parts(Page *p)
{
    write_diff_table(p, "parts", PHRASE_DIFF_PARTS);
}

static void write_recommendations(Page *p)
{
    static const PhraseId head[] = {PHRASE_COL_RULE,   PHRASE_COL_WHAT,  PHRASE_COL_RESULT,
                                    PHRASE_COL_BEFORE, PHRASE_COL_AFTER, PHRASE_COUNT};
    if (json_count(p->document, "findings") == 0) {
        bool traces = !strcmp(json_text(p->document, "kind", ""), "trace");
        page_note(p, traces ? PHRASE_DIFF_TRACES : PHRASE_NO_ADVICE);
        return;
    }
    page_table_open(p, "", PHRASE_DIFF_ADVICE, head);
    for (const cJSON *r = json_first(p->document, "findings"); r; r = r->next) {
        const char *state = json_text(r, "state", "?");
        html_open(p->h, "tr", "id", json_text(r, "fingerprint", ""), NULL);
        page_cell_head(p, json_text(r, "rule_id", "?"));
        page_cell_text(p, json_text(r, "title", "?"));
        html_leaf(p->h, "td", phrase_by_key(p->lang, "DIFF_", state), "class", verdict_class(state),
                  NULL);
        page_cell_known(p, r, "old", "");
        page_cell_known(p, r, "new", "");
        page_row_close(p);
    }
    page_table_close(p);
}

bool html_diff(FILE *out, const cJSON *diff, const View *view)
{
    static const Section sections[] = {
        {"metrics", PHRASE_SECTION_METRICS, PHRASE_SECTION_METRICS, write_metrics},
        {"recommendations", PHRASE_SECTION_FINDINGS, PHRASE_SECTION_FINDINGS,
         write_recommendations},
        {"parts", PHRASE_SECTION_CLASSES, PHRASE_SECTION_CLASSES, write_parts},
        {NULL, PHRASE_COUNT, PHRASE_COUNT, NULL},
    };
    Sheet sheet = {.title = {json_text(diff, "old", "?"), json_text(diff, "new", "?")},
                   .section = sections,
                   .document = diff};
    return html_document(out, view, &sheet);
}
