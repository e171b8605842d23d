/* Prints each recommendation with its saving, reason and fix, then observations and suppressed
 * findings. */
#include "advisor/render/text/text_finding.h"

#include "advisor/message/figure.h"
#include "advisor/message/phrase.h"
#include "advisor/report/accuracy_text.h"
#include "advisor/report/finding.h"
#include "advisor/report/summary.h"
#include "advisor/report/summary_total.h"
#include "advisor/rules/lever.h"

#include <math.h>
#include <string.h>

enum { INDENT = 3 };

/* No-break blanks within a figure, so that "60.4 ms [58.0 62.0]" is never torn. */
static const char *no_break_text(Phrase *buf, const char *figure)
{
    size_t n = 0;
    for (; *figure && n + 3 < sizeof buf->text; figure++) {
        if (*figure == ' ') {
            memcpy(buf->text + n, "\xc2\xa0", 2);
            n += 2;
        } else {
            buf->text[n++] = *figure;
        }
    }
    buf->text[n] = '\0';
    return buf->text;
}

static const char *interval_text(Phrase *buf, const ResultInterval *x, const char *unit)
{
    Figure f;
    return no_break_text(buf, figure_interval(&f, x->lo, x->mid, x->hi, unit));
}

static void put_figure(TextOut *t, TextStyle style, PhraseId id, const ResultInterval *x,
                       const char *unit)
{
    Phrase whole, p;
    text_put(t, style, phrase_format(&p, t->lang, id, interval_text(&whole, x, unit), NULL));
}

/* A gain as its basis wants it said: of a bound, what goes, and the most that there can be. */
static void put_predicted(TextOut *t, TextStyle style, PhraseId id, const ResultInterval *x,
                          const char *unit)
{
    Figure most;
    Phrase whole, p;
    figure_value(&most, x->hi, unit);
    text_put(t, style,
             phrase_format(&p, t->lang, id, interval_text(&whole, x, unit),
                           id == PHRASE_GAIN_AT_MOST ? most.text : NULL, NULL));
}

static TextStyle verdict_style(const ResultRecommendation *x)
{
    if (!summary_can_help(x))
        return STYLE_BAD;
    return x->gain.verified ? STYLE_GOOD : STYLE_NONE;
}

static void put_without_events(TextOut *t, const ResultIntervalNs *x)
{
    Figure less, most;
    Phrase p;
    text_put(t, STYLE_NONE, "; ");
    text_put(t, STYLE_DIM,
             phrase_format(&p, t->lang, PHRASE_GAIN_WITHOUT_EVENTS,
                           figure_time(&less, (double)x->mid), figure_time(&most, (double)x->hi),
                           NULL));
}

/* Of layers that were measured: what would vanish, and the most that the change can bring. */
static void put_bound(TextOut *t, const ResultGain *gain)
{
    Figure removable, most, share;
    Phrase p;
    double mid = gain->predicted->mid, hi = gain->predicted->hi, all = gain->baseline.value;
    text_line(t, INDENT, INDENT + 2);
    figure_time(&removable, mid);
    figure_time(&most, hi);
    figure_share(&share, all > 0 ? hi / all : 0);
    text_put(t, STYLE_NONE,
             mid > 0
                 ? phrase_format(&p, t->lang, PHRASE_GAIN_REMOVABLE, removable.text, most.text,
                                 share.text, NULL)
                 : phrase_format(&p, t->lang, PHRASE_GAIN_CHANGES, most.text, share.text, NULL));
    if (gain->without_events_ns)
        put_without_events(t, gain->without_events_ns);
    text_end(t);
}

/* "in 8 of 9": silicons of the ensemble in which the gain is one. */
static void put_members(TextOut *t, const ResultMembers *members)
{
    char real[32], all[32];
    Phrase p;
    snprintf(real, sizeof real, "%lld", (long long)members->real);
    snprintf(all, sizeof all, "%lld", (long long)members->n);
    text_put(t, STYLE_NONE, phrase_format(&p, t->lang, PHRASE_GAIN_REAL_IN, real, all, NULL));
}

