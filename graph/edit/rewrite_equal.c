/* Finds nodes that compute the same from the same inputs, and merges them. */
#include "graph/edit/rewriter.h"

enum {
    PACKED_BYTES = 256
}; /* a list of integers may take fewer bytes in the file than its value */
enum { SAMPLE_BYTES = 4096 }; /* of a constant, hashed; equal hashes are compared in full */

typedef struct {
    const Graph *graph;
    TensorId *same; /* per tensor: the first that holds the same value, itself included */
    NodeId *equal;  /* per node */
    uint32_t *slot; /* open addressing: id + 1 */
    uint64_t *hash; /* of the entry in the slot */
    size_t nslot;
} Numbering;

/* ---- attributes ---- */

static bool consts_equal(const Const *a, const Const *b)
{
    return a == b || (a && b && a->dtype == b->dtype && a->nelem == b->nelem && a->data &&
                      b->data && a->nbyte == b->nbyte && memcmp(a->data, b->data, a->nbyte) == 0);
}

static bool attrs_equal(const Attr *a, const Attr *b)
{
    if (strcmp(a->name, b->name) != 0 || a->type != b->type || a->count != b->count)
        return false;
    switch (a->type) {
    case ATTR_INT:
        return a->i == b->i;
    case ATTR_FLOAT:
        return memcmp(&a->f, &b->f, sizeof a->f) == 0;
    case ATTR_STRING:
        return a->slen == b->slen && memcmp(a->s, b->s, a->slen) == 0;
    case ATTR_INTS:
        return a->count == 0 || memcmp(a->ints, b->ints, a->count * sizeof *a->ints) == 0;
    case ATTR_FLOATS:
        return a->count == 0 || memcmp(a->floats, b->floats, a->count * sizeof *a->floats) == 0;
    case ATTR_TENSOR:
        return consts_equal(a->tensor, b->tensor) &&
               rewrite_shapes_equal(&a->tensor_shape, &b->tensor_shape);
    default:
        return false;
    }
}

/* Draws numbers, runs a body, or is nothing that we know: not twice the same for sure. */
static bool is_pure(const Node *n)
{
    static const char *const random[] = {
        "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike",
        "Multinomial",  "Bernoulli",        "Dropout"};
    OpClass k = op_info(n->op_id)->op_class;
    if (k == CLASS_UNKNOWN || k == CLASS_CONTROL)
        return false;
    return !LIST_ANY(i, sizeof random / sizeof *random, strcmp(n->op, random[i]) == 0) &&
           LIST_ALL(i, n->nattr, !(n->attr[i].type == ATTR_GRAPH || n->attr[i].type == ATTR_OTHER));
}

/* ---- hashes ---- */

static uint64_t hash_node(const Numbering *m, const Node *n)
{
    uint64_t h = strmap_hash_string(strmap_hash_string(HASH_SEED, n->op), n->domain);
    for (uint32_t i = 0; i < n->ninput; i++) {
        TensorId t = n->input[i] == TENSOR_NONE ? TENSOR_NONE : m->same[n->input[i]];
        h = strmap_hash_bytes(h, &t, sizeof t);
    }
    for (uint32_t i = 0; i < n->nattr; i++) {
        const Attr *a = &n->attr[i];
        h = strmap_hash_bytes(strmap_hash_string(h, a->name), &a->i, sizeof a->i);
        if (a->type == ATTR_INTS && a->count)
            h = strmap_hash_bytes(h, a->ints, a->count * sizeof *a->ints);
    }
    return strmap_hash_bytes(h, &n->noutput, sizeof n->noutput);
}

static uint64_t hash_const(const Const *c)
{
    size_t head = c->nbyte < SAMPLE_BYTES ? c->nbyte : SAMPLE_BYTES;
    uint64_t h = strmap_hash_bytes(HASH_SEED, &c->nelem, sizeof c->nelem);
    h = strmap_hash_bytes(h, &c->dtype, sizeof c->dtype);
    h = strmap_hash_bytes(h, c->data, head);
    return strmap_hash_bytes(h, c->data + (c->nbyte - head), head);
}

/* ---- the table: nodes by number, initializers after them ---- */

