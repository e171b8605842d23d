/* Replaces an If whose condition is constant by the nodes of the branch that it takes, and a Loop
 * or Scan of known length by those of its iterations. */
#include "graph/edit/editor.h"

#include "graph/infer/macs.h"

#define ORDER_NONE UINT32_MAX /* not in the list of the file's nodes */

enum {
    ITERATIONS_MAX = 64, /* of a loop */
    COPIES_MAX = 4096,   /* nodes that all loops become, with the tensors of bodies inside */
    TRIALS_MAX = 64,     /* as many tensors are tried for each of them to count iterations */
    TRIPS_INSIDE = 8,    /* reckoned for a body in a loop */
    LEVELS_MAX = 64,     /* bodies in bodies, and loops whose length another one computes */
};

/* A branch is one iteration, which nothing is handed to. */
typedef struct {
    const Node *node;
    const Graph *body; /* NULL: it stays */
    uint32_t loop; /* 1: the body begins with its number and the condition, and gives that back */
    uint32_t carried; /* values that an iteration hands on */
    uint32_t scanned; /* inputs of which each iteration takes a part */
    int64_t trips;
    int64_t *axis;   /* of scanned inputs, then of outputs that are joined */
    TensorId *place; /* of the body's tensors in this iteration */
    TensorId *state; /* what it begins with, then what it hands on */
    TensorId *part;  /* scanned inputs, `trips` parts each */
    TensorId *row;   /* outputs that are joined, likewise */
} Inlining;

/* Everything that it takes from outside is there, and the bytes of its constants. */
static bool is_complete(const Graph *g, const Graph *body)
{
    for (size_t i = 0; i < body->ntensor; i++) {
        const Tensor *t = &body->tensor[i];
        if ((tensor_is_outer(t) && strmap_get(&g->by_name, t->name) == STRMAP_NONE) ||
            (t->is_initializer && (!t->value || (t->value->nelem && !t->value->data))))
            return false;
    }
    return true;
}

/* Nodes, and what copies of bodies inside take; numbers above COPIES_MAX are not told apart. No new
 * tensor gets the name of one inside. */
static size_t survey_body(Editor *e, const Graph *body)
{
    size_t n = body->nnode;
    StrMap *names = &e->graph->by_name;
    for (size_t i = 0; i < body->nnode; i++)
        for (uint32_t k = 0; k < body->node[i].nattr; k++) {
            const Graph *inner = node_body(&body->node[i], body->node[i].attr[k].name);
            n += inner ? TRIPS_INSIDE * (inner->ntensor + survey_body(e, inner)) : 0;
            for (size_t t = 0; inner && t < inner->ntensor; t++)
                if (!tensor_is_outer(&inner->tensor[t]))
                    strmap_add(names, inner->tensor[t].name, 0);
        }
    return n > COPIES_MAX ? COPIES_MAX + 1 : n;
}

/* The number of an iteration, or that its condition holds. */
static TensorId counter_value(Editor *e, const Node *n, bool condition, int64_t trip)
{
    int64_t *x = ARENA_NEW(e->arena, int64_t);
    *x = condition ? 1 : trip;
    DType dtype = condition ? DT_BOOL : DT_INT64;
    return editor_constant(e, n->output[0], "_trip", dtype, NULL, 0, x);
}

/* ---- how often a body runs ---- */

static void enter_body(Tensor *to, const Tensor *from)
{
    to->dtype = from->dtype;
    to->shape = from->shape;
    to->value = from->value;
}

/* Infers one iteration: `state` gets the known types and values of the next one's inputs.  True if
 * there is a next iteration, -1 if that depends on data. */
static int64_t try_iteration(Editor *e, const Node *n, Graph *body, int64_t trip, Tensor *state)
{
    Editor alone = *e;
    Model m = *e->model;
    int64_t goes_on = -1;
    for (size_t k = 0; k < body->ninput; k++) {
        TensorId id = k < 2 ? counter_value(e, n, k == 1, trip) : TENSOR_NONE;
        enter_body(&body->tensor[body->input[k]], k < 2 ? &e->graph->tensor[id] : &state[k]);
    }
    m.graph = body;
    alone.model = &m;
    editor_infer(&alone);
    for (size_t k = 2; k < body->ninput; k++)
        state[k] = body->tensor[body->output[k - 1]];
    tensor_int(&body->tensor[body->output[0]], &goes_on);
    return goes_on;
}

/* Iterations are tried until the condition that they compute is false: counters of all kinds end in
 * it. -1: it depends on data, or holds for too long. */
