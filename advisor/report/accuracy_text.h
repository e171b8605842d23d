/* Formats accuracy figures as sentences. */
#pragma once

#include "advisor/message/phrase.h"
#include "advisor/report/result.h"

/* "same top answer for 98.0 % [96.1 99.2] of 200 images"; "" without figures (NULL). */
const char *accuracy_text(Phrase *buf, const Language *lang, const ResultAccuracy *accuracy);

/* "SQNR 31.2 dB [30.8 31.6]", of one of more[]. */
const char *accuracy_figure_text(Phrase *buf, const Language *lang,
                                 const ResultAccuracyFigure *figure);
