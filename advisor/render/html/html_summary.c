/* Writes the first screen with the cause or the verdict, now and after and how each is known, and
 * the bar of now by change. */
#include "advisor/render/html/html_bars.h"

#include "advisor/render/html/now_parts.h"
#include "advisor/report/accuracy_text.h"
#include "advisor/report/setup_text.h"
#include "advisor/report/verdict.h"

/* ---- the heading ---- */

static void write_context(Page *p)
{
    Phrase buf;
    html_open(p->h, "p", "class", "context", NULL);
    html_text(p->h, p->result->compiled ? setup_of_compiled(&buf, p->result, p->lang)
                                        : setup_of_run(&buf, p->result, p->lang));
    if (p->result->widened)
        html_textf(p->h, " · %s", p->result->widened);
    if (p->result->conversion)
        html_textf(p->h, " · %s", p->result->conversion);
    if (*setup_open(&buf, p->result->setup, p->lang)) {
        html_text(p->h, " · ");
        html_leaf(p->h, "b", buf.text, "class", "undecided", NULL);
    }
    html_close(p->h);
}

/* True for the blank between a figure and its unit: ns, µs, ms, s, /s; and around an arrow. */
static bool is_before_unit(const char *text, const char *s)
{
    if (*s == ' ' && s > text && (s[-1] == '\x92' || s[1] == '\xe2'))
        return true;
    if (*s != ' ' || s == text || !isdigit((unsigned char)s[-1]))
        return false;
    bool short_unit = s[1] == 's' && !isalpha((unsigned char)s[2]);
    return short_unit || s[1] == '/' || s[1] == '%' || s[1] == '\xc2' ||
           ((s[1] == 'm' || s[1] == 'n') && s[2] == 's');
}

/* A figure and its unit stay on one line. */
static const char *with_tied_units(Arena *a, const char *text)
{
    char *tied = ARENA_ARRAY(a, char, 2 * strlen(text) + 1), *w = tied;
    for (const char *s = text; *s; s++) {
        if (is_before_unit(text, s))
            *w++ = '\xc2', *w++ = '\xa0';
        else
            *w++ = *s;
    }
    *w = '\0';
    return tied;
}

/* The cause heads a plan; every other state is its own heading. */
static void write_heading(Page *p)
{
    const Result *r = p->result;
    const Summary *d = &p->summary;
    Phrase buf;
    bool caused = d->headline == HEADLINE_PLAN && r->cause;
    html_leaf(
        p->h, "h1",
        with_tied_units(p->a, caused ? r->cause->text : verdict_sentence(&buf, r, d, p->lang)),
        "id", "top-heading", NULL);
    if (r->compiled)
        return;
    html_open(p->h, "p", "class", "lede", NULL);
    html_text(p->h, with_tied_units(p->a, verdict_now(&buf, r, d, p->lang)));
    if (*verdict_load(&buf, r, d, p->lang))
        html_textf(p->h, ". %s", buf.text);
    html_close(p->h);
}

/* ---- now, after, factor ---- */

static void write_tag(Page *p, ResultSource source)
{
    html_leaf(p->h, "span", verdict_source(source, p->lang), "class",
              source == RESULT_SOURCE_SIMULATED ? "tag good" : "tag", NULL);
}

/* "64.9 ms", the unit smaller. */
static void write_large_value(Page *p, double value, const char *unit)
{
    Figure f;
    figure_value(&f, value, unit);
    char *blank = strrchr(f.text, ' ');
    html_open(p->h, "dd", "class", "large", NULL);
    if (blank)
        *blank = '\0';
    html_text(p->h, f.text);
    if (blank) {
        html_text(p->h, " ");
        html_leaf(p->h, "small", blank + 1, NULL);
    }
    html_close(p->h);
}

static void write_fact(Page *p, const char *name, ResultSource source, double value,
                       const char *below)
{
    html_open(p->h, "div", NULL);
    html_open(p->h, "dt", NULL);
    html_textf(p->h, "%s ", name);
    write_tag(p, source);
    html_close(p->h);
    write_large_value(p, value, p->summary.unit);
    if (*below)
        html_leaf(p->h, "dd", below, "class", "below", NULL);
    html_close(p->h);
}

