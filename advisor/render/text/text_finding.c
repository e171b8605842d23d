/* Prints one table row for each change of a plan, with its setting below it. */
#include "advisor/render/text/text_parts.h"

#include "advisor/message/figure.h"
#include "advisor/message/plain.h"
#include "advisor/report/accuracy_text.h"
#include "advisor/report/command_words.h"
#include "advisor/report/finding.h"
#include "advisor/report/verdict.h"

/* Columns of the table. */
enum { TITLE = 3, RULE = 38, SAVES = 45, NEEDS = 64, DETAIL = 5, TITLE_WIDTH = RULE - TITLE - 1 };

static int decimals_of(double x)
{
    x = fabs(x);
    return x >= 99.95 ? 0 : x >= 9.995 ? 1 : x >= 0.0995 ? 2 : 3;
}

/* "31.8 [16.7, 39.0]" in ms, or in images per second: the head of the column has the unit. */
static const char *saves_text(Figure *f, const ResultInterval *x, const char *unit)
{
    double scale = figure_is_rate(unit) ? 1 : 1e-6;
    int d = decimals_of(x->mid * scale);
    if (fabs(x->mid * scale) < 0.0005)
        return "    -";
    snprintf(f->text, sizeof f->text, "%5.*f [%.*f, %.*f]", d, x->mid * scale, d,
             x->lo * scale + 0.0, d, x->hi * scale);
    return f->text;
}

typedef struct {
    int64_t id; /* 0: none */
    const char *title, *rule, *saves, *needs;
} Row;

/* A long title goes on in the lines below. */
static void put_row(TextOut *t, const Row *row)
{
    char first[1024];
    size_t n = plain_fitting(row->title, TITLE_WIDTH);
    n = n < sizeof first ? n : sizeof first - 1;
    memcpy(first, row->title, n);
    first[n] = '\0';
    text_line(t, 0, TITLE);
    if (row->id)
        text_putf(t, STYLE_BOLD, "%2lld", (long long)row->id);
    text_cell(t, TITLE, STYLE_BOLD, first);
    text_cell(t, RULE, STYLE_NONE, row->rule);
    text_cell(t, SAVES, STYLE_NONE, row->saves);
    text_to(t, NEEDS);
    t->indent = NEEDS;
    text_put(t, STYLE_DIM, row->needs);
    text_end(t);
    text_paragraph(t, (TextPlace){TITLE, TITLE}, STYLE_BOLD,
                   row->title + n + strspn(row->title + n, " "));
}

static void put_heads(TextOut *t, PhraseId first, PhraseId saves)
{
    const TextHead column[] = {{TITLE, phrase_text(t->lang, first)},
                               {RULE, phrase_text(t->lang, PHRASE_COL_RULE)},
                               {SAVES, phrase_text(t->lang, saves)},
                               {NEEDS, phrase_text(t->lang, PHRASE_COL_NEEDS)}};
    text_line(t, 0, 0);
    text_heads(t, column, sizeof column / sizeof *column);
}

static void put_detail(TextOut *t, const char *label, const char *text, TextStyle style)
{
    text_line(t, DETAIL, DETAIL + 2);
    if (*label) {
        text_put(t, STYLE_DIM, label);
        text_put(t, STYLE_NONE, " ");
    }
    text_put(t, style, text);
    text_end(t);
}

/* "3x, first at Concat_3"; a single place only where the setting names nothing. */
static void put_where(TextOut *t, const ResultWhere *where, size_t count, const ResultFix *fix)
{
    const char *name = where->tensor ? where->tensor : where->node ? where->node : where->op;
    Phrase p;
    Plain shown;
    if (!name || (count < 2 && strpbrk(fix->text, "\"'")))
        return;
    plain(&shown, name, 50);
    put_detail(t, "",
               phrase_format(&p, t->lang, count > 1 ? PHRASE_AT_MANY : PHRASE_AT_ONE, shown.text,
                             COUNTED(count), NULL),
               STYLE_NONE);
}

enum { FIX_SHOWN = 150, CODE_SHOWN = 100, LINE_SHOWN = 76 - DETAIL };

/* The first of several settings, whole so that it can be pasted; a longer one shortened to a line
 * of `columns`, a sentence cut after a word; all is printed with --verbose. */
