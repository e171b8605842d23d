/* Parses Einsum equations such as "bij,bjk->bik", also with an ellipsis. */
#pragma once

#include "graph/infer/ops.h"

enum { EINSUM_LETTERS = 52, EINSUM_ELLIPSIS_RANK = 16 };

typedef struct {
    Dim letter[EINSUM_LETTERS];         /* of those that occur */
    Dim ellipsis[EINSUM_ELLIPSIS_RANK]; /* right-aligned: [0] is the last axis */
    int ellipsis_rank;
    const char *output;              /* after "->", or NULL: implicit */
    int letter_uses[EINSUM_LETTERS]; /* 0: it does not occur */
} Einsum;

/* How two dimensions under one letter agree; NULL takes the better known one. */
typedef Dim (*EinsumMerge)(void *user, Dim a, Dim b);

/* Reads the equation for the shapes of the node's inputs; false when it does not fit or a rank is
 * unknown. */
bool einsum_read(const Graph *g, const Node *n, EinsumMerge merge, void *user, Einsum *ret);

/* Place of a letter, or -1. */
int einsum_letter(char ch);
