/* Prints lines that begin with a label, and those that results of a model and of a compiled graph
 * share. */
#ifndef ADVISOR_RENDER_TEXT_TEXT_LABEL_H
#define ADVISOR_RENDER_TEXT_TEXT_LABEL_H

#include "advisor/message/phrase.h"
#include "advisor/render/text/text_out.h"
#include "advisor/report/result.h"

enum { TEXT_LABEL = 10 }; /* columns of a label */

/* Starts a line with the label; what wraps is indented behind it. */
void text_label(TextOut *t, PhraseId id);

/* One line for each doubt. */
void text_evidence(TextOut *t, const ResultEvidence *evidence);

#endif
