/* Formats accuracy figures as sentences. */
#ifndef ADVISOR_REPORT_TREE_ACCURACY_TEXT_H
#define ADVISOR_REPORT_TREE_ACCURACY_TEXT_H

#include "advisor/message/figure.h"
#include "advisor/message/phrase.h"

#include <cjson/cJSON.h>

/* "same top answer for 98.0 % [96.1 99.2] of 200 images"; "" without an accuracy object. */
const char *tree_accuracy_text(Phrase *buf, const Language *lang, const cJSON *accuracy);

/* "SQNR 31.2 dB [30.8 31.6]", of one of more[]. */
const char *tree_accuracy_figure_text(Phrase *buf, const Language *lang, const cJSON *figure);

#endif
