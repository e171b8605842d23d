/* Chooses the sentence by the headline of the result and fills in its figures. */
#include "advisor/report/verdict.h"

#include "advisor/message/figure.h"
#include "advisor/report/setup_text.h"

const char *verdict_source(ResultSource source, const Language *lang)
{
    static const PhraseId name[] = {[RESULT_SOURCE_UNSET] = PHRASE_IS_PREDICTED,
                                    [RESULT_SOURCE_MEASURED] = PHRASE_IS_MEASURED,
                                    [RESULT_SOURCE_SIMULATED] = PHRASE_IS_SIMULATED,
                                    [RESULT_SOURCE_PREDICTED] = PHRASE_IS_PREDICTED};
    static_assert(sizeof name / sizeof *name == RESULT_SOURCE_COUNT, "a word for each source");
    return phrase_text(lang, name[source]);
}

/* ---- now ---- */

static const char *latency_text(Phrase *buf, const Result *r, const Language *lang)
{
    Figure now, p90;
    const ResultPrediction *p = r->prediction;
    figure_time(&now, (double)r->now->latency_ns.value);
    if (r->now->source == RESULT_SOURCE_MEASURED && r->measured)
        return phrase_format(buf, lang, PHRASE_NOW_MEASURED, now.text,
                             figure_time(&p90, (double)r->measured->latency_ns.p90), NULL);
    if (r->now->source == RESULT_SOURCE_PREDICTED && p && r->options.workers.value <= 1)
        figure_interval(&now, (double)p->latency_ns.lo, (double)r->now->latency_ns.value,
                        (double)p->latency_ns.hi, "ns");
    return phrase_format(buf, lang, PHRASE_NOW_OTHER, now.text,
                         verdict_source(r->now->source, lang), NULL);
}

/* "96.5", without the unit that a phrase says once. */
static const char *without_unit(Figure *f)
{
    char *unit = strrchr(f->text, ' ');
    if (unit)
        *unit = '\0';
    return f->text;
}

static const char *rate_text(Phrase *buf, const Result *r, const Language *lang)
{
    Figure rate, latency;
    figure_rate(&rate, r->now->throughput_per_s.value);
    figure_time(&latency, (double)r->now->latency_ns.value);
    if (r->now->source == RESULT_SOURCE_MEASURED && r->measured)
        return phrase_format(buf, lang, PHRASE_NOW_RATE_MEASURED, without_unit(&rate), latency.text,
                             NULL);
    return phrase_format(buf, lang, PHRASE_NOW_RATE, without_unit(&rate),
                         verdict_source(r->now->source, lang), latency.text, NULL);
}

const char *verdict_now(Phrase *buf, const Result *r, const Summary *d, const Language *lang)
{
    Phrase now;
    Figure share;
    double host;
    const char *file = r->model.file;
    if (!r->now)
        return phrase_format(buf, lang, PHRASE_NOW_UNKNOWN, file, NULL);
    const char *text = d->throughput ? rate_text(&now, r, lang) : latency_text(&now, r, lang);
    if (!summary_host_share(r, &host))
        return phrase_format(buf, lang, PHRASE_NOW_ALONE, file, text, NULL);
    return phrase_format(buf, lang, PHRASE_NOW, file, text, figure_share(&share, host), NULL);
}

/* ---- plans ---- */

/* Less is not worth a word. */
#define SHARE_TOLD 0.01

static const char *share_text(Phrase *buf, const ResultPlan *p, const Language *lang)
{
    const ResultInterval *x = &p->application_ns;
    Figure f;
    Phrase most;
    const char *text = figure_interval(&f, x->lo, x->mid, x->hi, "ns");
    if (x->mid < SHARE_TOLD * x->hi)
        text = phrase_format(&most, lang, PHRASE_AT_MOST, figure_time(&f, x->hi), NULL);
    return phrase_format(buf, lang, PHRASE_PLUS_SHARE, text, NULL);
}