static int64_t loop_trips(Editor *e, const Node *n, Graph *body, size_t *trials)
{
    const Graph *g = e->graph;
    const Tensor *count = node_input(g, n, 0), *start = node_input(g, n, 1);
    int64_t most = INT64_MAX, goes_on = 1, trip = 0, trips = macs_loop_trips(g, n, body);
    size_t size = body->ntensor + survey_body(e, body);
    if (trips >= 0 || (start && !tensor_int(start, &goes_on)) ||
        (count && !tensor_int(count, &most)))
        return trips;
    Tensor *state = ARENA_ARRAY(e->arena, Tensor, body->ninput);
    for (size_t k = 2; k < body->ninput; k++)
        state[k] = g->tensor[n->input[k]];
    for (size_t t = 0; t < body->ntensor; t++)
        if (tensor_is_outer(&body->tensor[t]))
            enter_body(&body->tensor[t], &g->tensor[strmap_get(&g->by_name, body->tensor[t].name)]);
    for (; goes_on > 0 && trip < most && trip < ITERATIONS_MAX && size <= *trials; trip++) {
        *trials -= size;
        goes_on = try_iteration(e, n, body, trip, state);
    }
    return goes_on == 0 || (goes_on > 0 && trip == most) ? trip : -1;
}

/* What a list of a Scan says of its input or output k; 0 of a Loop's. */
static int64_t scan_entry(const Node *n, const char *name, uint32_t k)
{
    const int64_t *list;
    return n->op_id == OP_Scan && k < node_attr_ints(n, name, &list) ? list[k] : 0;
}

/* The part or row of iteration i: from the end where the Scan says so. */
static int64_t scan_place(const Inlining *x, const char *directions, uint32_t k, int64_t i)
{
    return scan_entry(x->node, directions, k) == 1 ? x->trips - 1 - i : i;
}

/* Where an input is cut or an output joined; -1: that is not known. */
static int64_t scan_axis(const Node *n, const char *name, uint32_t k, int64_t rank)
{
    int64_t axis = scan_entry(n, name, k);
    axis += axis < 0 && rank >= 0 ? rank : 0;
    return axis < rank || (rank < 0 && axis == 0) ? axis : -1;
}

/* ---- what is inlined ---- */

static Inlining branch_of(const Graph *g, const Node *n)
{
    int64_t yes;
    const Graph *body = n->op_id == OP_If && tensor_int(node_input(g, n, 0), &yes)
                            ? node_body(n, yes ? "then_branch" : "else_branch")
                            : NULL;
    bool fits = body && body->noutput >= n->noutput && body->ninput == 0 && is_complete(g, body);
    return (Inlining){.node = n, .body = fits ? body : NULL, .carried = n->noutput, .trips = 1};
}

/* Opset 8 cuts a batch into sequences. */
static Inlining loop_of(Editor *e, const Node *n)
{
    const Graph *body = node_body(n, "body");
    int64_t scanned = n->op_id == OP_Scan ? node_attr_int(n, "num_scan_inputs", -1) : 0;
    uint32_t loop = n->op_id == OP_Loop;
    bool fits = body && (loop || e->model->opset > 8) && body->ninput == n->ninput &&
                scanned >= 0 && scanned <= n->ninput && n->ninput >= 2 * loop && n->noutput &&
                n->output[0] != TENSOR_NONE && is_complete(e->graph, body);
    for (uint32_t k = 2 * loop; fits && k < n->ninput; k++)
        fits = n->input[k] != TENSOR_NONE;
    Inlining x = {.node = n, .body = body, .loop = loop, .scanned = (uint32_t)scanned};
    x.carried = n->ninput - 2 * loop - x.scanned;
    fits = fits && body->noutput >= loop + (x.carried > n->noutput ? x.carried : n->noutput);
    x.axis = ARENA_ARRAY(e->arena, int64_t, (size_t)n->ninput + n->noutput);
    for (uint32_t k = 0; fits && k < x.scanned; k++) {
        int32_t rank = e->graph->tensor[n->input[x.carried + k]].shape.rank;
        fits = (x.axis[k] = scan_axis(n, "scan_input_axes", k, rank)) >= 0;
    }
    for (uint32_t i = 0; fits && x.carried + i < n->noutput; i++) {
        int32_t rank = body->tensor[body->output[loop + x.carried + i]].shape.rank;
        rank += rank >= 0;
        fits = (x.axis[x.scanned + i] = scan_axis(n, "scan_output_axes", i, rank)) >= 0;
    }
    x.body = fits ? body : NULL;
    return x;
}

