/* Chooses the unit, the digits and the phrase of each metric. */
#include "advisor/report/accuracy_text.h"

#include "advisor/message/json.h"

#include <stdio.h>
#include <string.h>

static void add_figure(cJSON *o, const AccuracyFigure *f)
{
    cJSON_AddStringToObject(o, "metric", f->metric);
    cJSON_AddStringToObject(o, "unit", f->unit);
    cJSON_AddNumberToObject(o, "value", f->value);
    cJSON_AddNumberToObject(o, "lo", f->lo);
    cJSON_AddNumberToObject(o, "hi", f->hi);
}

cJSON *accuracy_json(const Accuracy *x)
{
    if (!x->known)
        return cJSON_CreateNull();
    cJSON *o = cJSON_CreateObject();
    add_figure(o, &x->head);
    cJSON_AddNumberToObject(o, "images", (double)x->images);
    cJSON_AddStringToObject(o, "runner", x->runner);
    cJSON_AddBoolToObject(o, "exact", x->exact);
    cJSON_AddStringToObject(o, "output", x->output ? x->output : "");
    cJSON *loss = cJSON_AddObjectToObject(o, "loss"), *more = cJSON_AddArrayToObject(o, "more");
    cJSON_AddNumberToObject(loss, "lo", x->loss_lo);
    cJSON_AddNumberToObject(loss, "mid", x->loss);
    cJSON_AddNumberToObject(loss, "hi", x->loss_hi);
    for (size_t i = 0; i < x->nmore; i++) {
        cJSON *f = cJSON_CreateObject();
        add_figure(f, &x->more[i]);
        cJSON_AddItemToArray(more, f);
    }
    return o;
}

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

/* Of the model as it is, for what is told of both. */
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

/* The phrase of a metric: ACCURACY_TOP1_AGREEMENT … */
const char *accuracy_text(Phrase *buf, const Language *lang, const cJSON *o)
{
    static const struct {
        const char *metric;
        PhraseId said;
    } row[] = {{"top1", PHRASE_ACCURACY_LABELS},
               {"metric", PHRASE_ACCURACY_METRIC},
               {"map", PHRASE_ACCURACY_MAP},
               {"box_agreement", PHRASE_ACCURACY_BOXES},
               {"top1_agreement", PHRASE_ACCURACY_TOP1},
               {"answer_agreement", PHRASE_ACCURACY_ANSWERS},
               {"psnr", PHRASE_ACCURACY_PSNR},
               {"sqnr", PHRASE_ACCURACY_SQNR}};
    char images[32];
    Figure f, before;
    PhraseId id = PHRASE_ACCURACY_EXACT;
    buf->text[0] = '\0';
    if (!cJSON_IsObject(o))
        return buf->text;
    snprintf(images, sizeof images, "%.0f", json_number_or(o, "images", 0));
    if (cJSON_IsTrue(json_at(o, "exact")))
        return phrase_format(buf, lang, id, images, NULL);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (!strcmp(json_text(o, "metric", ""), row[i].metric))
            id = row[i].said;
    return phrase_format(buf, lang, id, images, figure_text(&f, o), json_text(o, "output", "?"),
                         before_text(&before, o), NULL);
}

const char *accuracy_figure_text(Phrase *buf, const Language *lang, const cJSON *o)
{
    static const struct {
        const char *metric;
        PhraseId said;
    } row[] = {{"max_difference", PHRASE_ACCURACY_MORE_MAX},
               {"rms_difference", PHRASE_ACCURACY_MORE_RMS},
               {"top1", PHRASE_ACCURACY_MORE_TOP1},
               {"top1_agreement", PHRASE_ACCURACY_MORE_SAME},
               {"answer_agreement", PHRASE_ACCURACY_MORE_ANSWERS},
               {"map", PHRASE_ACCURACY_MORE_MAP},
               {"map50", PHRASE_ACCURACY_MORE_MAP50},
               {"box_agreement", PHRASE_ACCURACY_MORE_BOXES},
               {"metric", PHRASE_ACCURACY_MORE_METRIC},
               {"cosine", PHRASE_ACCURACY_MORE_COSINE},
               {"sqnr", PHRASE_ACCURACY_MORE_SQNR},
               {"psnr", PHRASE_ACCURACY_MORE_PSNR},
               {"ssim", PHRASE_ACCURACY_MORE_SSIM}};
    Figure f;
    buf->text[0] = '\0';
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (!strcmp(json_text(o, "metric", ""), row[i].metric))
            return phrase_format(buf, lang, row[i].said, figure_text(&f, o), NULL);
    return buf->text;
}
