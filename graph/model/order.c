/* Sorts nodes by a heap of those that are ready and fills the consumer lists. */
#include "graph/model/order.h"

typedef struct {
    Arena *arena;
    const char *path;
    Diag *diag;
} Index;

static Status order_error(const Index *x, const char *kind, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

static Status order_error(const Index *x, const char *kind, const char *name, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *fact = arena_vprintf(x->arena, fmt, ap);
    va_end(ap);
    const char *place = arena_printf(x->arena, "%s '%s'", kind, name);
    return diag_set(x->diag, STATUS_INPUT, x->path, place, "%s", fact);
}

void node_each_read(const Graph *g, const Node *n, void (*use)(void *user, TensorId t), void *user)
{
    for (uint32_t i = 0; i < n->ninput; i++)
        if (n->input[i] != TENSOR_NONE)
            use(user, n->input[i]);
    for (uint32_t k = 0; k < n->nattr; k++) {
        const Graph *body = n->attr[k].type == ATTR_GRAPH ? n->attr[k].graph : NULL;
        for (size_t t = 0; body && t < body->ntensor; t++)
            if (tensor_is_outer(&body->tensor[t]))
                use(user, strmap_get(&g->by_name, body->tensor[t].name));
    }
}

/* What each node reads, as one list: node i reads tensor[first[i] .. first[i+1]). */
typedef struct {
    uint32_t *first;
    TensorId *tensor;
    uint32_t count;
} Reads;

static void count_read(void *user, TensorId t)
{
    (void)t;
    ((Reads *)user)->count++;
}

static void store_read(void *user, TensorId t)
{
    Reads *r = user;
    r->tensor[r->count++] = t;
}

static Reads collect_reads(Arena *a, const Graph *g)
{
    Reads r = {.first = ARENA_ARRAY(a, uint32_t, g->nnode + 1)};
    for (size_t i = 0; i < g->nnode; i++) {
        node_each_read(g, &g->node[i], count_read, &r);
        r.first[i + 1] = r.count;
    }
    r.tensor = ARENA_ARRAY(a, TensorId, (size_t)r.count + 1);
    r.count = 0;
    for (size_t i = 0; i < g->nnode; i++)
        node_each_read(g, &g->node[i], store_read, &r);
    return r;
}

static Status set_producer(const Index *x, Graph *g, NodeId node, TensorId id)
{
    assert(node < g->nnode && id < g->ntensor);
    Tensor *t = &g->tensor[id];
    const Node *n = &g->node[node];
    if (t->is_input || t->is_initializer)
        return order_error(x, "node", node_label(x->arena, n),
                           "output '%s' is also an input or initializer of the graph", t->name);
    if (t->producer != NODE_NONE)
        return order_error(x, "node", node_label(x->arena, n),
                           "output '%s' is also an output of node '%s'", t->name,
                           node_label(x->arena, &g->node[t->producer]));
    t->producer = node;
    return STATUS_OK;
}

static Status set_producers(const Index *x, Graph *g)
{
    Status st = STATUS_OK;
    for (size_t t = 0; t < g->ntensor; t++)
        g->tensor[t].producer = NODE_NONE;
    for (size_t i = 0; !st && i < g->nnode; i++)
        for (uint32_t k = 0; !st && k < g->node[i].noutput; k++)
            if (g->node[i].output[k] != TENSOR_NONE)
                st = set_producer(x, g, (NodeId)i, g->node[i].output[k]);
    return st;
}

/* A name that nothing makes is an error at the top; in a body it belongs to a graph outside. */
static Status check_dangling(const Index *x, const Graph *g, const Reads *r)
{
    for (size_t i = 0; i < g->nnode; i++)
        for (uint32_t k = r->first[i]; k < r->first[i + 1]; k++)
            if (tensor_is_outer(&g->tensor[r->tensor[k]]))
                return order_error(
                    x, "node", node_label(x->arena, &g->node[i]),
                    "input '%s' is not an input, initializer or node output of the graph",
                    g->tensor[r->tensor[k]].name);
    return LIST_VALUE(
        i, g->noutput, tensor_is_outer(&g->tensor[g->output[i]]),
        order_error(x, "output", g->tensor[g->output[i]].name, "no node of the graph makes it"),
        STATUS_OK);
}

static bool is_sorted(const Graph *g, const Reads *r)
{
    for (size_t i = 0; i < g->nnode; i++)
        for (uint32_t k = r->first[i]; k < r->first[i + 1]; k++) {
            NodeId p = g->tensor[r->tensor[k]].producer;
            if (p != NODE_NONE && p >= i)
                return false;
        }
    return true;
}

/* A heap of node indices, the smallest first: ties go by position in the file. */
typedef struct {
    uint32_t *item;
    size_t count;
} Heap;

static void heap_push(Heap *h, uint32_t v)
{
    size_t i = h->count++;
    while (i > 0 && h->item[(i - 1) / 2] > v) {
        h->item[i] = h->item[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h->item[i] = v;
}

static uint32_t heap_pop(Heap *h)
{
    assert(h->count > 0);
    uint32_t top = h->item[0], v = h->item[--h->count];
    size_t i = 0;
    for (size_t c = 1; c < h->count; c = 2 * i + 1) {
        c += c + 1 < h->count && h->item[c + 1] < h->item[c];
        if (h->item[c] >= v)
            break;
        h->item[i] = h->item[c];
        i = c;
    }
    h->item[i] = v;
    return top;
}

/* Readers of each tensor, one entry per read: reader[first[t] .. first[t+1]), ascending. */
static void collect_readers(Arena *a, const Graph *g, const Reads *r, uint32_t **ret_first,
                            NodeId **ret_reader)
{
    uint32_t *first = ARENA_ARRAY(a, uint32_t, g->ntensor + 2);
    NodeId *reader = ARENA_ARRAY(a, NodeId, (size_t)r->first[g->nnode] + 1);
    for (uint32_t k = 0; k < r->first[g->nnode]; k++)
        first[r->tensor[k] + 2]++;
    for (size_t t = 2; t <= g->ntensor; t++)
        first[t] += first[t - 1];
    for (size_t i = 0; i < g->nnode; i++)
        for (uint32_t k = r->first[i]; k < r->first[i + 1]; k++)
            reader[first[r->tensor[k] + 1]++] = (NodeId)i;
    *ret_first = first;
    *ret_reader = reader;
}

/* Among the nodes that cannot run (waiting[i] > 0), walking backwards ends on a cycle. */
static Status cycle_error(const Index *x, const Graph *g, const Reads *r, const uint32_t *waiting)
{
    size_t at = 0;
    while (!waiting[at])
        at++;
    for (size_t step = 0; step < g->nnode; step++) {
        for (uint32_t k = r->first[at]; k < r->first[at + 1]; k++) {
            NodeId p = g->tensor[r->tensor[k]].producer;
            if (p != NODE_NONE && waiting[p]) {
                at = p;
                break;
            }
        }
    }
    return order_error(x, "node", node_label(x->arena, &g->node[at]),
                       "the graph has a cycle through it");
}

static void release_readers(const Graph *g, const Node *n, const uint32_t *first,
                            const NodeId *reader, uint32_t *waiting, Heap *ready)
{
    for (uint32_t k = 0; k < n->noutput; k++) {
        TensorId t = n->output[k];
        if (t == TENSOR_NONE || &g->node[g->tensor[t].producer] != n)
            continue;
        for (uint32_t j = first[t]; j < first[t + 1]; j++)
            if (--waiting[reader[j]] == 0)
                heap_push(ready, reader[j]);
    }
}

/* Kahn's algorithm; `order` gets the node indices. */
static Status sort_nodes(const Index *x, const Graph *g, const Reads *r, uint32_t *order)
{
    uint32_t *waiting = ARENA_ARRAY(x->arena, uint32_t, g->nnode);
    Heap ready = {.item = ARENA_ARRAY(x->arena, uint32_t, g->nnode)};
    uint32_t *first;
    NodeId *reader;
    collect_readers(x->arena, g, r, &first, &reader);
    for (size_t i = 0; i < g->nnode; i++) {
        for (uint32_t k = r->first[i]; k < r->first[i + 1]; k++)
            waiting[i] += g->tensor[r->tensor[k]].producer != NODE_NONE;
        if (!waiting[i])
            heap_push(&ready, (uint32_t)i);
    }
    size_t done = 0;
    while (ready.count) {
        order[done] = heap_pop(&ready);
        release_readers(g, &g->node[order[done++]], first, reader, waiting, &ready);
    }
    assert(done <= g->nnode);
    return done == g->nnode ? STATUS_OK : cycle_error(x, g, r, waiting);
}

static void permute_nodes(const Index *x, Graph *g, const uint32_t *order)
{
    Node *sorted = ARENA_ARRAY(x->arena, Node, g->nnode);
    uint32_t *place = ARENA_ARRAY(x->arena, uint32_t, g->nnode);
    for (size_t i = 0; i < g->nnode; i++) {
        sorted[i] = g->node[order[i]];
        place[order[i]] = (uint32_t)i;
    }
    g->node = sorted;
    for (size_t t = 0; t < g->ntensor; t++)
        if (g->tensor[t].producer != NODE_NONE)
            g->tensor[t].producer = place[g->tensor[t].producer];
}

/* consumer lists: readers without repetition. */
static void set_consumers(const Index *x, Graph *g, const Reads *r)
{
    uint32_t *first;
    NodeId *reader;
    collect_readers(x->arena, g, r, &first, &reader);
    for (size_t t = 0; t < g->ntensor; t++) {
        NodeId *list = reader + first[t];
        uint32_t n = 0;
        for (uint32_t j = first[t]; j < first[t + 1]; j++)
            if (n == 0 || list[n - 1] != reader[j])
                list[n++] = reader[j];
        g->tensor[t].consumer = n ? list : NULL;
        g->tensor[t].nconsumer = n;
    }
}

Status graph_index(Arena *a, Graph *g, const char *path, Diag *diag)
{
    const Index x = {a, path, diag};
    Status st = set_producers(&x, g);
    if (st)
        return st;
    Reads r = collect_reads(a, g);
    if (!g->parent)
        st = check_dangling(&x, g, &r);
    if (!st && !is_sorted(g, &r)) {
        uint32_t *order = ARENA_ARRAY(a, uint32_t, g->nnode);
        st = sort_nodes(&x, g, &r, order);
        if (!st) {
            permute_nodes(&x, g, order);
            r = collect_reads(a, g);
        }
    }
    if (!st)
        set_consumers(&x, g, &r);
    return st;
}
