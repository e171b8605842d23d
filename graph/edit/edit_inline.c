/* Replaces If and Loop whose choice is constant by the nodes that they run. */
#include "graph/edit/editor.h"

#include "graph/infer/ops.h"

#include <string.h>

#define ORDER_NONE UINT32_MAX /* not in the list of the file's nodes */

enum { TRIPS_MAX = 64, UNROLLED_MAX = 10000 /* nodes */ };

typedef struct {
    Editor *e;
    const Node *owner;
    const Graph *body;
    TensorId *to; /* per tensor of the body: the one of the graph */
} Inlining;

static const Graph *body_named(const Node *n, const char *name)
{
    const Attr *a = node_attr(n, name);
    return a && a->type == ATTR_GRAPH ? a->graph : NULL;
}

static bool known_int(const Graph *g, TensorId t, int64_t *ret)
{
    return t != TENSOR_NONE && g->tensor[t].value && g->tensor[t].value->nelem == 1 &&
           const_int(g->tensor[t].value, 0, ret);
}

/* Bodies inside use its names, so none of them may change. */
static bool has_bodies(const Graph *body)
{
    for (size_t i = 0; i < body->nnode; i++)
        for (uint32_t k = 0; k < body->node[i].nattr; k++)
            if (body->node[i].attr[k].type == ATTR_GRAPH)
                return true;
    return false;
}

/* Everything that it takes from outside is there, and the bytes of its constants. */
static bool is_complete(const Graph *g, const Graph *body)
{
    bool nested = has_bodies(body);
    for (size_t i = 0; i < body->ntensor; i++) {
        const Tensor *t = &body->tensor[i];
        bool there = strmap_get(&g->by_name, t->name) != STRMAP_NONE;
        if (tensor_is_outer(t) ? !there : nested && there)
            return false;
        if (t->is_initializer && (!t->value || (t->value->nelem && !t->value->data)))
            return false;
    }
    return true;
}

/* The branch of an If whose condition is known; NULL. */
static const Graph *taken_branch(const Graph *g, const Node *n)
{
    int64_t yes;
    if (n->op_id != OP_If || !n->ninput || !known_int(g, n->input[0], &yes))
        return NULL;
    const Graph *body = body_named(n, yes ? "then_branch" : "else_branch");
    return body && body->noutput >= n->noutput && is_complete(g, body) ? body : NULL;
}

/* The body of a Loop that only its trip count ends, and that stacks no results; NULL. */
static const Graph *counted_body(const Graph *g, const Node *n, int64_t *ret_trips)
{
    int64_t starts = 1, goes_on;
    const Graph *body = n->op_id == OP_Loop ? body_named(n, "body") : NULL;
    if (!body || n->ninput < 2 || !known_int(g, n->input[0], ret_trips) ||
        (n->input[1] != TENSOR_NONE && !known_int(g, n->input[1], &starts)))
        return NULL;
    *ret_trips = starts && *ret_trips > 0 ? *ret_trips : 0;
    bool fits = body->ninput == n->ninput && body->noutput == n->ninput - 1 &&
                n->noutput <= n->ninput - 2 && *ret_trips <= TRIPS_MAX &&
                (size_t)*ret_trips * body->nnode <= UNROLLED_MAX;
    for (uint32_t k = 2; fits && k < n->ninput; k++)
        fits = n->input[k] != TENSOR_NONE;
    return fits && !has_bodies(body) && known_int(body, body->output[0], &goes_on) && goes_on &&
                   is_complete(g, body)
               ? body
               : NULL;
}

static TensorId place_tensor(const Inlining *x, const Tensor *t)
{
    Graph *g = x->e->graph;
    if (tensor_is_outer(t))
        return strmap_get(&g->by_name, t->name);
    TensorId id = editor_named(x->e, t->name);
    const char *name = g->tensor[id].name;
    g->tensor[id] = *t;
    g->tensor[id].name = name;
    g->tensor[id].raw_size = 0;
    g->tensor[id].is_input = g->tensor[id].is_output = false;
    if (x->owner->op_id == OP_Loop) /* they may differ from one iteration to the next */
        g->tensor[id].declared_shape = (Shape){.rank = RANK_UNKNOWN};
    return id;
}

static const TensorId *placed_list(const Inlining *x, const TensorId *list, uint32_t n)
{
    TensorId *to = ARENA_ARRAY(x->e->arena, TensorId, n + 1);
    for (uint32_t i = 0; i < n; i++)
        to[i] = list[i] == TENSOR_NONE ? TENSOR_NONE : x->to[list[i]];
    return to;
}

