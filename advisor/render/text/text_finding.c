/* Prints each recommendation with its saving, reason and fix, then observations and suppressed
 * findings. */
#include "advisor/render/text/text_finding.h"

#include "advisor/report/tree_summary.h"
#include "advisor/report/tree_finding.h"
#include "advisor/report/tree_summary_total.h"
#include "advisor/report/tree_accuracy_text.h"
#include "advisor/message/figure.h"
#include "advisor/message/json.h"
#include "advisor/message/phrase.h"

#include <string.h>

enum { INDENT = 3, NAME = 60 };

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

static void put_figure(TextOut *t, TextStyle style, PhraseId id, const cJSON *o, const char *unit)
{
    Figure f;
    Phrase whole, p;
    text_put(t, style,
             phrase_format(&p, t->lang, id, no_break_text(&whole, figure_json(&f, o, unit)), NULL));
}

/* A gain as its basis wants it said: of a bound, what goes, and the most that there can be. */
static void put_predicted(TextOut *t, TextStyle style, PhraseId id, const cJSON *o,
                          const char *unit)
{
    Figure f, most;
    Phrase whole, p;
    figure_json(&f, o, unit);
    figure_value(&most, json_number_or(o, "hi", 0), unit);
    text_put(t, style,
             phrase_format(&p, t->lang, id, no_break_text(&whole, f.text),
                           id == PHRASE_GAIN_AT_MOST ? most.text : NULL, NULL));
}

static TextStyle verdict_style(const cJSON *rec)
{
    if (!tree_summary_can_help(rec))
        return STYLE_BAD;
    return cJSON_IsObject(json_at(rec, "gain.verified")) ? STYLE_GOOD : STYLE_NONE;
}

/* Of layers that were measured: what would vanish, and the most that the change can bring. */
static void put_bound(TextOut *t, const cJSON *gain)
{
    Figure removable, most, share, less, less_most;
    Phrase p;
    double mid = json_number_or(gain, "predicted.mid", 0),
           hi = json_number_or(gain, "predicted.hi", 0), all = json_number_or(gain, "baseline", 0);
    figure_time(&removable, mid);
    figure_time(&most, hi);
    figure_share(&share, all > 0 ? hi / all : 0);
    text_put(t, STYLE_NONE,
             mid > 0
                 ? phrase_format(&p, t->lang, PHRASE_GAIN_REMOVABLE, removable.text, most.text,
                                 share.text, NULL)
                 : phrase_format(&p, t->lang, PHRASE_GAIN_CHANGES, most.text, share.text, NULL));
    if (!cJSON_IsObject(json_at(gain, "without_events_ns")))
        return;
    text_put(t, STYLE_NONE, "; ");
    text_put(t, STYLE_DIM,
             phrase_format(&p, t->lang, PHRASE_GAIN_WITHOUT_EVENTS,
                           figure_time(&less, json_number_or(gain, "without_events_ns.mid", 0)),
                           figure_time(&less_most, json_number_or(gain, "without_events_ns.hi", 0)),
                           NULL));
}

/* "in 8 of 9": silicons of the ensemble in which the gain is one. */
static void put_members(TextOut *t, const cJSON *members)
{
    char real[16], all[16];
    Phrase p;
    if (!cJSON_IsObject(members))
        return;
    snprintf(real, sizeof real, "%.0f", json_number_or(members, "real", 0));
    snprintf(all, sizeof all, "%.0f", json_number_or(members, "n", 0));
    text_put(t, STYLE_NONE, phrase_format(&p, t->lang, PHRASE_GAIN_REAL_IN, real, all, NULL));
}

/* What is left of a gain that others above share, where that is less than half of it. */
static void put_on_top(TextOut *t, const cJSON *gain, const char *unit)
{
    const cJSON *left = json_at(gain, "on_top");
    Figure f;
    Phrase p;
    if (!cJSON_IsNumber(left) || left->valuedouble >= json_number_or(gain, "predicted.mid", 0) / 2)
        return;
    text_put(t, STYLE_NONE, " ");
    const char *text = left->valuedouble > 0
                           ? phrase_format(&p, t->lang, PHRASE_GAIN_ON_TOP,
                                           figure_value(&f, left->valuedouble, unit), NULL)
                           : phrase_text(t->lang, PHRASE_NOTHING_ON_TOP);
    text_put(t, STYLE_DIM, text);
}