static Inlining inlining_of(Editor *e, const Node *n, size_t *room, size_t *trials)
{
    if (n->op_id != OP_Loop && n->op_id != OP_Scan)
        return branch_of(e->graph, n);
    Inlining x = loop_of(e, n);
    size_t size = x.body ? survey_body(e, x.body) : SIZE_MAX;
    if (size <= *room)
        x.trips = x.loop ? loop_trips(e, n, (Graph *)x.body, trials)
                         : macs_scan_trips(e->graph, n, x.body);
    if (size > *room || x.trips < (x.scanned || n->noutput > x.carried) ||
        x.trips > ITERATIONS_MAX || (size_t)x.trips * size > *room)
        return (Inlining){.body = NULL};
    *room -= (size_t)x.trips * size;
    return x;
}

/* Bodies inside call tensors of the one around them by the names that they have now. */
static void rename_inside(Editor *e, Node *n, const Graph *body, const TensorId *place)
{
    for (uint32_t k = 0; k < n->nattr; k++) {
        Graph *inner = n->attr[k].type == ATTR_GRAPH ? (Graph *)n->attr[k].graph : NULL;
        for (size_t i = 0; inner && i < inner->ntensor; i++) {
            Tensor *t = &inner->tensor[i];
            uint32_t id = tensor_is_outer(t) ? strmap_get(&body->by_name, t->name) : STRMAP_NONE;
            if (id == STRMAP_NONE)
                continue;
            t->name = e->graph->tensor[place[id]].name;
            strmap_put(&inner->by_name, t->name, (uint32_t)i);
        }
        for (size_t i = 0; inner && i < inner->nnode; i++)
            rename_inside(e, &inner->node[i], body, place);
        n->raw_size = inner ? 0 : n->raw_size;
    }
    n->rewired = true;
}

/* A tensor of a body.  In the last iteration, a node's result that the body outputs is the result
 * of the If, Loop or Scan itself. */
static TensorId place_tensor(Editor *e, const Inlining *x, bool last, TensorId id)
{
    Graph *g = e->graph;
    const Tensor *t = &x->body->tensor[id];
    if (tensor_is_outer(t))
        return strmap_get(&g->by_name, t->name);
    bool direct = last && t->producer != NODE_NONE;
    for (uint32_t k = 0; direct && k < x->node->noutput && k < x->carried; k++)
        if (x->body->output[x->loop + k] == id && x->node->output[k] != TENSOR_NONE)
            return x->node->output[k];
    TensorId to = editor_named(e, t->name);
    const char *name = g->tensor[to].name;
    g->tensor[to] = *t;
    g->tensor[to].name = name;
    g->tensor[to].raw_size = 0;
    g->tensor[to].is_input = g->tensor[to].is_output = false;
    return to;
}

/* ---- iterations ---- */

static void append_body(Editor *e, const Graph *body, const TensorId *place)
{
    Graph *g = e->graph;
    for (size_t i = 0; i < body->nnode; i++) {
        Node n = body->node[i];
        n.input = editor_renumber(e, n.input, n.ninput, place);
        n.output = editor_renumber(e, n.output, n.noutput, place);
        n.order = ORDER_NONE;
        editor_copy_bodies(e->arena, &n, g);
        rename_inside(e, &n, body, place);
        *VEC_PUSH(e->arena, g->node, g->nnode, e->node_cap) = n;
    }
}

static Node *append_node(Editor *e, const char *op, TensorId a, TensorId b, TensorId to)
{
    Node *n = editor_node(e, op, a, b, TENSOR_NONE, to);
    n->order = ORDER_NONE;
    return n;
}

/* Each iteration has separate tensors, except for constants. */
static void append_iteration(Editor *e, const Inlining *x, int64_t trip)
{
    const Graph *body = x->body;
    uint32_t first = 2 * x->loop, parts = first + x->carried;
    for (uint32_t k = 0; k < body->ninput; k++)
        x->place[body->input[k]] = k < first   ? counter_value(e, x->node, k == 1, trip)
                                   : k < parts ? x->state[k - first]
                                               : x->part[(k - parts) * x->trips + trip];
    for (size_t t = 0; t < body->ntensor; t++)
        if (!body->tensor[t].is_input && (trip == 0 || !body->tensor[t].is_initializer))
            x->place[t] = place_tensor(e, x, trip + 1 == x->trips, (TensorId)t);
    append_body(e, body, x->place);
    for (uint32_t k = 0; k < x->carried; k++)
        x->state[k] = x->place[body->output[x->loop + k]];
    for (uint32_t k = x->carried; k < x->node->noutput; k++)
        x->row[(k - x->carried) * x->trips + trip] = x->place[body->output[x->loop + k]];
}

