/* Chooses the unit, the digits and the phrase of each metric. */
#include "advisor/report/accuracy_text.h"

#include "advisor/message/figure.h"

/* One unit for the three: "98.0 % [96.1 99.2]". */
static const char *figure_text(Figure *f, const ResultAccuracyFigure *x)
{
    double lo = x->lo, mid = x->value, hi = x->hi;
    if (x->metric == RESULT_ACCURACY_METRIC_COSINE)
        snprintf(f->text, sizeof f->text, "%.6f [%.6f %.6f]", mid, lo, hi);
    else if (x->metric == RESULT_ACCURACY_METRIC_SSIM)
        snprintf(f->text, sizeof f->text, "%.4f [%.4f %.4f]", mid, lo, hi);
    else if (x->unit == RESULT_ACCURACY_UNIT_SHARE)
        snprintf(f->text, sizeof f->text, "%.1f\xc2\xa0%% [%.1f %.1f]", 100 * mid, 100 * lo,
                 100 * hi);
    else if (x->unit == RESULT_ACCURACY_UNIT_DB)
        snprintf(f->text, sizeof f->text,
                 "%.1f\xc2\xa0"
                 "dB [%.1f %.1f]",
                 mid, lo, hi);
    else if (lo < mid || mid < hi)
        snprintf(f->text, sizeof f->text, "%.3g [%.3g %.3g]", mid, lo, hi);
    else
        snprintf(f->text, sizeof f->text, "%.3g", mid);
    return f->text;
}

/* The figure of the baseline, for metrics that both variants have. */
static const char *before_text(Figure *f, const ResultAccuracyFigureList *more)
{
    f->text[0] = '\0';
    for (size_t i = 0; i < more->count; i++) {
        ResultAccuracyMetric metric = more->item[i].metric;
        if (metric == RESULT_ACCURACY_METRIC_TOP1_BEFORE ||
            metric == RESULT_ACCURACY_METRIC_MAP_BEFORE ||
            metric == RESULT_ACCURACY_METRIC_METRIC_BEFORE)
            figure_text(f, &more->item[i]);
    }
    return f->text;
}

/* The sentence of a head figure (0: the metric never is the head), and of one beside it. */
typedef struct {
    PhraseId head, more;
} MetricPhrases;
static const MetricPhrases phrases[RESULT_ACCURACY_METRIC_COUNT] = {
#define METRIC(metric, head, more)                                                                 \
    [RESULT_ACCURACY_METRIC_##metric] = {head, PHRASE_ACCURACY_##more},
#include "advisor/report/accuracy_metrics.def"
};

const char *accuracy_text(Phrase *buf, const Language *lang, const ResultAccuracy *x)
{
    Figure f, before;
    buf->text[0] = '\0';
    if (!x)
        return buf->text;
    ResultAccuracyFigure head = {x->metric, x->unit, x->value, x->lo, x->hi};
    PhraseId sentence = phrases[x->metric].head;
    if (x->exact || !sentence)
        return phrase_format(buf, lang, PHRASE_ACCURACY_EXACT, COUNTED(x->images), NULL);
    return phrase_format(buf, lang, sentence, COUNTED(x->images), figure_text(&f, &head),
                         x->output ? x->output : "?", before_text(&before, &x->more), NULL);
}

const char *accuracy_figure_text(Phrase *buf, const Language *lang, const ResultAccuracyFigure *x)
{
    Figure f;
    buf->text[0] = '\0';
    PhraseId id = phrases[x->metric].more;
    return id ? phrase_format(buf, lang, id, figure_text(&f, x), NULL) : buf->text;
}
