/* Prints one row for each point, with its settings, and how much was searched. */
#include "advisor/render/text/text_parts.h"

#include "advisor/message/figure.h"

enum { LATENCY = 3, RATE = 14, NEEDS = 26, SETTINGS = 50 };

static void put_heads(TextOut *t)
{
    const TextHead column[] = {{LATENCY, phrase_text(t->lang, PHRASE_TUNE_COL_LATENCY)},
                               {RATE, phrase_text(t->lang, PHRASE_TUNE_COL_RATE)},
                               {NEEDS, phrase_text(t->lang, PHRASE_COL_NEEDS)},
                               {SETTINGS, phrase_text(t->lang, PHRASE_TUNE_COL_SETTINGS)}};
    text_paragraph(t, (TextPlace){0, 0}, STYLE_BOLD, phrase_text(t->lang, PHRASE_TUNE_FRONT));
    text_line(t, 0, 0);
    text_heads(t, column, sizeof column / sizeof *column);
}

static void put_needs(TextOut *t, const ResultTexts *needs)
{
    for (size_t i = 0; i < needs->count; i++)
        text_putf(t, STYLE_NONE, "%s%.3s", i ? "," : "",
                  phrase_by_key(t->lang, "NEED_", needs->item[i]));
    if (!needs->count)
        text_put(t, STYLE_NONE, "-");
}

/* Each rule once, then what differs in settings. */
static void put_settings(TextOut *t, const Result *r, const ResultFront *x)
{
    bool any = false;
    for (size_t i = 0; i < x->rules.count; i++) {
        if (i && !strcmp(x->rules.item[i], x->rules.item[i - 1]))
            continue;
        text_putf(t, STYLE_NONE, "%s%s", any ? " " : "", x->rules.item[i]);
        any = true;
    }
    if (strcmp(x->target, r->target))
        text_putf(t, STYLE_NONE, " --target %s", x->target);
    if (x->batch != r->options.batch.value)
        text_putf(t, STYLE_NONE, " --batch %" PRId64, x->batch);
    if (x->workers != r->options.workers.value)
        text_putf(t, STYLE_NONE, " --workers %" PRId64, x->workers);
    if (x->devices != r->options.devices.value)
        text_putf(t, STYLE_NONE, " --devices %" PRId64, x->devices);
}

static void put_point(TextOut *t, const Result *r, const ResultFront *x)
{
    Figure f;
    text_line(t, 0, SETTINGS);
    text_put(t, STYLE_BOLD, x->plan ? " *" : "  ");
    text_cell(t, LATENCY, STYLE_NONE, figure_time(&f, x->latency_ns));
    text_cell(t, RATE, STYLE_NONE, figure_rate(&f, x->throughput_per_s));
    text_to(t, NEEDS);
    put_needs(t, &x->needs);
    text_to(t, SETTINGS);
    put_settings(t, r, x);
    text_end(t);
}

static void put_searched(TextOut *t, const ResultSearched *s)
{
    Phrase p;
    text_paragraph(t, (TextPlace){0, 0}, STYLE_DIM,
                   phrase_format(&p, t->lang,
                                 s->exhaustive ? PHRASE_TUNE_SEARCHED : PHRASE_TUNE_SEARCHED_NEAR,
                                 COUNTED(s->points), NULL));
}

enum { POINTS_SHOWN = 6 };

void text_front(TextOut *t, const Result *r, const View *view)
{
    size_t shown = 0, n = r->front.count;
    double limit = r->latency_limit_ns.known ? (double)r->latency_limit_ns.value : INFINITY;
    fputc('\n', t->out);
    put_heads(t);
    for (size_t i = n; i-- > 0;) {
        const ResultFront *x = &r->front.item[i];
        if (!view->verbose && (shown >= POINTS_SHOWN || x->latency_ns > limit) && !x->plan)
            continue;
        put_point(t, r, x);
        shown++;
    }
    text_more(t, LATENCY, n - shown);
    if (r->searched)
        put_searched(t, r->searched);
}