/* What is left of a gain that others above share, where that is less than half of it. */
static void put_on_top(TextOut *t, const ResultGain *gain, const char *unit)
{
    double left = gain->on_top.value;
    Figure f;
    Phrase p;
    if (!gain->on_top.known || left >= gain->predicted->mid / 2)
        return;
    text_put(t, STYLE_NONE, " ");
    text_put(t, STYLE_DIM,
             left > 0 ? phrase_format(&p, t->lang, PHRASE_GAIN_ON_TOP, figure_value(&f, left, unit),
                                      NULL)
                      : phrase_text(t->lang, PHRASE_NOTHING_ON_TOP));
}

static void put_verified(TextOut *t, TextStyle style, const ResultVerified *v, const char *unit)
{
    ResultInterval run;
    if (!gain_verified(v, &run))
        return;
    text_put(t, STYLE_NONE, "  ");
    put_figure(t, style, PHRASE_GAIN_VERIFIED, &run, unit);
}

static void put_gain(TextOut *t, const ResultRecommendation *x)
{
    const ResultGain *gain = &x->gain;
    const char *unit = result_unit_words[gain->unit];
    Phrase p;
    text_line(t, INDENT, INDENT + 2);
    if (gain->predicted) {
        put_predicted(t, STYLE_NONE, gain_phrase(gain), gain->predicted, unit);
        put_on_top(t, gain, unit);
    } else {
        text_put(t, STYLE_NONE,
                 phrase_format(&p, t->lang, PHRASE_GAIN_UNKNOWN, gain->reason_if_null, NULL));
    }
    put_verified(t, verdict_style(x), gain->verified, unit);
    if (gain->verified && gain->verified->members)
        put_members(t, gain->verified->members);
    if (x->verdict) {
        text_put(t, STYLE_NONE, "  ");
        text_put(t, verdict_style(x),
                 phrase_by_key(t->lang, "VERDICT_", result_verdict_words[x->verdict]));
    }
    text_end(t);
}

/* ", 3 places", where there are several. */
static void put_place_count(TextOut *t, size_t n)
{
    char places[32];
    Phrase p;
    if (n < 2)
        return;
    snprintf(places, sizeof places, "%zu", n);
    text_put(t, STYLE_NONE, ", ");
    text_put(t, STYLE_NONE, phrase_format(&p, t->lang, PHRASE_PLACES, places, NULL));
}

static void put_title(TextOut *t, const ResultRecommendation *x)
{
    char tag[160];
    const char *where = x->fix.where ? result_fix_where_words[x->fix.where] : "?";
    text_line(t, 0, INDENT + 7);
    text_putf(t, STYLE_BOLD, "%2lld %s", (long long)x->rank, x->rule_id);
    text_put(t, STYLE_NONE, " ");
    text_put(t, STYLE_BOLD, x->title);
    put_place_count(t, x->places.count);
    snprintf(tag, sizeof tag, "[%s, %s]", phrase_by_key(t->lang, "WHERE_", where),
             phrase_by_key(t->lang, "TAG_", result_applicability_words[x->applicability]));
    text_right(t, STYLE_DIM, tag);
    text_end(t);
}

static void put_label(TextOut *t, PhraseId label)
{
    text_line(t, INDENT, INDENT + 5);
    text_put(t, STYLE_DIM, phrase_text(t->lang, label));
    text_put(t, STYLE_NONE, " ");
}

static void put_labelled(TextOut *t, PhraseId label, TextStyle style, const char *text)
{
    put_label(t, label);
    text_put(t, style, text);
    text_end(t);
}

static void put_more_fixes(TextOut *t, const char *rest)
{
    char more[32];
    size_t n = 1;
    Phrase p;
    for (; *rest; rest++)
        n += *rest == '\n' && rest[1];
    snprintf(more, sizeof more, "%zu", n);
    text_line(t, INDENT + 5, INDENT + 7);
    text_put(t, STYLE_DIM, phrase_format(&p, t->lang, PHRASE_MORE_FIXES, more, NULL));
    text_end(t);
}

/* A fix of several lines is several settings: each begins a line of its own. */
static void put_fix(TextOut *t, const ResultFix *fix, bool all)
{
    const char *text = fix->text;
    if (!*text)
        return;
    put_label(t, PHRASE_FIX);
    while (*text) {
        char line[2048];
        size_t len = strcspn(text, "\n"), shown = len < sizeof line ? len : sizeof line - 1;
        memcpy(line, text, shown);
        line[shown] = '\0';
        text_put(t, STYLE_FIX, line);
        text_end(t);
        text += len + (text[len] == '\n');
        if (*text && !all) {
            put_more_fixes(t, text);
            return;
        }
        if (*text)
            text_line(t, INDENT + 5, INDENT + 7);
    }
}

