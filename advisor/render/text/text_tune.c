/* Prints the document of `npu-advise tune` as text. */
#include "advisor/report/tree_summary_total.h"
#include "advisor/report/render.h"
#include "advisor/message/figure.h"
#include "advisor/message/json.h"
#include "advisor/message/phrase.h"
#include "advisor/message/plain.h"
#include "advisor/render/text/text_out.h"
#include "advisor/report/tree_accuracy_text.h"

#include <math.h>
#include <string.h>

enum {
    LATENCY = 10,
    RATE = 33,
    EFFORT = 57,
    POINT_LATENCY = 7,
    POINT_RATE = 18,
    POINT_EFFORT = 30,
    SETTINGS = 38
};

static void put_interval(TextOut *t, const cJSON *o, const char *unit)
{
    Figure f;
    text_put(t, STYLE_NONE, figure_json(&f, o, unit));
}

static void put_point(TextOut *t, PhraseId label, const cJSON *p, TextStyle style)
{
    text_line(t, 0, LATENCY);
    text_put(t, STYLE_BOLD, phrase_text(t->lang, label));
    text_to(t, LATENCY);
    put_interval(t, json_at(p, "latency_ns"), "ns");
    text_put(t, STYLE_NONE, ", ");
    put_interval(t, json_at(p, "throughput_per_s"), "per_s");
    text_end(t);
    text_line(t, LATENCY, LATENCY);
    const cJSON *o = json_at(p, "options");
    text_putf(t, style, "--target %s --batch %.0f --workers %.0f --devices %.0f",
              json_text(o, "target", "?"), json_number_or(o, "batch", 1),
              json_number_or(o, "workers", 1), json_number_or(o, "devices", 1));
    text_end(t);
}

/* What runs of the point have shown. */
static void put_run(TextOut *t, const cJSON *p, const char *unit)
{
    Figure f;
    Phrase text;
    const cJSON *v = json_at(p, "verified");
    if (!cJSON_IsObject(v))
        return;
    text_line(t, LATENCY, LATENCY);
    text_put(t, STYLE_GOOD,
             phrase_format(&text, t->lang, PHRASE_TUNE_RUN, json_text(v, "runner", "?"),
                           figure_json(&f, v, unit),
                           phrase_by_key(t->lang, "VERDICT_", json_text(p, "verdict", "?")), NULL));
    text_end(t);
}

/* What its changes together cost in accuracy, where that was measured. */
static void put_accuracy(TextOut *t, const cJSON *p)
{
    Phrase text;
    if (!cJSON_IsObject(json_at(p, "accuracy")))
        return;
    text_line(t, LATENCY, LATENCY);
    text_put(t, STYLE_DIM, tree_accuracy_text(&text, t->lang, json_at(p, "accuracy")));
    text_end(t);
}

/* Requests that come at a rate. */
static void put_served(TextOut *t, const cJSON *tree)
{
    const cJSON *s = json_at(tree, "rate.served");
    char rate[32], quantile[32];
    Figure latency, collecting, busy;
    Phrase text;
    if (!cJSON_IsObject(s))
        return;
    snprintf(rate, sizeof rate, "%.6g", json_number_or(tree, "rate.images_per_s", 0));
    snprintf(quantile, sizeof quantile, "%.3g %%", 100 * json_number_or(tree, "rate.quantile", 0));
    text_line(t, LATENCY, LATENCY);
    text_put(t, STYLE_BOLD,
             phrase_format(&text, t->lang, PHRASE_TUNE_SERVES, rate, quantile,
                           figure_time(&latency, json_number_or(s, "latency_ns", 0)),
                           figure_time(&collecting, json_number_or(s, "collecting_ns", 0)),
                           figure_share(&busy, json_number_or(s, "busy", 0)), NULL));
    text_end(t);
}

/* Where a change is made, for changes of one rule that nothing else tells apart. */
static const char *change_location(Plain *buf, const cJSON *part)
{
    static const char *const path[] = {"where.node", "where.tensor", "where.op"};
    for (size_t i = 0; i < sizeof path / sizeof *path; i++)
        if (*json_text(part, path[i], ""))
            return plain(buf, json_text(part, path[i], ""), 60);
    return "";
}

