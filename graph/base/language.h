/* Finds the words of a message in the user's language.  Each is a file TAG.xml in rules/lang; the
 * build makes C of the English one, and no compiler is needed for the others. */
#pragma once

#include "graph/base/diag.h"
#include "graph/base/wording.h"

typedef struct {
    const char *id;      /* "FEW_INFERENCES" */
    const char *english; /* with {0} {1} … where arguments go */
} MessageId;

#define DEFINE_MESSAGE(id, english) static const MessageId message_##id = {#id, english}

typedef struct Language Language;

/* "en|ko": every language, for messages and help. */
const char *language_choice(Arena *a);

/* STATUS_USAGE for an unknown tag.  *ret is NULL for "en".  A saying that the file lacks stays
 * English. */
Status language_named(Arena *a, const char *tag, const Language **ret, Diag *diag);

/* "ko"; "en" for NULL. */
const char *language_tag(const Language *l);

/* The words for a saying. */
const char *language_words(const Language *l, const MessageId *s);

/* That of errors, help and other texts without an id; NULL: English. */
const Language *language_spoken(void);

/* Speaks what the last `flag` of a command line names, before its errors are told. */
Status language_choose(Arena *a, int argc, char **argv, const char *flag, Diag *diag);
