/* Host spans in their order, whatever order they were read in, and what each takes by itself. */
#include "graph/base/random.h"
#include "tests/unit/check.h"
#include "trace/stats/gather.h"

#include <string.h>

enum { KEYS = 5, ROWS = 1 << KEYS, TURNS = 20 };

static TraceStats *collected(Arena *a, const Span *span, size_t n)
{
    Gather *g = gather_new();
    TraceStats *s = ARENA_NEW(a, TraceStats);
    s->arena = a;
    for (size_t i = 0; i < n; i++)
        gather_span(g, &span[i]);
    gather_collect_hosts(g, s);
    gather_free(g);
    return s;
}

/* Bits from the highest: the later start, the larger index, the shorter, the name that came later,
 * the larger id. */
static Span row(unsigned bits)
{
    return (Span){.kind = SPAN_HOST_OPERATOR,
                  .start_ns = bits >> 4 & 1,
                  .operator_index = (int32_t)(bits >> 3 & 1),
                  .dur_ns = bits >> 2 & 1 ? 10 : 20,
                  .name = bits >> 1 & 1 ? "a" : "b",
                  .span_id = 1 + (bits & 1)};
}

static bool is_row(const TraceStats *s, size_t at, Span x)
{
    const OpSpan *h = &s->host_span[at];
    return h->start_ns == x.start_ns && h->operator_index == x.operator_index &&
           h->dur_ns == x.dur_ns && !strcmp(h->name, x.name) &&
           s->host_detail[at].span_id == x.span_id;
}

static void order_checks(Arena *a)
{
    int good = 0;
    for (uint64_t turn = 0; turn < TURNS; turn++) {
        Span span[ROWS + 1] = {
            {.kind = SPAN_HOST_OPERATOR, .start_ns = -5, .dur_ns = 1, .name = "b"}};
        for (unsigned i = 0; i < ROWS; i++)
            span[1 + i] = row(i);
        for (unsigned i = ROWS; i > 1; i--) {
            size_t k = 1 + random_bits(turn, i, 0, 0) % i;
            Span swap = span[i];
            span[i] = span[k];
            span[k] = swap;
        }
        TraceStats *s = collected(a, span, ROWS + 1);
        bool same =
            s->nhost_span == ROWS + 1 && s->orphan_host == ROWS + 1 && is_row(s, 0, span[0]);
        for (unsigned i = 0; i < ROWS; i++)
            same &= is_row(s, 1 + i, row(i));
        good += same;
    }
    CHECK(good == TURNS);
}

/* Start, duration and thread, by start; and what each takes by itself. */
typedef struct {
    int64_t start, dur, tid, self;
} Nested;

static void nests(Arena *a, const Nested *list, size_t n, int line)
{
    Span span[8] = {{0}};
    for (size_t i = 0; i < n; i++)
        span[n - 1 - i] = (Span){.kind = SPAN_TRANSFER,
                                 .name = "x",
                                 .start_ns = list[i].start,
                                 .dur_ns = list[i].dur,
                                 .tid = list[i].tid,
                                 .operator_index = (int32_t)i};
    const TraceStats *s = collected(a, span, n);
    bool same = s->orphan_host == 0;
    for (size_t i = 0; i < n; i++) {
        same &= s->host_detail[i].self_ns == list[i].self;
        if (s->host_detail[i].self_ns != list[i].self)
            printf("line %d: %zu: %lld\n", line, i, (long long)s->host_detail[i].self_ns);
    }
    CHECK(same);
}
#define NESTS(...)                                                                                 \
    nests(a, (const Nested[]){__VA_ARGS__},                                                        \
          sizeof((const Nested[]){__VA_ARGS__}) / sizeof(Nested), __LINE__)

static void self_checks(Arena *a)
{
    NESTS({0, 100, 1, 100 - 20 - 25}, {10, 20, 1, 20 - 8}, {12, 8, 1, 8}, {25, 25, 1, 25});
    NESTS({0, 100, 1, 100}, {10, 20, 2, 20});         /* another thread */
    NESTS({0, 10, 1, 5}, {5, 5, 1, 5});               /* they end together */
    NESTS({0, 10, 1, 10}, {5, 6, 1, 6});              /* no more than overlaps */
    NESTS({0, 10, 1, 10}, {10, 5, 1, 5});             /* behind it */
    NESTS({0, 10, 1, 0}, {0, 8, 1, 8}, {5, 5, 1, 5}); /* children that overlap: 13 of 10 */
    NESTS({0, 10, 1, 1}, {0, 9, 1, 8}, {0, 1, 1, 1}); /* begun together: the longer is around */
    NESTS({0, 10, 1, 2}, {1, 4, 1, 4}, {5, 4, 1, 4}); /* one after the other */
    NESTS({0, 10, 2, 10}, {1, 30, 1, 30 - 4}, {2, 4, 1, 4}); /* around on its own thread alone */
    NESTS({0, 30, 1, 20}, {5, 1, 2, 1}, {10, 10, 1, 10});    /* another thread between them */
    NESTS({0, 10, 1, 0}, {0, 10, 1, 10}); /* as long: the first operator is around the next */
    NESTS({0, 10, 1, 10});
}

/* The longer is around, also where it comes later in the order. */
static void later_around(Arena *a)
{
    const Span span[] = {
        {.kind = SPAN_HOST_OPERATOR, .name = "x", .dur_ns = 9, .operator_index = 1},
        {.kind = SPAN_HOST_OPERATOR, .name = "x", .dur_ns = 1, .operator_index = 0}};
    const TraceStats *s = collected(a, span, 2);
    CHECK(s->host_span[0].dur_ns == 1 && s->host_detail[0].self_ns == 1);
    CHECK(s->host_span[1].dur_ns == 9 && s->host_detail[1].self_ns == 8);
}

/* One name at two addresses is one; process, thread and file tell lanes apart, also where they take
 * turns in one place of what is remembered. */
static void gather_checks(void)
{
    char one[] = "x", other[] = "x";
    Gather *g = gather_new();
    static const int64_t pair[][2] = {{0, 1}, {0, 17}, {1, 5}, {1, 17 ^ 4},
                                      {0, 0}, {0, 1},  {4, 1}, {1, 5}};
    enum { PAIRS = sizeof pair / sizeof *pair };
    uint32_t lane[2 * PAIRS];
    for (uint32_t i = 0; i < 2 * PAIRS; i++) {
        g->file = i / PAIRS;
        gather_span(g, &(Span){.kind = SPAN_HOST_OPERATOR,
                               .name = i % 2 ? one : other,
                               .pid = pair[i % PAIRS][0],
                               .tid = pair[i % PAIRS][1]});
    }
    CHECK(g->nname == 1);
    size_t n = 0, right = 0;
    RowCursor c = rows_begin(&g->host);
    for (const HostRow *h; (h = rows_next(&g->host, &c)) && n < 2 * PAIRS;)
        lane[n++] = h->lane;
    CHECK(n == 2 * PAIRS);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            bool same = i / PAIRS == k / PAIRS && !memcmp(pair[i % PAIRS], pair[k % PAIRS], 16);
            right += same == (lane[i] == lane[k]);
        }
    CHECK(right == n * n);
    gather_free(g);
}

int main(void)
{
    Arena *a = arena_new(0);
    order_checks(a);
    self_checks(a);
    later_around(a);
    gather_checks();
    arena_free(a);
    return check_failures() != 0;
}
