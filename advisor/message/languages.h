/* Lists and loads the languages of messages: English, and each TAG.xml in rules/lang. */
#pragma once

#include "graph/base/language.h"

/* "en|ko": every language, for messages and help. */
const char *language_choice(Arena *a);

/* STATUS_USAGE for an unknown tag.  *ret is NULL for "en". */
Status language_named(Arena *a, const char *tag, const Language **ret, Diag *diag);