static void put_places(TextOut *t, const ResultPlaceList *places, PhraseId as, const char *unit)
{
    for (size_t i = 0; i < places->count; i++) {
        const ResultPlace *place = &places->item[i];
        put_label(t, PHRASE_AT);
        text_put(t, STYLE_NONE, place->text);
        if (place->gain) {
            text_put(t, STYLE_NONE, "  ");
            put_predicted(t, STYLE_DIM, as, place->gain, unit);
        }
        text_end(t);
    }
}

static void put_sweep(TextOut *t, const ResultSweepList *sweep, const char *unit)
{
    for (size_t i = 0; i < sweep->count; i++) {
        const ResultSweep *s = &sweep->item[i];
        const ResultInterval *gain = s->gain;
        Figure f;
        put_label(t, PHRASE_TRIED);
        text_put(t, s->chosen ? STYLE_BOLD : STYLE_NONE, s->value);
        text_putf(t, STYLE_NONE, "  %s%s",
                  gain ? figure_interval(&f, gain->lo, gain->mid, gain->hi, unit) : "unknown",
                  s->chosen ? "  *" : "");
        text_end(t);
    }
}

static void put_enables(TextOut *t, const ResultTexts *rules)
{
    char list[128] = "";
    Phrase p;
    for (size_t i = 0; i < rules->count; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", rules->item[i]);
    }
    if (list[0])
        put_labelled(t, PHRASE_THEN_LOOK_AT, STYLE_NONE,
                     phrase_format(&p, t->lang, PHRASE_MAY_APPLY_THEN, list, NULL));
}

/* Always: without those it cannot be followed. */
static void put_on_top_of(TextOut *t, const ResultInts *ranks)
{
    char list[128] = "";
    for (size_t i = 0; i < ranks->count; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%lld", used ? ", " : "",
                 (long long)ranks->item[i]);
    }
    if (list[0])
        put_labelled(t, PHRASE_ON_TOP_OF, STYLE_NONE, list);
}

/* What it costs in accuracy, where that was measured. */
static void put_accuracy(TextOut *t, const ResultRecommendation *x, bool all)
{
    bool blocked = x->verdict == RESULT_VERDICT_ACCURACY_BLOCKED;
    Phrase p;
    if (x->accuracy)
        put_labelled(t, PHRASE_ACCURACY, blocked ? STYLE_BAD : STYLE_NONE,
                     accuracy_text(&p, t->lang, x->accuracy));
    else if (x->accuracy_reason)
        put_labelled(t, PHRASE_ACCURACY, STYLE_NONE,
                     phrase_format(&p, t->lang, PHRASE_ACCURACY_NOT, x->accuracy_reason, NULL));
    for (size_t i = 0; all && x->accuracy && i < x->accuracy->more.count; i++)
        put_labelled(t, PHRASE_ACCURACY, STYLE_DIM,
                     accuracy_figure_text(&p, t->lang, &x->accuracy->more.item[i]));
}

static void put_details(TextOut *t, const ResultRecommendation *x)
{
    const char *unit = result_unit_words[x->gain.unit];
    put_labelled(t, PHRASE_WHY, STYLE_NONE, x->why);
    put_labelled(t, PHRASE_RISK, STYLE_NONE, x->risk);
    put_places(t, &x->places, gain_phrase(&x->gain), unit);
    put_sweep(t, &x->sweep, unit);
    put_enables(t, &x->enables);
}

/* What the parts take from each other, unless it is less than the figures show. */
static void put_overlap(TextOut *t, const ResultCombined *c, const char *unit)
{
    Figure sum, together, overlap;
    Phrase p;
    figure_value(&sum, c->sum_of_parts, unit);
    figure_value(&together, c->sum_of_parts - c->overlap, unit);
    if (!strcmp(sum.text, together.text))
        return;
    figure_value(&overlap, fabs(c->overlap), unit);
    text_put(t, STYLE_NONE, " ");
    text_put(t, STYLE_DIM,
             phrase_format(&p, t->lang, c->overlap < 0 ? PHRASE_PARTS_SUM_MORE : PHRASE_PARTS_SUM,
                           sum.text, overlap.text, NULL));
}

