/* Phrases: every word that a renderer says by itself, in English and Korean
 * (advisor/say/phrases.def). What a rule says comes from the rule; names come from the model. */
#ifndef ADVISOR_SAY_PHRASE_H
#define ADVISOR_SAY_PHRASE_H

#include <stddef.h>

typedef enum {
#define PHRASE(id, en, ko) SAY_##id,
#include "advisor/say/phrases.def"
#undef PHRASE
    SAY_COUNT
} PhraseId;

/* The phrase in `lang` ("ko", anything else is English), its {0} {1} … still in it. */
const char *say(const char *lang, PhraseId id);

/* The phrase with {0}, {1}, {2}, {3} filled in (NULL-terminated list); what does not fit into
 * the buffer is cut at the end of a character. */
typedef struct {
    char text[1200];
} Phrase;
const char *say_with(Phrase *buf, const char *lang, PhraseId id, ...) __attribute__((sentinel));

/* Writes `len` bytes of `s` behind the first `used` of `buf`, cut in the same way; what is used
 * then. */
size_t phrase_append(Phrase *buf, size_t used, const char *s, size_t len);

/* The phrase whose id is `prefix` and `key` ("VERDICT_", "no-gain"), key as it is when none is. */
const char *say_key(const char *lang, const char *prefix, const char *key);

#endif
