/* Writes the changes, one line each with its saving on one scale, which opens for reason, setting,
 * evidence and risk.  What has no figure is folded together. */
#include "advisor/render/html/html.h"

#include "advisor/report/accuracy_text.h"
#include "advisor/report/finding.h"
#include "advisor/report/verdict.h"

#include <math.h>
#include <string.h>

enum { PLACES_SHOWN = 12, PLACES_FOLDED = 240 };

static bool is_kept_off(const ReportedFinding *x)
{
    return x->recommendation && !summary_can_help(x->recommendation);
}

/* The largest end of any interval: all bars are of one scale. */
static double scale_of(const ResultRecommendationList *list)
{
    double most = 0;
    for (size_t i = 0; i < list->count; i++) {
        const ResultGain *gain = &list->item[i].gain;
        ResultInterval run;
        if (gain->predicted)
            most = fmax(most, gain->predicted->hi);
        if (gain_verified(gain->verified, &run))
            most = fmax(most, run.hi);
    }
    return most;
}

static void write_clamped_percent(Page *p, const char *name, double share)
{
    html_attr(p->h, name, "%.2f%%", 100 * fmin(fmax(share, 0), 1));
}

static void span_rect(Page *p, const char *class, const char *y, const char *height, double from,
                      double to)
{
    if (!(to > from))
        return;
    html_open(p->h, "rect", "class", class, "y", y, "height", height, NULL);
    write_clamped_percent(p, "x", from);
    write_clamped_percent(p, "width", fmin(to, 1) - fmax(from, 0));
    html_close(p->h);
}

static void write_bar_tick(Page *p, double at)
{
    html_open(p->h, "line", "class", "tick2", "y1", "0", "y2", "10", NULL);
    write_clamped_percent(p, "x1", at);
    write_clamped_percent(p, "x2", at);
    html_close(p->h);
}

/* Predicted as an outline, verified as a bar, its interval as two ticks. */
static void gain_bar(Page *p, const ResultGain *gain, double full)
{
    ResultInterval run;
    if (!(full > 0))
        return;
    html_open(p->h, "svg", "height", "10", "aria-hidden", "true", NULL);
    if (gain->predicted)
        span_rect(p, "guess", "0", "10", fmax(gain->predicted->lo, 0) / full,
                  gain->predicted->hi / full);
    if (gain_verified(gain->verified, &run)) {
        span_rect(p, run.mid > 0 ? "good" : "loss", "2", "6", 0, fabs(run.mid) / full);
        write_bar_tick(p, run.lo / full);
        write_bar_tick(p, run.hi / full);
    }
    html_close(p->h);
}

/* The most that there can be, and what of it would vanish. */
static void bound_cell(Page *p, const ResultInterval *predicted, const char *unit)
{
    html_leaf(p->h, "small", phrase_text(p->lang, PHRASE_COL_AT_MOST), NULL);
    html_text(p->h, " ");
    page_value(p, predicted->hi, unit);
    if (predicted->mid <= 0)
        return;
    html_open(p->h, "small", NULL);
    html_textf(p->h, ", %s ", phrase_text(p->lang, PHRASE_COL_REMOVABLE));
    page_value(p, predicted->mid, unit);
    html_close(p->h);
}

static void interval_cell(Page *p, const ResultGain *gain, const char *unit)
{
    PhraseId how = gain_phrase(gain);
    ResultInterval run;
    bool verified = gain_verified(gain->verified, &run);
    if (!verified && how != PHRASE_GAIN_PREDICTED) {
        html_leaf(p->h, "small",
                  phrase_text(p->lang, how == PHRASE_GAIN_ESTIMATED  ? PHRASE_IS_ESTIMATED
                                       : how == PHRASE_GAIN_AT_LEAST ? PHRASE_IS_AT_LEAST
                                                                     : PHRASE_IS_BOUND),
                  NULL);
        html_text(p->h, " ");
    }
    page_interval(p, verified ? &run : gain->predicted, unit);
}

static void no_gain_cell(Page *p, const ResultObservation *x)
{
    Figure f;
    Phrase buf;
    html_leaf(p->h, "small",
              x && x->cost_ns.known ? phrase_format(&buf, p->lang, PHRASE_STEPS_TAKE,
                                                    figure_time(&f, (double)x->cost_ns.value), NULL)
                                    : phrase_text(p->lang, PHRASE_NO_FIGURE),
              NULL);
}