/* The number of workers that the combination takes, which may be another one than that of the
 * recommendation alone. */
static void put_workers(TextOut *t, const ResultLeverList *levers)
{
    Phrase p;
    for (size_t i = 0; i < levers->count; i++) {
        const ResultLever *x = &levers->item[i];
        if (lever_find(x->lever) != LEVER_WORKERS)
            continue;
        text_put(t, STYLE_NONE, " ");
        text_put(t, STYLE_NONE, phrase_format(&p, t->lang, PHRASE_WITH_WORKERS, x->value, NULL));
    }
}

/* Layers that several recommendations name count once. */
static void put_union(TextOut *t, const ResultCombined *c)
{
    Figure removable, most, share;
    Phrase p;
    double hi = c->predicted.hi;
    text_line(t, 0, INDENT);
    text_put(t, STYLE_BOLD,
             phrase_format(&p, t->lang, PHRASE_TOGETHER_LAYERS,
                           figure_time(&removable, c->predicted.mid), figure_time(&most, hi),
                           figure_share(&share, c->baseline > 0 ? hi / c->baseline : 0), NULL));
    text_end(t);
}

/* What the gains are gains of, where the trace's replay is not its median: what is left after them
 * is a share of that. */
static void put_base(TextOut *t, const Result *r)
{
    Figure measured, base;
    Phrase p;
    if (r->objective != RESULT_OBJECTIVE_LATENCY || !r->measured)
        return;
    figure_time(&measured, (double)r->measured->latency_ns.median);
    figure_time(&base, r->combined->baseline);
    if (!strcmp(measured.text, base.text))
        return;
    text_put(t, STYLE_NONE, " ");
    text_put(t, STYLE_DIM, phrase_format(&p, t->lang, PHRASE_GAINS_OF, base.text, NULL));
}

static void put_combined(TextOut *t, const Result *r)
{
    const ResultCombined *c = r->combined;
    const char *unit = r->objective == RESULT_OBJECTIVE_LATENCY ? "ns" : "per_s";
    char members[256];
    Phrase p;
    summary_combined_ranks(r, "+", members, sizeof members);
    text_line(t, 0, INDENT);
    text_put(t, STYLE_BOLD, phrase_format(&p, t->lang, PHRASE_TOGETHER, members, NULL));
    text_put(t, STYLE_NONE, " ");
    put_figure(t, STYLE_NONE, PHRASE_GAIN_PREDICTED, &c->predicted, unit);
    put_verified(t, STYLE_GOOD, c->verified, unit);
    put_base(t, r);
    put_workers(t, &c->levers);
    put_overlap(t, c, unit);
    text_end(t);
    if (c->accuracy)
        put_labelled(t, PHRASE_ACCURACY, STYLE_NONE, accuracy_text(&p, t->lang, c->accuracy));
}

/* Where all of it leads, if some of it is a bound. */
static void put_at_best(TextOut *t, const ResultCeiling *c)
{
    Figure f;
    Phrase p;
    if (!c || !c->advised_ns.known || !c->advised_at_best)
        return;
    text_line(t, 0, INDENT);
    text_put(t, STYLE_DIM,
             phrase_format(&p, t->lang, PHRASE_AT_BEST,
                           figure_time(&f, (double)c->advised_ns.value), NULL));
    text_end(t);
}

/* What all of it comes to, settings included, and the command that writes it. */
static void put_deploy(TextOut *t, const Result *r, const View *view)
{
    Arena *a = arena_new(0);
    SummaryDeploy d = summary_deploy(a, r);
    Phrase p;
    if (d.point) {
        text_line(t, 0, INDENT);
        text_put(t, STYLE_BOLD, phrase_text(t->lang, PHRASE_TUNE_BEST));
        text_put(t, STYLE_NONE, " ");
        text_put(t, STYLE_NONE, summary_deploy_text(&p, &d, t->lang));
        text_end(t);
        text_line(t, INDENT, INDENT + 2);
        t->command = true;
        text_putf(t, STYLE_FIX, "npu-advise tune %s --output tuned", view->again_tune);
        text_end(t);
        t->command = false;
    }
    arena_free(a);
}

