/* Words texts without a message id, such as errors and help, in the user's language.
 *
 * Their English is the key: a text, or the format of one.  rules/lang/TAG.xml has the words, in
 * which {0} … are the formatted arguments.  A text without words stays English. */
#pragma once

#include "graph/base/libc.h"

/* The words for a text, or the text itself. */
typedef const char *WordingOf(const char *english);

/* Once, before anything is printed; NULL: English. */
void wording_use(WordingOf *words_of);
const char *wording_of(const char *english);

/* As vsnprintf, in the user's language.  Arguments that are texts with words are worded too. */
int wording_vprint(char *text, size_t size, const char *fmt, va_list ap);

/* Puts arguments into the {0} {1} … of `words`, and for {0|node|nodes} the first word where the
 * argument is "1", else the second; other braces stay.  As snprintf: cut to fit, but at the end of
 * a character; returns the length of all. */
size_t wording_fill(char *text, size_t size, const char *words, const char *const *arg,
                    size_t narg);
