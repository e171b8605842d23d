/* Names what a change asks of the user, as a set. */
#pragma once

#include "graph/base/list.h"

typedef enum {
    NEED_NONE = 0,
    NEED_REQUESTS = 1 << 0, /* keep more requests in flight, or fill batches */
    NEED_INPUT = 1 << 1,    /* feed another type, layout, size or batch */
    NEED_OUTPUT = 1 << 2,   /* receive other outputs, or run part of the post-processing */
    NEED_ACCURACY = 1 << 3, /* check results on data */
    NEED_RETRAIN = 1 << 4,  /* train again */
    NEED_ALL = (1 << 5) - 1,
    NEED_KINDS = 5,
} Need;

/* The union of Needs. */
typedef unsigned NeedSet;

/* The words of a set in the order of the enum, and how many they are. */
size_t need_words(NeedSet set, const char *word[NEED_KINDS]);
size_t need_count(NeedSet set);

/* Reads "none", "all" or names joined by commas; false for any other text. */
bool need_read(const char *text, NeedSet *ret);