static const char *range_text(Phrase *buf, const Page *p, double lo, double hi)
{
    Figure f[2];
    return phrase_format(buf, p->lang, PHRASE_RANGE, figure_value(&f[0], lo, p->summary.unit),
                         figure_value(&f[1], hi, p->summary.unit), NULL);
}

/* What is said below now: the tail and the rate of a trace, or the interval of a prediction. */
static const char *below_now(Phrase *buf, const Page *p)
{
    const Result *r = p->result;
    bool rate = p->summary.throughput;
    Figure latency, p90, per_s;
    if (r->compiled || !r->now)
        return "";
    if (r->now->source == RESULT_SOURCE_MEASURED && r->measured) {
        figure_time(&latency, (double)r->now->latency_ns.value);
        figure_time(&p90, (double)r->measured->latency_ns.p90);
        figure_rate(&per_s, r->now->throughput_per_s.value);
        return rate ? phrase_format(buf, p->lang, PHRASE_NOW_MEASURED, latency.text, p90.text, NULL)
                    : phrase_format(buf, p->lang, PHRASE_FACT_P90, p90.text, per_s.text, NULL);
    }
    if (r->now->source != RESULT_SOURCE_PREDICTED || !r->prediction || r->options.workers.value > 1)
        return "";
    const ResultPrediction *x = r->prediction;
    return rate ? range_text(buf, p, x->throughput_per_s.lo, x->throughput_per_s.hi)
                : range_text(buf, p, (double)x->latency_ns.lo, (double)x->latency_ns.hi);
}

/* "After 1 + 2 + 3" */
static const char *name_of_after(const Page *p, const ResultPlan *plan)
{
    enum { NUMBERS_SHOWN = 6 };
    const char *name = phrase_text(p->lang, PHRASE_TOGGLE_AFTER);
    for (size_t i = 0; i < plan->changes.count && plan->changes.count <= NUMBERS_SHOWN; i++)
        name = arena_printf(p->a, "%s%s %lld", name, i ? " +" : "",
                            (long long)plan->changes.item[i].id);
    return name;
}

static void write_factor(Page *p)
{
    double x = p->summary.factor;
    if (!(x > 0))
        return;
    html_open(p->h, "div", NULL);
    html_leaf(p->h, "dt",
              phrase_text(p->lang, p->summary.throughput ? PHRASE_FACTOR_RATE : PHRASE_FACTOR),
              NULL);
    html_open(p->h, "dd", "class", "large", NULL);
    html_textf(p->h, x < 9.95 ? "%.1f×" : "%.0f×", x);
    html_close(p->h);
    html_close(p->h);
}

/* ---- how each is known ---- */

static void open_trust(Page *p, const char *class, const char *tag)
{
    html_open(p->h, "li", NULL);
    html_leaf(p->h, "span", tag, "class", class, NULL);
    html_text(p->h, " ");
    html_open(p->h, "span", NULL);
}

static void write_trust(Page *p, ResultSource source, const char *text)
{
    open_trust(p, source == RESULT_SOURCE_SIMULATED ? "tag good" : "tag",
               verdict_source(source, p->lang));
    html_text(p->h, with_tied_units(p->a, text));
    html_close(p->h);
    html_close(p->h);
}

static const char *trust_in_now(Phrase *buf, const Page *p)
{
    const Result *r = p->result;
    Figure share;
    if (p->summary.source != RESULT_SOURCE_MEASURED || !r->measured)
        return r->traces.count && r->evidence.issues.count
                   ? r->evidence.issues.item[0].text
                   : phrase_text(p->lang, PHRASE_TRUST_NO_TRACE);
    return phrase_format(buf, p->lang, PHRASE_TRUST_NOW, COUNTED(r->measured->inferences),
                         figure_share(&share, r->coverage.matched_time_share.value), NULL);
}

