/* Replaces an If whose condition is constant by the nodes of the branch that it takes, and a Loop
 * of known length by those of its iterations. */
#include "graph/edit/editor.h"

#include "graph/infer/macs.h"

#define ORDER_NONE UINT32_MAX /* not in the list of the file's nodes */

enum { ITERATIONS_MAX = 64, COPIES_MAX = 4096 }; /* of a loop; nodes that all loops become */

/* A branch is one iteration, which nothing is handed to. */
typedef struct {
    const Graph *body; /* NULL: it stays */
    uint32_t carried;  /* values that an iteration hands on */
    int64_t trips;
    bool loop, named; /* named: bodies inside call tensors by their names */
} Inlining;

static bool has_bodies(const Graph *body)
{
    return LIST_ANY(i, body->nnode, node_has_body(&body->node[i]));
}

/* Everything that it takes from outside is there, and the bytes of its constants. Bodies inside use
 * its names, so none of them may change. */
static bool is_complete(const Graph *g, const Graph *body)
{
    bool nested = has_bodies(body);
    for (size_t i = 0; i < body->ntensor; i++) {
        const Tensor *t = &body->tensor[i];
        bool there = strmap_get(&g->by_name, t->name) != STRMAP_NONE;
        if ((tensor_is_outer(t) ? !there : nested && there) ||
            (t->is_initializer && (!t->value || (t->value->nelem && !t->value->data))))
            return false;
    }
    return true;
}

/* The branch of an If whose condition is known, the body of a Loop; NULL. */
static const Graph *taken_body(const Graph *g, const Node *n)
{
    int64_t yes;
    if (n->op_id == OP_Loop)
        return node_body(n, "body");
    const Tensor *condition = n->op_id == OP_If ? node_input(g, n, 0) : NULL;
    bool known = condition && condition->value && const_int(condition->value, 0, &yes);
    return known ? node_body(n, yes ? "then_branch" : "else_branch") : NULL;
}

/* `room`: how many nodes loops may still become. */
static Inlining inlining_of(const Graph *g, const Node *n, size_t room)
{
    Inlining x = {taken_body(g, n), n->noutput, 1, n->op_id == OP_Loop, false};
    const Graph *body = x.body;
    if (!body || body->noutput < n->noutput + x.loop || body->ninput != (x.loop ? n->ninput : 0) ||
        !is_complete(g, body))
        return (Inlining){.body = NULL};
    x.named = has_bodies(body);
    if (!x.loop)
        return x;
    x.carried = n->ninput - 2;
    x.trips = macs_loop_trips(g, n, body);
    if (n->ninput < 2 || x.named || !n->noutput || n->output[0] == TENSOR_NONE ||
        x.trips < (n->noutput > x.carried) || x.trips > ITERATIONS_MAX ||
        (size_t)x.trips * body->nnode > room)
        x.body = NULL;
    return x;
}

/* A tensor of a body; what a node makes and the last iteration hands out is the result of the If or
 * Loop itself, unless bodies inside call it by its name. */
static TensorId place_tensor(Editor *e, const Node *n, const Inlining *x, bool last, TensorId id)
{
    Graph *g = e->graph;
    const Tensor *t = &x->body->tensor[id];
    if (tensor_is_outer(t))
        return strmap_get(&g->by_name, t->name);
    bool direct = last && t->producer != NODE_NONE && !x->named;
    for (uint32_t k = 0; direct && k < n->noutput && k < x->carried; k++)
        if (x->body->output[x->loop + k] == id && n->output[k] != TENSOR_NONE)
            return n->output[k];
    TensorId to = editor_named(e, t->name);
    const char *name = g->tensor[to].name;
    g->tensor[to] = *t;
    g->tensor[to].name = name;
    g->tensor[to].raw_size = 0;
    g->tensor[to].is_input = g->tensor[to].is_output = false;
    return to;
}

static void append_body(Editor *e, const Graph *body, const TensorId *place)
{
    Graph *g = e->graph;
    for (size_t i = 0; i < body->nnode; i++) {
        Node n = body->node[i];
        n.input = editor_renumber(e, n.input, n.ninput, place);
        n.output = editor_renumber(e, n.output, n.noutput, place);
        n.order = ORDER_NONE;
        n.rewired = true;
        for (uint32_t k = 0; k < n.nattr; k++)
            if (n.attr[k].type == ATTR_GRAPH)
                ((Graph *)n.attr[k].graph)->parent = g; /* the editor's own copy */
        *VEC_PUSH(e->arena, g->node, g->nnode, e->node_cap) = n;
    }
}

