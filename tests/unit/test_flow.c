/* Minimum cuts of networks small enough to be cut by eye, and of random ones by trying all. */
#include "graph/base/random.h"
#include "passes/flow.h"
#include "tests/unit/check.h"

enum { LIMIT = 1 << 20, COUNT_MAX = 8 };

typedef struct {
    size_t from, to;
    int64_t capacity;
} Edge;

static bool *cut(Arena *a, const Edge *edge, size_t n, size_t nvertex, int64_t *ret)
{
    Flow *f = flow_new(a, nvertex);
    for (size_t i = 0; i < n; i++)
        flow_edge(f, edge[i].from, edge[i].to, edge[i].capacity);
    return flow_cut(f, 0, nvertex - 1, LIMIT, ret);
}

/* 0 -> 1 -> 3 and 0 -> 2 -> 3, with 1 -> 2 between: 3 + 2 leave the source, 2 + 4 reach the sink,
 * and 2 + 3 go through. */
static void diamond(Arena *a)
{
    static const Edge edge[] = {{0, 1, 3}, {0, 2, 2}, {1, 3, 2}, {2, 3, 4}, {1, 2, 5}};
    int64_t capacity = 0;
    bool *side = cut(a, edge, 5, 4, &capacity);
    CHECK(capacity == 5);
    CHECK(side[0] && !side[1] && !side[2] && !side[3]);
}

/* Two cuts of 2: the one nearer to the source is given.  Edges go one way. */
static void chain(Arena *a)
{
    static const Edge edge[] = {{0, 1, 9}, {1, 2, 2}, {2, 3, 2}, {3, 0, 7}};
    int64_t capacity = 0;
    bool *side = cut(a, edge, 4, 4, &capacity);
    CHECK(capacity == 2);
    CHECK(side[0] && side[1] && !side[2] && !side[3]);
}

static void limits(Arena *a)
{
    Flow *f = flow_new(a, 3);
    int64_t capacity = 0;
    flow_edge(f, 0, 1, 1);
    flow_edge(f, 1, 2, 1);
    CHECK(flow_cut(f, 0, 2, 1, &capacity) == NULL);
    static const Edge apart[] = {{0, 1, 4}, {2, 3, 4}};
    bool *side = cut(a, apart, 2, 4, &capacity);
    CHECK(capacity == 0 && side[0] && side[1] && !side[2] && !side[3]);
    static const Edge forced[] = {{0, 1, FLOW_INFINITE}, {1, 2, FLOW_INFINITE}, {2, 3, 5}};
    side = cut(a, forced, 3, 4, &capacity);
    CHECK(capacity == 5 && side[1] && side[2] && !side[3]);
}

/* Least capacity over all sides that hold vertex 0 and not the last; the fewest vertices of it. */
static int64_t by_trying(const Edge *edge, size_t n, size_t nvertex, size_t *ret_smallest)
{
    int64_t best = INT64_MAX;
    for (size_t mask = 1; mask < (size_t)1 << (nvertex - 1); mask += 2) {
        int64_t sum = 0;
        size_t count = 0;
        for (size_t i = 0; i < n; i++)
            if (mask >> edge[i].from & 1 && !(mask >> edge[i].to & 1))
                sum += edge[i].capacity;
        for (size_t v = 0; v < nvertex; v++)
            count += mask >> v & 1;
        if (sum < best || (sum == best && count < *ret_smallest)) {
            best = sum;
            *ret_smallest = count;
        }
    }
    return best;
}

static void random_ones(Arena *a)
{
    int good = 0;
    for (uint64_t k = 0; k < 500; k++) {
        Edge edge[24];
        size_t nvertex = 3 + k % (COUNT_MAX - 2), n = 4 + k % 20, smallest = 0, count = 0;
        for (size_t i = 0; i < n; i++)
            edge[i] = (Edge){random_bits(k, 1, i, 0) % nvertex, random_bits(k, 2, i, 0) % nvertex,
                             (int64_t)(random_bits(k, 3, i, 0) % 9)};
        int64_t capacity = 0, best = by_trying(edge, n, nvertex, &smallest);
        bool *side = cut(a, edge, n, nvertex, &capacity);
        for (size_t v = 0; v < nvertex; v++)
            count += side[v];
        good += capacity == best && count == smallest;
    }
    CHECK(good == 500);
}

int main(void)
{
    Arena *a = arena_new(0);
    diamond(a);
    chain(a);
    limits(a);
    random_ones(a);
    arena_free(a);
    return check_failures() != 0;
}
