/* Writes what an assertion of the gate expects and what was found, with units. */
#include "advisor/report/assertion.h"

enum { ENDS = 3 }; /* so few values are an interval, not samples */

const char *assertion_amount(Figure *f, const ResultAssertion *x, double v)
{
    ResultAssertionLimitUnit unit = x->limit ? x->limit->unit : RESULT_ASSERTION_LIMIT_UNIT_NONE;
    if (unit && unit != RESULT_ASSERTION_LIMIT_UNIT_NONE)
        return figure_value(f, v, result_assertion_limit_unit_words[unit]);
    snprintf(f->text, sizeof f->text, "%.6g", v);
    return f->text;
}

bool assertion_fails_for(const ResultAssertionList *list, const char *fingerprint)
{
    return LIST_ANY(i, list->count,
                    LIST_ANY(k, list->item[i].findings.count,
                             !strcmp(list->item[i].findings.item[k], fingerprint)));
}

const char *assertion_expected(Arena *a, const ResultAssertion *x)
{
    const ResultAssertionLimit *limit = x->limit;
    Figure most;
    return limit ? arena_printf(a, "%s %s", result_relation_words[limit->relation],
                                assertion_amount(&most, x, limit->value))
                 : x->expected;
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
    return phrase_format(buf, lang, PHRASE_ASSERTION_VALUES, assertion_amount(&from, x, lo),
                         assertion_amount(&to, x, hi), COUNTED(all->count), NULL);
}

const char *assertion_found(Phrase *buf, Arena *a, const ResultAssertion *x, const Language *lang)
{
    const ResultAssertionLimit *limit = x->limit;
    Figure found;
    Phrase spread;
    bool none = limit && *result_relation_words[limit->relation] == '<' && limit->value == 0;
    PhraseId id = !x->found.known ? PHRASE_ASSERTION_UNKNOWN
                  : none          ? PHRASE_ASSERTION_NONE
                                  : PHRASE_ASSERTION;
    return phrase_format(buf, lang, id, x->name, assertion_expected(a, x),
                         assertion_amount(&found, x, x->found.value), spread_text(&spread, x, lang),
                         NULL);
}

const char *assertion_sentence(Arena *a, const ResultAssertion *x, const Language *lang)
{
    Phrase p;
    return arena_printf(a, "%s%s%s", assertion_found(&p, a, x, lang), *x->detail ? ": " : "",
                        lang ? wording_of(x->detail) : x->detail);
}