static const char *trust_in_after(Phrase *buf, const Page *p, const ResultAfter *x)
{
    int64_t n = x->members ? x->members->n : x->pairs.value;
    if (x->source == RESULT_SOURCE_PREDICTED)
        return phrase_text(p->lang, PHRASE_TRUST_NOT_RUN);
    if (!x->members)
        return phrase_format(buf, p->lang, PHRASE_RUN_BY, x->runner ? x->runner : "?", COUNTED(n),
                             NULL);
    return phrase_format(buf, p->lang, PHRASE_TRUST_VARIANTS, COUNTED(x->members->real), COUNTED(n),
                         NULL);
}

static const char *share_not_tested(Phrase *buf, const Page *p, const ResultInterval *x)
{
    Figure f[3];
    return phrase_format(buf, p->lang, PHRASE_NOT_TESTED_SHARE, figure_time(&f[0], x->mid),
                         figure_time(&f[1], x->lo), figure_time(&f[2], x->hi), NULL);
}

static void write_not_tested(Page *p, const ResultPlan *plan)
{
    const char *item[3];
    Phrase buf;
    size_t n = 0;
    if (summary_needs(&plan->needs, "accuracy") && !plan->accuracy)
        item[n++] = phrase_text(p->lang, PHRASE_ACCURACY);
    if (plan->after.source != RESULT_SOURCE_MEASURED)
        item[n++] = phrase_text(p->lang, PHRASE_NOT_TESTED_COMPILER);
    if (summary_needs(&plan->needs, "output") && plan->application_ns.hi > 0)
        item[n++] = share_not_tested(&buf, p, &plan->application_ns);
    if (!n)
        return;
    open_trust(p, "tag undecided", phrase_text(p->lang, PHRASE_NOT_TESTED));
    for (size_t i = 0; i < n; i++)
        html_textf(p->h, "%s%s", i ? " · " : "", with_tied_units(p->a, item[i]));
    html_close(p->h);
    html_close(p->h);
}

/* Where the run says something else than the prediction, both are told; the run decides. */
static void write_disagreement(Page *p, const ResultPlan *plan)
{
    ResultInterval after = summary_after(p->result, plan);
    const ResultInterval *x = &plan->predicted;
    Figure f;
    Phrase buf;
    if (plan->after.source == RESULT_SOURCE_PREDICTED || (after.mid >= x->lo && after.mid <= x->hi))
        return;
    figure_interval(&f, x->lo, x->mid, x->hi, p->summary.unit);
    write_trust(p, RESULT_SOURCE_PREDICTED,
                phrase_format(&buf, p->lang, PHRASE_OUTSIDE_PREDICTION, f.text, NULL));
}

static void write_all_trust(Page *p)
{
    const ResultPlan *plan = p->summary.plan;
    Phrase buf;
    html_open(p->h, "ul", "class", "trust", NULL);
    write_trust(p, p->summary.source, trust_in_now(&buf, p));
    if (plan) {
        write_trust(p, plan->after.source, trust_in_after(&buf, p, &plan->after));
        write_disagreement(p, plan);
        if (plan->accuracy)
            write_trust(p, RESULT_SOURCE_MEASURED, accuracy_text(&buf, p->lang, plan->accuracy));
        write_not_tested(p, plan);
    }
    html_close(p->h);
}

static void write_facts(Page *p)
{
    const ResultPlan *plan = p->summary.plan;
    Phrase buf;
    if (!p->summary.known)
        return;
    html_open(p->h, "div", "class", "facts", NULL);
    html_open(p->h, "dl", NULL);
    write_fact(p, phrase_text(p->lang, PHRASE_TOGGLE_NOW), p->summary.source, p->summary.now,
               below_now(&buf, p));
    if (plan) {
        ResultInterval after = summary_after(p->result, plan);
        write_fact(p, name_of_after(p, plan), plan->after.source, after.mid,
                   range_text(&buf, p, after.lo, after.hi));
        write_factor(p);
    }
    html_close(p->h);
    if (!p->result->compiled)
        write_all_trust(p);
    html_close(p->h);
}

/* ---- the bars ---- */

