/* Writes the evidence, and how every rule ended, as a table to sort and filter. */
#include "advisor/render/html/html.h"

#include "advisor/report/finding.h"

/* How a rule ended, in the order of the table. */
typedef enum {
    ENDING_CHANGE,
    ENDING_BY_HAND,
    ENDING_OBSERVED,
    ENDING_SUPPRESSED,
    ENDING_PASSED,
    ENDING_NOT_APPLICABLE,
    ENDINGS
} EndingKind;

static const struct {
    PhraseId name;
    const char *class;
} ending[ENDINGS] = {
    [ENDING_CHANGE] = {PHRASE_COL_CHANGE, "bad"},
    [ENDING_BY_HAND] = {PHRASE_BY_HAND, "bad"},
    [ENDING_OBSERVED] = {PHRASE_IS_OBSERVED, ""},
    [ENDING_SUPPRESSED] = {PHRASE_SUPPRESSED, ""},
    [ENDING_PASSED] = {PHRASE_PASSED, "good"},
    [ENDING_NOT_APPLICABLE] = {PHRASE_NOT_APPLICABLE, "soft"},
};

static size_t ending_count(const Result *r, EndingKind kind)
{
    const size_t n[ENDINGS] = {
        [ENDING_CHANGE] = r->changes.count,
        [ENDING_BY_HAND] = r->by_hand.count,
        [ENDING_OBSERVED] = r->observations.count,
        [ENDING_SUPPRESSED] = r->suppressed.count,
        [ENDING_PASSED] = r->passed.count,
        [ENDING_NOT_APPLICABLE] = r->not_applicable.count,
    };
    return n[kind];
}

/* A row of the table. */
typedef struct {
    const char *rule_id;
    const char *text;        /* the reason, or what was seen */
    const char *fingerprint; /* NULL: of a rule without a finding */
} Ending;

static Ending ending_of_finding(ReportedFinding x)
{
    return (Ending){x.rule_id, x.occurrences->count ? x.occurrences->item[0].text : x.title,
                    x.fingerprint};
}

static Ending ending_at(const Page *p, EndingKind kind, size_t i)
{
    const Result *r = p->result;
    switch (kind) {
    case ENDING_CHANGE:
        return ending_of_finding(finding_at(r, i));
    case ENDING_BY_HAND:
        return ending_of_finding(finding_at(r, r->changes.count + i));
    case ENDING_OBSERVED:
        return (Ending){r->observations.item[i].rule_id, r->observations.item[i].text,
                        r->observations.item[i].fingerprint};
    case ENDING_SUPPRESSED: {
        const ResultSuppressed *x = &r->suppressed.item[i];
        const char *why = phrase_by_key(p->lang, "SKIPPED_", result_reason_words[x->reason]);
        return (Ending){x->rule_id, arena_printf(p->a, "%s: %s", why, x->text), x->fingerprint};
    }
    case ENDING_NOT_APPLICABLE:
        return (Ending){r->not_applicable.item[i].rule_id, r->not_applicable.item[i].reason, NULL};
    default:
        return (Ending){r->passed.item[i], "–", NULL};
    }
}

/* Links the reason to the section with its details, if the page has one. */
static void reason_cell(Page *p, EndingKind kind, const Ending *x)
{
    html_open(p->h, "td", NULL);
    if (kind <= ENDING_OBSERVED) {
        html_open(p->h, "a", NULL);
        html_attr(p->h, "href", "#%s", x->fingerprint);
        html_text(p->h, x->text);
        html_close(p->h);
    } else {
        html_text(p->h, x->text);
    }
    html_close(p->h);
}

static void write_rule_row(Page *p, EndingKind kind, const Ending *x)
{
    const ResultRuleList *rules = &p->result->rules;
    const ResultRule *rule =
        LIST_FIND(i, rules->item, rules->count, !strcmp(rules->item[i].rule_id, x->rule_id));
    html_open(p->h, "tr", NULL);
    if (kind == ENDING_SUPPRESSED) /* a deep link leads here, as nowhere else */
        page_anchor(p, x->fingerprint);
    html_leaf(p->h, "td", phrase_text(p->lang, ending[kind].name), "class", ending[kind].class,
              NULL);
    page_cell_head(p, x->rule_id);
    page_cell_text(p, phrase_by_key(p->lang, "GROUP_", rule ? rule->group : "–"));
    page_cell_text(p, rule ? rule->title : "–");
    reason_cell(p, kind, x);
    page_row_close(p);
}