static const char *shown_fix(Plain *buf, const ResultFix *fix, size_t columns)
{
    char first[1024];
    size_t n = strcspn(fix->text, "\n");
    if (fix->code && (fix->text[n] || n > CODE_SHOWN)) {
        snprintf(first, sizeof first, "%.*s", (int)n, fix->text);
        return plain(buf, first, n <= CODE_SHOWN ? PLAIN_COLUMNS : columns);
    }
    if (!fix->text[n] && n <= FIX_SHOWN)
        return fix->text;
    n = n < FIX_SHOWN ? n : FIX_SHOWN;
    while (fix->text[n] != '\n' && fix->text[n] != ' ' && n > 0)
        n--;
    snprintf(buf->text, sizeof buf->text, "%.*s …", (int)n, fix->text);
    return buf->text;
}

static void put_fix(TextOut *t, const ResultFix *fix)
{
    const char *where = fix->where ? result_fix_where_words[fix->where] : NULL;
    Phrase label = {.text = ""};
    Plain shown;
    if (!*fix->text)
        return;
    if (where)
        phrase_format(&label, t->lang, PHRASE_FIX_IN, phrase_by_key(t->lang, "WHERE_", where),
                      NULL);
    size_t width = plain_width(label.text), room = width < LINE_SHOWN / 2 ? width : 0;
    put_detail(t, label.text, shown_fix(&shown, fix, LINE_SHOWN - room), STYLE_FIX);
}

/* Smaller savings are not worth a line more. */
#define SHARE_WORTH 0.02

static void put_change_how(TextOut *t, const ResultChange *c)
{
    size_t count = c->occurrences.count;
    if (count < 2)
        put_where(t, &c->where, count, &c->fix);
    put_fix(t, &c->fix);
    if (count > 1) /* the setting is of the first */
        put_where(t, &c->where, count, &c->fix);
}

/* Of later changes, only settings to copy are shown: `apply` makes the edits. */
enum { HOW_SHOWN = 4 };

static bool tells_how(const Summary *d, const ResultPlan *p, size_t row, const ResultChange *c)
{
    const ResultPlan *above = p == d->plan ? NULL : d->plan;
    return !summary_plan_has(above, c->id) && (row < HOW_SHOWN || c->fix.code);
}

static bool may_not_help(const Result *r, const ResultPlanChange *row)
{
    return row->saves && finding_may_not_help(r, row->saves);
}

static void put_change(TextOut *t, const Result *r, const Summary *d, const ResultPlanChange *row)
{
    const ResultChange *c = summary_change(r, row->id);
    Figure saves = {.text = ""};
    Phrase needs;
    put_row(t, &(Row){.id = c->id,
                      .title = c->title,
                      .rule = c->rule_id,
                      .saves = row->saves ? saves_text(&saves, row->saves, d->unit)
                                          : phrase_text(t->lang, PHRASE_WITH_NEXT),
                      .needs = verdict_needs(&needs, &c->needs, t->lang)});
    if (may_not_help(r, row))
        put_detail(t, "", phrase_text(t->lang, PHRASE_MAY_NOT_HELP), STYLE_DIM);
}

/* Rows that are worth it first; of the others only settings to copy without `verbose`. */
static void put_changes(TextOut *t, const Result *r, const Summary *d, const ResultPlan *p,
                        const View *view)
{
    for (size_t i = 0; i < 2 * p->changes.count; i++) {
        size_t k = i % p->changes.count;
        const ResultPlanChange *row = &p->changes.item[k];
        const ResultChange *c = summary_change(r, row->id);
        bool minor =
            p->changes.count > 1 && may_not_help(r, row) && row->saves->mid < SHARE_WORTH * d->now;
        if (minor != (i >= p->changes.count))
            continue;
        put_change(t, r, d, row);
        if (tells_how(d, p, k, c) && (!minor || c->fix.code || view->verbose))
            put_change_how(t, c);
        Phrase text;
        if (row->accuracy)
            put_detail(t, phrase_text(t->lang, PHRASE_ACCURACY),
                       accuracy_text(&text, t->lang, row->accuracy), STYLE_NONE);
    }
}

/* Requests that come at a rate. */
static void put_served(TextOut *t, const Result *r)
{
    Phrase p;
    if (!*verdict_served(&p, r, t->lang))
        return;
    text_line(t, 0, TITLE);
    text_put(t, STYLE_NONE, p.text);
    text_put(t, STYLE_NONE, " ");
    text_put(t, STYLE_NONE, verdict_served_run(&p, r, t->lang));
    text_end(t);
}

