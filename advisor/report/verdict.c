/* Chooses the sentence by the outcome of the result and fills in its figures. */
#include "advisor/report/verdict.h"

#include "advisor/report/finding.h"
#include "advisor/report/summary_total.h"
#include "advisor/report/setup_text.h"
#include "advisor/message/figure.h"

static const char *how_known(const Summary *d, const Language *lang)
{
    PhraseId kind = gain_phrase(&d->first->gain);
    if (!d->first->gain.verified)
        return phrase_text(lang, kind == PHRASE_GAIN_AT_LEAST    ? PHRASE_IS_AT_LEAST
                                 : kind == PHRASE_GAIN_ESTIMATED ? PHRASE_IS_ESTIMATED
                                                                 : PHRASE_IS_PREDICTED);
    return phrase_text(lang, d->simulated ? PHRASE_IS_SIMULATED : PHRASE_IS_VERIFIED);
}

/* The combination before and after; a bound as a bound. */
static const char *advice_sentence(Phrase *buf, const Result *r, const Summary *d,
                                   const Language *lang)
{
    Figure gain, now, after, share, most;
    Phrase actions;
    SummaryTotal o = summary_total_of(r, d);
    char factor[24];
    summary_total_actions(&actions, r, d, lang);
    if (!o.verified && o.kind == PHRASE_GAIN_AT_MOST) {
        figure_value(&gain, d->first_gain, d->unit);
        figure_value(&now, d->first_baseline, d->unit);
        figure_share(&share, d->first_baseline > 0 ? d->first_gain / d->first_baseline : 0);
        return phrase_format(buf, lang, d->throughput ? PHRASE_HEAD_BOUND_RATE : PHRASE_HEAD_BOUND,
                             actions.text, gain.text, now.text, share.text,
                             figure_value(&most, o.predicted ? o.predicted->hi : 0, d->unit), NULL);
    }
    snprintf(factor, sizeof factor, o.factor < 9.95 ? "%.2g" : "%.0f", o.factor);
    if (o.factor < 1.095)
        snprintf(factor, sizeof factor, "%.3g", o.factor);
    return phrase_format(buf, lang, d->throughput ? PHRASE_HEAD_RATE : PHRASE_HEAD_ADVICE,
                         actions.text, figure_value(&now, o.now, d->unit),
                         figure_value(&after, o.after, d->unit), factor, how_known(d, lang), NULL);
}

/* Where most of an inference is in no operator, the sentence says so. */
static const char *no_change_sentence(Phrase *buf, const Result *r, const Summary *d,
                                      const Language *lang)
{
    Figure a, b;
    double lost = r->measured ? (double)r->measured->unattributed_ns : 0;
    if (d->measured && lost > d->baseline / 2)
        return phrase_format(buf, lang, PHRASE_HEAD_UNEXPLAINED, figure_time(&a, lost),
                             figure_time(&b, d->baseline), NULL);
    figure_share(&a, r->options.min_share);
    figure_time(&b, (double)r->options.min_gain_ns);
    return phrase_format(buf, lang, d->throughput ? PHRASE_HEAD_NOTHING_RATE : PHRASE_HEAD_NOTHING,
                         a.text, b.text, NULL);
}

/* Savings of measured layers are upper bounds. */
static const char *layers_sentence(Phrase *buf, const Result *r, const Summary *d,
                                   const Language *lang)
{
    Figure most, all, share;
    const ResultGain *gain = d->first ? &d->first->gain : NULL;
    double sum = (double)r->compiled->sum_ns.value,
           at_most = gain && gain->predicted ? gain->predicted->hi : 0;
    if (d->outcome == SUMMARY_UNDECIDED || sum <= 0)
        return phrase_text(lang, PHRASE_HEAD_LAYERS_UNDECIDED);
    if (!gain || at_most <= 0) {
        figure_share(&share, r->options.min_share);
        figure_time(&all, (double)r->options.min_gain_ns);
        return phrase_format(buf, lang, PHRASE_HEAD_LAYERS_NOTHING, share.text, all.text, NULL);
    }
    double whole = gain->baseline.known ? gain->baseline.value : sum;
    if (whole > 0 && whole != sum)
        return phrase_format(buf, lang, PHRASE_HEAD_QUERY, d->first->title,
                             figure_time(&most, at_most), figure_time(&all, whole),
                             figure_share(&share, at_most / whole), NULL);
    return phrase_format(buf, lang, PHRASE_HEAD_LAYERS, d->first->title,
                         figure_time(&most, at_most), figure_time(&all, sum),
                         figure_share(&share, at_most / sum), NULL);
}

/* The first option that the trace contradicts; else its first issue. */
static const char *contradiction_sentence(Phrase *buf, const Result *r, const Summary *d,
                                          const Language *lang)
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
    if (d->refuted != RESULT_REFUTED_SIZE)
        return phrase_text(lang, PHRASE_HEAD_OTHER_MODEL);
    const ResultIssueList *issues = &r->evidence.issues;
    return phrase_format(buf, lang, PHRASE_HEAD_OTHER_SIZE,
                         issues->count ? issues->item[0].text : "?", NULL);
}

const char *verdict_undecided(Phrase *buf, const Result *r, const Summary *d, const Language *lang)
{
    if (d->outcome == SUMMARY_UNDECIDED)
        return phrase_text(lang, PHRASE_HEAD_UNDECIDED);
    return phrase_format(buf, lang, PHRASE_HEAD_STOPPED,
                         r->incomplete.count ? r->incomplete.item[0].text : "?", NULL);
}

const char *verdict_sentence(Phrase *buf, const Result *r, const Summary *d, const Language *lang)
{
    if (r->compiled)
        return layers_sentence(buf, r, d, lang);
    if (d->refuted)
        return contradiction_sentence(buf, r, d, lang);
    switch (d->outcome) {
    case SUMMARY_ADVICE:
        return advice_sentence(buf, r, d, lang);
    case SUMMARY_NOTHING:
        return no_change_sentence(buf, r, d, lang);
    case SUMMARY_STOPPED:
    case SUMMARY_UNDECIDED:
        break;
    }
    return verdict_undecided(buf, r, d, lang);
}