/* Unsqueeze, which adds an axis of length one, or Squeeze, which takes it away. */
static TensorId append_axis(Editor *e, const char *op, TensorId x, int64_t axis)
{
    bool input = e->model->opset >= 13;
    TensorId to = editor_tensor(e, x, "_row");
    TensorId axes = input ? editor_integers(e, x, "_axes", &axis, 1) : TENSOR_NONE;
    Node *n = append_node(e, op, x, axes, to);
    if (!input)
        editor_attr_ints(e, n, "axes", &axis, 1);
    return to;
}

/* A scanned input as its parts, in the order of the iterations. */
static void append_parts(Editor *e, const Inlining *x, uint32_t k)
{
    TensorId from = x->node->input[x->carried + k];
    TensorId *piece = ARENA_ARRAY(e->arena, TensorId, (size_t)x->trips);
    for (int64_t i = 0; i < x->trips; i++)
        piece[i] = editor_tensor(e, from, "_part");
    Node *split = append_node(e, "Split", from, TENSOR_NONE, piece[0]);
    split->output = piece;
    split->noutput = (uint32_t)x->trips;
    editor_attr_int(e, split, "axis", x->axis[k]);
    if (e->model->opset >= 18)
        editor_attr_int(e, split, "num_outputs", x->trips);
    for (int64_t i = 0; i < x->trips; i++)
        x->part[k * x->trips + i] = append_axis(
            e, "Squeeze", piece[scan_place(x, "scan_input_directions", k, i)], x->axis[k]);
}

/* Joins output k of all iterations along a new axis. */
static void append_rows(Editor *e, const Inlining *x, uint32_t k)
{
    uint32_t at = k - x->carried;
    TensorId *row = ARENA_ARRAY(e->arena, TensorId, (size_t)x->trips);
    for (int64_t i = 0; i < x->trips; i++)
        row[scan_place(x, "scan_output_directions", at, i)] =
            append_axis(e, "Unsqueeze", x->row[at * x->trips + i], x->axis[x->scanned + at]);
    Node *all = append_node(e, "Concat", row[0], TENSOR_NONE, x->node->output[k]);
    all->input = row;
    all->ninput = (uint32_t)x->trips;
    editor_attr_int(e, all, "axis", x->axis[x->scanned + at]);
}

static void inline_node(Editor *e, Inlining *x)
{
    const Node *n = x->node;
    size_t trips = (size_t)x->trips;
    x->place = ARENA_ARRAY(e->arena, TensorId, x->body->ntensor + 1);
    x->state = ARENA_ARRAY(e->arena, TensorId, (size_t)x->carried + 1);
    x->part = ARENA_ARRAY(e->arena, TensorId, x->scanned * trips + 1);
    x->row = ARENA_ARRAY(e->arena, TensorId, n->noutput * trips + 1);
    survey_body(e, x->body);
    for (uint32_t k = 0; x->body->ninput && k < x->carried; k++)
        x->state[k] = n->input[2 * x->loop + k];
    for (uint32_t k = 0; k < x->scanned; k++)
        append_parts(e, x, k);
    for (int64_t i = 0; i < x->trips; i++)
        append_iteration(e, x, i);
    for (uint32_t k = 0; k < n->noutput; k++)
        if (n->output[k] != TENSOR_NONE && k >= x->carried)
            append_rows(e, x, k);
        else if (n->output[k] != TENSOR_NONE && x->state[k] != n->output[k])
            append_node(e, "Identity", x->state[k], TENSOR_NONE, n->output[k]);
}

/* One level of bodies; true where there was one. */
static bool inline_level(Editor *e, size_t *room, size_t *trials)
{
    Graph *g = e->graph;
    const Node *old = g->node;
    size_t n = g->nnode;
    bool any = false;
    if (!LIST_ANY(i, n, node_has_body(&old[i])))
        return false;
    g->node = NULL;
    g->nnode = e->node_cap = 0;
    for (size_t i = 0; i < n; i++) {
        Inlining x = inlining_of(e, &old[i], room, trials);
        any = any || x.body;
        if (x.body)
            inline_node(e, &x);
        else
            *VEC_PUSH(e->arena, g->node, g->nnode, e->node_cap) = old[i];
    }
    return any;
}

Status editor_inline(Editor *e)
{
    Graph *g = e->graph;
    uint32_t next = (uint32_t)g->nnode;
    size_t room = COPIES_MAX, trials = (size_t)COPIES_MAX * TRIALS_MAX;
    Status st = STATUS_OK;
    for (int level = 0; !st && level < LEVELS_MAX && inline_level(e, &room, &trials); level++)
        if (!(st = editor_index(e)))
            editor_infer(e);
    for (size_t i = 0; i < g->nnode; i++) /* new nodes are counted after those of the file */
        if (g->node[i].order == ORDER_NONE)
            g->node[i].order = next++;
    return st;
}
