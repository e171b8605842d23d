/* "Did you mean": the nearest word by edit distance. */
#ifndef ADVISOR_SAY_SUGGEST_H
#define ADVISOR_SAY_SUGGEST_H

#include <stddef.h>

/* The candidate nearest to `word` if it is near enough to be meant, else NULL. */
const char *args_nearest(const char *word, const char *const *candidate, size_t n);

#endif
