/* Prints the result of one model as text, from how slow it is and where to the plans and the
 * command that writes the recommended one. */
#include "advisor/message/plain.h"
#include "advisor/report/setup_text.h"
#include "advisor/report/verdict.h"
#include "advisor/render/text/text_parts.h"

enum { NAME = 60, INDENT = 2 }; /* columns of a name at most */

static void put_coverage(TextOut *t, const ResultCoverage *c)
{
    enum { SHOWN = 3 };
    Phrase p;
    if (c->nodes_known == c->nodes)
        return;
    text_line(t, 0, INDENT);
    text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_NOTE));
    text_put(t, STYLE_NONE,
             phrase_format(&p, t->lang, PHRASE_COVERAGE, COUNTED(c->nodes_known), COUNTED(c->nodes),
                           NULL));
    for (size_t i = 0; i < c->unknown_ops.count && i < SHOWN; i++) {
        Plain name;
        text_put(t, STYLE_NONE, i ? ", " : "; ");
        plain(&name, c->unknown_ops.item[i], NAME);
        text_put(t, STYLE_BAD,
                 i ? name.text : phrase_format(&p, t->lang, PHRASE_UNKNOWN_OPS, name.text, NULL));
    }
    if (c->unknown_ops.count > SHOWN)
        text_put(t, STYLE_NONE, " …");
    text_end(t);
}

/* ---- now ---- */

static void put_now(TextOut *t, const Result *r, const Summary *d)
{
    Phrase p;
    text_paragraph(t, (TextPlace){0, INDENT}, STYLE_BOLD, verdict_now(&p, r, d, t->lang));
    text_paragraph(t, (TextPlace){INDENT, INDENT}, STYLE_NONE, setup_of_run(&p, r, t->lang));
    text_paragraph(t, (TextPlace){INDENT, INDENT}, STYLE_NONE, verdict_load(&p, r, d, t->lang));
    text_paragraph(t, (TextPlace){INDENT, INDENT}, STYLE_BAD, setup_open(&p, r->setup, t->lang));
}

/* Smaller shares are left out, or, where they need a line more, told with --verbose. */
#define SHARE_SHOWN   0.005
#define SHARE_WRAPPED 0.05

/* "Quantize 38 %  Concat 29 %" */
static void put_breakdown(TextOut *t, const Result *r, bool verbose)
{
    text_line(t, INDENT, INDENT);
    for (size_t i = 0; i < r->breakdown.count; i++) {
        const ResultBreakdown *x = &r->breakdown.item[i];
        char share[128];
        if (x->share < SHARE_SHOWN)
            continue;
        const char *kind = phrase_by_key(t->lang, "KIND_", x->kind);
        snprintf(share, sizeof share, "%s%.90s\xc2\xa0%.0f\xc2\xa0%%", i ? "  " : "", kind,
                 100 * x->share);
        if (!verbose && x->share < SHARE_WRAPPED && t->column + plain_width(share) > text_room(t))
            continue;
        text_put(t, STYLE_NONE, share);
    }
    text_end(t);
}

/* Names longer than half a line are shortened; --verbose and the page have them whole. */
static const char *shorten_names(Phrase *buf, const char *words)
{
    enum { LONGEST = 44 };
    size_t n = 0;
    while (*words && n < sizeof buf->text) {
        size_t gap = strspn(words, " "), length = strcspn(words + gap, " ");
        char word[256];
        Plain name;
        snprintf(word, sizeof word, "%.*s", (int)length, words + gap);
        n += (size_t)snprintf(buf->text + n, sizeof buf->text - n, "%.*s%s", (int)gap, words,
                              plain_width(word) > LONGEST ? plain(&name, word, LONGEST) : word);
        words += gap + length;
    }
    return buf->text;
}

static void put_cause(TextOut *t, const Result *r, bool verbose)
{
    Phrase p = {.text = ""};
    if (!r->cause)
        return;
    text_line(t, 0, INDENT);
    text_put(t, STYLE_BOLD, phrase_text(t->lang, PHRASE_CAUSE));
    text_put(t, STYLE_NONE, " ");
    text_put(t, STYLE_NONE, verbose ? r->cause->text : shorten_names(&p, r->cause->text));
    text_end(t);
}

/* ---- what limits the answer ---- */

enum { ISSUES_SHOWN = 2 };