static bool nodes_equal(const Numbering *m, const Node *a, const Node *b)
{
    if (strcmp(a->op, b->op) != 0 || strcmp(a->domain, b->domain) != 0 || a->ninput != b->ninput ||
        a->noutput != b->noutput || a->nattr != b->nattr)
        return false;
    for (uint32_t i = 0; i < a->ninput; i++) {
        TensorId x = a->input[i], y = b->input[i];
        if ((x == TENSOR_NONE) != (y == TENSOR_NONE) ||
            (x != TENSOR_NONE && m->same[x] != m->same[y]))
            return false;
    }
    return LIST_ALL(k, a->noutput,
                    (a->output[k] == TENSOR_NONE) == (b->output[k] == TENSOR_NONE)) &&
           LIST_ALL(i, a->nattr, attrs_equal(&a->attr[i], &b->attr[i]));
}

static bool entries_equal(const Numbering *m, uint32_t a, uint32_t b)
{
    const Graph *g = m->graph;
    bool node_a = a < g->nnode, node_b = b < g->nnode;
    if (node_a != node_b)
        return false;
    if (node_a)
        return nodes_equal(m, &g->node[a], &g->node[b]);
    return rewrite_same_constant(g, (TensorId)(a - g->nnode), (TensorId)(b - g->nnode));
}

/* The entry that was there first and equals this one; else this one, which is put in. */
static uint32_t find_or_insert(Numbering *m, uint32_t entry, uint64_t hash)
{
    size_t i = hash & (m->nslot - 1);
    for (; m->slot[i]; i = (i + 1) & (m->nslot - 1))
        if (m->hash[i] == hash && entries_equal(m, m->slot[i] - 1, entry))
            return m->slot[i] - 1;
    m->slot[i] = entry + 1;
    m->hash[i] = hash;
    return entry;
}

static void number_node(Numbering *m, NodeId id)
{
    const Graph *g = m->graph;
    const Node *n = &g->node[id];
    m->equal[id] = NODE_NONE;
    if (!is_pure(n))
        return;
    uint32_t first = find_or_insert(m, id, hash_node(m, n));
    if (first == id)
        return;
    m->equal[id] = first;
    for (uint32_t k = 0; k < n->noutput; k++)
        if (n->output[k] != TENSOR_NONE)
            m->same[n->output[k]] = g->node[first].output[k];
}

/* Weights in files of their own are not read for this: there may be gigabytes of them. */
static bool is_comparable(const Tensor *t)
{
    const Const *c = t->value;
    bool external = c && c->nbyte > PACKED_BYTES && t->raw_size && c->nbyte > t->raw_size;
    return t->is_initializer && c && c->data && c->nbyte && !external;
}

const NodeId *rewrite_equal_nodes(Arena *a, const Graph *g)
{
    Numbering m = {.graph = g, .nslot = 16};
    while (m.nslot < 2 * (g->nnode + g->ntensor))
        m.nslot *= 2;
    m.same = ARENA_ARRAY(a, TensorId, g->ntensor + 1);
    m.equal = ARENA_ARRAY(a, NodeId, g->nnode + 1);
    Arena *scratch = arena_new(0);
    m.slot = ARENA_ARRAY(scratch, uint32_t, m.nslot);
    m.hash = ARENA_ARRAY(scratch, uint64_t, m.nslot);
    for (size_t t = 0; t < g->ntensor; t++) {
        const Tensor *x = &g->tensor[t];
        m.same[t] = (TensorId)t;
        if (is_comparable(x))
            m.same[t] = find_or_insert(&m, (uint32_t)(g->nnode + t), hash_const(x->value)) -
                        (uint32_t)g->nnode;
    }
    for (size_t i = 0; i < g->nnode; i++)
        number_node(&m, (NodeId)i);
    arena_free(scratch);
    return m.equal;
}

const char *rewrite_check_merge_duplicates(const Scene *s, NodeId node)
{
    const Node *n = &s->graph->node[node];
    if (!s->equal || s->equal[node] == NODE_NONE)
        return "no node before it equals it";
    if (n->noutput != 1 || n->output[0] == TENSOR_NONE)
        return "it has several results";
    return rewrite_is_rewirable(s->graph, n->output[0]) ? NULL : "a body reads its result";
}

void rewrite_merge_duplicates(Editor *e, const Scene *s, NodeId node)
{
    rewrite_replace_result(e, node, s->graph->node[s->equal[node]].output[0]);
}
