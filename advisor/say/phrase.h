/* Phrases: every word that the advisor says by itself (advisor/say/phrases.def), in the language at
 * hand. What a rule says comes from the rule; names come from the model. */
#ifndef ADVISOR_SAY_PHRASE_H
#define ADVISOR_SAY_PHRASE_H

#include "graph/base/said.h"

typedef enum {
#define PHRASE(id, english) SAY_##id,
#include "advisor/say/phrases.def"
#undef PHRASE
    SAY_COUNT
} PhraseId;

/* The phrase in `lang` (NULL: English), its {0} {1} … still in it. */
const char *say(const Language *lang, PhraseId id);

/* For SAID(arena, arg_phrase(SAY_X), arg_count(n) …). */
SaidArg arg_phrase(PhraseId id);

/* The phrase with {0}, {1}, {2}, {3} filled in (NULL-terminated list), and {0|place|places} as in
 * what is said (graph/base/said.h); what does not fit into the buffer is cut at the end of a
 * character. */
typedef struct {
    char text[1200];
} Phrase;
const char *say_with(Phrase *buf, const Language *lang, PhraseId id, ...) __attribute__((sentinel));

/* The phrase whose id is `prefix` and `key` ("VERDICT_", "no-gain"), key as it is when none is. */
const char *say_key(const Language *lang, const char *prefix, const char *key);

#endif