static void put_gain(TextOut *t, const cJSON *rec)
{
    const cJSON *gain = json_at(rec, "gain");
    if (cJSON_IsObject(json_at(gain, "predicted")) && json_at(gain, "removes")) {
        text_line(t, INDENT, INDENT + 2);
        put_bound(t, gain);
        text_end(t);
        return;
    }
    const char *unit = json_text(gain, "unit", "ns"), *verdict = json_text(rec, "verdict", NULL);
    Phrase p;
    text_line(t, INDENT, INDENT + 2);
    if (cJSON_IsObject(json_at(gain, "predicted")))
        put_predicted(t, STYLE_NONE, tree_gain_phrase(gain), json_at(gain, "predicted"), unit);
    else
        text_put(t, STYLE_NONE,
                 phrase_format(&p, t->lang, PHRASE_GAIN_UNKNOWN,
                               json_text(gain, "reason_if_null", "?"), NULL));
    put_on_top(t, gain, unit);
    if (cJSON_IsObject(json_at(gain, "verified"))) {
        text_put(t, STYLE_NONE, "  ");
        put_figure(t, verdict_style(rec), PHRASE_GAIN_VERIFIED, tree_gain_verified(gain), unit);
        put_members(t, json_at(gain, "verified.members"));
    }
    if (verdict) {
        text_put(t, STYLE_NONE, "  ");
        text_put(t, verdict_style(rec), phrase_by_key(t->lang, "VERDICT_", verdict));
    }
    text_end(t);
}

/* ", 3 places", where there are several. */
static void put_place_count(TextOut *t, const cJSON *rec)
{
    char places[32];
    size_t n = json_count(rec, "places");
    Phrase p;
    if (n < 2)
        return;
    snprintf(places, sizeof places, "%zu", n);
    text_put(t, STYLE_NONE, ", ");
    text_put(t, STYLE_NONE, phrase_format(&p, t->lang, PHRASE_PLACES, places, NULL));
}

static void put_title(TextOut *t, const cJSON *rec)
{
    char tag[160];
    text_line(t, 0, INDENT + 7);
    text_putf(t, STYLE_BOLD, "%2.0f %s", json_number_or(rec, "rank", 0),
              json_text(rec, "rule_id", "?"));
    text_put(t, STYLE_NONE, " ");
    text_put(t, STYLE_BOLD, json_text(rec, "title", "?"));
    put_place_count(t, rec);
    snprintf(tag, sizeof tag, "[%s, %s]",
             phrase_by_key(t->lang, "WHERE_", json_text(rec, "fix.where", "?")),
             phrase_by_key(t->lang, "TAG_", json_text(rec, "applicability", "?")));
    text_right(t, STYLE_DIM, tag);
    text_end(t);
}

static void put_labelled(TextOut *t, PhraseId label, TextStyle style, const char *text)
{
    text_line(t, INDENT, INDENT + 5);
    text_put(t, STYLE_DIM, phrase_text(t->lang, label));
    text_put(t, STYLE_NONE, " ");
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
static void put_fix(TextOut *t, const cJSON *rec, bool all)
{
    const char *text = json_text(rec, "fix.text", "");
    if (!*text)
        return;
    text_line(t, INDENT, INDENT + 5);
    text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_FIX));
    text_put(t, STYLE_NONE, " ");
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

static void put_place(TextOut *t, const cJSON *place, PhraseId as, const char *unit)
{
    text_line(t, INDENT, INDENT + 5);
    text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_AT));
    text_put(t, STYLE_NONE, " ");
    text_put(t, STYLE_NONE, json_text(place, "text", "?"));
    if (cJSON_IsObject(json_at(place, "gain"))) {
        text_put(t, STYLE_NONE, "  ");
        put_predicted(t, STYLE_DIM, as, json_at(place, "gain"), unit);
    }
    text_end(t);
}

