/* Chooses the sentence by the outcome of the result and fills in its figures. */
#include "advisor/report/tree_verdict.h"

#include "advisor/report/tree_finding.h"
#include "advisor/report/tree_summary_total.h"
#include "advisor/report/tree_setup_text.h"
#include "advisor/message/figure.h"

#include <string.h>

static const char *how_known(const TreeSummary *d, const Language *lang)
{
    double verified;
    bool was_run = json_number(d->first, "gain.verified.median", &verified);
    PhraseId said = tree_gain_phrase(json_at(d->first, "gain"));
    if (!was_run)
        return phrase_text(lang, said == PHRASE_GAIN_AT_LEAST    ? PHRASE_IS_AT_LEAST
                                 : said == PHRASE_GAIN_ESTIMATED ? PHRASE_IS_ESTIMATED
                                                                 : PHRASE_IS_PREDICTED);
    return phrase_text(lang, d->simulated ? PHRASE_IS_SIMULATED : PHRASE_IS_VERIFIED);
}

/* The combination before and after; a bound as a bound. */
static const char *advice_sentence(Phrase *buf, const cJSON *r, const TreeSummary *d,
                                   const Language *lang)
{
    Figure gain, now, after, share, most;
    Phrase actions;
    TreeSummaryTotal o = tree_summary_total_of(r, d);
    char factor[24];
    tree_summary_total_actions(&actions, r, d, lang);
    if (!o.verified && tree_gain_phrase(o.gain) == PHRASE_GAIN_AT_MOST) {
        figure_value(&gain, d->first_gain, d->unit);
        figure_value(&now, d->first_baseline, d->unit);
        figure_share(&share, d->first_baseline > 0 ? d->first_gain / d->first_baseline : 0);
        return phrase_format(
            buf, lang, d->throughput ? PHRASE_HEAD_BOUND_RATE : PHRASE_HEAD_BOUND, actions.text,
            gain.text, now.text, share.text,
            figure_value(&most, json_number_or(o.gain, "predicted.hi", 0), d->unit), NULL);
    }
    snprintf(factor, sizeof factor, o.factor < 9.95 ? "%.2g" : "%.0f", o.factor);
    if (o.factor < 1.095)
        snprintf(factor, sizeof factor, "%.3g", o.factor);
    return phrase_format(buf, lang, d->throughput ? PHRASE_HEAD_RATE : PHRASE_HEAD_ADVICE,
                         actions.text, figure_value(&now, o.now, d->unit),
                         figure_value(&after, o.after, d->unit), factor, how_known(d, lang), NULL);
}

/* Where most of an inference is in no operator, the sentence says so. */
static const char *no_change_sentence(Phrase *buf, const cJSON *r, const TreeSummary *d,
                                      const Language *lang)
{
    Figure a, b;
    double lost = json_number_or(r, "measured.unattributed_ns", 0);
    if (d->measured && lost > d->baseline / 2)
        return phrase_format(buf, lang, PHRASE_HEAD_UNEXPLAINED, figure_time(&a, lost),
                             figure_time(&b, d->baseline), NULL);
    figure_share(&a, json_number_or(r, "options.min_share", 0));
    figure_time(&b, json_number_or(r, "options.min_gain_ns", 0));
    return phrase_format(buf, lang, d->throughput ? PHRASE_HEAD_NOTHING_RATE : PHRASE_HEAD_NOTHING,
                         a.text, b.text, NULL);
}

/* Savings of measured layers are upper bounds. */
static const char *layers_sentence(Phrase *buf, const cJSON *r, const TreeSummary *d,
                                   const Language *lang)
{
    Figure most, all, share;
    double sum = json_number_or(r, "compiled.sum_ns", 0),
           at_most = json_number_or(d->first, "gain.predicted.hi", 0);
    if (d->outcome == TREE_SUMMARY_UNDECIDED || sum <= 0)
        return phrase_text(lang, PHRASE_HEAD_LAYERS_UNDECIDED);
    if (!d->first || at_most <= 0) {
        figure_share(&share, json_number_or(r, "options.min_share", 0));
        figure_time(&all, json_number_or(r, "options.min_gain_ns", 0));
        return phrase_format(buf, lang, PHRASE_HEAD_LAYERS_NOTHING, share.text, all.text, NULL);
    }
    double whole = json_number_or(d->first, "gain.baseline", sum);
    if (whole > 0 && whole != sum)
        return phrase_format(buf, lang, PHRASE_HEAD_QUERY, json_text(d->first, "title", "?"),
                             figure_time(&most, at_most), figure_time(&all, whole),
                             figure_share(&share, at_most / whole), NULL);
    return phrase_format(buf, lang, PHRASE_HEAD_LAYERS, json_text(d->first, "title", "?"),
                         figure_time(&most, at_most), figure_time(&all, sum),
                         figure_share(&share, at_most / sum), NULL);
}

/* The first option that the trace contradicts; else its first issue. */
static const char *contradiction_sentence(Phrase *buf, const cJSON *r, const TreeSummary *d,
                                          const Language *lang)
{
    const cJSON *x;
    Figure said, seen;
    cJSON_ArrayForEach(x, json_at(r, "setup"))
    {
        const cJSON *shown = json_at(x, "seen");
        if (!shown || cJSON_IsNull(shown))
            continue;
        return phrase_format(buf, lang, PHRASE_HEAD_CONTRADICTION, tree_setup_option_of(x->string),
                             tree_setup_text(&said, json_at(x, "value")),
                             tree_setup_text(&seen, shown), NULL);
    }
    if (strcmp(d->refuted, "size"))
        return phrase_text(lang, PHRASE_HEAD_OTHER_MODEL);
    const cJSON *issues = json_at(r, "evidence.issues");
    return phrase_format(buf, lang, PHRASE_HEAD_OTHER_SIZE,
                         json_text(issues ? issues->child : NULL, "text", "?"), NULL);
}

const char *tree_verdict_undecided(Phrase *buf, const cJSON *r, const TreeSummary *d,
                                   const Language *lang)
{
    const cJSON *first = json_at(r, "incomplete");
    if (d->outcome == TREE_SUMMARY_UNDECIDED)
        return phrase_text(lang, PHRASE_HEAD_UNDECIDED);
    return phrase_format(buf, lang, PHRASE_HEAD_STOPPED,
                         json_text(first ? first->child : NULL, "text", "?"), NULL);
}

const char *tree_verdict_sentence(Phrase *buf, const cJSON *r, const TreeSummary *d,
                                  const Language *lang)
{
    if (cJSON_IsObject(json_at(r, "compiled")))
        return layers_sentence(buf, r, d, lang);
    if (d->refuted)
        return contradiction_sentence(buf, r, d, lang);
    switch (d->outcome) {
    case TREE_SUMMARY_ADVICE:
        return advice_sentence(buf, r, d, lang);
    case TREE_SUMMARY_NOTHING:
        return no_change_sentence(buf, r, d, lang);
    case TREE_SUMMARY_STOPPED:
    case TREE_SUMMARY_UNDECIDED:
        break;
    }
    return tree_verdict_undecided(buf, r, d, lang);
}