const char *verdict_plan(Phrase *buf, const Result *r, const Summary *d, const ResultPlan *p,
                         const Language *lang)
{
    Figure now, after, latency;
    Phrase share;
    const char *source = verdict_source(p->after.source, lang);
    double value = summary_after(r, p).mid;
    figure_value(&now, d->now, d->unit);
    figure_value(&after, value, d->unit);
    const char *unit = strrchr(now.text, ' '), *other = strrchr(after.text, ' ');
    if (unit && other && !strcmp(unit, other))
        without_unit(&now);
    if (d->throughput)
        return phrase_format(buf, lang, PHRASE_PLAN_RATE, now.text, without_unit(&after),
                             figure_time(&latency, p->after.latency_ns.mid), source, NULL);
    if (p->at_least)
        return phrase_format(buf, lang, PHRASE_PLAN_AT_LEAST, now.text, after.text, source, NULL);
    if (summary_needs(&p->needs, "output") && p->application_ns.hi > SHARE_TOLD * value)
        return phrase_format(buf, lang, PHRASE_PLAN_AND_SHARE, now.text, after.text,
                             share_text(&share, p, lang), source, NULL);
    return phrase_format(buf, lang, PHRASE_PLAN_LATENCY, now.text, after.text, source, NULL);
}

const char *verdict_route(Phrase *buf, const Result *r, const Summary *d, const ResultPlan *p,
                          const Language *lang)
{
    Phrase plan;
    verdict_plan(&plan, r, d, p, lang);
    return phrase_format(
        buf, lang, p->route == RESULT_ROUTE_SAME_OUTPUTS ? PHRASE_ROUTE_SAME : PHRASE_ROUTE_NEW,
        plan.text, p->id, NULL);
}

/* ---- the load ---- */

/* "98.2 %, 97.9 %": each lane of the NPU by itself, as long as they are few. */
static const char *format_lanes(char text[64], const ResultReals *pe)
{
    enum { SHOWN = 4 };
    size_t used = 0;
    for (size_t i = 0; i < pe->count && i < SHOWN && used < 64; i++) {
        Figure f;
        used += (size_t)snprintf(text + used, 64 - used, "%s%s", i ? ", " : "",
                                 figure_share(&f, pe->item[i]));
    }
    if (pe->count > SHOWN && used < 60)
        snprintf(text + used, 64 - used, " …");
    return used ? text : "?";
}

const char *verdict_load(Phrase *buf, const Result *r, const Summary *d, const Language *lang)
{
    const ResultMeasured *m = r->measured;
    bool loaded = m && m->concurrency >= 1.5;
    Figure link;
    char npu[64], requests[32], host[32];
    if (!m || (!loaded && !d->throughput))
        return buf->text[0] = '\0', buf->text;
    snprintf(requests, sizeof requests, "%.1f", m->concurrency);
    snprintf(host, sizeof host, "%.2g", m->busy.host);
    return phrase_format(buf, lang, loaded ? PHRASE_LOAD_QUEUED : PHRASE_LOAD, requests,
                         format_lanes(npu, &m->busy.pe), figure_share(&link, m->busy.link), host,
                         COUNTED(r->options.host_cores.value), NULL);
}

/* ---- needs, retraining ---- */

const char *verdict_needs(Phrase *buf, const ResultTexts *needs, const Language *lang)
{
    size_t used = 0, size = sizeof buf->text;
    snprintf(buf->text, size, "-");
    for (size_t i = 0; i < needs->count && used + 1 < size; i++)
        used += (size_t)snprintf(buf->text + used, size - used, "%s%s", i ? ", " : "",
                                 phrase_by_key(lang, "NEED_", needs->item[i]));
    return buf->text;
}

/* The first change of the plan that needs it. */
static const ResultChange *retrained_change(const Result *r, const ResultPlan *p)
{
    for (size_t i = 0; i < p->changes.count; i++) {
        const ResultChange *c = summary_change(r, p->changes.item[i].id);
        if (c && summary_needs(&c->needs, "retrain"))
            return c;
    }
    return NULL;
}

const char *verdict_retraining(Phrase *buf, const Result *r, const Summary *d, const Language *lang)
{
    const ResultPlan *p = d->retrain;
    const ResultChange *first = p ? retrained_change(r, p) : NULL;
    Figure f;
    if (!first)
        return buf->text[0] = '\0', buf->text;
    double now = d->plan ? summary_after(r, d->plan).mid : d->now;
    double more = fabs(now - summary_after(r, p).mid);
    return phrase_format(buf, lang,
                         d->throughput ? PHRASE_WITH_RETRAINING_RATE : PHRASE_WITH_RETRAINING,
                         first->title, first->rule_id, figure_value(&f, more, d->unit), NULL);
}

/* ---- no plan ---- */

