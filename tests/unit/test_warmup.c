/* Warm-up: which of the first inferences of a run are marked, by hand. */
#include "tests/unit/check.h"
#include "trace/stats/gather.h"

enum { COUNT_MAX = 32 };
static InferenceStat inference[COUNT_MAX];

/* How many are marked, if it is the first ones: else -1. */
static int marked(size_t n)
{
    TraceStats s = {.inference = inference, .ninference = n};
    size_t first = 0, all = 0;
    gather_mark_warm_up(&s);
    while (first < n && inference[first].warm_up)
        first++;
    for (size_t i = 0; i < n; i++)
        all += inference[i].warm_up;
    return all == s.nwarm_up && all == first ? (int)first : -1;
}

static int warm(size_t n, const int64_t *dur)
{
    for (size_t i = 0; i < n; i++)
        inference[i] = (InferenceStat){.dur_ns = dur[i]};
    return marked(n);
}
#define WARM(...) warm(sizeof((const int64_t[]){__VA_ARGS__}) / 8, (const int64_t[]){__VA_ARGS__})

/* `slow` inferences of 1050, the others of 1000. */
static int warm_after(size_t n, size_t slow)
{
    for (size_t i = 0; i < n; i++)
        inference[i] = (InferenceStat){.dur_ns = i < slow ? 1050 : 1000};
    return marked(n);
}

/* The second half is all alike: 5 % above it is like it, more is not.  A quarter at most. */
static void leading_checks(void)
{
    CHECK(WARM() == 0 && WARM(9, 1, 1, 1, 1, 1, 1) == 0); /* seven say nothing */
    CHECK(WARM(9, 1, 1, 1, 1, 1, 1, 1) == 1);
    CHECK(WARM(105, 100, 100, 100, 100, 100, 100, 100) == 0);
    CHECK(WARM(106, 100, 100, 100, 100, 100, 100, 100) == 1);
    CHECK(WARM(106, 106, 100, 100, 100, 100, 100, 100) == 2);
    CHECK(WARM(100, 106, 100, 100, 100, 100, 100, 100) == 0); /* it is not the first */
    CHECK(WARM(900, 900, 100, 100, 100, 100, 100, 100) == 2);
    CHECK(WARM(900, 900, 900, 100, 100, 100, 100, 100) == 2);
    CHECK(WARM(900, 900, 900, 100, 100, 100, 100, 100, 100, 100, 100, 100) == 3);
    /* 0, 0, 4 and 4 away from 100: a MAD of 2, and 3 x 1.4826 x 2 = 8.9. */
    CHECK(WARM(108, 100, 100, 100, 100, 100, 104, 96) == 0);
    CHECK(WARM(109, 100, 100, 100, 100, 100, 104, 96) == 1);
    CHECK(WARM(108, 100, 100, 100, 104, 100, 100, 96) == 0);
}

/* Halves 5 % apart do not agree, whichever is slower; what is marked then is what must go so that
 * they do, a quarter at most, or only what stands out. */
static void drift_checks(void)
{
    CHECK(WARM(1050, 1050, 1050, 1000, 1000, 1000, 1000, 1000) == 2);
    CHECK(WARM(1049, 1049, 1049, 1000, 1000, 1000, 1000, 1000) == 0);
    CHECK(WARM(950, 950, 950, 1000, 1000, 1000, 1000, 1000) == 2);
    CHECK(WARM(951, 951, 951, 1000, 1000, 1000, 1000, 1000) == 0);
    CHECK(WARM(1050, 1050, 1000, 1000, 1000, 1000, 1000, 1000) == 0); /* medians 1025 and 1000 */
    CHECK(WARM(1000, 1000, 1000, 1060, 1060, 1060, 1000, 1000) == 0); /* 1000 and 1030 */
    CHECK(WARM(1050, 1050, 1050, 1050, 1000, 1000, 1000, 1000) == 0); /* a quarter is too few */
    CHECK(WARM(1060, 1050, 1050, 1050, 1000, 1000, 1000, 1000) == 1); /* the first stands out */
    /* Tried are 0, 1, 2, 3, 4 and 6 of 24.  10 slow ones less 4 are 6 of a half of 10; less 6, 4 of
     * a half of 9. */
    CHECK(warm_after(24, 10) == 6 && warm_after(25, 10) == 6);
    CHECK(warm_after(21, 9) == 0); /* 5 would do */
}

/* Labelled ones are marked, and are no part of the run that the others are. */
static void label_checks(void)
{
    for (size_t i = 0; i < 10; i++)
        inference[i] = (InferenceStat){.dur_ns = i < 3 ? 900 : 100};
    inference[0].label = "Warming up";
    inference[1].label = "WARM";
    inference[2].label = "war";
    inference[3].label = "";
    CHECK(marked(10) == 3); /* 900 and seven of 100 are left */
    inference[2].label = "warm";
    CHECK(marked(10) == 3); /* seven are left */
    inference[2].label = NULL;
    inference[2].dur_ns = 100;
    inference[9].label = "warm-up again";
    CHECK(marked(10) == -1 && inference[0].warm_up && inference[1].warm_up &&
          !inference[2].warm_up && !inference[8].warm_up && inference[9].warm_up);
    for (size_t i = 0; i < 12; i++)
        inference[i] = (InferenceStat){.dur_ns = i < 3 ? 900 : 100};
    inference[1].label = "warm";
    CHECK(marked(12) == 3); /* the labelled one is stepped over */
}

int main(void)
{
    leading_checks();
    drift_checks();
    label_checks();
    return check_failures() != 0;
}