/* Where the run says something else than the prediction, both are told; the run decides. */
static void put_disagreement(TextOut *t, const Result *r, const ResultPlan *p, const char *unit)
{
    ResultInterval after = summary_after(r, p);
    Figure predicted;
    Phrase text;
    if (p->after.source == RESULT_SOURCE_PREDICTED ||
        (after.mid >= p->predicted.lo && after.mid <= p->predicted.hi))
        return;
    figure_interval(&predicted, p->predicted.lo, p->predicted.mid, p->predicted.hi, unit);
    text_paragraph(t, (TextPlace){TITLE, TITLE}, STYLE_DIM,
                   phrase_format(&text, t->lang, PHRASE_OUTSIDE_PREDICTION, predicted.text, NULL));
}

static void begin_next(TextOut *t)
{
    text_line(t, 1, 10);
    text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_NEXT));
    text_put(t, STYLE_NONE, "  ");
    t->command = true;
}

/* Once: not where it is the verdict. */
static void put_refusal(TextOut *t, const Summary *d, const ResultPlan *plan)
{
    Phrase p;
    if (plan->bundle.refused && d->headline != HEADLINE_REFUSED)
        text_paragraph(t, (TextPlace){1, TITLE}, STYLE_BAD,
                       phrase_format(&p, t->lang, PHRASE_REFUSED, plan->bundle.refused, NULL));
}

static void put_recommended(TextOut *t, const Result *r, const Summary *d, const View *view)
{
    Phrase p, plan;
    text_paragraph(t, (TextPlace){0, TITLE}, STYLE_GOOD,
                   phrase_format(&p, t->lang, PHRASE_HEAD_PLAN,
                                 verdict_plan(&plan, r, d, d->plan, t->lang), NULL));
    put_served(t, r);
    put_heads(t, PHRASE_COL_CHANGE, d->throughput ? PHRASE_COL_ADDS : PHRASE_COL_SAVES);
    put_changes(t, r, d, d->plan, view);
    put_disagreement(t, r, d->plan, d->unit);
    put_refusal(t, d, d->plan);
    if (d->plan->bundle.refused)
        return;
    text_paragraph(t, (TextPlace){1, TITLE}, STYLE_NONE, r->conversion ? r->conversion : "");
    begin_next(t);
    Arena *a = arena_new(0);
    text_putf(t, STYLE_FIX, "%s", command_apply(a, r, view->again_apply, d->plan->id));
    arena_free(a);
    text_end(t);
}

/* Beside a Pareto front, its row has the changes. */
static void put_other(TextOut *t, const Result *r, const Summary *d, const View *view)
{
    Phrase p;
    fputc('\n', t->out);
    text_paragraph(t, (TextPlace){0, TITLE}, STYLE_BOLD,
                   verdict_route(&p, r, d, d->other, t->lang));
    if (!view->front || !r->front.count || view->verbose)
        put_changes(t, r, d, d->other, view);
    put_disagreement(t, r, d->other, d->unit);
    put_refusal(t, d, d->other);
}

/* Of two with one title, the places tell them apart. */
static bool has_twin(const ResultHandWorkList *list, const ResultHandWork *x)
{
    return LIST_ANY(i, list->count, x != &list->item[i] && !strcmp(x->title, list->item[i].title));
}

/* Below a plan, only settings to copy are shown; the rest is printed with --verbose. */
static void put_hand_work(TextOut *t, const ResultHandWorkList *list, size_t i, bool beside_plan)
{
    const ResultHandWork *x = &list->item[i];
    const char *unit = result_unit_words[x->up_to.unit];
    Figure most;
    Phrase needs;
    put_row(t, &(Row){.id = x->id,
                      .title = x->title,
                      .rule = x->rule_id,
                      .saves = figure_value(&most, x->up_to.value, unit),
                      .needs = verdict_needs(&needs, &x->needs, t->lang)});
    if (x->spares)
        put_detail(t, "", x->spares, STYLE_DIM);
    const ResultHandWork *above = i ? x - 1 : x;
    Phrase same;
    if (x->up_to.value == above->up_to.value && x->up_to.unit == above->up_to.unit &&
        x->steps.count && above->steps.count && x->steps.item[0] != above->steps.item[0])
        put_detail(t, "", phrase_format(&same, t->lang, PHRASE_SAME_TIME, COUNTED(above->id), NULL),
                   STYLE_DIM);
    size_t count = x->occurrences.count, place = !beside_plan || has_twin(list, x) ? count : 0;
    if (place == 1)
        put_where(t, &x->where, count, &x->fix);
    if (!beside_plan || x->fix.code)
        put_fix(t, &x->fix);
    if (place > 1)
        put_where(t, &x->where, count, &x->fix);
}

