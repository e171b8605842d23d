/* Writes one change, work by hand or observation: a row that opens for reason, setting, evidence
 * and risk. */
#include "advisor/render/html/html_change.h"

#include "advisor/report/accuracy_text.h"
#include "advisor/report/verdict.h"

enum { PLACES_SHOWN = 12, PLACES_FOLDED = 240 };

/* What a cell holds, for readers that do not see the head of its column. */
static void open_cell(Page *p, const char *class, PhraseId head)
{
    html_open(p->h, "span", "class", class, NULL);
    html_open(p->h, "small", "class", "head", NULL);
    html_textf(p->h, "%s ", phrase_text(p->lang, head));
    html_close(p->h);
}

static void write_number(Page *p, const ReportedFinding *x)
{
    html_open(p->h, "span", "class", "rank", NULL);
    if (x->id)
        html_textf(p->h, "%lld", (long long)x->id);
    html_close(p->h);
}

/* The first line of a setting; all of it is below the row. */
static void write_setting_line(Page *p, const ResultFix *fix)
{
    size_t n = strcspn(fix->text, "\n");
    if (!n)
        return;
    html_open(p->h, fix->code ? "code" : "small", "class", "line", NULL);
    html_textf(p->h, "%.*s%s", (int)n, fix->text, fix->text[n] ? " …" : "");
    html_close(p->h);
}

static void write_title_cell(Page *p, const ReportedFinding *x, PageRowKind kind)
{
    html_open(p->h, "span", "class", "title", NULL);
    if (kind == PAGE_ROW_LINK) {
        html_open(p->h, "a", NULL);
        html_attr(p->h, "href", "#%s", x->fingerprint);
        html_leaf(p->h, "b", x->title, NULL);
        html_close(p->h);
    } else {
        html_leaf(p->h, "b", x->title, NULL);
    }
    html_text(p->h, " ");
    html_leaf(p->h, "small", x->rule_id, NULL);
    if (kind == PAGE_ROW_OPENS)
        write_setting_line(p, x->fix);
    html_close(p->h);
}

static void write_slow_cell(Page *p, const ReportedFinding *x)
{
    size_t n = x->occurrences->count;
    open_cell(p, "slow", PHRASE_COL_SLOW);
    html_text(p->h, n ? x->occurrences->item[0].text : "–");
    if (n > 1) {
        html_text(p->h, " ");
        html_leaf(p->h, "small", page_count(p, PHRASE_AND_MORE, n - 1).text, NULL);
    }
    html_close(p->h);
}

static void write_saving_cell(Page *p, const PageSaving *s)
{
    open_cell(p, "saves",
              s->up_to                ? PHRASE_COL_UP_TO
              : p->summary.throughput ? PHRASE_COL_ADDING
                                      : PHRASE_COL_SAVING);
    if (s->up_to)
        page_value(p, s->value->hi, s->unit);
    else if (s->value)
        page_interval(p, s->value, s->unit);
    else
        html_text(p->h, phrase_text(p->lang, PHRASE_WITH_NEXT));
    if (s->value && !s->up_to && finding_may_not_help(p->result, s->value))
        html_leaf(p->h, "small", phrase_text(p->lang, PHRASE_MAY_NOT_HELP), NULL);
    html_close(p->h);
}

static void write_needs_cell(Page *p, const ReportedFinding *x)
{
    Phrase buf;
    open_cell(p, "needs", PHRASE_COL_NEEDS);
    html_text(p->h, x->needs ? verdict_needs(&buf, x->needs, p->lang) : "–");
    html_close(p->h);
}

static void write_row(Page *p, const ReportedFinding *x, const PageSaving *s, PageRowKind kind)
{
    write_number(p, x);
    write_title_cell(p, x, kind);
    if (kind == PAGE_ROW_NOTE)
        return;
    write_slow_cell(p, x);
    write_saving_cell(p, s);
    write_needs_cell(p, x);
}

