/* Writes the changes, one line each with its saving on one scale, which opens for reason, setting,
 * evidence and risk.  What has no figure is folded together. */
#include "advisor/render/html/html.h"

#include "advisor/report/tree_finding.h"
#include "advisor/report/tree_accuracy_text.h"
#include "advisor/report/tree_verdict.h"
#include "advisor/message/json.h"

#include <math.h>
#include <string.h>

enum { PLACES_SHOWN = 12, PLACES_FOLDED = 240 };

static bool is_kept_off(const cJSON *rec)
{
    return !tree_finding_is_observation(rec) && !tree_summary_can_help(rec);
}

/* The largest end of any interval: all bars are of one scale. */
static double scale_of(const Page *p)
{
    double most = 0;
    for (const cJSON *rec = json_first(p->r, "recommendations"); rec; rec = rec->next) {
        const cJSON *gain = json_at(rec, "gain");
        most = fmax(most, json_number_or(gain, "predicted.hi", 0));
        most = fmax(most, json_number_or(tree_gain_verified(gain), "hi", 0));
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
static void gain_bar(Page *p, const cJSON *gain, double full)
{
    double lo, hi, mid;
    if (!(full > 0))
        return;
    html_open(p->h, "svg", "height", "10", "aria-hidden", "true", NULL);
    if (json_number(gain, "predicted.lo", &lo) && json_number(gain, "predicted.hi", &hi))
        span_rect(p, "guess", "0", "10", fmax(lo, 0) / full, hi / full);
    const cJSON *verified = tree_gain_verified(gain);
    if (tree_gain_middle(verified, &mid))
        span_rect(p, mid > 0 ? "good" : "loss", "2", "6", 0, fabs(mid) / full);
    if (json_number(verified, "lo", &lo) && json_number(verified, "hi", &hi)) {
        write_bar_tick(p, lo / full);
        write_bar_tick(p, hi / full);
    }
    html_close(p->h);
}

/* The most that there can be, and what of it would vanish. */
static void bound_cell(Page *p, const cJSON *gain, double full)
{
    const char *unit = json_text(gain, "unit", "ns");
    html_leaf(p->h, "small", phrase_text(p->lang, PHRASE_COL_AT_MOST), NULL);
    html_text(p->h, " ");
    page_value(p, json_number_or(gain, "predicted.hi", 0), unit);
    double removable = json_number_or(gain, "predicted.mid", 0);
    if (removable > 0) {
        html_open(p->h, "small", NULL);
        html_textf(p->h, ", %s ", phrase_text(p->lang, PHRASE_COL_REMOVABLE));
        page_value(p, removable, unit);
        html_close(p->h);
    }
    gain_bar(p, gain, full);
}

static void gain_cell(Page *p, const cJSON *rec, double full)
{
    const cJSON *gain = json_at(rec, "gain");
    const cJSON *verified = tree_gain_verified(gain);
    html_open(p->h, "span", "class", "gains", NULL);
    if (!cJSON_IsObject(json_at(gain, "predicted")) && !verified) {
        double cost;
        Figure f;
        Phrase buf;
        if (json_number(rec, "cost_ns", &cost))
            html_leaf(p->h, "small",
                      phrase_format(&buf, p->lang, PHRASE_STEPS_TAKE, figure_time(&f, cost), NULL),
                      NULL);
        else
            html_leaf(p->h, "small", phrase_text(p->lang, PHRASE_NO_FIGURE), NULL);
        html_close(p->h);
        return;
    }
    if (json_at(gain, "removes") || (!verified && tree_gain_phrase(gain) == PHRASE_GAIN_AT_MOST)) {
        bound_cell(p, gain, full);
        html_close(p->h);
        return;
    }
    PhraseId how = tree_gain_phrase(gain);
    if (!verified && how != PHRASE_GAIN_PREDICTED) {
        html_leaf(p->h, "small",
                  phrase_text(p->lang, how == PHRASE_GAIN_ESTIMATED  ? PHRASE_IS_ESTIMATED
                                       : how == PHRASE_GAIN_AT_LEAST ? PHRASE_IS_AT_LEAST
                                                                     : PHRASE_IS_BOUND),
                  NULL);
        html_text(p->h, " ");
    }
    page_interval(p, verified ? verified : json_at(gain, "predicted"),
                  json_text(gain, "unit", "ns"));
    gain_bar(p, gain, full);
    html_close(p->h);
}

static void verdict_cell(Page *p, const cJSON *rec)
{
    const char *verdict = json_text(rec, "verdict", NULL);
    bool good = verdict && (!strcmp(verdict, "confirmed") || !strcmp(verdict, "larger"));
    html_open(p->h, "span", "class", "verified", NULL);
    if (verdict) {
        html_open(p->h, "b", "class", good ? "good" : is_kept_off(rec) ? "bad" : "undecided", NULL);
        html_text(p->h, good ? "✓ " : is_kept_off(rec) ? "✗ " : "– ");
        html_text(p->h, phrase_by_key(p->lang, "VERDICT_", verdict));
        html_close(p->h);
    } else if (cJSON_IsObject(json_at(rec, "gain.predicted"))) {
        html_text(p->h, phrase_text(p->lang, json_at(rec, "gain.removes") ? PHRASE_IS_BOUND
                                                                          : PHRASE_IS_PREDICTED));
    }
    html_close(p->h);
}

static void write_change_summary(Page *p, const cJSON *rec, size_t k, double full)
{
    size_t places = json_count(rec, "places");
    html_open(p->h, "summary", NULL);
    html_open(p->h, "span", "class", "rank", NULL);
    html_textf(p->h, "%zu", k);
    html_close(p->h);
    html_open(p->h, "span", "class", "title", NULL);
    html_text(p->h, json_text(rec, "title", "?"));
    if (places > 1)
        html_textf(p->h, " (%s)", page_count(p, PHRASE_PLACES_COUNT, places).text);
    html_close(p->h);
    gain_cell(p, rec, full);
    verdict_cell(p, rec);
    html_leaf(p->h, "span", phrase_by_key(p->lang, "APPLY_", json_text(rec, "applicability", "?")),
              "class", "effort", NULL);
    html_leaf(p->h, "span", phrase_by_key(p->lang, "WHERE_", json_text(rec, "fix.where", "?")),
              "class", "place", NULL);
    html_close(p->h);
}

static void write_subheading(Page *p, PhraseId id)
{
    html_leaf(p->h, "h3", phrase_text(p->lang, id), NULL);
}

static void write_fix(Page *p, const cJSON *rec)
{
    Phrase buf;
    const char *sdk = json_text(rec, "fix.sdk", "unknown"),
               *where = phrase_by_key(p->lang, "WHERE_", json_text(rec, "fix.where", "?"));
    if (!tree_finding_has_action(rec))
        return;
    html_leaf(p->h, "h3",
              strcmp(sdk, "unknown")
                  ? phrase_format(&buf, p->lang, PHRASE_FIX_FOR, sdk, where, NULL)
                  : phrase_format(&buf, p->lang, PHRASE_FIX_IN, where, NULL),
              NULL);
    page_fix(p, rec);
}

static void how_row(Page *p, PhraseId name, const cJSON *o, const char *unit)
{
    if (!cJSON_IsObject(o))
        return;
    html_open(p->h, "p", NULL);
    html_textf(p->h, "%s: ", phrase_text(p->lang, name));
    page_interval(p, o, unit);
    html_close(p->h);
}

static void how_value(Page *p, PhraseId name, double value, const char *unit)
{
    html_open(p->h, "p", NULL);
    html_textf(p->h, "%s: ", phrase_text(p->lang, name));
    page_value(p, value, unit);
    html_close(p->h);
}

static PhraseId basis_phrase(const cJSON *gain)
{
    PhraseId id = tree_gain_phrase(gain);
    return id == PHRASE_GAIN_PREDICTED   ? PHRASE_IS_PREDICTED
           : id == PHRASE_GAIN_ESTIMATED ? PHRASE_IS_ESTIMATED
           : id == PHRASE_GAIN_AT_MOST   ? PHRASE_COL_REMOVABLE
                                         : PHRASE_IS_BOUND;
}

/* Of measured layers: what would vanish, and the most that there can be. */
static void write_gain_bounds(Page *p, const cJSON *gain)
{
    how_value(p, PHRASE_COL_REMOVABLE, json_number_or(gain, "predicted.mid", 0), "ns");
    how_value(p, PHRASE_COL_AT_MOST, json_number_or(gain, "predicted.hi", 0), "ns");
}

/* The runs have a baseline of their own. */
static void in_the_runs(Page *p, const cJSON *gain, const char *unit)
{
    const cJSON *v = json_at(gain, "verified");
    Figure f[2];
    Phrase buf;
    if (!cJSON_IsObject(json_at(v, "now")))
        return;
    html_leaf(p->h, "p",
              phrase_format(&buf, p->lang, PHRASE_IN_THE_RUNS,
                            figure_value(&f[0], json_number_or(v, "median", 0), unit),
                            figure_value(&f[1], json_number_or(v, "baseline", 0), unit), NULL),
              NULL);
}

static void write_member_count(Page *p, const cJSON *gain)
{
    char real[24], all[24];
    Phrase buf;
    double n = json_number_or(gain, "verified.members.n", 0);
    if (n < 2)
        return;
    snprintf(all, sizeof all, "%.0f", n);
    snprintf(real, sizeof real, "%.0f", json_number_or(gain, "verified.members.real", 0));
    html_leaf(p->h, "p", phrase_format(&buf, p->lang, PHRASE_REAL_IN, real, all, NULL), NULL);
}

static void how_known(Page *p, const cJSON *rec)
{
    const cJSON *gain = json_at(rec, "gain");
    const char *unit = json_text(gain, "unit", "ns"),
               *reason = json_text(gain, "reason_if_null", json_text(rec, "reason", NULL));
    double local;
    Phrase buf;
    write_subheading(p, PHRASE_COL_HOW_KNOWN);
    if (reason)
        html_leaf(p->h, "p", phrase_format(&buf, p->lang, PHRASE_GAIN_UNKNOWN, reason, NULL), NULL);
    if (json_at(gain, "removes")) {
        write_gain_bounds(p, gain);
        return;
    }
    how_row(p, basis_phrase(gain), json_at(gain, "predicted"), unit);
    if (tree_gain_phrase(gain) == PHRASE_GAIN_AT_MOST)
        how_value(p, PHRASE_COL_AT_MOST, json_number_or(gain, "predicted.hi", 0), unit);
    how_row(p, p->d.simulated ? PHRASE_IS_SIMULATED : PHRASE_IS_VERIFIED, tree_gain_verified(gain),
            unit);
    in_the_runs(p, gain, unit);
    write_member_count(p, gain);
    if (json_number(gain, "local_ns", &local))
        how_value(p, PHRASE_LOCAL, local, "ns");
}

/* What it costs in accuracy, where that was measured. */
static void write_accuracy(Page *p, const cJSON *rec)
{
    const cJSON *o = json_at(rec, "accuracy");
    const char *why = json_text(rec, "accuracy_reason", NULL);
    Phrase buf;
    if (!cJSON_IsObject(o) && !why)
        return;
    write_subheading(p, PHRASE_ACCURACY);
    html_leaf(p->h, "p",
              why ? phrase_format(&buf, p->lang, PHRASE_ACCURACY_NOT, why, NULL)
                  : tree_accuracy_text(&buf, p->lang, o),
              NULL);
    for (const cJSON *more = json_first(o, "more"); more; more = more->next)
        html_leaf(p->h, "p", tree_accuracy_figure_text(&buf, p->lang, more), NULL);
}

static void write_occurrence(Page *p, const cJSON *x, const char *unit)
{
    html_open(p->h, "li", NULL);
    html_text(p->h, json_text(x, "text", "?"));
    if (cJSON_IsObject(json_at(x, "gain"))) {
        html_text(p->h, ": ");
        page_interval(p, json_at(x, "gain"), unit);
    }
    html_close(p->h);
}

static void write_occurrences(Page *p, const cJSON *rec, size_t from, size_t to)
{
    size_t n = 0;
    html_open(p->h, "ul", "tabindex", "0", NULL);
    for (const cJSON *x = json_first(rec, "places"); x; x = x->next) {
        if (n >= from && n < to)
            write_occurrence(p, x, json_text(rec, "gain.unit", "ns"));
        n++;
    }
    html_close(p->h);
}

static void all_places(Page *p, const cJSON *rec)
{
    size_t all = json_count(rec, "places");
    write_subheading(p, PHRASE_COL_SEEN);
    write_occurrences(p, rec, 0, PLACES_SHOWN);
    if (all <= PLACES_SHOWN)
        return;
    html_open(p->h, "details", "class", "rest", NULL);
    html_leaf(p->h, "summary", page_count(p, PHRASE_AND_MORE, all - PLACES_SHOWN).text, NULL);
    write_occurrences(p, rec, PLACES_SHOWN, PLACES_FOLDED);
    page_and_more(p, all, PLACES_FOLDED);
    html_close(p->h);
}

static void write_sweep_table(Page *p, const cJSON *rec)
{
    static const PhraseId columns[] = {PHRASE_COL_SETTING, PHRASE_COL_OBJECTIVE, PHRASE_COL_GAIN,
                                       PHRASE_COUNT};
    const char *unit = json_text(rec, "gain.unit", "ns");
    if (json_count(rec, "sweep") == 0)
        return;
    page_table_open(p, "", PHRASE_SWEEP_TABLE, columns);
    for (const cJSON *s = json_first(rec, "sweep"); s; s = s->next) {
        bool chosen = cJSON_IsTrue(json_at(s, "chosen"));
        page_row_open(p);
        html_open(p->h, "th", "scope", "row", NULL);
        html_text(p->h, json_text(s, "value", "?"));
        if (chosen)
            html_textf(p->h, " (%s)", phrase_text(p->lang, PHRASE_CHOSEN));
        html_close(p->h);
        page_cell_interval(p, json_at(s, "objective"), unit);
        page_cell_interval(p, json_at(s, "gain"), unit);
        page_row_close(p);
    }
    page_table_close(p);
}

static void rule_list(Page *p, const cJSON *list, PhraseId phrase)
{
    if (json_count(list, "") == 0)
        return;
    html_open(p->h, "p", NULL);
    html_textf(p->h, "%s", phrase_text(p->lang, phrase));
    for (const cJSON *x = json_first(list, ""); x; x = x->next)
        html_textf(p->h, " %s%s", cJSON_IsString(x) ? x->valuestring : "?", x->next ? "," : "");
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

static void write_change_body(Page *p, const cJSON *rec, size_t k)
{
    html_open(p->h, "div", "class", "body", NULL);
    html_open(p->h, "div", "class", "two", NULL);
    html_open(p->h, "div", NULL);
    write_subheading(p, PHRASE_WHY);
    html_leaf(p->h, "p", json_text(rec, "why", "–"), NULL);
    write_fix(p, rec);
    show_button(p, k);
    html_close(p->h);
    html_open(p->h, "div", NULL);
    how_known(p, rec);
    write_accuracy(p, rec);
    write_subheading(p, PHRASE_RISK);
    html_leaf(p->h, "p", json_text(rec, "risk", "–"), NULL);
    rule_list(p, json_at(rec, "conflicts_with"), PHRASE_NOT_WITH);
    all_places(p, rec);
    html_close(p->h);
    html_close(p->h);
    write_sweep_table(p, rec);
    html_open(p->h, "p", "class", "note", NULL);
    html_textf(p->h, "%s %s · ", phrase_text(p->lang, PHRASE_COL_RULE),
               json_text(rec, "rule_id", "?"));
    html_leaf(p->h, "code", json_text(rec, "fingerprint", ""), NULL);
    html_close(p->h);
    html_close(p->h);
}

static void write_change(Page *p, const cJSON *rec, size_t k, double full)
{
    html_open(p->h, "details", "class", "advice", NULL);
    page_anchor(p, rec);
    html_attr(p->h, "data-k", "%zu", k);
    write_change_summary(p, rec, k, full);
    write_change_body(p, rec, k);
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

static FindingKind kind_of(const cJSON *x)
{
    return tree_finding_is_observation(x) ? FINDING_OBSERVED
           : is_kept_off(x)               ? FINDING_TRIED
                                          : FINDING_HELPS;
}

/* Those of one kind, numbered as everywhere; those that help are open to the eye. */
static size_t write_findings(Page *p, FindingKind kind, double full)
{
    size_t k = 0, shown = 0;
    for (const cJSON *x = NULL; (x = tree_finding_next(p->r, x));) {
        k++;
        if (kind_of(x) != kind)
            continue;
        shown++;
        write_change(p, x, k, full);
    }
    return shown;
}

static void write_folded_findings(Page *p, FindingKind kind, PhraseId what, double full)
{
    const char *title[2] = {NULL, NULL};
    size_t n = 0;
    for (const cJSON *x = NULL; (x = tree_finding_next(p->r, x));) {
        if (kind_of(x) != kind)
            continue;
        if (n < 2)
            title[n] = json_text(x, "title", "?");
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
    double full = scale_of(p);
    bool any = json_count(p->r, "recommendations") > 0;
    if (any)
        write_column_heads(p);
    if (!write_findings(p, FINDING_HELPS, full))
        html_leaf(p->h, "p",
                  p->d.outcome == TREE_SUMMARY_NOTHING
                      ? phrase_text(p->lang, PHRASE_NO_FINDINGS)
                      : tree_verdict_undecided(&buf, p->r, &p->d, p->lang),
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
