/* Checks sets of needs: their words, and the texts that are read. */
#include "advisor/rules/need.h"
#include "tests/unit/check.h"

#include <string.h>

/* In the order of the enum, however the set was made. */
static void check_words(void)
{
    static const char *const name[] = {"requests", "input", "output", "accuracy", "retrain"};
    const char *word[NEED_KINDS];
    CHECK(need_words(NEED_NONE, word) == 0 && need_count(NEED_NONE) == 0);
    CHECK(need_words(NEED_RETRAIN | NEED_INPUT, word) == 2);
    CHECK(same_text(word[0], "input") && same_text(word[1], "retrain"));
    CHECK(need_words(NEED_ALL, word) == NEED_KINDS && need_count(NEED_ALL) == NEED_KINDS);
    for (size_t i = 0; i < NEED_KINDS; i++)
        CHECK(same_text(word[i], name[i]) && need_count(1u << i) == 1);
}

static void check_read(void)
{
    static const struct {
        const char *text;
        NeedSet set;
    } good[] = {
        {"none", NEED_NONE},         {"all", NEED_ALL},
        {"input", NEED_INPUT},       {"accuracy,input", NEED_INPUT | NEED_ACCURACY},
        {"input,input", NEED_INPUT}, {"requests,input,output,accuracy,retrain", NEED_ALL},
    };
    static const char *const bad[] = {"",         "inputs",      "inp",         "Input",
                                      "input,",   ",input",      "input,,none", "input,all",
                                      "none,all", "input output"};
    NeedSet set;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        CHECK(need_read(good[i].text, &set) && set == good[i].set);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(!need_read(bad[i], &set));
}

int main(void)
{
    check_words();
    check_read();
    return check_failures() != 0;
}