static bool is_bound(const ResultGain *gain)
{
    return gain->removes.item || (!gain->verified && gain_phrase(gain) == PHRASE_GAIN_AT_MOST);
}

static void gain_cell(Page *p, const ReportedFinding *x, double full)
{
    const ResultGain *gain = x->recommendation ? &x->recommendation->gain : NULL;
    html_open(p->h, "span", "class", "gains", NULL);
    if (!gain || (!gain->predicted && !gain->verified)) {
        no_gain_cell(p, x->observation);
    } else {
        const char *unit = result_unit_words[gain->unit];
        if (gain->predicted && is_bound(gain))
            bound_cell(p, gain->predicted, unit);
        else
            interval_cell(p, gain, unit);
        gain_bar(p, gain, full);
    }
    html_close(p->h);
}

static void verdict_cell(Page *p, const ReportedFinding *x)
{
    const ResultRecommendation *rec = x->recommendation;
    ResultVerdict verdict = rec ? rec->verdict : RESULT_VERDICT_UNSET;
    bool good = verdict == RESULT_VERDICT_CONFIRMED || verdict == RESULT_VERDICT_LARGER;
    html_open(p->h, "span", "class", "verified", NULL);
    if (verdict) {
        html_open(p->h, "b", "class", good ? "good" : is_kept_off(x) ? "bad" : "undecided", NULL);
        html_text(p->h, good ? "✓ " : is_kept_off(x) ? "✗ " : "– ");
        html_text(p->h, phrase_by_key(p->lang, "VERDICT_", result_verdict_words[verdict]));
        html_close(p->h);
    } else if (rec && rec->gain.predicted) {
        html_text(p->h, phrase_text(p->lang, rec->gain.removes.item ? PHRASE_IS_BOUND
                                                                    : PHRASE_IS_PREDICTED));
    }
    html_close(p->h);
}

/* "the compiler"; "?" where the SDK in use has no setting. */
static const char *place_of_fix(const Page *p, const ResultFix *fix)
{
    return fix->where ? phrase_by_key(p->lang, "WHERE_", result_fix_where_words[fix->where]) : "?";
}

static void write_change_summary(Page *p, const ReportedFinding *x, size_t k, double full)
{
    const char *effort =
        phrase_by_key(p->lang, "APPLY_", result_applicability_words[x->applicability]);
    html_open(p->h, "summary", NULL);
    html_open(p->h, "span", "class", "rank", NULL);
    html_textf(p->h, "%zu", k);
    html_close(p->h);
    html_open(p->h, "span", "class", "title", NULL);
    html_text(p->h, x->title);
    if (x->places->count > 1)
        html_textf(p->h, " (%s)", page_count(p, PHRASE_PLACES_COUNT, x->places->count).text);
    html_close(p->h);
    gain_cell(p, x, full);
    verdict_cell(p, x);
    html_leaf(p->h, "span", effort, "class", "effort", NULL);
    html_leaf(p->h, "span", place_of_fix(p, x->fix), "class", "place", NULL);
    html_close(p->h);
}

static void write_subheading(Page *p, PhraseId id)
{
    html_leaf(p->h, "h3", phrase_text(p->lang, id), NULL);
}

/* What is to be done: code can be copied, a sentence is read. */
static void write_fix(Page *p, const ResultFix *fix)
{
    Phrase buf;
    const char *where = place_of_fix(p, fix);
    if (!finding_has_action(fix))
        return;
    html_leaf(p->h, "h3",
              strcmp(fix->sdk, "unknown")
                  ? phrase_format(&buf, p->lang, PHRASE_FIX_FOR, fix->sdk, where, NULL)
                  : phrase_format(&buf, p->lang, PHRASE_FIX_IN, where, NULL),
              NULL);
    html_open(p->h, "pre", "class", fix->code ? "fix" : "fix prose", "tabindex", "0", NULL);
    html_leaf(p->h, fix->code ? "code" : "span", fix->text, NULL);
    html_close(p->h);
}

static void how_row(Page *p, PhraseId name, const ResultInterval *x, const char *unit)
{
    html_open(p->h, "p", NULL);
    html_textf(p->h, "%s: ", phrase_text(p->lang, name));
    page_interval(p, x, unit);
    html_close(p->h);
}