static void put_share(TextOut *t, const cJSON *part)
{
    double share;
    Plain what, place;
    text_line(t, 2, LATENCY);
    if (json_number(part, "share", &share))
        text_putf(t, STYLE_BOLD, "%5.1f %%", 100 * share);
    text_to(t, LATENCY + 2);
    if (*json_text(part, "rule_id", ""))
        text_putf(t, STYLE_NONE, "%s ", json_text(part, "rule_id", ""));
    text_put(t, STYLE_NONE, plain(&what, json_text(part, "what", "?"), 200));
    if (tree_summary_part_count(part) != 1 && *change_location(&place, part))
        text_putf(t, STYLE_NONE, ": %s", change_location(&place, part));
    text_putf(t, STYLE_DIM, " (%s)", json_text(part, "effort", "?"));
    text_end(t);
}

static void put_overlap(TextOut *t, const cJSON *p, const char *unit)
{
    double overlap = json_number_or(p, "overlap", 0), brings = json_number_or(p, "brings", 0);
    Figure all, over;
    Phrase text;
    if (json_count(p, "parts") < 2 || fabs(overlap) < 0.001 * fabs(brings))
        return;
    text_line(t, 2, LATENCY);
    text_put(t, STYLE_DIM,
             phrase_format(&text, t->lang, overlap > 0 ? PHRASE_TUNE_OVERLAP : PHRASE_TUNE_SYNERGY,
                           figure_value(&all, brings + overlap, unit),
                           figure_value(&over, fabs(overlap), unit), NULL));
    text_end(t);
}

static void put_parts(TextOut *t, const cJSON *p, const char *unit)
{
    if (!json_count(p, "parts"))
        return;
    text_line(t, 0, 0);
    text_put(t, STYLE_BOLD, phrase_text(t->lang, PHRASE_TUNE_BRINGS));
    text_end(t);
    for (const cJSON *part = json_first(p, "parts"); part; part = part->next)
        put_share(t, part);
    put_overlap(t, p, unit);
}

/* ---- the front ---- */

static void put_front_head(TextOut *t)
{
    text_line(t, 0, 0);
    text_put(t, STYLE_BOLD, phrase_text(t->lang, PHRASE_TUNE_FRONT));
    text_end(t);
    const TextHead column[] = {{0, phrase_text(t->lang, PHRASE_TUNE_COL_POINT)},
                               {POINT_LATENCY, phrase_text(t->lang, PHRASE_TUNE_COL_LATENCY)},
                               {POINT_RATE, phrase_text(t->lang, PHRASE_TUNE_COL_RATE)},
                               {POINT_EFFORT, phrase_text(t->lang, PHRASE_TUNE_COL_EFFORT)},
                               {SETTINGS, phrase_text(t->lang, PHRASE_TUNE_COL_SETTINGS)}};
    text_line(t, 0, 0);
    text_heads(t, column, sizeof column / sizeof *column);
}

static void put_point_settings(TextOut *t, const cJSON *p)
{
    bool any = false;
    for (const cJSON *part = json_first(p, "parts"); part; part = part->next) {
        const char *rule = json_text(part, "rule_id", "");
        int times = tree_summary_part_count(part);
        if (!times)
            continue;
        if (any)
            text_put(t, STYLE_NONE, ", ");
        text_put(t, STYLE_NONE, *rule ? rule : json_text(part, "what", "?"));
        if (times > 1)
            text_putf(t, STYLE_NONE, " ×%d", times);
        any = true;
    }
    if (!any)
        text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_TUNE_AS_IT_IS));
}

/* Only a run tells. */
static bool is_open(const cJSON *p)
{
    return cJSON_IsTrue(json_at(p, "undecided")) && !cJSON_IsObject(json_at(p, "verified"));
}

static void put_point_row(TextOut *t, const cJSON *p, int number, int best, const char *unit)
{
    Figure f;
    bool chosen = number == best;
    text_line(t, 0, SETTINGS);
    text_putf(t, chosen ? STYLE_BOLD : STYLE_NONE, "%4d%s", number,
              chosen       ? "*"
              : is_open(p) ? "?"
                           : "");
    text_to(t, POINT_LATENCY);
    text_put(t, STYLE_NONE, figure_time(&f, json_number_or(p, "latency_ns.mid", 0)));
    text_to(t, POINT_RATE);
    text_put(t, STYLE_NONE, figure_rate(&f, json_number_or(p, "throughput_per_s.mid", 0)));
    text_to(t, POINT_EFFORT);
    text_put(t, STYLE_NONE, json_text(p, "effort", "?"));
    text_to(t, SETTINGS);
    put_point_settings(t, p);
    if (cJSON_IsObject(json_at(p, "verified")))
        text_putf(t, STYLE_GOOD, " (%s %s)", phrase_text(t->lang, PHRASE_TUNE_COL_RUN),
                  figure_value(&f, json_number_or(p, "verified.median", 0), unit));
    text_end(t);
}

