/* One line per check on stdout; the test's main returns check_failures() != 0. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int check_failed;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        int good_ = (condition) ? 1 : 0;                                                           \
        printf("%s %s:%d %s\n", good_ ? "ok" : "FAILED", __FILE__, __LINE__, #condition);          \
        check_failed += !good_;                                                                    \
    } while (0)

/* Within a relative tolerance. */
#define CHECK_NEAR(found, expected, tolerance)                                                     \
    do {                                                                                           \
        double f_ = (found), e_ = (expected), d_ = f_ > e_ ? f_ - e_ : e_ - f_;                    \
        int good_ = d_ <= (tolerance) * (e_ < 0 ? -e_ : e_);                                       \
        printf("%s %s:%d %s: found %.9g, expected %.9g\n", good_ ? "ok" : "FAILED", __FILE__,      \
               __LINE__, #found, f_, e_);                                                          \
        check_failed += !good_;                                                                    \
    } while (0)

/* Whether two texts are the same, which is told of `what`. */
static inline void check_same(const char *what, const char *found, const char *expected)
{
    bool same = !strcmp(found, expected);
    printf("%s %s: %s\n", same ? "ok" : "FAILED", what, found);
    if (!same)
        printf("  expected %s\n", expected);
    check_failed += !same;
}

/* The same in a CHECK, which tells where. */
static inline bool same_text(const char *found, const char *expected)
{
    if (strcmp(found, expected))
        printf("found %s, expected %s\n", found, expected);
    return !strcmp(found, expected);
}

static inline int check_failures(void)
{
    return check_failed;
}
