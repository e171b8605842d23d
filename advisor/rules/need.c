/* Spells and reads sets of needs. */
#include "advisor/rules/need.h"

static const char *const names[] = {"requests", "input", "output", "accuracy", "retrain"};
static_assert(sizeof names / sizeof *names == NEED_KINDS, "a name for each need");

size_t need_words(NeedSet set, const char *word[NEED_KINDS])
{
    size_t n = 0;
    assert(set <= NEED_ALL);
    for (size_t i = 0; i < NEED_KINDS; i++)
        if (set & 1u << i)
            word[n++] = names[i];
    return n;
}

size_t need_count(NeedSet set)
{
    const char *word[NEED_KINDS];
    return need_words(set, word);
}

static NeedSet need_of_word(const char *text, size_t len)
{
    return LIST_VALUE(i, NEED_KINDS, strlen(names[i]) == len && !strncmp(names[i], text, len),
                      1u << i, NEED_NONE);
}

bool need_read(const char *text, NeedSet *ret)
{
    *ret = NEED_NONE;
    if (!strcmp(text, "none"))
        return true;
    if (!strcmp(text, "all")) {
        *ret = NEED_ALL;
        return true;
    }
    for (const char *word = text;;) {
        size_t len = strcspn(word, ",");
        NeedSet need = need_of_word(word, len);
        if (!need)
            return false;
        *ret |= need;
        if (!word[len])
            return true;
        word += len + 1;
    }
}
