/* Computes edit distances row by row. */
#include "graph/options/suggest.h"

enum { WORD_MAX = 40 };

static size_t min_of_three(size_t a, size_t b, size_t c)
{
    size_t m = a < b ? a : b;
    return m < c ? m : c;
}

/* Levenshtein distance, one row at a time; words longer than WORD_MAX are never near. */
size_t suggest_edit_distance(const char *a, const char *b)
{
    size_t la = strlen(a), lb = strlen(b), row[WORD_MAX + 1];
    if (la > WORD_MAX || lb > WORD_MAX)
        return WORD_MAX;
    for (size_t j = 0; j <= lb; j++)
        row[j] = j;
    for (size_t i = 1; i <= la; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t above = row[j];
            bool differ = tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]);
            row[j] = min_of_three(above + 1, row[j - 1] + 1, diagonal + differ);
            diagonal = above;
        }
    }
    return row[lb];
}

const char *suggest_nearest(const char *word, const char *const *candidate, size_t n)
{
    const char *best = NULL;
    size_t best_distance = strlen(word) < 5 ? 2 : 3; /* a word of 4 may have one typing error */
    for (size_t i = 0; i < n; i++) {
        size_t d = suggest_edit_distance(word, candidate[i]);
        if (d < best_distance) {
            best_distance = d;
            best = candidate[i];
        }
    }
    return best;
}
