/* Prints the document of `npu-advise tune` as text. */
#include "advisor/report/accuracy_text.h"
#include "advisor/report/render.h"
#include "advisor/report/summary_total.h"
#include "advisor/message/figure.h"
#include "advisor/message/phrase.h"
#include "advisor/message/plain.h"
#include "advisor/render/text/text_out.h"

#include <inttypes.h>
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

static void put_interval(TextOut *t, const ResultInterval *v, const char *unit)
{
    Figure f;
    text_put(t, STYLE_NONE, figure_interval(&f, v->lo, v->mid, v->hi, unit));
}

static void put_point(TextOut *t, PhraseId label, const ResultPoint *p, TextStyle style)
{
    const ResultPointOptions *o = &p->options;
    text_line(t, 0, LATENCY);
    text_put(t, STYLE_BOLD, phrase_text(t->lang, label));
    text_to(t, LATENCY);
    put_interval(t, &p->latency_ns, "ns");
    text_put(t, STYLE_NONE, ", ");
    put_interval(t, &p->throughput_per_s, "per_s");
    text_end(t);
    text_line(t, LATENCY, LATENCY);
    text_putf(t, style, "--target %s --batch %" PRId64 " --workers %" PRId64 " --devices %" PRId64,
              o->target, o->batch, o->workers, o->devices);
    text_end(t);
}

/* What runs of the point have shown. */
static void put_run(TextOut *t, const ResultPoint *p, const char *unit)
{
    Figure f;
    Phrase text;
    const ResultPointVerified *v = p->verified;
    const char *verdict = result_verdict_words[p->verdict];
    if (!v)
        return;
    text_line(t, LATENCY, LATENCY);
    text_put(t, STYLE_GOOD,
             phrase_format(&text, t->lang, PHRASE_TUNE_RUN, v->runner,
                           figure_interval(&f, v->lo, v->median, v->hi, unit),
                           phrase_by_key(t->lang, "VERDICT_", verdict ? verdict : "?"), NULL));
    text_end(t);
}

/* What its changes together cost in accuracy, where that was measured. */
static void put_accuracy(TextOut *t, const ResultPoint *p)
{
    Phrase text;
    if (!p->accuracy)
        return;
    text_line(t, LATENCY, LATENCY);
    text_put(t, STYLE_DIM, accuracy_text(&text, t->lang, p->accuracy));
    text_end(t);
}

/* Requests that come at a rate. */
static void put_served(TextOut *t, const ResultRate *r)
{
    const ResultServed *s = r ? r->served : NULL;
    char rate[32], quantile[32];
    Figure latency, collecting, busy;
    Phrase text;
    if (!s)
        return;
    snprintf(rate, sizeof rate, "%.6g", r->images_per_s);
    snprintf(quantile, sizeof quantile, "%.3g %%", 100 * r->quantile);
    text_line(t, LATENCY, LATENCY);
    text_put(t, STYLE_BOLD,
             phrase_format(&text, t->lang, PHRASE_TUNE_SERVES, rate, quantile,
                           figure_time(&latency, (double)s->latency_ns),
                           figure_time(&collecting, (double)s->collecting_ns),
                           figure_share(&busy, s->busy), NULL));
    text_end(t);
}

/* Where a change is made, for changes of one rule that nothing else tells apart. */
static const char *change_location(Plain *buf, const ResultPart *part)
{
    const ResultPartWhere *w = part->where;
    const char *const name[] = {w ? w->node : NULL, w ? w->tensor : NULL, w ? w->op : NULL};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        if (name[i] && *name[i])
            return plain(buf, name[i], 60);
    return "";
}

static void put_share(TextOut *t, const ResultPartList *parts, size_t i)
{
    const ResultPart *part = &parts->item[i];
    Plain what, place;
    text_line(t, 2, LATENCY);
    if (part->share.known)
        text_putf(t, STYLE_BOLD, "%5.1f %%", 100 * part->share.value);
    text_to(t, LATENCY + 2);
    if (part->rule_id)
        text_putf(t, STYLE_NONE, "%s ", part->rule_id);
    text_put(t, STYLE_NONE, plain(&what, part->what, 200));
    if (summary_part_count(parts, i) != 1 && *change_location(&place, part))
        text_putf(t, STYLE_NONE, ": %s", change_location(&place, part));
    text_putf(t, STYLE_DIM, " (%s)", result_effort_words[part->effort]);
    text_end(t);
}

static void put_overlap(TextOut *t, const ResultPoint *p, const char *unit)
{
    double overlap = p->overlap.value, brings = p->brings.value;
    Figure all, over;
    Phrase text;
    if (p->parts.count < 2 || fabs(overlap) < 0.001 * fabs(brings))
        return;
    text_line(t, 2, LATENCY);
    text_put(t, STYLE_DIM,
             phrase_format(&text, t->lang, overlap > 0 ? PHRASE_TUNE_OVERLAP : PHRASE_TUNE_SYNERGY,
                           figure_value(&all, brings + overlap, unit),
                           figure_value(&over, fabs(overlap), unit), NULL));
    text_end(t);
}

static void put_parts(TextOut *t, const ResultPoint *p, const char *unit)
{
    if (!p->parts.count)
        return;
    text_line(t, 0, 0);
    text_put(t, STYLE_BOLD, phrase_text(t->lang, PHRASE_TUNE_BRINGS));
    text_end(t);
    for (size_t i = 0; i < p->parts.count; i++)
        put_share(t, &p->parts, i);
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

static void put_point_settings(TextOut *t, const ResultPartList *parts)
{
    bool any = false;
    for (size_t i = 0; i < parts->count; i++) {
        const ResultPart *part = &parts->item[i];
        int times = summary_part_count(parts, i);
        if (!times)
            continue;
        if (any)
            text_put(t, STYLE_NONE, ", ");
        text_put(t, STYLE_NONE, part->rule_id ? part->rule_id : part->what);
        if (times > 1)
            text_putf(t, STYLE_NONE, " ×%d", times);
        any = true;
    }
    if (!any)
        text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_TUNE_AS_IT_IS));
}

