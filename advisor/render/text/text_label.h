/* Prints lines that begin with a label, and those that results of a model and of a compiled graph
 * share. */
#pragma once

#include "advisor/message/phrase.h"
#include "advisor/render/text/text_out.h"
#include "advisor/report/result.h"

enum { TEXT_LABEL = 10 }; /* columns of a label */

/* Starts a line with the label; what wraps is indented behind it. */
void text_label(TextOut *t, PhraseId id);

/* One line for each doubt. */
void text_evidence(TextOut *t, const ResultEvidence *evidence);
