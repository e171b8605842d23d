/* Prints each assertion that fails or is undecided, and counts those that hold.
 * With --verbose those too. */
#include "advisor/render/text/text_parts.h"

#include "advisor/report/assertion.h"
#include "advisor/report/settings_line.h"

/* Begins with its outcome. */
static void put_assertion(TextOut *t, const ResultAssertion *x)
{
    Arena *a = arena_new(0);
    TextStyle style = x->pass.known && !x->pass.value ? STYLE_BAD : STYLE_NONE;
    text_line(t, TEXT_LABEL, TEXT_LABEL + 2);
    text_put(t, style,
             phrase_text(t->lang, !x->pass.known  ? PHRASE_DIFF_UNDECIDED
                                  : x->pass.value ? PHRASE_GATE_PASSED
                                                  : PHRASE_GATE_FAILED));
    text_putf(t, style, " %s", assertion_sentence(a, x, t->lang));
    text_end(t);
    arena_free(a);
}

/* "baseline, all levels (info): 1 new, 2 unchanged, 0 improved, 1 gone" */
static void put_baseline(TextOut *t, const ResultBaseline *b)
{
    Phrase p;
    text_paragraph(t, (TextPlace){TEXT_LABEL, TEXT_LABEL + 2}, STYLE_NONE,
                   phrase_format(&p, t->lang, PHRASE_BASELINE_STATES, COUNTED(b->new.count),
                                 COUNTED(b->unchanged.count), COUNTED(b->improved.count),
                                 COUNTED(b->gone.count), NULL));
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
    enum { FAILED, OPEN, PASSED, OUTCOMES };
    size_t n[OUTCOMES] = {0};
    Phrase p;
    for (size_t i = 0; i < gate->assertions.count; i++) {
        const ResultBool *pass = &gate->assertions.item[i].pass;
        n[!pass->known ? OPEN : pass->value ? PASSED : FAILED]++;
    }
    text_line(t, 0, TEXT_LABEL);
    text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_LABEL_GATE));
    text_to(t, TEXT_LABEL);
    text_put(t, gate->status == RESULT_STATUS_PASSED ? STYLE_GOOD : STYLE_BAD,
             phrase_by_key(t->lang, "GATE_", result_status_words[gate->status]));
    if (n[PASSED] == gate->assertions.count)
        phrase_format(&p, t->lang, PHRASE_ASSERTIONS_HOLD, COUNTED(n[PASSED]), NULL);
    else
        phrase_format(&p, t->lang, PHRASE_ASSERTIONS_COUNT, COUNTED(n[FAILED]), COUNTED(n[OPEN]),
                      COUNTED(n[PASSED]), NULL);
    text_put(t, STYLE_NONE, p.text);
    text_end(t);
}

static void put_gate(TextOut *t, const ResultGate *gate, bool verbose)
{
    put_status(t, gate);
    for (size_t i = 0; i < gate->assertions.count; i++)
        if (verbose || !gate->assertions.item[i].pass.value)
            put_assertion(t, &gate->assertions.item[i]);
    if (gate->baseline)
        put_baseline(t, gate->baseline);
}

void text_gate(TextOut *t, const ResultGate *gate, bool verbose)
{
    if (gate->status != RESULT_STATUS_NONE)
        put_gate(t, gate, verbose);
    put_settings(t, &gate->settings);
}
