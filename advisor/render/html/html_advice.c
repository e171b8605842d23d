/* Writes the plans with a row for each change, the command that writes the recommended one, the
 * work by hand, and what is only observed. */
#include "advisor/render/html/html_change.h"

#include "advisor/report/verdict.h"

/* ---- rows of plans ---- */

static bool finding_of_change(const Page *p, int64_t id, ReportedFinding *ret)
{
    for (size_t i = 0; i < p->result->changes.count; i++) {
        *ret = finding_at(p->result, i);
        if (ret->id == id)
            return true;
    }
    return false;
}

/* Those that an earlier table opens are links to it. */
static bool is_opened_before(const Summary *d, const ResultPlan *plan, int64_t id)
{
    return (plan != d->plan && summary_plan_has(d->plan, id)) ||
           (plan == d->retrain && summary_plan_has(d->other, id));
}

static void write_plan_rows(Page *p, const ResultPlan *plan)
{
    ReportedFinding x;
    page_change_heads(p, PHRASE_COL_CHANGE,
                      p->summary.throughput ? PHRASE_COL_ADDING : PHRASE_COL_SAVING);
    for (size_t i = 0; i < plan->changes.count; i++) {
        const ResultPlanChange *row = &plan->changes.item[i];
        PageSaving saving = {row->saves, p->summary.unit, false};
        if (finding_of_change(p, row->id, &x))
            page_change(p, &x, &saving,
                        is_opened_before(&p->summary, plan, row->id) ? PAGE_ROW_LINK
                                                                     : PAGE_ROW_OPENS);
    }
}

static void write_command(Page *p, const ResultPlan *plan)
{
    Phrase refused;
    if (plan->bundle.refused) {
        if (p->summary.headline != HEADLINE_REFUSED)
            html_leaf(p->h, "p",
                      phrase_format(&refused, p->lang, PHRASE_REFUSED, plan->bundle.refused, NULL),
                      NULL);
        return;
    }
    html_open(p->h, "div", "class", "cmd", NULL);
    page_command(p, page_apply_command(p, plan->id));
    html_close(p->h);
}

static void write_other_route(Page *p)
{
    const ResultPlan *plan = p->summary.other;
    Phrase buf;
    if (!plan)
        return;
    html_leaf(p->h, "h3", verdict_route(&buf, p->result, &p->summary, plan, p->lang), NULL);
    write_plan_rows(p, plan);
}

/* One line, which opens for the rows. */
static void write_retraining(Page *p)
{
    Phrase buf;
    if (!*verdict_retraining(&buf, p->result, &p->summary, p->lang))
        return;
    html_open(p->h, "details", "class", "seen", NULL);
    html_leaf(p->h, "summary", buf.text, NULL);
    write_plan_rows(p, p->summary.retrain);
    html_close(p->h);
}

/* ---- by hand, observed ---- */

static void write_by_hand(Page *p)
{
    const Result *r = p->result;
    if (!r->by_hand.count)
        return;
    page_heading(p, "h3", PHRASE_BY_HAND_HEAD);
    page_change_heads(p, PHRASE_COL_ACTION, PHRASE_COL_UP_TO);
    for (size_t i = 0; i < r->by_hand.count; i++) {
        ReportedFinding x = finding_at(r, r->changes.count + i);
        FindingSaving most;
        finding_saving(r, &x, &most);
        page_change(p, &x,
                    &(PageSaving){&most.value, result_unit_words[x.by_hand->up_to.unit], true},
                    PAGE_ROW_OPENS);
    }
}

static void write_observations(Page *p)
{
    const Result *r = p->result;
    size_t n = r->observations.count;
    if (!n)
        return;
    html_open(p->h, "details", "class", "seen", NULL);
    html_leaf(p->h, "summary", page_count(p, PHRASE_OBSERVED_COUNT, n).text, NULL);
    for (size_t i = 0; i < n; i++) {
        ReportedFinding x = finding_at(r, r->changes.count + r->by_hand.count + i);
        page_change(p, &x, NULL, PAGE_ROW_NOTE);
    }
    html_close(p->h);
}

/* ---- one line of evidence ---- */

static void write_trace_quality(Page *p)
{
    const ResultEvidence *x = &p->result->evidence;
    const char *letter = result_grade_words[x->grade];
    Phrase buf;
    html_text(p->h, phrase_format(&buf, p->lang,
                                  x->compared ? PHRASE_EVIDENCE_LINE : PHRASE_EVIDENCE_GRADE,
                                  phrase_by_key(p->lang, "GRADE_", letter), letter,
                                  COUNTED(x->outside), COUNTED(x->compared), NULL));
    html_text(p->h, " ");
    html_leaf(p->h, "a", phrase_text(p->lang, PHRASE_SECTION_EVIDENCE), "href", "#evidence", NULL);
}

static void write_evidence_line(Page *p)
{
    const ResultIssueList *issues = &p->result->evidence.issues;
    Phrase said;
    if (p->result->compiled && !issues->count)
        return;
    html_open(p->h, "p", "class", "note", NULL);
    if (p->result->compiled)
        html_text(p->h, issues->item[0].text);
    else if (p->result->traces.count)
        write_trace_quality(p);
    else
        html_text(p->h, phrase_measure_it(&said, p->lang, p->result->machine->record));
    html_close(p->h);
}

/* ---- the section ---- */

void html_advice(Page *p)
{
    const Summary *d = &p->summary;
    if (d->plan) {
        write_plan_rows(p, d->plan);
        write_command(p, d->plan);
    }
    write_other_route(p);
    write_retraining(p);
    write_by_hand(p);
    if (!d->plan && !p->result->by_hand.count)
        page_note(p, d->headline == HEADLINE_NOTHING ? PHRASE_NO_FINDINGS : PHRASE_NO_ADVICE);
    write_evidence_line(p);
    write_observations(p);
    html_front(p);
}