static double breakdown_share(const Result *r, const char *kind)
{
    return LIST_VALUE(i, r->breakdown.count, !strcmp(r->breakdown.item[i].kind, kind),
                      r->breakdown.item[i].share, 0);
}

static const char *nothing_sentence(Phrase *buf, const Result *r, const Summary *d,
                                    const Language *lang)
{
    Figure share, now, npu;
    figure_share(&share, r->options.min_share);
    if (!d->known)
        return phrase_format(buf, lang, PHRASE_HEAD_NOTHING_LEFT, share.text, NULL);
    double npu_ns = breakdown_share(r, "npu") * d->now; /* of the largest six only */
    if (!(npu_ns > 0))
        npu_ns = r->measured     ? (double)r->measured->npu_ns
                 : r->prediction ? (double)r->prediction->npu_ns.mid
                                 : 0;
    figure_value(&now, d->now, d->unit);
    if (d->retrain)
        return phrase_format(buf, lang, PHRASE_HEAD_NOTHING_RETRAIN, share.text, now.text, NULL);
    if (d->throughput || !(npu_ns > 0))
        return phrase_format(buf, lang, PHRASE_HEAD_NOTHING_OF, share.text, now.text, NULL);
    return phrase_format(buf, lang, PHRASE_HEAD_NOTHING_NPU, share.text, now.text,
                         figure_time(&npu, npu_ns), NULL);
}

static const char *unexplained_sentence(Phrase *buf, const Result *r, const Language *lang)
{
    Figure share;
    double lost = breakdown_share(r, "unattributed");
    return phrase_format(buf, lang, PHRASE_HEAD_UNEXPLAINED, figure_share(&share, lost), NULL);
}

/* "within 5.00 ms", or "" without a limit. */
static const char *within_limit(Phrase *buf, const Result *r, const Language *lang)
{
    Figure limit;
    buf->text[0] = '\0';
    return !r->latency_limit_ns.known
               ? buf->text
               : phrase_format(buf, lang, PHRASE_WITHIN,
                               figure_time(&limit, (double)r->latency_limit_ns.value), NULL);
}

static const char *images_per_s(char text[32], double x)
{
    snprintf(text, 32, "%.6g", x);
    return text;
}

static const char *not_served_sentence(Phrase *buf, const Result *r, const Language *lang)
{
    char rate[32], highest[32];
    Phrase within;
    const char *limit = within_limit(&within, r, lang);
    images_per_s(rate, r->rate->images_per_s);
    if (!r->rate->highest_per_s.known)
        return phrase_format(buf, lang, PHRASE_HEAD_NO_RATE, rate, limit, NULL);
    snprintf(highest, sizeof highest, "%.3g", r->rate->highest_per_s.value);
    return phrase_format(buf, lang, PHRASE_HEAD_HIGHEST_RATE, rate, limit,
                         images_per_s(highest, strtod(highest, NULL)), NULL);
}

static const char *limit_sentence(Phrase *buf, const Result *r, const Summary *d,
                                  const Language *lang)
{
    Figure least, limit;
    if (r->rate)
        return not_served_sentence(buf, r, lang);
    figure_time(&least, summary_least_latency(r, d));
    return phrase_format(buf, lang, PHRASE_HEAD_LIMIT, least.text,
                         figure_time(&limit, (double)r->latency_limit_ns.value), NULL);
}

const char *verdict_served(Phrase *buf, const Result *r, const Language *lang)
{
    const ResultServed *s = r->rate ? r->rate->served : NULL;
    char rate[32], quantile[32], slower[32];
    Figure latency, headroom;
    if (!s)
        return buf->text[0] = '\0', buf->text;
    snprintf(quantile, sizeof quantile, "%.3g\xc2\xa0%%", 100 * r->rate->quantile);
    snprintf(slower, sizeof slower, "%.3g\xc2\xa0%%", 100 * s->slower);
    return phrase_format(buf, lang, PHRASE_SERVES, images_per_s(rate, r->rate->images_per_s),
                         quantile, figure_time(&latency, (double)s->latency_ns),
                         figure_time(&headroom, (double)s->with_headroom_ns), slower, NULL);
}