void page_change_heads(Page *p, PhraseId what, PhraseId saving)
{
    html_open(p->h, "div", "class", "heads", "aria-hidden", "true", NULL);
    html_leaf(p->h, "span", "", NULL);
    html_leaf(p->h, "span", phrase_text(p->lang, what), NULL);
    html_leaf(p->h, "span", phrase_text(p->lang, PHRASE_COL_SLOW), NULL);
    html_leaf(p->h, "span", phrase_text(p->lang, saving), NULL);
    html_leaf(p->h, "span", phrase_text(p->lang, PHRASE_COL_NEEDS), NULL);
    html_close(p->h);
}

static void write_part(Page *p, PhraseId head, const char *text)
{
    if (!text || !*text)
        return;
    page_heading(p, "h3", head);
    html_leaf(p->h, "p", text, NULL);
}

/* What is to be done: code can be copied, a sentence is read. */
static void write_fix(Page *p, const ResultFix *fix)
{
    const char *where =
        fix->where ? phrase_by_key(p->lang, "WHERE_", result_fix_where_words[fix->where]) : NULL;
    Phrase buf;
    if (!finding_has_action(fix))
        return;
    if (where)
        html_leaf(p->h, "h3",
                  strcmp(fix->sdk, "unknown")
                      ? phrase_format(&buf, p->lang, PHRASE_FIX_FOR, fix->sdk, where, NULL)
                      : phrase_format(&buf, p->lang, PHRASE_FIX_IN, where, NULL),
                  NULL);
    html_open(p->h, "pre", "class", fix->code ? "fix" : "fix prose", "tabindex", "0", NULL);
    html_leaf(p->h, fix->code ? "code" : "span", fix->text, NULL);
    html_close(p->h);
}

static void write_alone(Page *p, const ResultGain *g)
{
    Phrase buf;
    write_part(p, PHRASE_ALONE, finding_alone(&buf, g, p->lang));
}

/* What it costs in accuracy, where that was measured. */
static void write_accuracy(Page *p, const ResultChange *x)
{
    const char *why = x->accuracy_reason;
    Phrase buf;
    if (!x->accuracy && !why)
        return;
    write_part(p, PHRASE_ACCURACY,
               why ? phrase_format(&buf, p->lang, PHRASE_ACCURACY_NOT, why, NULL)
                   : accuracy_text(&buf, p->lang, x->accuracy));
    for (size_t i = 0; x->accuracy && i < x->accuracy->more.count; i++)
        html_leaf(p->h, "p", accuracy_figure_text(&buf, p->lang, &x->accuracy->more.item[i]), NULL);
}

/* The saving of a place alone is in the unit of its change; observations have none. */
static void write_place_saving(Page *p, const ReportedFinding *x, const ResultInterval *saving)
{
    const char *unit = x->alone ? result_unit_words[x->alone->unit] : "ns";
    Figure f;
    Phrase buf;
    html_text(p->h, ": ");
    if (x->alone && x->alone->basis == RESULT_BASIS_BOUND)
        html_text(p->h, phrase_format(&buf, p->lang, PHRASE_ALONE_BOUND,
                                      figure_value(&f, saving->hi, unit), NULL));
    else
        page_interval(p, saving, unit);
}

static void write_occurrences(Page *p, const ReportedFinding *x, size_t from, size_t to)
{
    html_open(p->h, "ul", "tabindex", "0", NULL);
    for (size_t i = from; i < to && i < x->occurrences->count; i++) {
        const ResultPlace *place = &x->occurrences->item[i];
        html_open(p->h, "li", NULL);
        html_text(p->h, place->text);
        if (place->gain)
            write_place_saving(p, x, place->gain);
        html_close(p->h);
    }
    html_close(p->h);
}

static void write_all_occurrences(Page *p, const ReportedFinding *x)
{
    size_t all = x->occurrences->count;
    if (!all)
        return;
    page_heading(p, "h3", PHRASE_COL_SEEN);
    write_occurrences(p, x, 0, PLACES_SHOWN);
    if (all <= PLACES_SHOWN)
        return;
    html_open(p->h, "details", "class", "rest", NULL);
    html_leaf(p->h, "summary", page_count(p, PHRASE_AND_MORE, all - PLACES_SHOWN).text, NULL);
    write_occurrences(p, x, PLACES_SHOWN, PLACES_FOLDED);
    page_and_more(p, all, PLACES_FOLDED);
    html_close(p->h);
}

