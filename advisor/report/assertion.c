/* Writes what an assertion of the gate expects and what was found, with units. */
#include "advisor/report/assertion.h"

#include "advisor/message/figure.h"

enum { ENDS = 3 }; /* so few values are an interval, not samples */

static const char *amount_text(Figure *f, const ResultAssertion *x, double v)
{
    if (x->limit && x->limit->unit == RESULT_ASSERTION_LIMIT_UNIT_NS)
        return figure_time(f, v);
    snprintf(f->text, sizeof f->text, "%.6g", v);
    return f->text;
}

/* " (30 values, 21.8 ms to 68.0 ms)"; "" for the ends of an interval. */
static const char *spread_text(Phrase *buf, const ResultAssertion *x, const Language *lang)
{
    const ResultReals *all = &x->values;
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    Figure from, to;
    for (size_t i = 0; i < all->count; i++) {
        lo = fmin(lo, all->item[i]);
        hi = fmax(hi, all->item[i]);
    }
    if (all->count <= ENDS)
        return "";
    return phrase_format(buf, lang, PHRASE_ASSERTION_VALUES, amount_text(&from, x, lo),
                         amount_text(&to, x, hi), COUNTED(all->count), NULL);
}

const char *assertion_sentence(Arena *a, const ResultAssertion *x, const Language *lang)
{
    const ResultAssertionLimit *limit = x->limit;
    const char *relation = limit ? result_relation_words[limit->relation] : "";
    Figure most, found;
    Phrase p, spread;
    PhraseId id = !x->found.known                         ? PHRASE_ASSERTION_UNKNOWN
                  : *relation == '<' && limit->value == 0 ? PHRASE_ASSERTION_NONE
                                                          : PHRASE_ASSERTION;
    const char *expected =
        limit ? arena_printf(a, "%s %s", relation, amount_text(&most, x, limit->value))
              : x->expected;
    phrase_format(&p, lang, id, x->name, expected, amount_text(&found, x, x->found.value),
                  spread_text(&spread, x, lang), NULL);
    return arena_printf(a, "%s%s%s", p.text, *x->detail ? ": " : "", x->detail);
}
