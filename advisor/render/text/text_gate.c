/* Prints assertions that fail or are undecided, with values, and counts those that hold. All of it
 * is in the JSON, the report and the JUnit file. */
#include "advisor/render/text/text_parts.h"

#include "advisor/message/figure.h"
#include "advisor/report/settings_line.h"

enum { VALUES = 8 }; /* shown */

static const char *format_amount(Figure *f, bool is_time, double v)
{
    if (is_time)
        return figure_time(f, v);
    snprintf(f->text, sizeof f->text, "%.6g", v);
    return f->text;
}

/* "<= 75.5 ms": the limit in the unit that people read. */
static const char *limit_text(Figure *f, const ResultAssertion *x, bool is_time)
{
    Figure value;
    if (!is_time)
        return x->expected;
    snprintf(f->text, sizeof f->text, "%.8s %.40s", result_relation_words[x->limit->relation],
             figure_time(&value, x->limit->value));
    return f->text;
}

static void put_values(TextOut *t, const ResultReals *values, bool is_time)
{
    Figure f;
    if (values->count < 2)
        return;
    text_put(t, STYLE_NONE, " ");
    for (size_t i = 0; i < values->count && i < VALUES; i++)
        text_putf(t, STYLE_DIM, "%s%s%s", i ? " " : "(",
                  format_amount(&f, is_time, values->item[i]), i + 1 < values->count ? "," : ")");
    if (values->count > VALUES)
        text_putf(t, STYLE_DIM, " … %zu)", values->count);
}

static void put_assertion(TextOut *t, const ResultAssertion *x)
{
    Figure limit, found = {.text = "?"};
    Phrase p;
    bool is_time = x->limit && x->limit->unit == RESULT_ASSERTION_LIMIT_UNIT_NS;
    if (x->found.known)
        format_amount(&found, is_time, x->found.value);
    text_line(t, TEXT_LABEL, TEXT_LABEL + 2);
    text_put(t, x->pass.known ? STYLE_BAD : STYLE_NONE,
             phrase_format(&p, t->lang, PHRASE_ASSERTION, x->name, limit_text(&limit, x, is_time),
                           found.text, NULL));
    put_values(t, &x->values, is_time);
    if (*x->detail)
        text_putf(t, STYLE_DIM, ": %s", x->detail);
    text_end(t);
}

/* "against the baseline: 1 new, 2 unchanged, 0 improved, 1 gone" */
static void put_baseline(TextOut *t, const ResultBaseline *b)
{
    char new[32], unchanged[32], improved[32], gone[32];
    Phrase p;
    text_paragraph(t, (TextPlace){TEXT_LABEL, TEXT_LABEL + 2}, STYLE_NONE,
                   phrase_format(&p, t->lang, PHRASE_BASELINE_STATES,
                                 phrase_count(new, (int64_t)b->new.count),
                                 phrase_count(unchanged, (int64_t)b->unchanged.count),
                                 phrase_count(improved, (int64_t)b->improved.count),
                                 phrase_count(gone, (int64_t)b->gone.count), NULL));
}

static void put_settings(TextOut *t, const ResultSettingList *settings)
{
    Arena *a = arena_new(0);
    for (size_t i = 0; i < settings->count; i++) {
        text_line(t, i ? TEXT_LABEL : 0, TEXT_LABEL + 2);
        if (!i)
            text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_LABEL_SETTINGS));
        text_cell(t, TEXT_LABEL, STYLE_NONE, settings_line(a, &settings->item[i], t->lang));
        text_end(t);
    }
    arena_free(a);
}

static void put_status(TextOut *t, const ResultGate *gate)
{
    char count[32], all[32];
    size_t hold = 0;
    Phrase p;
    for (size_t i = 0; i < gate->assertions.count; i++)
        hold += gate->assertions.item[i].pass.value;
    text_line(t, 0, TEXT_LABEL);
    text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_LABEL_GATE));
    text_to(t, TEXT_LABEL);
    text_put(t, gate->status == RESULT_STATUS_PASSED ? STYLE_GOOD : STYLE_BAD,
             phrase_by_key(t->lang, "GATE_", result_status_words[gate->status]));
    text_put(t, STYLE_NONE,
             phrase_format(&p, t->lang, PHRASE_ASSERTIONS_HOLD, phrase_count(count, (int64_t)hold),
                           phrase_count(all, (int64_t)gate->assertions.count), NULL));
    text_end(t);
}

static void put_gate(TextOut *t, const ResultGate *gate)
{
    put_status(t, gate);
    for (size_t i = 0; i < gate->assertions.count; i++)
        if (!gate->assertions.item[i].pass.value)
            put_assertion(t, &gate->assertions.item[i]);
    if (gate->baseline)
        put_baseline(t, gate->baseline);
}

void text_gate(TextOut *t, const ResultGate *gate)
{
    if (gate->status != RESULT_STATUS_NONE)
        put_gate(t, gate);
    put_settings(t, &gate->settings);
}
