/* Hashes nodes and tensors with their neighbourhood. Operator type, attributes, types, shapes
 * and neighbourhood to radius 2 go in. No name and no position goes in, and what exporters do
 * differently does not either: a constant is a constant whether a node or an initializer holds
 * it, Identity and Dropout are looked through, and the names of symbolic dimensions are names. */
#include "graph/infer/ops.h"
#include "graph/compile/program.h"
#include "graph/model/model.h"

enum {
    RADIUS = 2,
    MAX_NEIGHBOURS = 16, /* of a node on one side; of more only the number counts */
    MAX_HOPS = 64,       /* through Identity */
    SMALL_TENSOR_BYTES = 64,
};

static uint64_t mix_hash(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15); /* multiplicative hashing, golden ratio */
    return h ^ (h >> 32);
}

/* ---- what a node is by itself ---- */

static uint64_t hash_shape(uint64_t h, const Shape *s)
{
    h = mix_hash(h, (uint64_t)s->rank);
    for (int32_t i = 0; i < s->rank; i++)
        h = mix_hash(h, (uint64_t)s->dim[i].value);
    return h;
}

static uint64_t hash_operand(uint64_t h, const Tensor *t)
{
    if (!t)
        return mix_hash(h, 1);
    bool constant = t->is_initializer || t->value;
    return hash_shape(mix_hash(mix_hash(h, constant ? 2 : 3), t->dtype), &t->shape);
}

/* A body counts by its operators, in any order. */
static uint64_t hash_body(uint64_t h, const Graph *g)
{
    uint64_t sum = LIST_SUM(
        uint64_t, i, g->nnode,
        strmap_hash_string(strmap_hash_string(HASH_SEED, g->node[i].domain), g->node[i].op));
    return mix_hash(mix_hash(h, sum), g->noutput);
}

static uint64_t hash_real(uint64_t h, double v)
{
    float f = (float)v;
    return strmap_hash_bytes(h, &f, sizeof f);
}

static uint64_t hash_attr(const Attr *a)
{
    uint64_t h = mix_hash(strmap_hash_string(HASH_SEED, a->name), a->type);
    switch (a->type) {
    case ATTR_FLOAT:
        return hash_real(h, a->f);
    case ATTR_INT:
        return mix_hash(h, (uint64_t)a->i);
    case ATTR_STRING:
        return strmap_hash_bytes(h, a->s, a->slen);
    case ATTR_FLOATS:
        for (size_t i = 0; i < a->count; i++)
            h = hash_real(h, (double)a->floats[i]);
        return mix_hash(h, a->count);
    case ATTR_INTS:
        return mix_hash(a->count ? strmap_hash_bytes(h, a->ints, a->count * sizeof *a->ints) : h,
                        a->count);
    case ATTR_STRINGS:
        for (size_t i = 0; i < a->count; i++)
            h = strmap_hash_string(h, a->strings[i]);
        return mix_hash(h, a->count);
    case ATTR_TENSOR:
        h = hash_shape(mix_hash(h, a->tensor->dtype), &a->tensor_shape);
        return a->tensor->data && a->tensor->nbyte <= SMALL_TENSOR_BYTES
                   ? strmap_hash_bytes(h, a->tensor->data, a->tensor->nbyte)
                   : h;
    case ATTR_GRAPH:
        return hash_body(h, a->graph);
    default:
        return h;
    }
}

static uint64_t hash_alone(const Graph *g, const Node *n)
{
    uint64_t h = strmap_hash_string(strmap_hash_string(HASH_SEED, n->domain), n->op), attrs = 0;
    for (uint32_t i = 0; i < n->nattr; i++)
        attrs += hash_attr(&n->attr[i]); /* a sum: their order in the file does not matter */
    h = mix_hash(mix_hash(h, attrs), n->ninput);
    for (uint32_t i = 0; i < n->ninput && i < MAX_NEIGHBOURS; i++)
        h = hash_operand(h, node_input(g, n, i));
    h = mix_hash(h, n->noutput);
    for (uint32_t i = 0; i < n->noutput && i < MAX_NEIGHBOURS; i++)
        h = hash_operand(h, node_output(g, n, i));
    return h;
}