/* What no change is about has the fill of where it runs. */
static const char *class_of_part(const NowPart *x, bool compiled)
{
    static const char *const lost[] = {"runtime", "queueing", "unattributed"};
    if (x->change)
        return "claimed";
    return LIST_ANY(i, sizeof lost / sizeof *lost, !strcmp(x->kind, lost[i])) ? "rest"
           : compiled || !strcmp(x->kind, "npu")                              ? "npu"
           : !strcmp(x->kind, "transfer")                                     ? "io"
                                                                              : "host";
}

static const char *name_of_part(const Page *p, const NowPart *x)
{
    bool compiled = p->result->compiled;
    const char *kind = phrase_by_key(p->lang, compiled ? "LAYER_" : "KIND_", x->kind);
    return x->change ? arena_printf(p->a, "%lld %s", (long long)x->change, kind) : kind;
}

static Bar bar_now(const Page *p, const NowParts *parts)
{
    BarPart *part = ARENA_ARRAY(p->a, BarPart, parts->n + 1);
    for (size_t i = 0; i < parts->n; i++)
        part[i] = (BarPart){class_of_part(&parts->part[i], p->result->compiled),
                            name_of_part(p, &parts->part[i]), parts->part[i].ns};
    return (Bar){.name = phrase_text(p->lang, PHRASE_TOGGLE_NOW),
                 .part = part,
                 .nparts = parts->n,
                 .total = parts->total};
}

/* The latency of the recommended plan, with the application's part at its most. */
static Bar bar_after(const Page *p, const ResultPlan *plan)
{
    const ResultInterval *x = &plan->after.latency_ns;
    BarPart *part = ARENA_ARRAY(p->a, BarPart, 1);
    *part = (BarPart){"good", phrase_text(p->lang, PHRASE_TOGGLE_AFTER), x->mid};
    bool shared = summary_needs(&plan->needs, "output");
    return (Bar){.name = part->name,
                 .part = part,
                 .nparts = 1,
                 .total = x->mid,
                 .lo = x->lo,
                 .hi = x->hi,
                 .most = shared ? x->mid + plan->application_ns.hi : 0};
}

static void write_bars(Page *p)
{
    const ResultPlan *plan = p->summary.throughput ? NULL : p->summary.plan;
    NowParts parts = now_parts(p->a, p->result, &p->summary);
    Figure f;
    Phrase buf;
    if (!(parts.total > 0))
        return;
    Bar bar[2] = {bar_now(p, &parts)};
    bool cut = LIST_ANY(i, parts.n, parts.part[i].change);
    html_leaf(p->h, "h2",
              phrase_format(&buf, p->lang, cut ? PHRASE_WHERE_TIME : PHRASE_WHERE_TIME_ALONE,
                            figure_time(&f, parts.total), NULL),
              NULL);
    if (plan)
        bar[1] = bar_after(p, plan);
    page_bars(p, bar, plan ? 2 : 1, "ns");
    page_bars_legend(p, &bar[0], "ns");
    if (plan && bar[1].most > bar[1].total * 1.01)
        html_leaf(p->h, "p",
                  phrase_format(&buf, p->lang, PHRASE_BAR_APPLICATION, figure_time(&f, bar[1].most),
                                NULL),
                  "class", "apart most", NULL);
}

/* ---- the screen ---- */

/* What bounds a model that nothing improves. */
static void write_ceiling(Page *p)
{
    const ResultCeiling *x = p->result->ceiling;
    Figure a, b;
    Phrase buf;
    if (p->summary.headline != HEADLINE_NOTHING || !x)
        return;
    html_leaf(p->h, "p",
              phrase_format(&buf, p->lang, PHRASE_CEILINGS,
                            figure_time(&a, (double)x->host_free_ns),
                            figure_time(&b, (double)x->npu_free_ns), NULL),
              "class", "apart", NULL);
}

void html_summary(Page *p)
{
    ResultStatus gate = p->result->gate.status;
    bool first = gate == RESULT_STATUS_FAILED || gate == RESULT_STATUS_INCONCLUSIVE;
    if (first)
        html_gate(p);
    write_context(p);
    write_heading(p);
    write_facts(p);
    write_bars(p);
    write_ceiling(p);
    if (!first)
        html_gate(p);
}