static Node *append_node(Editor *e, const char *op, TensorId a, TensorId b, TensorId to)
{
    Node *n = editor_node(e, op, a, b, TENSOR_NONE, to);
    n->order = ORDER_NONE;
    return n;
}

/* The number of an iteration, or that its condition holds. */
static TensorId counter_value(Editor *e, const Node *n, bool condition, int64_t trip)
{
    int64_t *x = ARENA_NEW(e->arena, int64_t);
    *x = condition ? 1 : trip;
    return editor_constant(e, n->output[0], "_trip", condition ? DT_BOOL : DT_INT64, NULL, 0, x);
}

/* Each iteration has tensors of its own, but for constants. */
static void append_iteration(Editor *e, const Node *n, const Inlining *x, int64_t trip,
                             TensorId *place, TensorId *state)
{
    const Graph *body = x->body;
    for (uint32_t k = 0; k < body->ninput; k++)
        place[body->input[k]] = k < 2 ? counter_value(e, n, k == 1, trip) : state[k - 2];
    for (size_t t = 0; t < body->ntensor; t++)
        if (!body->tensor[t].is_input && (trip == 0 || !body->tensor[t].is_initializer))
            place[t] = place_tensor(e, n, x, trip + 1 == x->trips, (TensorId)t);
    append_body(e, body, place);
    for (uint32_t k = 0; k < x->carried; k++)
        state[k] = place[body->output[x->loop + k]];
}

/* The value with a first axis of one: iterations are joined along it. */
static TensorId append_row(Editor *e, TensorId x)
{
    static const int64_t axis = 0, length = 1;
    bool input = e->model->opset >= 13;
    TensorId axes = TENSOR_NONE, to = editor_tensor(e, x, "_row");
    if (input)
        axes = editor_constant(e, x, "_axes", DT_INT64, &length, 1, &axis);
    Node *n = append_node(e, "Unsqueeze", x, axes, to);
    if (!input)
        editor_attr_ints(e, n, "axes", &axis, 1);
    return to;
}

static void append_rows(Editor *e, const TensorId *row, int64_t n, TensorId to)
{
    Node *all = append_node(e, "Concat", *row, TENSOR_NONE, to);
    all->input = row;
    all->ninput = (uint32_t)n;
    editor_attr_int(e, all, "axis", 0);
}

static void inline_node(Editor *e, const Node *n, const Inlining *x)
{
    TensorId *place = ARENA_ARRAY(e->arena, TensorId, x->body->ntensor + 1);
    TensorId *row = ARENA_ARRAY(e->arena, TensorId, (n->noutput + 1) * (size_t)x->trips);
    TensorId *state = ARENA_ARRAY(e->arena, TensorId, x->carried + 1);
    for (uint32_t k = 2; x->loop && k < n->ninput; k++)
        state[k - 2] = n->input[k];
    for (int64_t i = 0; i < x->trips; i++) {
        append_iteration(e, n, x, i, place, state);
        for (uint32_t k = x->carried; k < n->noutput; k++)
            row[k * x->trips + i] = append_row(e, place[x->body->output[x->loop + k]]);
    }
    for (uint32_t k = 0; k < n->noutput; k++)
        if (n->output[k] != TENSOR_NONE && k >= x->carried)
            append_rows(e, &row[k * x->trips], x->trips, n->output[k]);
        else if (n->output[k] != TENSOR_NONE && state[k] != n->output[k])
            append_node(e, "Identity", state[k], TENSOR_NONE, n->output[k]);
}

/* One level of bodies; true where there was one. */
static bool inline_level(Editor *e, size_t *room)
{
    Graph *g = e->graph;
    const Node *old = g->node;
    size_t n = g->nnode;
    if (!LIST_ANY(i, n, inlining_of(g, &old[i], *room).body))
        return false;
    g->node = NULL;
    g->nnode = e->node_cap = 0;
    for (size_t i = 0; i < n; i++) {
        Inlining x = inlining_of(g, &old[i], *room);
        if (x.body)
            inline_node(e, &old[i], &x);
        else
            *VEC_PUSH(e->arena, g->node, g->nnode, e->node_cap) = old[i];
        *room -= x.body && x.loop ? (size_t)x.trips * x.body->nnode : 0;
    }
    return true;
}

Status editor_inline(Editor *e)
{
    Graph *g = e->graph;
    uint32_t next = (uint32_t)g->nnode;
    size_t room = COPIES_MAX;
    Status st = STATUS_OK;
    while (!st && inline_level(e, &room))
        if (!(st = editor_index(e)))
            editor_infer(e);
    for (size_t i = 0; i < g->nnode; i++) /* new nodes are counted after those of the file */
        if (g->node[i].order == ORDER_NONE)
            g->node[i].order = next++;
    return st;
}
