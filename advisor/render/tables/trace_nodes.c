/* Indexes nodes by name and by output tensor, strips what runtimes append to names, and follows
 * fusions to the node before. */
#include "advisor/render/tables/trace_nodes.h"

enum { MAX_FUSED = 16 }; /* nodes that a search before a fused operator's tensor looks at */

typedef struct {
    const Graph *graph;
    StrMap node;   /* name -> NodeId */
    bool *claimed; /* per node: some operator is it */
} Index;

static Index index_nodes(Arena *a, const Graph *g)
{
    Index x = {.graph = g, .claimed = ARENA_ARRAY(a, bool, g->nnode + 1)};
    strmap_init(&x.node, a, g->nnode + 1);
    for (size_t i = 0; i < g->nnode; i++)
        if (g->node[i].name[0])
            strmap_put(&x.node, g->node[i].name, (uint32_t)i);
    return x;
}

static NodeId node_or_producer(const Index *x, const char *name)
{
    uint32_t node = strmap_get(&x->node, name), tensor = strmap_get(&x->graph->by_name, name);
    if (node != STRMAP_NONE)
        return node;
    return tensor != STRMAP_NONE ? x->graph->tensor[tensor].producer : NODE_NONE;
}

/* Length of `name` without "_token_12". */
static size_t without_token(const char *name)
{
    static const char token[] = "_token_";
    size_t len = strlen(name), n = len, t = sizeof token - 1;
    while (n > 0 && name[n - 1] >= '0' && name[n - 1] <= '9')
        n--;
    return n < len && n > t && memcmp(name + n - t, token, t) == 0 ? n - t : len;
}

static NodeId find_named(const Index *x, Arena *a, const char *name)
{
    static const char *const suffix[] = {"", "_nchwc", "_quant", "_fused"};
    const char *stem = arena_strndup(a, name, without_token(name));
    size_t len = strlen(stem);
    for (size_t i = 0; i < sizeof suffix / sizeof *suffix; i++) {
        size_t n = strlen(suffix[i]);
        if (len <= n || strcmp(stem + len - n, suffix[i]) != 0)
            continue;
        NodeId id = node_or_producer(x, arena_strndup(a, stem, len - n));
        if (id != NODE_NONE)
            return id;
    }
    return NODE_NONE;
}

/* The runtime's type contains the node's: QLinearConv, NhwcFusedConv, MatMulInteger. */
static bool is_kind_of(const TraceNode *t, const Node *n)
{
    return !t->op || strstr(t->op, n->op) != NULL;
}

/* Finds the node that was fused into `from`, breadth first through producers. */
static NodeId find_before(const Index *x, const TraceNode *t, NodeId from)
{
    NodeId queue[MAX_FUSED] = {from};
    size_t n = 1;
    for (size_t i = 0; i < n; i++) {
        const Node *node = &x->graph->node[queue[i]];
        if (is_kind_of(t, node) && !x->claimed[queue[i]])
            return queue[i];
        for (uint32_t k = 0; k < node->ninput && n < MAX_FUSED; k++) {
            NodeId before = node->input[k] == TENSOR_NONE
                                ? NODE_NONE
                                : x->graph->tensor[node->input[k]].producer;
            if (before != NODE_NONE)
                queue[n++] = before;
        }
    }
    return from;
}

void trace_nodes_match(Arena *a, const Graph *g, TraceNode *t, size_t n)
{
    Index x = index_nodes(a, g);
    for (size_t i = 0; i < n; i++) {
        t[i].node = find_named(&x, a, t[i].name);
        if (t[i].node != NODE_NONE && is_kind_of(&t[i], &g->node[t[i].node]))
            x.claimed[t[i].node] = true;
    }
    for (size_t i = 0; i < n; i++) {
        if (t[i].node == NODE_NONE || is_kind_of(&t[i], &g->node[t[i].node]))
            continue;
        t[i].node = find_before(&x, &t[i], t[i].node);
        x.claimed[t[i].node] = true;
    }
}
