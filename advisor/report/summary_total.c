/* Scales the saving of all changes together, or of the first, to the baseline. */
#include "advisor/report/summary_total.h"

#include "advisor/message/figure.h"
#include "advisor/report/finding.h"

#include <stdio.h>
#include <string.h>

/* The objective after a saving of `gain`. */
static double objective_after(const Summary *d, double before, double gain)
{
    double after = d->throughput ? before + gain : before - gain;
    /* At least a thousandth of the time remains. */
    return after > before / 1000 ? after : before / 1000;
}

/* `g` is a saving of `before`. */
static void set_before_after(SummaryTotal *o, const Summary *d, const ResultInterval *g,
                             double before)
{
    if (!(before > 0) || !(d->baseline > 0))
        return;
    /* Rates are relative to the replay, with its number of workers or the best. */
    double scale = d->throughput ? 1 : d->baseline / before;
    o->known = true;
    o->now = scale * before;
    o->after = scale * objective_after(d, before, g->mid);
    o->factor = d->throughput ? o->after / o->now : o->now / o->after;
    o->lo = scale * objective_after(d, before, d->throughput ? g->lo : g->hi);
    o->hi = scale * objective_after(d, before, d->throughput ? g->hi : g->lo);
}

SummaryTotal summary_total_of(const Result *r, const Summary *d)
{
    SummaryTotal o = {.now = d->baseline, .kind = PHRASE_GAIN_PREDICTED};
    const ResultCombined *all = r->combined;
    ResultInterval run;
    if (d->outcome != SUMMARY_ADVICE)
        return o;
    const ResultGain *gain = &d->first->gain;
    o.run = all ? all->verified : gain->verified;
    double before = all ? all->baseline : gain->baseline.known ? gain->baseline.value : d->baseline;
    o.kind = all ? PHRASE_GAIN_PREDICTED : gain_phrase(gain);
    o.predicted = all ? &all->predicted : gain->predicted;
    o.verified = gain_verified(o.run, &run);
    if (o.run && !o.run->now)
        before = o.run->baseline;
    if (o.verified || o.predicted)
        set_before_after(&o, d, o.verified ? &run : o.predicted, before);
    return o;
}

/* Titles begin with a verb, in lower case after another title. */
static const char *lowercase_title(char *buf, size_t size, const char *title, const Language *lang)
{
    snprintf(buf, size, "%s", title);
    bool word = buf[0] >= 'A' && buf[0] <= 'Z' && buf[1] >= 'a' && buf[1] <= 'z';
    if (word && !strcmp(language_tag(lang), "en"))
        buf[0] = (char)(buf[0] - 'A' + 'a');
    return buf;
}

const char *summary_total_actions(Phrase *buf, const Result *r, const Summary *d,
                                  const Language *lang)
{
    const ResultRecommendation *part[2] = {d->first, NULL};
    char second[400], more[24];
    size_t n = 0;
    for (size_t i = 0; r->combined && i < r->recommendations.count; i++) {
        const ResultRecommendation *x = &r->recommendations.item[i];
        if (!summary_is_combined(r, x))
            continue;
        if (n < 2)
            part[n] = x;
        n++;
    }
    const char *title = part[0]->title;
    if (!part[1])
        return phrase_format(buf, lang, PHRASE_HEAD_ACTION, title, NULL);
    lowercase_title(second, sizeof second, part[1]->title, lang);
    snprintf(more, sizeof more, "%zu", n - 2);
    return phrase_format(buf, lang, n > 2 ? PHRASE_HEAD_ACTIONS_MORE : PHRASE_HEAD_ACTIONS, title,
                         second, more, NULL);
}

const ResultObservation *summary_uncovered_cost(const Result *r, double *ret_ns)
{
    const ResultObservation *most = NULL;
    int64_t ns = 0, all = r->measured     ? r->measured->latency_ns.median
                          : r->prediction ? r->prediction->latency_ns.mid
                                          : 0;
    for (size_t i = 0; i < r->observations.count; i++) {
        const ResultObservation *x = &r->observations.item[i];
        if (x->cost_ns.value > ns) {
            ns = x->cost_ns.value;
            most = x;
        }
    }
    *ret_ns = (double)ns;
    return *ret_ns >= (double)all / 10 ? most : NULL;
}

/* ---- what to deploy ---- */

int summary_part_count(const ResultPartList *parts, size_t i)
{
    const char *rule = parts->item[i].rule_id;
    int times = 0;
    if (!rule)
        return 1;
    for (size_t j = 0; j < parts->count; j++) {
        bool same = parts->item[j].rule_id && !strcmp(parts->item[j].rule_id, rule);
        if (same && j < i)
            return 0;
        times += same;
    }
    return times;
}

const char *summary_point_settings(Arena *a, const ResultPoint *point)
{
    const char *text = "", *options = "";
    for (size_t i = 0; i < point->parts.count; i++) {
        const ResultPart *part = &point->parts.item[i];
        int times = summary_part_count(&point->parts, i);
        if (part->rule_id && times)
            text = arena_printf(a, "%s%s%s", text, *text ? ", " : "", part->rule_id);
        if (part->rule_id && times > 1)
            text = arena_printf(a, "%s ×%d", text, times);
        for (size_t j = 0; !part->rule_id && j < part->levers.count; j++)
            options = arena_printf(a, "%s%s--%s %s", options, *options ? " " : "",
                                   part->levers.item[j].lever, part->levers.item[j].value);
    }
    if (!*text && !*options)
        return NULL;
    return arena_printf(a, "%s%s%s", text, *text && *options ? ", " : "", options);
}

SummaryDeploy summary_deploy(Arena *a, const Result *r)
{
    const ResultPoint *point = r->tuned ? r->tuned->recommended : NULL;
    bool latency = r->objective == RESULT_OBJECTIVE_LATENCY;
    SummaryDeploy d = {.unit = latency ? "ns" : "per_s"};
    d.settings = point ? summary_point_settings(a, point) : NULL;
    if (!d.settings)
        return d;
    const ResultPointVerified *run = point->verified;
    const ResultPoint *now = &r->tuned->baseline;
    d.point = point;
    d.effort = result_effort_words[r->tuned->effort];
    d.verified = run != NULL;
    d.after = run       ? (ResultInterval){run->lo, run->median, run->hi}
              : latency ? point->latency_ns
                        : point->throughput_per_s;
    d.now = run ? run->baseline : latency ? now->latency_ns.mid : now->throughput_per_s.mid;
    return d;
}

const char *summary_deploy_text(Phrase *buf, const SummaryDeploy *d, const Language *lang)
{
    Figure now, after;
    return phrase_format(buf, lang, d->verified ? PHRASE_DEPLOY_RUN : PHRASE_DEPLOY_PREDICTED,
                         d->settings, figure_value(&now, d->now, d->unit),
                         figure_interval(&after, d->after.lo, d->after.mid, d->after.hi, d->unit),
                         d->verified ? d->point->verified->runner : "?", d->effort, NULL);
}
