/* Writes the evidence, and how every rule ended, as a table to sort and filter. */
#include "advisor/render/html/html.h"
#include "advisor/message/json.h"

#include <string.h>

/* Endings in the order of the table, with where they stand in the result. */
typedef struct {
    const char *path;
    PhraseId name;
    const char *class;
} Ending;

static const Ending endings[] = {
    {"recommendations", PHRASE_RECOMMENDED, "bad"},
    {"observations", PHRASE_IS_OBSERVED, ""},
    {"suppressed", PHRASE_SUPPRESSED, ""},
    {"passed", PHRASE_PASSED, "good"},
    {"not_applicable", PHRASE_NOT_APPLICABLE, "soft"},
};
enum { ENDINGS = sizeof endings / sizeof *endings };

static const char *id_of(const cJSON *item)
{
    return cJSON_IsString(item) ? item->valuestring : json_text(item, "rule_id", "?");
}

static const cJSON *rule_of(const Page *p, const char *id)
{
    for (const cJSON *rule = json_first(p->r, "rules"); rule; rule = rule->next)
        if (!strcmp(json_text(rule, "rule_id", ""), id))
            return rule;
    return NULL;
}

/* The reason, or what was seen; of a recommendation the way to it. */
static void reason_cell(Page *p, const Ending *e, const cJSON *item)
{
    html_open(p->h, "td", NULL);
    if (e->name == PHRASE_RECOMMENDED) {
        html_open(p->h, "a", NULL);
        html_attr(p->h, "href", "#%s", json_text(item, "fingerprint", ""));
        html_text(p->h, json_text(item, "title", "?"));
        html_close(p->h);
    } else if (e->name == PHRASE_IS_OBSERVED) {
        html_text(p->h, json_text(item, "text", "?"));
    } else if (e->name == PHRASE_SUPPRESSED) {
        html_textf(p->h,
                   "%s: ", phrase_by_key(p->lang, "SKIPPED_", json_text(item, "reason", "?")));
        html_text(p->h, json_text(item, "text", ""));
    } else if (e->name == PHRASE_NOT_APPLICABLE) {
        html_text(p->h, json_text(item, "reason", "?"));
    } else {
        html_text(p->h, "–");
    }
    html_close(p->h);
}

static void write_rule_row(Page *p, const Ending *e, const cJSON *item)
{
    const cJSON *rule = rule_of(p, id_of(item));
    html_open(p->h, "tr", NULL);
    if (e->name == PHRASE_SUPPRESSED) /* a deep link leads here, as nowhere else */
        page_anchor(p, item);
    html_leaf(p->h, "td", phrase_text(p->lang, e->name), "class", e->class, NULL);
    page_cell_head(p, id_of(item));
    page_cell_text(p, phrase_by_key(p->lang, "GROUP_", json_text(rule, "group", "–")));
    page_cell_text(p, json_text(rule, "title", "–"));
    reason_cell(p, e, item);
    page_row_close(p);
}

/* "2 recommended · 1 held back · 5 passed · 3 not applicable" */
static void write_outcome_counts(Page *p)
{
    html_open(p->h, "p", "class", "counts", NULL);
    for (int i = 0; i < ENDINGS; i++) {
        html_text(p->h, i ? " · " : "");
        html_open(p->h, "span", "class", endings[i].class, NULL);
        html_textf(p->h, "%zu %s", json_count(p->r, endings[i].path),
                   phrase_text(p->lang, endings[i].name));
        html_close(p->h);
    }
    html_close(p->h);
}

static void write_rule_table(Page *p)
{
    static const PhraseId head[] = {PHRASE_COL_RESULT, PHRASE_COL_RULE,   PHRASE_COL_GROUP,
                                    PHRASE_COL_ABOUT,  PHRASE_COL_REASON, PHRASE_COUNT};
    size_t all = 0;
    for (int i = 0; i < ENDINGS; i++)
        all += json_count(p->r, endings[i].path);
    if (all == 0)
        return;
    page_fold_open(p, PHRASE_RULES_TABLE, all);
    page_table_open(p, "sortable rules", PHRASE_RULES_TABLE, head);
    for (int i = 0; i < ENDINGS; i++) {
        for (const cJSON *item = json_first(p->r, endings[i].path); item; item = item->next)
            write_rule_row(p, &endings[i], item);
    }
    page_table_close(p);
    page_fold_close(p, all);
}

static void write_inference_field(Page *p)
{
    const cJSON *m = json_at(p->r, "measured");
    Figure min, median, p90, max;
    Phrase buf;
    if (!cJSON_IsObject(m))
        return;
    page_field_open(p, PHRASE_ROW_INFERENCES);
    page_number(p, json_number_or(m, "inferences", 0));
    html_text(p->h, " ");
    html_text(p->h, phrase_format(&buf, p->lang, PHRASE_SPREAD,
                                  figure_time(&min, json_number_or(m, "latency_ns.min", 0)),
                                  figure_time(&median, json_number_or(m, "latency_ns.median", 0)),
                                  figure_time(&p90, json_number_or(m, "latency_ns.p90", 0)),
                                  figure_time(&max, json_number_or(m, "latency_ns.max", 0)), NULL));
    page_field_close(p);
}

static void write_quality_table(Page *p)
{
    static const PhraseId head[] = {PHRASE_COL_WHAT, PHRASE_COL_VALUE, PHRASE_COUNT};
    double share;
    Figure f;
    page_table_open(p, "", PHRASE_EVIDENCE_TABLE, head);
    write_inference_field(p);
    if (json_number(p->r, "coverage.matched_time_share", &share)) {
        page_field_open(p, PHRASE_ROW_MATCHED);
        html_text(p->h, figure_share(&f, share));
        page_field_close(p);
    }
    page_field_open(p, PHRASE_COVERAGE_FIELD);
    page_number(p, json_number_or(p->r, "coverage.nodes_known", 0));
    html_text(p->h, " / ");
    page_number(p, json_number_or(p->r, "coverage.nodes", 0));
    page_field_close(p);
    if (cJSON_IsObject(json_at(p->r, "prediction"))) {
        page_field_open(p, PHRASE_ROW_PREDICTION);
        page_interval(p, json_at(p->r, "prediction.latency_ns"), "ns");
        page_field_close(p);
    }
    page_table_close(p);
}

static void write_quality_grade(Page *p)
{
    const char *letter = json_text(p->r, "evidence.grade", "?");
    html_open(p->h, "p", "class", "grade", NULL);
    html_leaf(p->h, "b", letter, NULL);
    html_textf(p->h, " %s", phrase_by_key(p->lang, "GRADE_", letter));
    html_close(p->h);
    page_note(p, PHRASE_EVIDENCE_NOTE);
    if (json_count(p->r, "evidence.issues") == 0)
        return;
    html_open(p->h, "ul", NULL);
    for (const cJSON *issue = json_first(p->r, "evidence.issues"); issue; issue = issue->next)
        html_leaf(p->h, "li", json_text(issue, "text", "?"), NULL);
    html_close(p->h);
}

void html_rules(Page *p)
{
    html_open(p->h, "div", "class", "beside", NULL);
    html_open(p->h, "div", NULL);
    write_quality_grade(p);
    html_close(p->h);
    html_open(p->h, "div", NULL);
    write_quality_table(p);
    html_close(p->h);
    html_close(p->h);
    write_outcome_counts(p);
    write_rule_table(p);
}