/* "Change 2 · Skipped 1 · Passed 5" */
static void write_outcome_counts(Page *p)
{
    const char *before = "";
    html_open(p->h, "p", "class", "counts", NULL);
    for (unsigned i = 0; i < ENDINGS; i++) {
        size_t n = ending_count(p->result, (EndingKind)i);
        if (!n)
            continue;
        html_text(p->h, before);
        html_open(p->h, "span", "class", ending[i].class, NULL);
        html_textf(p->h, "%s %zu", phrase_text(p->lang, ending[i].name), n);
        html_close(p->h);
        before = " · ";
    }
    html_close(p->h);
}

static void write_rule_table(Page *p)
{
    static const PhraseId head[] = {PHRASE_COL_RESULT, PHRASE_COL_RULE,   PHRASE_COL_GROUP,
                                    PHRASE_COL_ABOUT,  PHRASE_COL_REASON, PHRASE_COUNT};
    size_t all = LIST_SUM(size_t, i, ENDINGS, ending_count(p->result, (EndingKind)i));
    if (all == 0)
        return;
    page_fold_open(p, PHRASE_RULES_TABLE, all);
    page_table_open(p, "sortable rules", PHRASE_RULES_TABLE, head);
    for (EndingKind kind = 0; kind < ENDINGS; kind++)
        for (size_t i = 0; i < ending_count(p->result, kind); i++) {
            Ending x = ending_at(p, kind, i);
            write_rule_row(p, kind, &x);
        }
    page_table_close(p);
    page_fold_close(p, all);
}

static void write_inference_field(Page *p, const ResultMeasured *m)
{
    Figure min, median, p90, max;
    Phrase buf;
    page_field_open(p, PHRASE_ROW_INFERENCES);
    page_number(p, (double)m->inferences);
    html_text(p->h, " ");
    html_text(p->h, phrase_format(&buf, p->lang, PHRASE_SPREAD,
                                  figure_time(&min, (double)m->latency_ns.min),
                                  figure_time(&median, (double)m->latency_ns.median),
                                  figure_time(&p90, (double)m->latency_ns.p90),
                                  figure_time(&max, (double)m->latency_ns.max), NULL));
    page_field_close(p);
}

static void write_prediction_field(Page *p, const ResultFigureNs *latency)
{
    ResultInterval ns = {(double)latency->lo, (double)latency->mid, (double)latency->hi};
    page_field_open(p, PHRASE_ROW_PREDICTION);
    page_interval(p, &ns, "ns");
    page_field_close(p);
}

static void write_quality_table(Page *p)
{
    static const PhraseId head[] = {PHRASE_COL_WHAT, PHRASE_COL_VALUE, PHRASE_COUNT};
    const Result *r = p->result;
    const ResultCoverage *coverage = &r->coverage;
    Figure f;
    page_table_open(p, "", PHRASE_EVIDENCE_TABLE, head);
    if (r->measured)
        write_inference_field(p, r->measured);
    if (coverage->matched_time_share.known) {
        page_field_open(p, PHRASE_ROW_MATCHED);
        html_text(p->h, figure_share(&f, coverage->matched_time_share.value));
        page_field_close(p);
    }
    if (r->prediction)
        write_prediction_field(p, &r->prediction->latency_ns);
    page_table_close(p);
}

static void write_quality_grade(Page *p)
{
    const ResultIssueList *issues = &p->result->evidence.issues;
    const char *letter = result_grade_words[p->result->evidence.grade];
    html_open(p->h, "p", "class", "grade", NULL);
    html_leaf(p->h, "b", letter, NULL);
    html_textf(p->h, " %s", phrase_by_key(p->lang, "GRADE_", letter));
    html_close(p->h);
    page_note(p, PHRASE_EVIDENCE_NOTE);
    if (issues->count == 0)
        return;
    html_open(p->h, "ul", NULL);
    for (size_t i = 0; i < issues->count; i++)
        html_leaf(p->h, "li", issues->item[i].text, NULL);
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