static void put_places(TextOut *t, const cJSON *rec, const char *unit)
{
    PhraseId as = tree_gain_phrase(json_at(rec, "gain"));
    for (const cJSON *place = json_first(rec, "places"); place; place = place->next)
        put_place(t, place, as, unit);
}

static void put_sweep(TextOut *t, const cJSON *rec, const char *unit)
{
    for (const cJSON *s = json_first(rec, "sweep"); s; s = s->next) {
        Figure f;
        bool chosen = cJSON_IsTrue(json_at(s, "chosen"));
        text_line(t, INDENT, INDENT + 5);
        text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_TRIED));
        text_putf(t, chosen ? STYLE_BOLD : STYLE_NONE, " %s", json_text(s, "value", "?"));
        text_putf(t, STYLE_NONE, "  %s%s", figure_json(&f, json_at(s, "gain"), unit),
                  chosen ? "  *" : "");
        text_end(t);
    }
}

static void put_enables(TextOut *t, const cJSON *rec)
{
    char list[128] = "";
    Phrase p;
    for (const cJSON *id = json_first(rec, "enables"); id; id = id->next) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                 cJSON_IsString(id) ? id->valuestring : "?");
    }
    if (list[0])
        put_labelled(t, PHRASE_THEN_LOOK_AT, STYLE_NONE,
                     phrase_format(&p, t->lang, PHRASE_MAY_APPLY_THEN, list, NULL));
}

/* Always: without those it cannot be followed. */
static void put_on_top_of(TextOut *t, const cJSON *rec)
{
    char list[128] = "";
    for (const cJSON *rank = json_first(rec, "on_top_of"); rank; rank = rank->next) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%.0f", used ? ", " : "", rank->valuedouble);
    }
    if (list[0])
        put_labelled(t, PHRASE_ON_TOP_OF, STYLE_NONE, list);
}

/* What it costs in accuracy, where that was measured. */
static void put_accuracy(TextOut *t, const cJSON *rec, bool all)
{
    const cJSON *o = json_at(rec, "accuracy");
    const char *why = json_text(rec, "accuracy_reason", NULL);
    bool blocked = !strcmp(json_text(rec, "verdict", ""), "accuracy-blocked");
    Phrase p;
    if (cJSON_IsObject(o))
        put_labelled(t, PHRASE_ACCURACY, blocked ? STYLE_BAD : STYLE_NONE,
                     tree_accuracy_text(&p, t->lang, o));
    else if (why)
        put_labelled(t, PHRASE_ACCURACY, STYLE_NONE,
                     phrase_format(&p, t->lang, PHRASE_ACCURACY_NOT, why, NULL));
    const cJSON *list = all ? json_at(o, "more") : NULL;
    for (const cJSON *more = json_first(list, ""); more; more = more->next)
        put_labelled(t, PHRASE_ACCURACY, STYLE_DIM, tree_accuracy_figure_text(&p, t->lang, more));
}

static void put_details(TextOut *t, const cJSON *rec)
{
    const char *unit = json_text(rec, "gain.unit", "ns");
    put_labelled(t, PHRASE_WHY, STYLE_NONE, json_text(rec, "why", "?"));
    put_labelled(t, PHRASE_RISK, STYLE_NONE, json_text(rec, "risk", "?"));
    put_places(t, rec, unit);
    put_sweep(t, rec, unit);
    put_enables(t, rec);
}

/* What the parts take from each other, unless it is less than the figures show. */
static void put_overlap(TextOut *t, const cJSON *combined, const char *unit)
{
    Figure sum, together, overlap;
    Phrase p;
    double parts = json_number_or(combined, "sum_of_parts", 0),
           shared = json_number_or(combined, "overlap", 0);
    figure_value(&sum, parts, unit);
    figure_value(&together, parts - shared, unit);
    if (!strcmp(sum.text, together.text))
        return;
    figure_value(&overlap, shared < 0 ? -shared : shared, unit);
    text_put(t, STYLE_NONE, " ");
    text_put(t, STYLE_DIM,
             phrase_format(&p, t->lang, shared < 0 ? PHRASE_PARTS_SUM_MORE : PHRASE_PARTS_SUM,
                           sum.text, overlap.text, NULL));
}