static void write_sweep_table(Page *p, const ResultChange *x)
{
    static const PhraseId columns[] = {PHRASE_COL_SETTING, PHRASE_COL_OBJECTIVE, PHRASE_COL_GAIN,
                                       PHRASE_COUNT};
    const char *unit = result_unit_words[x->alone.unit];
    if (x->sweep.count == 0)
        return;
    page_table_open(p, "", PHRASE_SWEEP_TABLE, columns);
    for (size_t i = 0; i < x->sweep.count; i++) {
        const ResultSweep *s = &x->sweep.item[i];
        page_row_open(p);
        html_open(p->h, "th", "scope", "row", NULL);
        html_text(p->h, s->value);
        if (s->chosen)
            html_textf(p->h, " (%s)", phrase_text(p->lang, PHRASE_CHOSEN));
        html_close(p->h);
        page_cell_interval(p, s->objective, unit);
        page_cell_interval(p, s->gain, unit);
        page_row_close(p);
    }
    page_table_close(p);
}

/* Only where it marks any element. */
static void write_show_button(Page *p, int64_t id)
{
    for (size_t i = 0; i < p->marks.n; i++) {
        if (p->marks.finding[i].id != id || !p->marks.finding[i].n)
            continue;
        html_open(p->h, "p", NULL);
        html_open(p->h, "button", "type", "button", "class", "js", NULL);
        html_attr(p->h, "data-show", "%lld", (long long)id);
        html_text(p->h, phrase_text(p->lang, PHRASE_SHOW_IN_VIEWS));
        html_close(p->h);
        html_close(p->h);
        return;
    }
}

static void write_enabled_rules(Page *p, const ResultTexts *rules)
{
    Phrase buf;
    for (size_t i = 0; i < rules->count; i++)
        html_leaf(p->h, "p",
                  phrase_format(&buf, p->lang, PHRASE_MAY_APPLY_THEN, rules->item[i], NULL), NULL);
}

static void write_body(Page *p, const ReportedFinding *x)
{
    html_open(p->h, "div", "class", "body", NULL);
    html_open(p->h, "div", "class", "two", NULL);
    html_open(p->h, "div", NULL);
    write_part(p, PHRASE_WHY, x->why);
    write_fix(p, x->fix);
    if (x->id)
        write_show_button(p, x->id);
    html_close(p->h);
    html_open(p->h, "div", NULL);
    if (x->alone)
        write_alone(p, x->alone);
    if (x->change)
        write_accuracy(p, x->change);
    if (x->observation)
        write_part(p, PHRASE_REASON, x->observation->reason);
    write_part(p, PHRASE_RISK, x->risk);
    write_all_occurrences(p, x);
    if (x->change)
        write_enabled_rules(p, &x->change->enables);
    html_close(p->h);
    html_close(p->h);
    if (x->change)
        write_sweep_table(p, x->change);
    html_open(p->h, "p", "class", "note", NULL);
    html_textf(p->h, "%s %s · ", phrase_text(p->lang, PHRASE_COL_RULE), x->rule_id);
    html_leaf(p->h, "code", x->fingerprint, NULL);
    html_close(p->h);
    html_close(p->h);
}

void page_change(Page *p, const ReportedFinding *x, const PageSaving *saving, PageRowKind kind)
{
    if (kind == PAGE_ROW_LINK) {
        html_open(p->h, "div", "class", "again", NULL);
        write_row(p, x, saving, kind);
        html_close(p->h);
        return;
    }
    html_open(p->h, "details", "class", kind == PAGE_ROW_NOTE ? "advice noted" : "advice", NULL);
    page_anchor(p, x->fingerprint);
    if (x->id)
        html_attr(p->h, "data-k", "%lld", (long long)x->id);
    html_open(p->h, "summary", NULL);
    write_row(p, x, saving, kind);
    html_close(p->h);
    write_body(p, x);
    html_close(p->h);
}
