/* Implements Dinic's algorithm, which finds shortest paths by layers and fills them with flow. */
#include "passes/flow.h"

enum { NO_EDGE = UINT32_MAX };

/* Edge e and its reverse e^1. */
typedef struct {
    uint32_t to, next;
    int64_t left;
} FlowEdge;

struct Flow {
    Arena *a;
    size_t n;
    FlowEdge *edge;
    size_t nedge, cap;
    uint32_t *first, *at; /* per vertex: its edges; where the search goes on */
    uint32_t *layer;      /* distance from the source, from 1; 0: out of reach */
    uint32_t *path;       /* edges from the source to where the search is */
    size_t work, limit;
};

Flow *flow_new(Arena *a, size_t n)
{
    Flow *f = ARENA_NEW(a, Flow);
    *f = (Flow){.a = a,
                .n = n,
                .first = ARENA_ARRAY(a, uint32_t, n + 1),
                .at = ARENA_ARRAY(a, uint32_t, n + 1),
                .layer = ARENA_ARRAY(a, uint32_t, n + 1),
                .path = ARENA_ARRAY(a, uint32_t, n + 1)};
    for (size_t i = 0; i < n; i++)
        f->first[i] = NO_EDGE;
    return f;
}

static void half_edge(Flow *f, size_t from, size_t to, int64_t capacity)
{
    *VEC_PUSH(f->a, f->edge, f->nedge, f->cap) = (FlowEdge){(uint32_t)to, f->first[from], capacity};
    f->first[from] = (uint32_t)f->nedge - 1;
}

void flow_edge(Flow *f, size_t from, size_t to, int64_t capacity)
{
    assert(from < f->n && to < f->n);
    half_edge(f, from, to, capacity);
    half_edge(f, to, from, 0);
}

/* Fills the layers; false when the sink is out of reach. */
static bool find_layers(Flow *f, size_t source, size_t sink)
{
    uint32_t *queue = f->path;
    size_t head = 0, tail = 0;
    for (size_t i = 0; i < f->n; i++) {
        f->layer[i] = 0;
        f->at[i] = f->first[i];
    }
    f->layer[source] = 1;
    queue[tail++] = (uint32_t)source;
    while (head < tail) {
        uint32_t v = queue[head++];
        for (uint32_t e = f->first[v]; e != NO_EDGE; e = f->edge[e].next) {
            f->work++;
            if (f->edge[e].left == 0 || f->layer[f->edge[e].to])
                continue;
            f->layer[f->edge[e].to] = f->layer[v] + 1;
            queue[tail++] = f->edge[e].to;
        }
    }
    return f->layer[sink] != 0;
}

/* The next edge of `v` one layer on; NO_EDGE when it is a dead end. */
static uint32_t next_edge(Flow *f, size_t v)
{
    for (; f->at[v] != NO_EDGE; f->at[v] = f->edge[f->at[v]].next) {
        const FlowEdge *e = &f->edge[f->at[v]];
        f->work++;
        if (e->left > 0 && f->layer[e->to] == f->layer[v] + 1)
            break;
    }
    return f->at[v];
}

static int64_t push_path(Flow *f, size_t length)
{
    int64_t least = FLOW_INFINITE;
    for (size_t i = 0; i < length; i++)
        if (f->edge[f->path[i]].left < least)
            least = f->edge[f->path[i]].left;
    assert(least > 0); /* every edge of the path has capacity left */
    for (size_t i = 0; i < length; i++) {
        f->edge[f->path[i]].left -= least;
        f->edge[f->path[i] ^ 1].left += least;
    }
    return least;
}

/* All flow that the layers carry. */
static int64_t fill_layers(Flow *f, size_t source, size_t sink)
{
    int64_t sum = 0;
    size_t length = 0, v = source;
    while (f->work < f->limit) {
        uint32_t e = v == sink ? NO_EDGE : next_edge(f, v);
        if (v == sink) {
            sum += push_path(f, length);
            length = 0;
            v = source;
        } else if (e != NO_EDGE) {
            f->path[length++] = e;
            v = f->edge[e].to;
        } else if (length == 0) {
            break;
        } else {
            f->layer[v] = 0;
            v = f->edge[f->path[--length] ^ 1].to;
        }
    }
    return sum;
}

bool *flow_cut(Flow *f, size_t source, size_t sink, size_t work_limit, int64_t *ret_capacity)
{
    assert(source < f->n && sink < f->n && source != sink);
    f->work = 0;
    f->limit = work_limit;
    *ret_capacity = 0;
    while (f->work < f->limit && find_layers(f, source, sink))
        *ret_capacity += fill_layers(f, source, sink);
    if (f->work >= f->limit)
        return NULL;
    bool *side = ARENA_ARRAY(f->a, bool, f->n + 1);
    for (size_t i = 0; i < f->n; i++)
        side[i] = f->layer[i] != 0;
    assert(side[source] && !side[sink]);
    return side;
}