/* The body's nodes once; what `to` holds already stays. */
static void add_body(Inlining *x)
{
    Graph *g = x->e->graph;
    for (size_t t = 0; t < x->body->ntensor; t++)
        if (x->to[t] == TENSOR_NONE)
            x->to[t] = place_tensor(x, &x->body->tensor[t]);
    for (size_t i = 0; i < x->body->nnode; i++) {
        Node n = x->body->node[i];
        n.input = placed_list(x, n.input, n.ninput);
        n.output = placed_list(x, n.output, n.noutput);
        n.order = ORDER_NONE;
        n.rewired = true;
        for (uint32_t k = 0; k < n.nattr; k++)
            if (n.attr[k].type == ATTR_GRAPH)
                ((Graph *)n.attr[k].graph)->parent = g; /* the editor's own copy */
        *VEC_PUSH(x->e->arena, g->node, g->nnode, x->e->node_cap) = n;
    }
}

static void add_name(const Inlining *x, TensorId of, TensorId name)
{
    editor_node(x->e, "Identity", of, TENSOR_NONE, TENSOR_NONE, name)->order = ORDER_NONE;
}

static void forget_places(const Inlining *x)
{
    for (size_t t = 0; t < x->body->ntensor; t++)
        x->to[t] = TENSOR_NONE;
}

static void inline_branch(Inlining *x)
{
    const Node *n = x->owner;
    forget_places(x);
    bool renames = !has_bodies(x->body);
    for (uint32_t k = 0; renames && k < n->noutput; k++) { /* what a node makes is the result */
        TensorId made = x->body->output[k];
        if (x->body->tensor[made].producer != NODE_NONE && x->to[made] == TENSOR_NONE)
            x->to[made] = n->output[k];
    }
    add_body(x);
    for (uint32_t k = 0; k < n->noutput; k++)
        if (n->output[k] != TENSOR_NONE && x->to[x->body->output[k]] != n->output[k])
            add_name(x, x->to[x->body->output[k]], n->output[k]);
}

static void unroll_loop(Inlining *x, int64_t trips)
{
    static const bool yes = true;
    const Node *n = x->owner;
    TensorId *state = ARENA_ARRAY(x->e->arena, TensorId, n->ninput);
    memcpy(state, n->input, n->ninput * sizeof *state);
    for (int64_t i = 0; i < trips; i++) {
        int64_t *count = ARENA_NEW(x->e->arena, int64_t);
        *count = i;
        forget_places(x);
        state[0] = editor_constant(x->e, state[2], "_iteration", DT_INT64, NULL, 0, count);
        state[1] = editor_constant(x->e, state[2], "_goes_on", DT_BOOL, NULL, 0, &yes);
        for (uint32_t k = 0; k < n->ninput; k++)
            x->to[x->body->input[k]] = state[k];
        add_body(x);
        for (uint32_t k = 2; k < n->ninput; k++)
            state[k] = x->to[x->body->output[k - 1]];
    }
    for (uint32_t k = 0; k < n->noutput; k++)
        if (n->output[k] != TENSOR_NONE)
            add_name(x, state[k + 2], n->output[k]);
}

/* New nodes are counted after those of the file. */
static void set_orders(Graph *g, size_t nfile)
{
    uint32_t next = (uint32_t)nfile;
    for (size_t i = 0; i < g->nnode; i++)
        if (g->node[i].order == ORDER_NONE)
            g->node[i].order = next++;
}

/* Adds the node, or what it runs; true in the second case. */
static bool add_or_inline(Editor *e, const Node *n)
{
    Graph *g = e->graph;
    int64_t trips = 1;
    const Graph *branch = taken_branch(g, n), *body = branch ? branch : counted_body(g, n, &trips);
    Inlining x = {e, n, body, body ? ARENA_ARRAY(e->arena, TensorId, body->ntensor + 1) : NULL};
    if (branch)
        inline_branch(&x);
    else if (body)
        unroll_loop(&x, trips);
    else
        *VEC_PUSH(e->arena, g->node, g->nnode, e->node_cap) = *n;
    return body != NULL;
}

static bool has_control(const Graph *g)
{
    for (size_t i = 0; i < g->nnode; i++)
        if (op_is(g->node[i].op_id, OP_If, OP_Loop))
            return true;
    return false;
}

/* Bodies may hold others; each round takes away one level. */
Status editor_inline(Editor *e)
{
    Graph *g = e->graph;
    const size_t nfile = e->graph->nnode;
    bool inlined = has_control(g);
    Status st = STATUS_OK;
    while (inlined && !st) {
        const Node *old = g->node;
        size_t n = g->nnode;
        inlined = false;
        g->node = NULL;
        g->nnode = e->node_cap = 0;
        for (size_t i = 0; i < n; i++)
            inlined |= add_or_inline(e, &old[i]);
        if (inlined && !(st = editor_index(e)))
            editor_infer(e);
    }
    set_orders(g, nfile);
    return st;
}
