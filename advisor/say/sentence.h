/* Sentences in Korean.  What says something below the renderers (notes, evidence, reasons) knows no
 * language and says it in English: so it stands in the JSON.  Renderers translate it as they print,
 * by advisor/say/sentences.def; a rule's Korean text does with {korean(@name)}. */
#ifndef ADVISOR_SAY_SENTENCE_H
#define ADVISOR_SAY_SENTENCE_H

#include "advisor/say/phrase.h"

/* `text` in `lang`, in `buf`, what it was filled with translated too, but for names in quotes;
 * `text` itself where it is no sentence of the table, or `lang` is English. */
const char *sentence_in(Phrase *buf, const char *lang, const char *text);

#endif
