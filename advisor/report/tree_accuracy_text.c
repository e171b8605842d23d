/* Chooses the unit, the digits and the phrase of each metric. */
#include "advisor/report/tree_accuracy_text.h"

#include "advisor/message/json.h"

#include <stdio.h>
#include <string.h>

/* One unit for the three: "98.0 % [96.1 99.2]". */
static const char *figure_text(Figure *f, const cJSON *o)
{
    const char *unit = json_text(o, "unit", "");
    double lo = json_number_or(o, "lo", 0), mid = json_number_or(o, "value", 0),
           hi = json_number_or(o, "hi", 0);
    const char *metric = json_text(o, "metric", "");
    if (!strcmp(metric, "cosine"))
        snprintf(f->text, sizeof f->text, "%.6f [%.6f %.6f]", mid, lo, hi);
    else if (!strcmp(metric, "ssim"))
        snprintf(f->text, sizeof f->text, "%.4f [%.4f %.4f]", mid, lo, hi);
    else if (!strcmp(unit, "share"))
        snprintf(f->text, sizeof f->text, "%.1f\xc2\xa0%% [%.1f %.1f]", 100 * mid, 100 * lo,
                 100 * hi);
    else if (!strcmp(unit, "dB"))
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
static const char *before_text(Figure *f, const cJSON *accuracy)
{
    const cJSON *more;
    f->text[0] = '\0';
    cJSON_ArrayForEach(more, json_at(accuracy, "more"))
    {
        const char *metric = json_text(more, "metric", "");
        if (!strcmp(metric, "top1_before") || !strcmp(metric, "map_before") ||
            !strcmp(metric, "metric_before"))
            figure_text(f, more);
    }
    return f->text;
}

static const struct {
    const char *metric;
    PhraseId sentence, figure; /* as the head figure, and as one more; sentence 0: never the head */
} row[] = {{"max_difference", 0, PHRASE_ACCURACY_MORE_MAX},
           {"rms_difference", 0, PHRASE_ACCURACY_MORE_RMS},
           {"top1", PHRASE_ACCURACY_LABELS, PHRASE_ACCURACY_MORE_TOP1},
           {"top1_agreement", PHRASE_ACCURACY_TOP1, PHRASE_ACCURACY_MORE_SAME},
           {"answer_agreement", PHRASE_ACCURACY_ANSWERS, PHRASE_ACCURACY_MORE_ANSWERS},
           {"map", PHRASE_ACCURACY_MAP, PHRASE_ACCURACY_MORE_MAP},
           {"map50", 0, PHRASE_ACCURACY_MORE_MAP50},
           {"box_agreement", PHRASE_ACCURACY_BOXES, PHRASE_ACCURACY_MORE_BOXES},
           {"metric", PHRASE_ACCURACY_METRIC, PHRASE_ACCURACY_MORE_METRIC},
           {"cosine", 0, PHRASE_ACCURACY_MORE_COSINE},
           {"sqnr", PHRASE_ACCURACY_SQNR, PHRASE_ACCURACY_MORE_SQNR},
           {"psnr", PHRASE_ACCURACY_PSNR, PHRASE_ACCURACY_MORE_PSNR},
           {"ssim", 0, PHRASE_ACCURACY_MORE_SSIM}};
enum { ROWS = sizeof row / sizeof *row };

/* ROWS for an unknown metric. */
static size_t row_of(const cJSON *figure)
{
    size_t i = 0;
    while (i < ROWS && strcmp(json_text(figure, "metric", ""), row[i].metric))
        i++;
    return i;
}

const char *tree_accuracy_text(Phrase *buf, const Language *lang, const cJSON *o)
{
    char images[32];
    Figure f, before;
    buf->text[0] = '\0';
    if (!cJSON_IsObject(o))
        return buf->text;
    snprintf(images, sizeof images, "%.0f", json_number_or(o, "images", 0));
    size_t i = row_of(o);
    if (cJSON_IsTrue(json_at(o, "exact")))
        return phrase_format(buf, lang, PHRASE_ACCURACY_EXACT, images, NULL);
    return phrase_format(
        buf, lang, i < ROWS && row[i].sentence ? row[i].sentence : PHRASE_ACCURACY_EXACT, images,
        figure_text(&f, o), json_text(o, "output", "?"), before_text(&before, o), NULL);
}

const char *tree_accuracy_figure_text(Phrase *buf, const Language *lang, const cJSON *o)
{
    Figure f;
    size_t i = row_of(o);
    buf->text[0] = '\0';
    return i < ROWS ? phrase_format(buf, lang, row[i].figure, figure_text(&f, o), NULL) : buf->text;
}
