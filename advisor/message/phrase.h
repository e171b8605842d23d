/* Holds every sentence that the advisor prints by itself, in the user's language.
 *
 * Those of advisor/message in rules/lang/en.xml.  The text of a rule comes from the rule, and
 * names come from the model. */
#pragma once

#include "graph/base/message.h"

typedef enum {
#define PHRASE(id, english) PHRASE_##id,
#include "advisor/message/messages.h"
    PHRASE_COUNT
} PhraseId;

/* The phrase in `lang` (NULL: English), its {0} {1} … still in it. */
const char *phrase_text(const Language *lang, PhraseId id);

/* For MESSAGE(arena, phrase_arg(PHRASE_X), arg_count(n) …). */
MessageArg phrase_arg(PhraseId id);

/* The phrase with {0}, {1} … filled in (NULL-terminated list) by wording_fill. */
typedef struct {
    char text[1200];
} Phrase;
const char *phrase_format(Phrase *buf, const Language *lang, PhraseId id, ...)
    __attribute__((sentinel));

/* How to record a trace: by `record`, as a target says it, or by Furiosa's profiler where NULL. */
const char *phrase_measure_it(Phrase *buf, const Language *lang, const char *record);

/* Where phrases are printed, and in which language; their parts live in `arena`. */
typedef struct {
    FILE *out;
    const Language *lang; /* NULL: English */
    Arena *arena;
} PhraseOut;

/* Prints phrase_arg(PHRASE_X) and its arguments, as MESSAGE does. */
void phrase_put(const PhraseOut *o, const MessageArg *arg, size_t n);
#define PHRASE_PUT(o, ...)                                                                         \
    phrase_put((o), (const MessageArg[]){__VA_ARGS__},                                             \
               sizeof((const MessageArg[]){__VA_ARGS__}) / sizeof(MessageArg))

/* The same, and ends the line. */
#define PHRASE_LINE(o, ...) (PHRASE_PUT(o, __VA_ARGS__), putc('\n', (o)->out))

/* A number as an argument of a phrase. */
const char *phrase_count(char text[32], int64_t n);
#define COUNTED(n) phrase_count((char[32]){""}, (int64_t)(n))

/* What the phrases of that prefix explain, up to their colon: "NPU, host, Quantize …". */
char *phrase_heads(Arena *a, const Language *lang, const char *prefix);

/* The phrase with the id PREFIX and KEY ("VERDICT_", "no-gain"), else the key. */
const char *phrase_by_key(const Language *lang, const char *prefix, const char *key);
