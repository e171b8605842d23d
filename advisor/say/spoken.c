/* Sentences of a JSON document, in one language or another. */
#include "advisor/say/spoken.h"

struct SpokenItem {
    cJSON *item;
    const Said *said;
};

cJSON *spoken_item(Spoken *s, Arena *a, const Said *said)
{
    if (!said)
        return cJSON_CreateNull();
    cJSON *item = cJSON_CreateString(said_in(a, NULL, said));
    if (s)
        *VEC_PUSH(s->arena, s->item, s->nitem, s->cap) = (struct SpokenItem){item, said};
    return item;
}

void spoken_in(const Spoken *s, const Language *language)
{
    for (size_t i = 0; s && i < s->nitem; i++)
        cJSON_SetValuestring(s->item[i].item, said_in(s->arena, language, s->item[i].said));
}