/* ---- neighbours ---- */

static bool is_transparent(const Node *n)
{
    return n->op_id == OP_Identity || (n->op_id == OP_Dropout && n->ninput == 1);
}

/* The tensor that the value really comes from. */
static TensorId value_source(const Graph *g, TensorId id)
{
    for (int hop = 0; hop < MAX_HOPS; hop++) {
        NodeId p = g->tensor[id].producer;
        if (p == NODE_NONE || !is_transparent(&g->node[p]) || g->node[p].ninput < 1 ||
            g->node[p].input[0] == TENSOR_NONE || g->node[p].output[0] != id)
            break;
        id = g->node[p].input[0];
    }
    return id;
}

typedef struct {
    NodeId node;
    uint32_t slot; /* the first input that reads the tensor */
} Reader;

static uint32_t input_slot(const Node *n, TensorId id)
{
    for (uint32_t i = 0; i < n->ninput; i++)
        if (n->input[i] == id)
            return i;
    return n->ninput; /* a body reads it */
}

/* Nodes that read the tensor, through Identity; more than MAX_NEIGHBOURS are not all looked at. */
static size_t find_readers(const Graph *g, TensorId id, Reader *ret)
{
    TensorId pending[MAX_NEIGHBOURS] = {id};
    size_t npending = 1, n = 0;
    for (size_t k = 0; k < npending; k++) {
        const Tensor *t = &g->tensor[pending[k]];
        for (uint32_t i = 0; i < t->nconsumer && n < MAX_NEIGHBOURS; i++) {
            const Node *reader = &g->node[t->consumer[i]];
            bool through =
                is_transparent(reader) && reader->noutput && reader->output[0] != TENSOR_NONE;
            if (through && npending < MAX_NEIGHBOURS)
                pending[npending++] = reader->output[0];
            else if (!through)
                ret[n++] = (Reader){t->consumer[i], input_slot(reader, pending[k])};
        }
    }
    return n;
}

static uint64_t hash_node(const Graph *g, const Node *n, int radius);

static uint64_t hash_source(const Graph *g, TensorId id, int radius)
{
    if (id == TENSOR_NONE)
        return 1;
    id = value_source(g, id);
    const Tensor *t = &g->tensor[id];
    if (t->is_initializer || t->value || t->producer == NODE_NONE)
        return hash_operand(HASH_SEED, t);
    const Node *p = &g->node[t->producer];
    uint32_t slot = LIST_INDEX(i, p->noutput, p->output[i] == id);
    return mix_hash(hash_node(g, p, radius), slot);
}

static uint64_t hash_readers(const Graph *g, TensorId id, int radius)
{
    Reader reader[MAX_NEIGHBOURS];
    uint64_t sum = 0; /* the order in the file does not matter */
    if (id == TENSOR_NONE)
        return 1;
    size_t n = find_readers(g, id, reader);
    for (size_t i = 0; i < n && n < MAX_NEIGHBOURS; i++)
        sum += mix_hash(hash_node(g, &g->node[reader[i].node], radius), reader[i].slot);
    return mix_hash(mix_hash(sum, n), g->tensor[id].is_output);
}

/* Depth of the recursion is the radius. */
static uint64_t hash_node(const Graph *g, const Node *n, int radius)
{
    uint64_t h = hash_alone(g, n);
    if (radius == 0)
        return h;
    for (uint32_t i = 0; i < n->ninput && i < MAX_NEIGHBOURS; i++)
        h = mix_hash(h, hash_source(g, n->input[i], radius - 1));
    for (uint32_t i = 0; i < n->noutput && i < MAX_NEIGHBOURS; i++)
        h = mix_hash(h, hash_readers(g, n->output[i], radius - 1));
    return h;
}

uint64_t node_fingerprint(const Graph *g, NodeId id)
{
    return hash_node(g, &g->node[id], RADIUS);
}

uint64_t tensor_fingerprint(const Graph *g, TensorId id)
{
    uint64_t h = hash_operand(HASH_SEED, &g->tensor[id]);
    return mix_hash(mix_hash(h, hash_source(g, id, RADIUS)), hash_readers(g, id, RADIUS - 1));
}