static void put_hidden(TextOut *t, size_t all, size_t shown)
{
    char hidden[32], total[32];
    Phrase p;
    snprintf(hidden, sizeof hidden, "%zu", all - shown);
    snprintf(total, sizeof total, "%zu", all);
    text_line(t, 0, INDENT);
    text_put(t, STYLE_DIM, phrase_format(&p, t->lang, PHRASE_HIDDEN, hidden, total, NULL));
    text_end(t);
}

static void put_recommendation(TextOut *t, const ResultRecommendation *x, bool verbose)
{
    put_title(t, x);
    if (x->gain.predicted && x->gain.removes.item)
        put_bound(t, &x->gain);
    else
        put_gain(t, x);
    put_fix(t, &x->fix, verbose);
    put_accuracy(t, x, verbose);
    put_on_top_of(t, &x->on_top_of);
    if (verbose)
        put_details(t, x);
}

void text_findings(TextOut *t, const Result *r, const View *view)
{
    size_t all = r->recommendations.count,
           shown = view->verbose || !view->top || all < view->top ? all : view->top;
    if (all == 0)
        return;
    text_end(t);
    for (size_t i = 0; i < shown; i++)
        put_recommendation(t, &r->recommendations.item[i], view->verbose);
    text_end(t);
    if (r->combined && r->compiled)
        put_union(t, r->combined);
    else if (r->combined)
        put_combined(t, r);
    put_at_best(t, r->ceiling);
    put_deploy(t, r, view);
    if (shown < all)
        put_hidden(t, all, shown);
}

/* One line each: what was seen; with -v what can be done about it, too. */
static void put_observations(TextOut *t, const ResultObservationList *list, bool verbose)
{
    for (size_t i = 0; i < list->count; i++) {
        const ResultObservation *x = &list->item[i];
        text_line(t, 0, INDENT);
        text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_OBSERVED));
        text_putf(t, STYLE_NONE, " %s ", x->rule_id);
        text_put(t, STYLE_NONE, x->title);
        put_place_count(t, x->places.count);
        text_end(t);
        if (!verbose)
            continue;
        put_places(t, &x->places, PHRASE_GAIN_PREDICTED, "ns");
        put_fix(t, &x->fix, true);
    }
}

/* "small: NPU202 4.00 µs [1.00 6.00]" and why. */
static void put_suppressed(TextOut *t, const ResultSuppressed *x)
{
    const ResultGain *gain = &x->gain;
    Phrase whole;
    text_line(t, 0, INDENT);
    text_put(t, STYLE_DIM,
             phrase_text(t->lang, x->reason == RESULT_REASON_SMALL ? PHRASE_SMALL
                                  : x->deployed                    ? PHRASE_IN_DEPLOY
                                                                   : PHRASE_HELD_BACK));
    text_putf(t, STYLE_NONE, " %s", x->rule_id);
    if (gain->predicted && !gain->removes.item)
        text_putf(t, STYLE_NONE, " %s",
                  interval_text(&whole, gain->predicted, result_unit_words[gain->unit]));
    text_putf(t, STYLE_DIM, "  %s", x->text);
    text_end(t);
}

/* What is small, then what is held back. */
static void put_all_suppressed(TextOut *t, const ResultSuppressedList *list, bool verbose)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->item[i].reason == RESULT_REASON_SMALL)
            put_suppressed(t, &list->item[i]);
    for (size_t i = 0; i < list->count; i++) {
        ResultReason why = list->item[i].reason;
        if (why != RESULT_REASON_SMALL && (why != RESULT_REASON_SAME_CHANGE || verbose))
            put_suppressed(t, &list->item[i]);
    }
}

void text_tail(TextOut *t, const Result *r, const View *view)
{
    char passed[32], not_applicable[32], held[32];
    Phrase p;
    put_observations(t, &r->observations, view->verbose);
    put_all_suppressed(t, &r->suppressed, view->verbose);
    snprintf(passed, sizeof passed, "%zu", r->passed.count);
    snprintf(not_applicable, sizeof not_applicable, "%zu", r->not_applicable.count);
    snprintf(held, sizeof held, "%zu", r->suppressed.count);
    text_line(t, 0, INDENT);
    text_put(t, STYLE_NONE,
             phrase_format(&p, t->lang, PHRASE_TAIL, passed, not_applicable, held, NULL));
    text_end(t);
}