/* The number of workers that the combination takes, which may be another one than that of the
 * recommendation alone. */
static void put_workers(TextOut *t, const cJSON *r)
{
    Phrase p;
    for (const cJSON *lever = json_first(r, "combined.levers"); lever; lever = lever->next) {
        if (strcmp(json_text(lever, "lever", ""), "workers"))
            continue;
        text_put(t, STYLE_NONE, " ");
        text_put(
            t, STYLE_NONE,
            phrase_format(&p, t->lang, PHRASE_WITH_WORKERS, json_text(lever, "value", "?"), NULL));
    }
}

/* Layers that several recommendations name count once. */
static void put_union(TextOut *t, const cJSON *combined)
{
    Figure removable, most, share;
    Phrase p;
    double hi = json_number_or(combined, "predicted.hi", 0),
           all = json_number_or(combined, "baseline", 0);
    text_line(t, 0, INDENT);
    text_put(t, STYLE_BOLD,
             phrase_format(&p, t->lang, PHRASE_TOGETHER_LAYERS,
                           figure_time(&removable, json_number_or(combined, "predicted.mid", 0)),
                           figure_time(&most, hi), figure_share(&share, all > 0 ? hi / all : 0),
                           NULL));
    text_end(t);
}

/* What the gains are gains of, where the trace's replay is not its median: what is left after them
 * is a share of that. */
static void put_base(TextOut *t, const cJSON *r, const char *unit)
{
    Figure measured, base;
    Phrase p;
    double ns;
    if (strcmp(unit, "ns") || !json_number(r, "measured.latency_ns.median", &ns))
        return;
    figure_time(&measured, ns);
    figure_time(&base, json_number_or(r, "combined.baseline", ns));
    if (!strcmp(measured.text, base.text))
        return;
    text_put(t, STYLE_NONE, " ");
    text_put(t, STYLE_DIM, phrase_format(&p, t->lang, PHRASE_GAINS_OF, base.text, NULL));
}

static void put_combined(TextOut *t, const cJSON *r, const char *unit)
{
    const cJSON *c = json_at(r, "combined");
    char members[256];
    Phrase p;
    if (!cJSON_IsObject(c))
        return;
    if (cJSON_IsObject(json_at(r, "compiled"))) {
        put_union(t, c);
        return;
    }
    tree_summary_combined_ranks(r, "+", members, sizeof members);
    text_line(t, 0, INDENT);
    text_put(t, STYLE_BOLD, phrase_format(&p, t->lang, PHRASE_TOGETHER, members, NULL));
    text_put(t, STYLE_NONE, " ");
    put_figure(t, STYLE_NONE, PHRASE_GAIN_PREDICTED, json_at(c, "predicted"), unit);
    if (cJSON_IsObject(json_at(c, "verified"))) {
        text_put(t, STYLE_NONE, "  ");
        put_figure(t, STYLE_GOOD, PHRASE_GAIN_VERIFIED, tree_gain_verified(c), unit);
    }
    put_base(t, r, unit);
    put_workers(t, r);
    put_overlap(t, c, unit);
    text_end(t);
    put_accuracy(t, c, false);
}

/* Where all of it leads, if some of it is a bound. */
static void put_at_best(TextOut *t, const cJSON *r)
{
    const cJSON *left = json_at(r, "ceiling.advised_ns");
    Figure f;
    Phrase p;
    if (!cJSON_IsNumber(left) || !cJSON_IsTrue(json_at(r, "ceiling.advised_at_best")))
        return;
    text_line(t, 0, INDENT);
    text_put(t, STYLE_DIM,
             phrase_format(&p, t->lang, PHRASE_AT_BEST, figure_time(&f, left->valuedouble), NULL));
    text_end(t);
}

