/* The sentences of a JSON document.  They stand there in English, in which a program can search;
 * for people the same document is shown in another language. */
#ifndef ADVISOR_SAY_SPOKEN_H
#define ADVISOR_SAY_SPOKEN_H

#include "graph/base/said.h"

#include <cjson/cJSON.h>

typedef struct {
    Arena *arena;
    struct SpokenItem *item;
    size_t nitem, cap;
} Spoken;

/* A string in English (null for NULL) that spoken_in can put in another language.  `s` may be NULL;
 * else the item must live as long as it is used. */
cJSON *spoken_item(Spoken *s, Arena *a, const Said *said);

/* Puts every sentence in the language (NULL: English). */
void spoken_in(const Spoken *s, const Language *language);

#endif