size_t text_by_hand_shown(const Result *r, const Summary *d)
{
    enum { MOST = 5 };
    size_t n = 0;
    for (; n < r->by_hand.count && n < MOST; n++) {
        const ResultUpTo *up_to = &r->by_hand.item[n].up_to;
        bool same_unit = !strcmp(result_unit_words[up_to->unit], d->unit);
        if ((n || d->plan) && d->known && same_unit && up_to->value < SHARE_WORTH * d->now)
            break;
    }
    return n;
}

/* A compiled graph is changed elsewhere: the next step keeps this result for `diff`. */
static void put_by_hand(TextOut *t, const Result *r, const Summary *d, const View *view)
{
    size_t n = r->by_hand.count, shown = view->verbose ? n : text_by_hand_shown(r, d);
    if (!shown)
        return;
    fputc('\n', t->out);
    text_paragraph(t, (TextPlace){0, TITLE}, STYLE_BOLD, phrase_text(t->lang, PHRASE_BY_HAND_HEAD));
    put_heads(t, PHRASE_COL_ACTION, PHRASE_COL_UP_TO);
    for (size_t i = 0; i < shown; i++)
        put_hand_work(t, &r->by_hand, i, d->plan && !view->verbose);
    text_more(t, TITLE, n - shown);
    if (!r->compiled || !view->again)
        return;
    begin_next(t);
    text_putf(t, STYLE_FIX, "npu-advise %s --json before.json", view->again);
    text_end(t);
}

void text_plans(TextOut *t, const Result *r, const Summary *d, const View *view)
{
    Phrase p;
    if (d->plan)
        put_recommended(t, r, d, view);
    else
        put_served(t, r);
    if (d->other)
        put_other(t, r, d, view);
    if (r->by_hand.count)
        put_by_hand(t, r, d, view);
    if (d->retrain || d->plan || r->by_hand.count)
        fputc('\n', t->out);
    text_paragraph(t, (TextPlace){0, TITLE}, STYLE_NONE, verdict_retraining(&p, r, d, t->lang));
}

static void put_labelled(TextOut *t, PhraseId label, const char *text)
{
    if (text && *text)
        put_detail(t, phrase_text(t->lang, label), text, STYLE_NONE);
}

/* A setting of several occurrences has a line for each. */
static void put_plan_settings(TextOut *t, const char *text)
{
    const char *label = phrase_text(t->lang, PHRASE_FIX);
    char line[1024];
    while (*text) {
        size_t n = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, text);
        put_detail(t, label, line, STYLE_NONE);
        text += n + (text[n] == '\n');
        label = "";
    }
}

/* "saves 26.2 ms [22.6, 32.8]" of one occurrence or try. */
static const char *gain_text(Phrase *buf, const TextOut *t, const ResultInterval *x,
                             const char *unit)
{
    Figure f;
    return phrase_format(buf, t->lang,
                         figure_is_rate(unit) ? PHRASE_PLACE_ADDS : PHRASE_PLACE_SAVES,
                         figure_interval(&f, x->lo, x->mid, x->hi, unit), NULL);
}

/* Where some have a figure, the others, which are the smallest, are counted. */
static void put_occurrences(TextOut *t, const ResultPlaceList *list, const char *unit)
{
    size_t known = LIST_SUM(size_t, i, list->count, list->item[i].gain != NULL);
    for (size_t i = 0; i < list->count; i++) {
        const ResultPlace *x = &list->item[i];
        Phrase p;
        if (known && !x->gain)
            continue;
        text_line(t, DETAIL, DETAIL + 2);
        text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_AT));
        text_putf(t, STYLE_NONE, x->gain ? " %s; " : " %s", x->text);
        if (x->gain)
            text_put(t, STYLE_DIM, gain_text(&p, t, x->gain, unit));
        text_end(t);
    }
    text_more(t, DETAIL, known ? list->count - known : 0);
}