/* What all of it comes to, settings included, and the command that writes it. */
static void put_deploy(TextOut *t, const cJSON *r, const View *view)
{
    Arena *a = arena_new(0);
    TreeSummaryDeploy d = tree_summary_deploy(a, r);
    Phrase p;
    if (d.point) {
        const char *label = phrase_text(t->lang, PHRASE_TUNE_BEST);
        text_line(t, 0, INDENT);
        text_putf(t, STYLE_BOLD, "%s", label);
        text_put(t, STYLE_NONE, " ");
        text_put(t, STYLE_NONE, tree_summary_deploy_text(&p, &d, t->lang));
        text_end(t);
        text_line(t, INDENT, INDENT + 2);
        t->command = true;
        text_putf(t, STYLE_FIX, "npu-advise tune %s --output tuned",
                  view->again ? view->again_tune : render_command_words(a, r, WORDS_TO_TUNE));
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

void text_findings(TextOut *t, const cJSON *r, const View *view)
{
    size_t all = json_count(r, "recommendations"), shown = 0;
    if (all == 0)
        return;
    text_end(t);
    for (const cJSON *rec = json_first(r, "recommendations"); rec; rec = rec->next) {
        if (shown == view->top && !view->verbose)
            break;
        put_title(t, rec);
        put_gain(t, rec);
        put_fix(t, rec, view->verbose);
        put_accuracy(t, rec, view->verbose);
        put_on_top_of(t, rec);
        if (view->verbose)
            put_details(t, rec);
        shown++;
    }
    text_end(t);
    put_combined(t, r, json_text(json_at(r, "recommendations")->child, "gain.unit", "ns"));
    put_at_best(t, r);
    put_deploy(t, r, view);
    if (shown < all)
        put_hidden(t, all, shown);
}

/* One line each: what was seen; with -v what can be done about it, too. */
static void put_observations(TextOut *t, const cJSON *r, const View *view)
{
    for (const cJSON *o = json_first(r, "observations"); o; o = o->next) {
        text_line(t, 0, INDENT);
        text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_OBSERVED));
        text_putf(t, STYLE_NONE, " %s ", json_text(o, "rule_id", "?"));
        text_put(t, STYLE_NONE, json_text(o, "title", "?"));
        put_place_count(t, o);
        text_end(t);
        if (!view->verbose)
            continue;
        put_places(t, o, "ns");
        put_fix(t, o, true);
    }
}

/* "small: NPU202 4.00 µs [1.00 6.00]" and why, one line each. */
static void put_suppressed(TextOut *t, const cJSON *r, bool small, bool verbose)
{
    for (const cJSON *s = json_first(r, "suppressed"); s; s = s->next) {
        Figure f;
        Phrase whole;
        const char *reason = json_text(s, "reason", "");
        if (!strcmp(reason, "small") != small || (!strcmp(reason, "same-change") && !verbose))
            continue;
        text_line(t, 0, INDENT);
        bool deployed = cJSON_IsTrue(json_at(s, "deployed"));
        text_put(t, STYLE_DIM,
                 phrase_text(t->lang, small      ? PHRASE_SMALL
                                      : deployed ? PHRASE_IN_DEPLOY
                                                 : PHRASE_HELD_BACK));
        text_putf(t, STYLE_NONE, " %s", json_text(s, "rule_id", "?"));
        if (cJSON_IsObject(json_at(s, "gain.predicted")) && !json_at(s, "gain.removes"))
            text_putf(t, STYLE_NONE, " %s",
                      no_break_text(&whole, figure_json(&f, json_at(s, "gain.predicted"),
                                                        json_text(s, "gain.unit", "ns"))));
        text_putf(t, STYLE_DIM, "  %s", json_text(s, "text", ""));
        text_end(t);
    }
}

void text_tail(TextOut *t, const cJSON *r, const View *view)
{
    char passed[32], not_applicable[32], held[32];
    Phrase p;
    put_observations(t, r, view);
    put_suppressed(t, r, true, view->verbose);
    put_suppressed(t, r, false, view->verbose);
    snprintf(passed, sizeof passed, "%zu", json_count(r, "passed"));
    snprintf(not_applicable, sizeof not_applicable, "%zu", json_count(r, "not_applicable"));
    snprintf(held, sizeof held, "%zu", json_count(r, "suppressed"));
    text_line(t, 0, INDENT);
    text_put(t, STYLE_NONE,
             phrase_format(&p, t->lang, PHRASE_TAIL, passed, not_applicable, held, NULL));
    text_end(t);
}