const char *verdict_served_run(Phrase *buf, const Result *r, const Language *lang)
{
    const ResultServed *s = r->rate ? r->rate->served : NULL;
    const ResultInterval *run = s ? s->run_ns : NULL;
    Figure lo, hi;
    if (!run)
        return buf->text[0] = '\0', buf->text;
    bool slow = r->latency_limit_ns.known && run->hi > (double)r->latency_limit_ns.value;
    return phrase_format(buf, lang, slow ? PHRASE_SERVES_RUN_SLOW : PHRASE_SERVES_RUN, s->runner,
                         figure_time(&lo, run->lo), figure_time(&hi, run->hi), NULL);
}

/* One core against the recommended plan, or now. */
static const char *cpu_sentence(Phrase *buf, const Result *r, const Summary *d,
                                const Language *lang)
{
    const ResultIntervalNs *x = r->cpu_alone_ns;
    Figure cpu, npu;
    figure_interval(&cpu, (double)x->lo, (double)x->mid, (double)x->hi, "ns");
    return phrase_format(buf, lang, PHRASE_HEAD_CPU_FASTER, cpu.text,
                         figure_time(&npu, summary_least_latency(r, d)), NULL);
}

/* Work by hand on layers that were measured. */
static const char *by_hand_sentence(Phrase *buf, const Result *r, const Summary *d,
                                    const Language *lang)
{
    const ResultHandWork *x = &r->by_hand.item[0];
    Figure most, now;
    figure_value(&most, x->up_to.value, d->unit);
    if (x->spares)
        return phrase_format(buf, lang, PHRASE_HEAD_BY_HAND_SPARES, x->title, most.text, x->spares,
                             NULL);
    return phrase_format(buf, lang, PHRASE_HEAD_BY_HAND, x->title, most.text,
                         figure_value(&now, d->now, d->unit), NULL);
}

/* The first option that the trace contradicts; else its first issue. */
static const char *refuted_sentence(Phrase *buf, const Result *r, const Language *lang)
{
    Arena *a = arena_new(0);
    const char *sentence = NULL;
    for (int i = 0; r->setup && !sentence && i < SETUP_COUNT; i++) {
        SetupLine x = setup_line(a, r->setup, (SetupItemId)i);
        if (x.seen)
            sentence = phrase_format(buf, lang, PHRASE_HEAD_CONTRADICTION, x.option,
                                     x.value ? x.value : "?", x.seen, NULL);
    }
    arena_free(a);
    if (sentence)
        return sentence;
    if (r->evidence.refuted != RESULT_REFUTED_SIZE)
        return phrase_text(lang, PHRASE_HEAD_OTHER_MODEL);
    const ResultIssueList *issues = &r->evidence.issues;
    return phrase_format(buf, lang, PHRASE_HEAD_OTHER_SIZE,
                         issues->count ? issues->item[0].text : "?", NULL);
}

const char *verdict_sentence(Phrase *buf, const Result *r, const Summary *d, const Language *lang)
{
    Phrase plan;
    switch (d->headline) {
    case HEADLINE_UNDECIDED:
        return phrase_text(lang,
                           r->compiled ? PHRASE_HEAD_LAYERS_UNDECIDED : PHRASE_HEAD_UNDECIDED);
    case HEADLINE_REFUSED:
        return phrase_format(buf, lang, PHRASE_REFUSED, r->refused, NULL);
    case HEADLINE_REFUTED:
        return refuted_sentence(buf, r, lang);
    case HEADLINE_UNEXPLAINED:
        return unexplained_sentence(buf, r, lang);
    case HEADLINE_CPU_FASTER:
        return cpu_sentence(buf, r, d, lang);
    case HEADLINE_UNSUITABLE:
        return r->unsuitable;
    case HEADLINE_LIMIT:
        return limit_sentence(buf, r, d, lang);
    case HEADLINE_PLAN:
        return phrase_format(buf, lang, PHRASE_HEAD_PLAN, verdict_plan(&plan, r, d, d->plan, lang),
                             NULL);
    case HEADLINE_BY_HAND:
        return by_hand_sentence(buf, r, d, lang);
    case HEADLINE_STOPPED:
        return phrase_format(buf, lang, PHRASE_HEAD_STOPPED,
                             r->incomplete.count ? r->incomplete.item[0].text : "?", NULL);
    case HEADLINE_SERVES:
        return phrase_format(buf, lang, PHRASE_HEAD_SERVES,
                             images_per_s((char[32]){""}, r->rate->images_per_s), NULL);
    case HEADLINE_NOTHING:
        break;
    }
    return nothing_sentence(buf, r, d, lang);
}
