/* Ranges of values by hand: what is seen, what is passed over, and how much each method keeps. */
#include "npu_exec/values/value_ranges.h"
#include "graph/options/option.h"
#include "tests/unit/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 25000 };

typedef struct {
    double lo, hi;
    bool any;
} Found;

/* Of n numbers, seen in two parts. */
static Found found(RangeMethod method, bool symmetric, const float *x, int64_t n)
{
    Arena *a = arena_new(0);
    Diag diag;
    Tensor t = {.name = "x"};
    Graph g = {.tensor = &t, .ntensor = 1};
    ValueRanges *r =
        value_ranges_new(a, &g, method, symmetric ? RANGE_ENDS_OPPOSITE : RANGE_ENDS_FREE);
    CHECK(value_ranges_passes(r) == (method == RANGE_MIN_MAX ? 1 : 2));
    for (int pass = 0; pass < value_ranges_passes(r); pass++) {
        value_ranges_begin(r, pass);
        for (int64_t from = 0, k = n / 3; from < n; from += k, k = n - from) {
            Value *v = value_create(DT_FLOAT32, 1, &k);
            memcpy(v->data, x + from, (size_t)k * sizeof *x);
            CHECK(!value_ranges_add(r, 0, v, &diag));
            value_release(v);
        }
        Value *whole =
            value_create(DT_INT32, 1, (const int64_t[]){1}); /* of no float there is no range */
        *(int32_t *)whole->data = 1000;
        CHECK(!value_ranges_add(r, 0, whole, &diag));
        value_release(whole);
    }
    Found f = {0};
    f.any = value_ranges_of(r, 0, &f.lo, &f.hi);
    arena_free(a);
    return f;
}

static bool is(Found f, double lo, double hi)
{
    if (!f.any || f.lo != lo || f.hi != hi)
        printf("found %.9g to %.9g\n", f.lo, f.hi);
    return f.any && f.lo == lo && f.hi == hi;
}

int main(void)
{
    static float x[MANY];
    const float odd[] = {-1, NAN, 2, INFINITY, -INFINITY, 0};
    const OptionRow *method = option_row(OPTION_OF_EXEC, OPTION_METHOD);
    for (int m = 0; m < RANGE_METHOD_COUNT; m++) {
        int back; /* the words of the option are the methods, in their order */
        CHECK(option_read_word(method, range_method_name((RangeMethod)m), &back) && back == m);
        /* What is not finite is passed over; zeros alone, and one number, are their own range. */
        CHECK(is(found((RangeMethod)m, true, odd, 6), -2, 2));
        CHECK(!found((RangeMethod)m, false, odd + 3, 2).any);
        CHECK(is(found((RangeMethod)m, false, odd + 5, 1), 0, 0) &&
              is(found((RangeMethod)m, true, odd + 5, 1), 0, 0));
    }
    int none;
    CHECK(!option_read_word(method, "most", &none));
    CHECK(is(found(RANGE_MIN_MAX, false, odd, 6), -1, 2));
    /* 25000 numbers from -1 to 1 and some of 100: 1.25 of them are the half of a ten-thousandth
     * that may lie beyond an end: one, not two.  A bin is 100/1024 wide: the eleventh holds the 1.
     */
    const double bin = 100.0 / 1024;
    for (int out = 1; out <= 3; out++) {
        for (int i = 0; i < MANY; i++)
            x[i] = i < MANY - out ? (float)(i % 2001 - 1000) / 1000 : 100;
        CHECK(is(found(RANGE_MIN_MAX, false, x, MANY), -1, 100));
        CHECK(is(found(RANGE_MIN_MAX, true, x, MANY), -100, 100));
        CHECK(is(found(RANGE_PERCENTILE, false, x, MANY), -1, out < 2 ? 11 * bin : 100));
        /* By magnitude 2.5 may. */
        double most = out < 3 ? 11 * bin : 100;
        CHECK(is(found(RANGE_PERCENTILE, true, x, MANY), -most, most));
        for (int i = 0; i < MANY; i++)
            x[i] = -x[i];
        CHECK(is(found(RANGE_PERCENTILE, false, x, MANY), out < 2 ? -11 * bin : -100, 1));
        CHECK(is(found(RANGE_PERCENTILE, true, x, MANY), -most, most));
    }
    /* All above zero: the lower end is the least of them; all below: the upper one the largest. */
    for (int i = 0; i < MANY; i++)
        x[i] = 1 + (float)i / MANY;
    CHECK(is(found(RANGE_PERCENTILE, false, x, MANY), 1, (double)x[MANY - 1]));
    for (int i = 0; i < MANY; i++)
        x[i] = -x[i];
    CHECK(is(found(RANGE_PERCENTILE, false, x, MANY), (double)x[MANY - 1], -1));
    return check_failures() != 0;
}
