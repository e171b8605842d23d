/* trace: figures of many values against the plain way to them, lists in chunks, progress. */
#include "graph/base/random.h"
#include "graph/base/statistics.h"
#include "tests/unit/check.h"
#include "trace/stats/gather.h"

#include <stdlib.h>
#include <string.h>

/* ---- percentiles --------------------------------------------------------------------------- */

static void percentile_checks(void)
{
    const int64_t value[] = {10, 20, 40, 80};
    CHECK(statistics_percentile(value, 0, 500) == 0);
    CHECK(statistics_percentile(value, 1, 500) == 10);
    CHECK(statistics_percentile(value, 2, 500) == 15);
    CHECK(statistics_percentile(value, 3, 500) == 20);
    CHECK(statistics_percentile(value, 4, 500) == 30);
    CHECK(statistics_percentile(value, 4, 0) == 10);
    CHECK(statistics_percentile(value, 4, 1000) == 80);
    CHECK(statistics_percentile(value, 4, 750) == 50); /* 2.25 steps up: 40 + 0.25 x 40 */
    /* 1.9 steps up: 40 + 0.9 x 40 is whole, and cut to an integer it is 76, not 75 */
    CHECK((int64_t)statistics_percentile(value + 1, 3, 950) == 76);
    int64_t mixed[] = {3, -1, 2, -1, INT64_MAX, INT64_MIN};
    statistics_sort_ints(mixed, 6);
    CHECK(mixed[0] == INT64_MIN && mixed[1] == -1 && mixed[2] == -1 && mixed[3] == 2 &&
          mixed[4] == 3 && mixed[5] == INT64_MAX);
}

/* ---- figures per name ---------------------------------------------------------------------- */

enum { MOST_VALUES = 3000, SHAPES = 7 };

/* Orders that selections stumble over: rising, falling, equal, few values, a pipe of an organ,
 * two interleaved, random. */
static int64_t shaped(int shape, size_t i, size_t n)
{
    switch (shape) {
    case 0:
        return (int64_t)i;
    case 1:
        return (int64_t)(n - i);
    case 2:
        return 7;
    case 3:
        return (int64_t)(i * 31 % 3);
    case 4:
        return (int64_t)(i < n / 2 ? i : n - i);
    case 5:
        return (int64_t)(i % 2 ? i : 10 * n - i);
    default:
        return (int64_t)random_below(random_bits(9, n, i, 0), 1000000);
    }
}

static bool agree(const NameStat *s, const Distribution *d)
{
    return s->min_ns == d->min && s->max_ns == d->max && s->median_ns == d->median &&
           s->p90_ns == d->p90 && s->p95_ns == d->p95 && s->p99_ns == d->p99 &&
           s->average_ns == d->mean;
}

/* Selecting must find what sorting finds. */
static void figure_checks(void)
{
    static int64_t selected[MOST_VALUES], sorted[MOST_VALUES];
    for (int shape = 0; shape < SHAPES; shape++) {
        size_t wrong = 0;
        for (size_t n = 1; n <= MOST_VALUES; n += n < 60 ? 1 : n / 3) {
            for (size_t i = 0; i < n; i++)
                selected[i] = sorted[i] = shaped(shape, i, n);
            NameStat s = {.count = n};
            name_stat_fill(&s, selected, PERCENTILE_LINEAR);
            Distribution d = distribution_of(sorted, n);
            wrong += !agree(&s, &d);
        }
        CHECK(wrong == 0);
    }
}

static void order_checks(void)
{
    const NameStat big = {.name = "b", .total_ns = 2}, small = {.name = "a", .total_ns = 1},
                   other = {.name = "c", .total_ns = 1},
                   kind = {.name = "a", .total_ns = 1, .kind = SPAN_TASK};
    CHECK(name_stat_order(&big, &small) < 0 && name_stat_order(&small, &big) > 0);
    CHECK(name_stat_order(&small, &other) < 0 && name_stat_order(&other, &small) > 0);
    CHECK(name_stat_order(&small, &kind) < 0 && name_stat_order(&kind, &small) > 0);
    CHECK(name_stat_order(&small, &small) == 0);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static bool is_even(void *user, void *row)
{
    ++*(size_t *)user;
    return *(uint64_t *)row % 2 == 0;
}

static void push(Rows *r, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++)
        *(uint64_t *)rows_push(r) = i;
}

/* Rows of several chunks come out as they went in, by walking and by taking. */
static void row_checks(void)
{
    Rows r = {.size = sizeof(uint64_t)};
    RowCursor c = rows_begin(&r);
    CHECK(!rows_next(&r, &c) && !rows_take(&r));
    push(&r, 0, 20000);
    CHECK(r.count == 20000);
    uint64_t n = 0, wrong = 0;
    c = rows_begin(&r);
    for (uint64_t *row; (row = rows_next(&r, &c)); n++)
        wrong += *row != n;
    CHECK(n == 20000 && wrong == 0);
    size_t asked = 0;
    rows_filter(&r, is_even, &asked);
    CHECK(asked == 20000 && r.count == 10000);
    n = 0;
    for (uint64_t *row; (row = rows_take(&r)); n++)
        wrong += *row != 2 * n;
    CHECK(n == 10000 && wrong == 0 && r.count == 0);
    push(&r, 5, 7); /* an emptied list is a list */
    CHECK(r.count == 2 && *(uint64_t *)rows_take(&r) == 5 && *(uint64_t *)rows_take(&r) == 6 &&
          !rows_take(&r));
    push(&r, 0, 9000); /* also one that had a single chunk */
    CHECK(r.count == 9000 && *(uint64_t *)rows_take(&r) == 0 && *(uint64_t *)rows_take(&r) == 1);
    rows_free(&r);
    CHECK(r.count == 0 && !rows_take(&r));
}

/* ---- progress ------------------------------------------------------------------------------ */

typedef struct {
    uint64_t calls, last;
    bool rises;
} Progress;

static void on_progress(void *user, const char *path, uint64_t bytes)
{
    Progress *p = user;
    p->rises &= bytes > p->last && strcmp(path, "long") == 0;
    p->last = bytes;
    p->calls++;
}

static void ignore(void *user, const Span *s)
{
    (void)user, (void)s;
}

/* A long text says so about once every PROGRESS_BYTES, as its window moves; a short one says
 * nothing. */
static void progress_checks(void)
{
    const size_t size = 4 * (size_t)PROGRESS_BYTES;
    char *text = malloc(size);
    memset(text, ' ', size);
    memcpy(text, "[]", 2);
    Progress p = {.rises = true};
    TraceReadOptions o = {
        .bytes = text, .nbyte = size, .progress = on_progress, .progress_user = &p};
    Arena *a = arena_new(0);
    TraceInfo info;
    Diag diag;
    CHECK(!trace_read(a, "long", &o, ignore, NULL, &info, &diag));
    CHECK(p.calls == 3 && p.rises && p.last >= 3 * (uint64_t)PROGRESS_BYTES);
    p.calls = 0;
    o.nbyte = 1000;
    CHECK(!trace_read(a, "long", &o, ignore, NULL, &info, &diag));
    CHECK(p.calls == 0);
    arena_free(a);
    free(text);
}

int main(void)
{
    percentile_checks();
    figure_checks();
    order_checks();
    row_checks();
    progress_checks();
    return check_failures() != 0;
}