/* Problems of the trace, and operators of unknown cost. */
static void put_problems(TextOut *t, const Result *r)
{
    bool poor = r->evidence.grade >= RESULT_GRADE_C && r->traces.count && !r->evidence.refuted;
    put_coverage(t, &r->coverage);
    for (size_t i = 0; poor && i < r->evidence.issues.count && i < ISSUES_SHOWN; i++) {
        if (!strcmp(r->evidence.issues.item[i].code, "undecided-setup")) /* put_setup says it */
            continue;
        text_note(t, r->evidence.issues.item[i].text);
    }
}

/* ---- the end ---- */

static void put_runner(TextOut *t, const Summary *d)
{
    const ResultAfter *x = d->plan ? &d->plan->after : NULL;
    Phrase p;
    if (!x || x->source == RESULT_SOURCE_PREDICTED)
        return;
    text_put(
        t, STYLE_DIM,
        x->members
            ? phrase_format(&p, t->lang, PHRASE_SIMULATED_ON, COUNTED(x->members->n), NULL)
            : phrase_format(&p, t->lang, PHRASE_RUN_BY, x->runner, COUNTED(x->pairs.value), NULL));
    text_put(t, STYLE_NONE, " ");
}

static void put_counts(TextOut *t, const Result *r, const Summary *d)
{
    size_t notes =
        r->notes.count + r->observations.count + (text_by_hand_shown(r, d) ? 0 : r->by_hand.count);
    Phrase p;
    if (!notes && !r->suppressed.count)
        return;
    phrase_format(&p, t->lang, r->suppressed.count ? PHRASE_MORE : PHRASE_MORE_NOTES,
                  COUNTED(notes), COUNTED(r->suppressed.count), NULL);
    if (t->column && t->column + 1 + plain_width(p.text) > text_room(t))
        text_end(t);
    text_put(t, STYLE_DIM, p.text);
}

static const char *first_rule(const Result *r, const Summary *d)
{
    const ResultChange *c =
        d->plan && d->plan->changes.count ? summary_change(r, d->plan->changes.item[0].id) : NULL;
    const char *id = c ? c->rule_id : r->by_hand.count ? r->by_hand.item[0].rule_id : "";
    return *id ? id : NULL;
}

static void put_end(TextOut *t, const Result *r, const Summary *d, const View *view)
{
    const char *rule = first_rule(r, d);
    Phrase p;
    bool measure = !r->traces.count && !r->compiled;
    if (r->compiled)
        text_compiled_limits(t, r);
    else
        put_problems(t, r);
    text_line(t, 0, 0);
    put_runner(t, d);
    if (!view->verbose)
        put_counts(t, r, d);
    if (t->column)
        text_end(t);
    if (!measure && rule)
        text_paragraph(t, (TextPlace){0, 0}, STYLE_DIM,
                       phrase_format(&p, t->lang, PHRASE_WHY_AND_HOW, rule, NULL));
    if (measure)
        text_paragraph(t, (TextPlace){0, 0}, STYLE_DIM,
                       phrase_measure_it(&p, t->lang, r->machine ? r->machine->record : NULL));
}

static void put_subject(TextOut *t, const Result *r, const Summary *d, bool verbose)
{
    if (r->compiled) {
        text_compiled(t, r);
        return;
    }
    text_paragraph(t, (TextPlace){0, INDENT}, STYLE_BAD, r->widened ? r->widened : "");
    put_now(t, r, d);
    if (d->known && r->breakdown.count)
        put_breakdown(t, r, verbose);
    put_cause(t, r, verbose);
}

void text_result(FILE *out, const Result *r, const View *view)
{
    TextOut text = {.out = out, .colour = view->colour, .lang = view->lang}, *t = &text;
    Summary d = summary_of(r);
    Phrase p;
    bool failed = r->gate.status != RESULT_STATUS_NONE && r->gate.status != RESULT_STATUS_PASSED;
    bool first = d.headline == HEADLINE_REFUSED || d.headline == HEADLINE_CPU_FASTER;
    const char *verdict = verdict_sentence(&p, r, &d, t->lang);
    if (failed)
        text_gate(t, &r->gate, view->verbose);
    if (first)
        text_paragraph(t, (TextPlace){0, INDENT}, STYLE_BAD, verdict);
    put_subject(t, r, &d, view->verbose);
    if (!first || d.plan || !r->by_hand.count)
        fputc('\n', t->out);
    if (!first && d.headline != HEADLINE_PLAN)
        text_paragraph(t, (TextPlace){0, INDENT}, STYLE_BOLD, verdict);
    text_plans(t, r, &d, view);
    if (view->front && r->front.count)
        text_front(t, r, view);
    if (!failed)
        text_gate(t, &r->gate, view->verbose);
    put_end(t, r, &d, view);
    if (view->verbose)
        text_details(t, r);
}
