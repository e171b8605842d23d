/* Describes how a run was set up, from the result tree, in the words that every renderer shares. */
#ifndef ADVISOR_REPORT_TREE_SETUP_TEXT_H
#define ADVISOR_REPORT_TREE_SETUP_TEXT_H

#include "advisor/message/figure.h"
#include "advisor/message/json.h"
#include "advisor/message/phrase.h"

/* "--input-dtype" of "input_dtypes". */
const char *tree_setup_option_of(const char *key);

/* A value or candidate as the option spells it. */
const char *tree_setup_text(Figure *buf, const cJSON *value);

/* Every item of a source as options, "--batch 8 --workers 4" or ""; "trace" has candidates too. */
const char *tree_setup_sentence(Phrase *buf, const cJSON *result, const char *source,
                                const Language *lang);

#endif
