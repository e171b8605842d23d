/* Phrases with their holes filled, and the word that a mistyped one is nearest to. */
#include "advisor/message/phrase.h"
#include "graph/options/suggest.h"
#include "tests/unit/check.h"

static void phrases(void)
{
    Phrase p;
    check_same("one", phrase_format(&p, NULL, PHRASE_MORE_NOTES, "1", NULL), "1 note: --verbose.");
    check_same("many", phrase_format(&p, NULL, PHRASE_MORE_NOTES, "11", NULL),
               "11 notes: --verbose.");
    check_same("none given", phrase_format(&p, NULL, PHRASE_RANGE, NULL), " to ");
    check_same("braces given", phrase_format(&p, NULL, PHRASE_RANGE, "{1}", "{0|a|b}", NULL),
               "{1} to {0|a|b}");
    check_same("not in order",
               phrase_format(&p, NULL, PHRASE_ACCURACY_LABELS, "1", "70 %", "", "71 %", NULL),
               "top-1 70 %, before 71 %, on 1 labelled image");
    check_same("none of many", phrase_format(&p, NULL, PHRASE_MORE_NOTES, NULL),
               " notes: --verbose.");
    check_same("known", phrase_by_key(NULL, "VERDICT_", "no-gain"),
               phrase_text(NULL, PHRASE_VERDICT_NO_GAIN));
    check_same("a beginning", phrase_by_key(NULL, "VERDICT_", "no-gai"), "no-gai");
    check_same("longer", phrase_by_key(NULL, "VERDICT_", "no-gains"), "no-gains");
    check_same("another prefix", phrase_by_key(NULL, "VERDICT-", "no-gain"), "no-gain");
    check_same("empty", phrase_by_key(NULL, "VERDICT_", ""), "");
    char text[1400];
    for (size_t n = 1188; n <= 1200; n++) { /* a character of three bytes at the end of the room */
        memset(text, 'x', n);
        memcpy(text + n, "한국", sizeof "한국");
        phrase_format(&p, NULL, PHRASE_RANGE, text, "", NULL);
        size_t whole = n > 1199 ? 1199 : n + 6 <= 1199 ? n + 6 : n + 3 <= 1199 ? n + 3 : n;
        size_t rest = 1199 - whole < 4 ? 1199 - whole : 4; /* of " to " */
        CHECK(strlen(p.text) == whole + rest && !memcmp(p.text, text, whole) &&
              !memcmp(p.text + whole, " to ", rest));
    }
}

static void nearest(void)
{
    static const char *const word[] = {"latency", "sizes", "four", "FORMAT", "throughput"};
    static const struct {
        const char *typed, *meant;
    } check[] = {{"latency", "latency"}, {"latancy", "latency"},
                 {"latnacy", "latency"}, {"ltnacy", NULL},
                 {"siezs", "sizes"},     {"sixty", NULL},
                 {"sze", NULL},          {"size", "sizes"},
                 {"foru", NULL},         {"fuor", NULL},
                 {"for", "four"},        {"format", "FORMAT"},
                 {"formot", "FORMAT"},   {"", NULL},
                 {"thruput", NULL}};
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        const char *found = suggest_nearest(check[i].typed, word, 5);
        check_same(check[i].typed, found ? found : "-", check[i].meant ? check[i].meant : "-");
    }
    char a[48], b[48];
    memset(a, 'a', sizeof a);
    memset(b, 'b', sizeof b);
    a[40] = b[39] = '\0';
    CHECK(suggest_edit_distance(a, b) == 40 && suggest_edit_distance(a, "aa") == 38 &&
          suggest_edit_distance("", "") == 0);
    a[40] = 'a';
    a[41] = '\0';
    CHECK(suggest_edit_distance(a, a) == 40 && suggest_edit_distance("", a) == 40 &&
          suggest_edit_distance(a, "") == 40);
    CHECK(suggest_edit_distance("kitten", "sitting") == 3 &&
          suggest_edit_distance("abc", "cab") == 2);
}

int main(void)
{
    phrases();
    nearest();
    return check_failures() ? 1 : 0;
}