static void put_sweep(TextOut *t, const ResultSweepList *sweep, const char *unit)
{
    char chosen[64];
    snprintf(chosen, sizeof chosen, " (%s)", phrase_text(t->lang, PHRASE_CHOSEN));
    for (size_t i = 0; i < sweep->count; i++) {
        const ResultSweep *s = &sweep->item[i];
        Phrase p;
        text_line(t, DETAIL, DETAIL + 2);
        text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_TRIED));
        text_putf(t, STYLE_NONE, " %s: %s%s", s->value,
                  s->gain ? gain_text(&p, t, s->gain, unit) : "-", s->chosen ? chosen : "");
        text_end(t);
    }
}

static void put_finding(TextOut *t, const ReportedFinding *x, const char *unit)
{
    Phrase p;
    text_line(t, 0, TITLE);
    if (x->id)
        text_putf(t, STYLE_BOLD, "%2lld %s ", (long long)x->id, x->rule_id);
    else
        text_putf(t, STYLE_DIM, "%s ", x->rule_id);
    text_put(t, x->id ? STYLE_BOLD : STYLE_NONE, x->title);
    text_end(t);
    if (x->alone)
        put_labelled(t, PHRASE_ALONE, finding_alone(&p, x->alone, t->lang));
    put_labelled(t, PHRASE_WHY, x->why);
    put_labelled(t, PHRASE_RISK, x->risk);
    put_occurrences(t, x->occurrences, unit);
    if (x->observation)
        put_labelled(t, PHRASE_REASON, x->observation->reason);
    if (x->fix && finding_has_action(x->fix))
        put_plan_settings(t, x->fix->text);
    if (x->change && x->change->accuracy_reason)
        put_labelled(
            t, PHRASE_ACCURACY,
            phrase_format(&p, t->lang, PHRASE_ACCURACY_NOT, x->change->accuracy_reason, NULL));
    if (x->change)
        put_sweep(t, &x->change->sweep, unit);
}

/* "NPU202 Resize the input to a width of 640: 4.00 µs at 1 occurrence; …" */
static void put_suppressed(TextOut *t, const ResultSuppressed *x)
{
    Figure f;
    Phrase p;
    const ResultInterval *g = x->alone.predicted;
    text_line(t, 0, TITLE);
    text_putf(t, STYLE_DIM, "%s ", x->rule_id);
    text_put(t, STYLE_NONE, x->title);
    if (x->where.tensor && x->occurrences.count == 1)
        text_putf(t, STYLE_NONE, " %s",
                  phrase_format(&p, t->lang, PHRASE_AT_ONE, x->where.tensor, NULL));
    if (g)
        text_putf(t, STYLE_NONE, " (%s)",
                  figure_interval(&f, g->lo, g->mid, g->hi, result_unit_words[x->alone.unit]));
    text_put(t, STYLE_DIM, ": ");
    text_put(t, STYLE_DIM, x->text);
    text_end(t);
}

static void put_section(TextOut *t, PhraseId head)
{
    fputc('\n', t->out);
    text_paragraph(t, (TextPlace){0, 0}, STYLE_BOLD, phrase_text(t->lang, head));
}

static void put_findings(TextOut *t, const Result *r, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        ReportedFinding x = finding_at(r, i);
        put_finding(t, &x, summary_unit(r));
    }
}

/* Observations ask for nothing, so they are notes. */
void text_details(TextOut *t, const Result *r)
{
    size_t actions = finding_count(r) - r->observations.count;
    if (actions)
        put_section(t, PHRASE_DETAILS_HEAD);
    put_findings(t, r, 0, actions);
    if (r->suppressed.count)
        put_section(t, PHRASE_SUPPRESSED_HEAD);
    for (size_t i = 0; i < r->suppressed.count; i++)
        put_suppressed(t, &r->suppressed.item[i]);
    if (r->notes.count || r->observations.count)
        put_section(t, PHRASE_NOTES_HEAD);
    for (size_t i = 0; i < r->notes.count; i++)
        put_detail(t, "", r->notes.item[i], STYLE_NONE);
    put_findings(t, r, actions, finding_count(r));
}