static void how_value(Page *p, PhraseId name, double value, const char *unit)
{
    html_open(p->h, "p", NULL);
    html_textf(p->h, "%s: ", phrase_text(p->lang, name));
    page_value(p, value, unit);
    html_close(p->h);
}

static PhraseId basis_phrase(const ResultGain *gain)
{
    PhraseId id = gain_phrase(gain);
    return id == PHRASE_GAIN_PREDICTED   ? PHRASE_IS_PREDICTED
           : id == PHRASE_GAIN_ESTIMATED ? PHRASE_IS_ESTIMATED
           : id == PHRASE_GAIN_AT_MOST   ? PHRASE_COL_REMOVABLE
                                         : PHRASE_IS_BOUND;
}

/* Of measured layers: what would vanish, and the most that there can be. */
static void write_gain_bounds(Page *p, const ResultInterval *predicted)
{
    how_value(p, PHRASE_COL_REMOVABLE, predicted ? predicted->mid : 0, "ns");
    how_value(p, PHRASE_COL_AT_MOST, predicted ? predicted->hi : 0, "ns");
}

/* The runs have a baseline of their own. */
static void in_the_runs(Page *p, const ResultVerified *v, const char *unit)
{
    Figure f[2];
    Phrase buf;
    if (!v->now)
        return;
    html_leaf(p->h, "p",
              phrase_format(&buf, p->lang, PHRASE_IN_THE_RUNS, figure_value(&f[0], v->median, unit),
                            figure_value(&f[1], v->baseline, unit), NULL),
              NULL);
}

static void write_member_count(Page *p, const ResultMembers *members)
{
    char real[24], all[24];
    Phrase buf;
    if (!members || members->n < 2)
        return;
    snprintf(all, sizeof all, "%lld", (long long)members->n);
    snprintf(real, sizeof real, "%lld", (long long)members->real);
    html_leaf(p->h, "p", phrase_format(&buf, p->lang, PHRASE_REAL_IN, real, all, NULL), NULL);
}

static void write_gain_figures(Page *p, const ResultGain *gain)
{
    const char *unit = result_unit_words[gain->unit];
    ResultInterval run;
    if (gain->predicted)
        how_row(p, basis_phrase(gain), gain->predicted, unit);
    if (gain_phrase(gain) == PHRASE_GAIN_AT_MOST)
        how_value(p, PHRASE_COL_AT_MOST, gain->predicted ? gain->predicted->hi : 0, unit);
    if (gain_verified(gain->verified, &run)) {
        how_row(p, p->summary.simulated ? PHRASE_IS_SIMULATED : PHRASE_IS_VERIFIED, &run, unit);
        in_the_runs(p, gain->verified, unit);
        write_member_count(p, gain->verified->members);
    }
    if (gain->local_ns.known)
        how_value(p, PHRASE_LOCAL, (double)gain->local_ns.value, "ns");
}

static void how_known(Page *p, const ReportedFinding *x)
{
    const ResultGain *gain = x->recommendation ? &x->recommendation->gain : NULL;
    const char *reason = gain ? gain->reason_if_null : x->observation->reason;
    Phrase buf;
    write_subheading(p, PHRASE_COL_HOW_KNOWN);
    if (reason)
        html_leaf(p->h, "p", phrase_format(&buf, p->lang, PHRASE_GAIN_UNKNOWN, reason, NULL), NULL);
    if (gain && gain->removes.item)
        write_gain_bounds(p, gain->predicted);
    else if (gain)
        write_gain_figures(p, gain);
}

/* What it costs in accuracy, where that was measured. */
static void write_accuracy(Page *p, const ResultRecommendation *rec)
{
    const char *why = rec->accuracy_reason;
    Phrase buf;
    if (!rec->accuracy && !why)
        return;
    write_subheading(p, PHRASE_ACCURACY);
    html_leaf(p->h, "p",
              why ? phrase_format(&buf, p->lang, PHRASE_ACCURACY_NOT, why, NULL)
                  : accuracy_text(&buf, p->lang, rec->accuracy),
              NULL);
    for (size_t i = 0; rec->accuracy && i < rec->accuracy->more.count; i++)
        html_leaf(p->h, "p", accuracy_figure_text(&buf, p->lang, &rec->accuracy->more.item[i]),
                  NULL);
}