static void put_front(TextOut *t, const cJSON *tree, const char *unit)
{
    int n = 0, chosen = (int)json_number_or(tree, "recommended.point", 0);
    bool open = false;
    put_front_head(t);
    for (const cJSON *p = json_first(tree, "front"); p; p = p->next) {
        n++;
        put_point_row(t, p, n, chosen, unit);
        open |= is_open(p);
    }
    if (!open)
        return;
    text_line(t, 2, 4);
    text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_TUNE_UNDECIDED));
    text_end(t);
}

/* ---- */

static void put_why(TextOut *t, const cJSON *tree)
{
    text_line(t, LATENCY, LATENCY);
    text_put(t, STYLE_NONE, json_text(tree, "why", ""));
    text_end(t);
}

static void put_searched(TextOut *t, const cJSON *tree)
{
    char points[32], compiled[32], cut[32];
    Phrase text;
    snprintf(points, sizeof points, "%.0f", json_number_or(tree, "searched.points", 0));
    snprintf(compiled, sizeof compiled, "%.0f", json_number_or(tree, "searched.compiled", 0));
    snprintf(cut, sizeof cut, "%.0f", json_number_or(tree, "searched.cut", 0));
    bool all = cJSON_IsTrue(json_at(tree, "searched.exhaustive"));
    text_line(t, 0, 0);
    text_put(t, STYLE_DIM,
             phrase_format(&text, t->lang, all ? PHRASE_TUNE_SEARCHED : PHRASE_TUNE_SEARCHED_CUT,
                           points, compiled, cut, NULL));
    if (json_number_or(tree, "searched.changes_left_out", 0) > 0) {
        snprintf(cut, sizeof cut, "%.0f", json_number_or(tree, "searched.changes_left_out", 0));
        text_put(t, STYLE_DIM, " ");
        text_put(t, STYLE_DIM, phrase_format(&text, t->lang, PHRASE_TUNE_LEFT_OUT, cut, NULL));
    }
    text_end(t);
}

/* Without the runs it would be another point. */
static bool went_by_runs(const cJSON *tree)
{
    return json_number_or(tree, "recommended.point", 0) !=
           json_number_or(tree, "recommended.predicted_point", 0);
}

static void put_next(TextOut *t, const cJSON *tree, const View *view)
{
    if (!cJSON_IsObject(json_at(tree, "recommended")) || !view->again)
        return;
    text_line(t, 0, 6);
    text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_NEXT));
    text_put(t, STYLE_NONE, " ");
    t->command = true;
    text_putf(t, STYLE_FIX, "npu-advise tune %s%s --output tuned", view->again_next,
              went_by_runs(tree) ? " --verify" : "");
    text_end(t);
    t->command = false;
}

static void put_evidence(TextOut *t, const cJSON *tree)
{
    const char *refuted = json_text(tree, "evidence.refuted", "");
    if (!*refuted)
        return;
    text_line(t, 0, 0);
    text_put(t, STYLE_BAD,
             phrase_text(t->lang, !strcmp(refuted, "model")  ? PHRASE_HEAD_OTHER_MODEL
                                  : !strcmp(refuted, "size") ? PHRASE_TUNE_OTHER_SIZE
                                                             : PHRASE_TUNE_CONTRADICTS));
    text_end(t);
}

void text_tune(FILE *out, const cJSON *tree, const View *view)
{
    TextOut t = {.out = out, .colour = view->colour, .lang = view->lang};
    const cJSON *best = json_at(tree, "recommended");
    const char *unit = !strcmp(json_text(tree, "objective", ""), "latency") ? "ns" : "per_s";
    put_evidence(&t, tree);
    put_point(&t, PHRASE_TUNE_NOW, json_at(tree, "baseline"), STYLE_NONE);
    if (cJSON_IsObject(best))
        put_point(&t, PHRASE_TUNE_BEST, best, STYLE_FIX);
    if (cJSON_IsObject(best) && !cJSON_IsObject(json_at(tree, "rate")))
        put_run(&t, best, unit); /* of a rate, what was run at it is said instead */
    if (cJSON_IsObject(best))
        put_accuracy(&t, best);
    put_served(&t, tree);
    put_why(&t, tree);
    fputc('\n', out);
    if (cJSON_IsObject(best)) {
        put_parts(&t, best, unit);
        fputc('\n', out);
    }
    put_front(&t, tree, unit);
    fputc('\n', out);
    put_searched(&t, tree);
    put_next(&t, tree, view);
}