/* Only a run tells. */
static bool is_open(const ResultPoint *p)
{
    return p->undecided && !p->verified;
}

static void put_point_row(TextOut *t, const ResultPoint *p, int64_t number, int64_t best,
                          const char *unit)
{
    Figure f;
    bool chosen = number == best;
    text_line(t, 0, SETTINGS);
    text_putf(t, chosen ? STYLE_BOLD : STYLE_NONE, "%4" PRId64 "%s", number,
              chosen       ? "*"
              : is_open(p) ? "?"
                           : "");
    text_to(t, POINT_LATENCY);
    text_put(t, STYLE_NONE, figure_time(&f, p->latency_ns.mid));
    text_to(t, POINT_RATE);
    text_put(t, STYLE_NONE, figure_rate(&f, p->throughput_per_s.mid));
    text_to(t, POINT_EFFORT);
    text_put(t, STYLE_NONE, result_effort_words[p->effort]);
    text_to(t, SETTINGS);
    put_point_settings(t, &p->parts);
    if (p->verified)
        text_putf(t, STYLE_GOOD, " (%s %s)", phrase_text(t->lang, PHRASE_TUNE_COL_RUN),
                  figure_value(&f, p->verified->median, unit));
    text_end(t);
}

static void put_front(TextOut *t, const ResultTune *r, const char *unit)
{
    int64_t best = r->recommended ? r->recommended->point.value : 0;
    bool open = false;
    put_front_head(t);
    for (size_t i = 0; i < r->front.count; i++) {
        put_point_row(t, &r->front.item[i], (int64_t)i + 1, best, unit);
        open |= is_open(&r->front.item[i]);
    }
    if (!open)
        return;
    text_line(t, 2, 4);
    text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_TUNE_UNDECIDED));
    text_end(t);
}

/* ---- */

static void put_why(TextOut *t, const char *why)
{
    text_line(t, LATENCY, LATENCY);
    text_put(t, STYLE_NONE, why);
    text_end(t);
}

static void put_searched(TextOut *t, const ResultTuneSearched *s)
{
    char points[32], compiled[32], cut[32];
    Phrase text;
    snprintf(points, sizeof points, "%" PRId64, s->points);
    snprintf(compiled, sizeof compiled, "%" PRId64, s->compiled);
    snprintf(cut, sizeof cut, "%" PRId64, s->cut);
    text_line(t, 0, 0);
    text_put(t, STYLE_DIM,
             phrase_format(&text, t->lang,
                           s->exhaustive ? PHRASE_TUNE_SEARCHED : PHRASE_TUNE_SEARCHED_CUT, points,
                           compiled, cut, NULL));
    if (s->changes_left_out > 0) {
        snprintf(cut, sizeof cut, "%" PRId64, s->changes_left_out);
        text_put(t, STYLE_DIM, " ");
        text_put(t, STYLE_DIM, phrase_format(&text, t->lang, PHRASE_TUNE_LEFT_OUT, cut, NULL));
    }
    text_end(t);
}

/* Where the runs led to another point, they are needed again. */
static void put_next(TextOut *t, const ResultPoint *best, const View *view)
{
    if (!best || !view->again)
        return;
    text_line(t, 0, 6);
    text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_NEXT));
    text_put(t, STYLE_NONE, " ");
    t->command = true;
    text_putf(t, STYLE_FIX, "npu-advise tune %s%s --output tuned", view->again_next,
              best->point.value != best->predicted_point.value ? " --verify" : "");
    text_end(t);
    t->command = false;
}

static void put_evidence(TextOut *t, const ResultTuneEvidence *evidence)
{
    static const PhraseId said[RESULT_REFUTED_COUNT] = {
        [RESULT_REFUTED_SETUP] = PHRASE_TUNE_CONTRADICTS,
        [RESULT_REFUTED_MODEL] = PHRASE_HEAD_OTHER_MODEL,
        [RESULT_REFUTED_SIZE] = PHRASE_TUNE_OTHER_SIZE,
    };
    if (!evidence || !evidence->refuted)
        return;
    text_line(t, 0, 0);
    text_put(t, STYLE_BAD, phrase_text(t->lang, said[evidence->refuted]));
    text_end(t);
}

void text_tune(FILE *out, const ResultTune *r, const View *view)
{
    TextOut t = {.out = out, .colour = view->colour, .lang = view->lang};
    const ResultPoint *best = r->recommended;
    const char *unit = r->objective == RESULT_OBJECTIVE_LATENCY ? "ns" : "per_s";
    put_evidence(&t, r->evidence);
    put_point(&t, PHRASE_TUNE_NOW, &r->baseline, STYLE_NONE);
    if (best)
        put_point(&t, PHRASE_TUNE_BEST, best, STYLE_FIX);
    if (best && !r->rate)
        put_run(&t, best, unit); /* of a rate, what was run at it is said instead */
    if (best)
        put_accuracy(&t, best);
    put_served(&t, r->rate);
    put_why(&t, r->why);
    fputc('\n', out);
    if (best) {
        put_parts(&t, best, unit);
        fputc('\n', out);
    }
    put_front(&t, r, unit);
    fputc('\n', out);
    put_searched(&t, &r->searched);
    put_next(&t, best, view);
}