/* The gain of a place is in the unit of its recommendation; observations have none. */
static void write_occurrences(Page *p, const ReportedFinding *x, size_t from, size_t to)
{
    html_open(p->h, "ul", "tabindex", "0", NULL);
    for (size_t i = from; i < to && i < x->places->count; i++) {
        const ResultPlace *place = &x->places->item[i];
        html_open(p->h, "li", NULL);
        html_text(p->h, place->text);
        if (place->gain) {
            html_text(p->h, ": ");
            page_interval(p, place->gain,
                          x->recommendation ? result_unit_words[x->recommendation->gain.unit]
                                            : "ns");
        }
        html_close(p->h);
    }
    html_close(p->h);
}

static void all_places(Page *p, const ReportedFinding *x)
{
    size_t all = x->places->count;
    write_subheading(p, PHRASE_COL_SEEN);
    write_occurrences(p, x, 0, PLACES_SHOWN);
    if (all <= PLACES_SHOWN)
        return;
    html_open(p->h, "details", "class", "rest", NULL);
    html_leaf(p->h, "summary", page_count(p, PHRASE_AND_MORE, all - PLACES_SHOWN).text, NULL);
    write_occurrences(p, x, PLACES_SHOWN, PLACES_FOLDED);
    page_and_more(p, all, PLACES_FOLDED);
    html_close(p->h);
}

