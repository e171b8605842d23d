/* Suggests the nearest known word for one that is misspelt. */
#pragma once

#include "graph/base/libc.h"

/* Levenshtein distance without regard to case.  Words of more than 40 letters are near to none. */
size_t suggest_edit_distance(const char *a, const char *b);

/* The candidate nearest to `word` if it is near enough to be meant, else NULL. */
const char *suggest_nearest(const char *word, const char *const *candidate, size_t n);