static void write_sweep_table(Page *p, const ResultRecommendation *rec)
{
    static const PhraseId columns[] = {PHRASE_COL_SETTING, PHRASE_COL_OBJECTIVE, PHRASE_COL_GAIN,
                                       PHRASE_COUNT};
    const char *unit = result_unit_words[rec->gain.unit];
    if (rec->sweep.count == 0)
        return;
    page_table_open(p, "", PHRASE_SWEEP_TABLE, columns);
    for (size_t i = 0; i < rec->sweep.count; i++) {
        const ResultSweep *s = &rec->sweep.item[i];
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

static void write_conflicts(Page *p, const ResultTexts *rules)
{
    if (rules->count == 0)
        return;
    html_open(p->h, "p", NULL);
    html_text(p->h, phrase_text(p->lang, PHRASE_NOT_WITH));
    for (size_t i = 0; i < rules->count; i++)
        html_textf(p->h, "%s %s", i ? "," : "", rules->item[i]);
    html_close(p->h);
}

/* Where the pictures show it: only where any element is touched. */
static void show_button(Page *p, size_t k)
{
    if (k == 0 || k > p->marks.n || p->marks.finding[k - 1].n == 0)
        return;
    html_open(p->h, "p", NULL);
    html_open(p->h, "button", "type", "button", "class", "js", NULL);
    html_attr(p->h, "data-show", "%zu", k);
    html_text(p->h, phrase_text(p->lang, PHRASE_SHOW_IN_VIEWS));
    html_close(p->h);
    html_close(p->h);
}

static void write_change_body(Page *p, const ReportedFinding *x, size_t k)
{
    const ResultRecommendation *rec = x->recommendation;
    html_open(p->h, "div", "class", "body", NULL);
    html_open(p->h, "div", "class", "two", NULL);
    html_open(p->h, "div", NULL);
    write_subheading(p, PHRASE_WHY);
    html_leaf(p->h, "p", x->why, NULL);
    write_fix(p, x->fix);
    show_button(p, k);
    html_close(p->h);
    html_open(p->h, "div", NULL);
    how_known(p, x);
    if (rec)
        write_accuracy(p, rec);
    write_subheading(p, PHRASE_RISK);
    html_leaf(p->h, "p", rec ? rec->risk : "–", NULL);
    if (rec)
        write_conflicts(p, &rec->conflicts_with);
    all_places(p, x);
    html_close(p->h);
    html_close(p->h);
    if (rec)
        write_sweep_table(p, rec);
    html_open(p->h, "p", "class", "note", NULL);
    html_textf(p->h, "%s %s · ", phrase_text(p->lang, PHRASE_COL_RULE), x->rule_id);
    html_leaf(p->h, "code", x->fingerprint, NULL);
    html_close(p->h);
    html_close(p->h);
}

static void write_change(Page *p, const ReportedFinding *x, size_t k, double full)
{
    html_open(p->h, "details", "class", "advice", NULL);
    html_attr(p->h, "id", "%s", x->fingerprint);
    html_attr(p->h, "data-k", "%zu", k);
    write_change_summary(p, x, k, full);
    write_change_body(p, x, k);
    html_close(p->h);
}

static void write_column_heads(Page *p)
{
    static const PhraseId name[] = {PHRASE_COL_CHANGE_TO, PHRASE_COL_GAIN, PHRASE_COL_VERIFIED,
                                    PHRASE_COL_EFFORT, PHRASE_COL_SET_IN};
    html_open(p->h, "div", "class", "heads", "aria-hidden", "true", NULL);
    html_leaf(p->h, "span", "#", NULL);
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        html_leaf(p->h, "span", phrase_text(p->lang, name[i]), NULL);
    html_close(p->h);
}

/* How many of a kind, and the titles of the first few. */
static void fold_open(Page *p, PhraseId what, size_t n, const char *first, const char *second)
{
    html_open(p->h, "details", "class", "seen", NULL);
    html_open(p->h, "summary", NULL);
    html_leaf(p->h, "b", page_count(p, what, n).text, NULL);
    html_text(p->h, " ");
    html_open(p->h, "span", NULL);
    html_textf(p->h, "%s%s%s", first, second ? "; " : "", second ? second : "");
    html_text(p->h, n > 2 ? " …" : "");
    html_close(p->h);
    html_close(p->h);
}

typedef enum { FINDING_HELPS, FINDING_TRIED, FINDING_OBSERVED } FindingKind;

static FindingKind kind_of(const ReportedFinding *x)
{
    return x->observation ? FINDING_OBSERVED : is_kept_off(x) ? FINDING_TRIED : FINDING_HELPS;
}

/* Those of one kind, numbered as everywhere; those that help are open to the eye. */
static size_t write_findings(Page *p, FindingKind kind, double full)
{
    size_t shown = 0;
    for (size_t i = 0; i < finding_count(p->result); i++) {
        ReportedFinding x = finding_at(p->result, i);
        if (kind_of(&x) != kind)
            continue;
        shown++;
        write_change(p, &x, i + 1, full);
    }
    return shown;
}

static void write_folded_findings(Page *p, FindingKind kind, PhraseId what, double full)
{
    const char *title[2] = {NULL, NULL};
    size_t n = 0;
    for (size_t i = 0; i < finding_count(p->result); i++) {
        ReportedFinding x = finding_at(p->result, i);
        if (kind_of(&x) != kind)
            continue;
        if (n < 2)
            title[n] = x.title;
        n++;
    }
    if (n == 0)
        return;
    fold_open(p, what, n, title[0], title[1]);
    write_findings(p, kind, full);
    html_close(p->h);
}

static void legend_key(Page *p, const char *class, PhraseId name)
{
    html_open(p->h, "svg", "width", "22", "height", "10", "aria-hidden", "true", NULL);
    html_leaf(p->h, "rect", "", "class", class, "width", "22", "height", "10", NULL);
    html_close(p->h);
    html_text(p->h, phrase_text(p->lang, name));
}

void html_advice(Page *p)
{
    Phrase buf;
    const ResultRecommendationList *list = &p->result->recommendations;
    double full = scale_of(list);
    bool any = list->count > 0;
    if (any)
        write_column_heads(p);
    if (!write_findings(p, FINDING_HELPS, full))
        html_leaf(p->h, "p",
                  p->summary.outcome == SUMMARY_NOTHING
                      ? phrase_text(p->lang, PHRASE_NO_FINDINGS)
                      : verdict_undecided(&buf, p->result, &p->summary, p->lang),
                  "class", "note", NULL);
    write_folded_findings(p, FINDING_TRIED, PHRASE_TRIED_COUNT, full);
    write_folded_findings(p, FINDING_OBSERVED, PHRASE_OBSERVED_COUNT, full);
    if (!any)
        return;
    html_open(p->h, "p", "class", "legend", NULL);
    legend_key(p, "good", PHRASE_IS_VERIFIED);
    legend_key(p, "guess", PHRASE_IS_PREDICTED);
    html_textf(p->h, " %s", phrase_text(p->lang, PHRASE_BARS_NOTE));
    html_close(p->h);
    html_front(p);
}
