/* Reads a NodeProto and its attributes. protobuf-c sees a node without tensors and bodies;
 * those are read in place afterwards, because unpacking would copy weights. */
#include "graph/onnx/onnx_read.h"
#include "graph/infer/ops.h"

static bool is_heavy(uint32_t number)
{
    return number == A_TENSOR || number == A_GRAPH || number == A_TENSORS || number == A_GRAPHS ||
           number == A_SPARSE || number == A_SPARSES;
}

static bool attribute_is_heavy(Bytes attribute)
{
    WireField f;
    while (onnx_wire_next(&attribute, &f) == WIRE_FIELD)
        if (is_heavy(f.number))
            return true;
    return false;
}

static bool node_is_heavy(Bytes node)
{
    WireField f;
    while (onnx_wire_next(&node, &f) == WIRE_FIELD)
        if (f.number == N_ATTRIBUTE && attribute_is_heavy(f.bytes))
            return true;
    return false;
}

static size_t append_bytes(uint8_t *out, size_t at, Bytes b)
{
    memcpy(out + at, b.data, b.size);
    return at + b.size;
}

static size_t put_varint(uint8_t *out, size_t at, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        out[at++] = (uint8_t)(v | 0x80);
    out[at++] = (uint8_t)v;
    return at;
}

static size_t light_size(Bytes attribute)
{
    WireField f;
    size_t n = 0;
    while (onnx_wire_next(&attribute, &f) == WIRE_FIELD)
        n += is_heavy(f.number) ? 0 : f.whole.size;
    return n;
}

static size_t put_light_fields(uint8_t *out, size_t at, Bytes attribute)
{
    WireField f;
    while (onnx_wire_next(&attribute, &f) == WIRE_FIELD)
        if (!is_heavy(f.number))
            at = append_bytes(out, at, f.whole);
    return at;
}

/* The node without tensors and bodies: never longer than the node itself. */
static Bytes strip_node(Arena *a, Bytes node)
{
    WireField f;
    Bytes rest = node;
    size_t size = 0, at = 0;
    while (onnx_wire_next(&rest, &f) == WIRE_FIELD)
        size += f.number == N_ATTRIBUTE ? light_size(f.bytes) + 11 : f.whole.size;
    uint8_t *out = arena_alloc(a, size);
    while (onnx_wire_next(&node, &f) == WIRE_FIELD) {
        if (f.number != N_ATTRIBUTE) {
            at = append_bytes(out, at, f.whole);
            continue;
        }
        at = put_varint(out, at, N_ATTRIBUTE << 3 | WIRE_BYTES);
        at = put_varint(out, at, light_size(f.bytes));
        at = put_light_fields(out, at, f.bytes);
    }
    return (Bytes){out, at};
}

static AttrType guess_type(const Onnx__AttributeProto *p)
{
    /* Exporters before IR 2 did not write the type. */
    return p->has_f       ? ATTR_FLOAT
           : p->has_i     ? ATTR_INT
           : p->has_s     ? ATTR_STRING
           : p->n_floats  ? ATTR_FLOATS
           : p->n_ints    ? ATTR_INTS
           : p->n_strings ? ATTR_STRINGS
                          : ATTR_OTHER;
}

static AttrType type_of(const Onnx__AttributeProto *p)
{
    int type = p->has_type ? (int)p->type : 0;
    if (type == 0)
        return guess_type(p);
    if (type == ATTR_TENSOR || type == ATTR_GRAPH)
        return ATTR_OTHER; /* until read_heavy finds one */
    return type <= ATTR_STRINGS ? (AttrType)type : ATTR_OTHER;
}

static void *copy_array(Arena *a, const void *from, size_t count, size_t size)
{
    if (!count)
        return NULL;
    return memcpy(arena_calloc(a, count, size), from, count * size);
}

static const char *copy_bytes(Arena *a, ProtobufCBinaryData d)
{
    return arena_strndup(a, d.data ? (const char *)d.data : "", d.len);
}

static const char *const *copy_strings(Arena *a, const Onnx__AttributeProto *p)
{
    const char **s = p->n_strings ? ARENA_ARRAY(a, const char *, p->n_strings) : NULL;
    for (size_t i = 0; i < p->n_strings; i++)
        s[i] = copy_bytes(a, p->strings[i]);
    return s;
}

static void copy_attribute(Arena *a, const Onnx__AttributeProto *p, Attr *ret)
{
    *ret = (Attr){.name = arena_strdup(a, p->name ? p->name : ""), .type = type_of(p)};
    switch (ret->type) {
    case ATTR_FLOAT:
        ret->f = (double)p->f;
        break;
    case ATTR_INT:
        ret->i = p->i;
        break;
    case ATTR_STRING:
        ret->s = copy_bytes(a, p->s);
        ret->slen = p->s.len;
        break;
    case ATTR_FLOATS:
        ret->count = p->n_floats;
        ret->floats = copy_array(a, p->floats, p->n_floats, sizeof *p->floats);
        break;
    case ATTR_INTS:
        ret->count = p->n_ints;
        ret->ints = copy_array(a, p->ints, p->n_ints, sizeof *p->ints);
        break;
    case ATTR_STRINGS:
        ret->count = p->n_strings;
        ret->strings = copy_strings(a, p);
        break;
    default:
        break;
    }
}

static Status read_attribute_tensor(Loader *l, const WireField *f, Attr *ret)
{
    TensorRead t;
    Status st = f->number == A_SPARSE ? onnx_read_sparse(l, f->bytes, &t)
                                      : onnx_read_tensor(l, f->bytes, &t);
    if (st)
        return st;
    Const *c = ARENA_NEW(l->arena, Const);
    *c = t.value;
    ret->type = ATTR_TENSOR;
    ret->tensor = c;
    ret->tensor_shape = t.shape;
    return STATUS_OK;
}

/* Lists of tensors and graphs stay ATTR_OTHER: no operator of ai.onnx has one. */
static Status read_heavy(Builder *b, Bytes attribute, const OnnxScope *scope, Attr *ret)
{
    WireField f;
    Status st = STATUS_OK;
    while (!st && onnx_wire_next(&attribute, &f) == WIRE_FIELD) {
        if (f.number == A_TENSOR || f.number == A_SPARSE) {
            st = read_attribute_tensor(b->loader, &f, ret);
        } else if (f.number == A_GRAPH) {
            Graph *body;
            st = b->loader->read_body(b->loader, f.bytes, b->graph, scope, &body);
            if (st)
                return st;
            ret->type = ATTR_GRAPH;
            ret->graph = body;
        }
    }
    return st;
}

/* An attribute of a function's node may refer to one of the caller's; without it, it is absent. */
static bool take_attr(Arena *a, const Onnx__AttributeProto *p, const OnnxScope *scope, Attr *ret)
{
    if (!p->ref_attr_name || !*p->ref_attr_name) {
        copy_attribute(a, p, ret);
        return true;
    }
    const Attr *from = scope ? LIST_FIND(i, scope->attr, scope->nattr,
                                         strcmp(scope->attr[i].name, p->ref_attr_name) == 0)
                             : NULL;
    if (!from)
        return false;
    *ret = *from;
    ret->name = arena_strdup(a, p->name ? p->name : "");
    return true;
}

Status onnx_read_attribute(Builder *b, Bytes raw, const OnnxScope *scope, Attr *ret)
{
    uint8_t *light = arena_alloc(b->loader->arena, raw.size);
    Bytes skeleton = {light, put_light_fields(light, 0, raw)};
    Onnx__AttributeProto *p =
        onnx_unpack(b->loader, &onnx__attribute_proto__descriptor, skeleton, "attribute");
    if (!p)
        return STATUS_INPUT;
    copy_attribute(b->loader->arena, p, ret);
    return read_heavy(b, raw, scope, ret);
}

/* A node as read, before its place is decided. */
typedef struct {
    Node node;
    const char **input, **output; /* names in the builder's graph */
    const char *overload;
} Draft;

static const char **scoped_names(Builder *b, char *const *name, size_t n, const OnnxScope *scope)
{
    const char **out = n ? ARENA_ARRAY(b->loader->arena, const char *, n) : NULL;
    for (size_t i = 0; i < n; i++)
        out[i] = onnx_scoped(b, scope, name[i]);
    return out;
}

static const char *or_empty(const char *s)
{
    return s ? s : "";
}

static const char *node_name(Arena *a, const char *name, const OnnxScope *scope)
{
    if (!name || !*name)
        return "";
    return scope ? arena_printf(a, "%s%s", scope->prefix, name) : arena_strdup(a, name);
}

/* "ai.onnx" is spelled "" in the table of operators and in nearly all files. */
static const char *plain_domain(const char *domain)
{
    return domain && strcmp(domain, "ai.onnx") != 0 ? domain : "";
}

static void draft_skeleton(Builder *b, const Onnx__NodeProto *p, const OnnxScope *scope, Draft *d)
{
    Arena *a = b->loader->arena;
    *d = (Draft){.overload = ""};
    d->node.name = node_name(a, p->name, scope);
    d->node.op_id = op_lookup(plain_domain(p->domain), or_empty(p->op_type));
    const OpInfo *known = d->node.op_id == OP_UNKNOWN ? NULL : op_info(d->node.op_id);
    d->node.op = known ? known->name : arena_strdup(a, or_empty(p->op_type));
    d->node.domain = known ? known->domain : arena_strdup(a, plain_domain(p->domain));
    d->node.ninput = (uint32_t)p->n_input;
    d->node.noutput = (uint32_t)p->n_output;
    size_t mark = strlen(ROWS_TOLD_MARK);
    if (p->doc_string && !strncmp(p->doc_string, ROWS_TOLD_MARK, mark))
        d->node.told = arena_strdup(a, p->doc_string + mark);
    d->input = scoped_names(b, p->input, p->n_input, scope);
    d->output = scoped_names(b, p->output, p->n_output, scope);
}

/* Attributes in two steps: all that protobuf-c has read (its memory is reused by the next node
 * that is read, a body's), then tensors and bodies. */
static Status draft_attributes(Builder *b, const Onnx__NodeProto *p, Bytes raw, bool heavy,
                               const OnnxScope *scope, Draft *d)
{
    Arena *a = b->loader->arena;
    size_t n = p->n_attribute;
    Attr *attr = n ? ARENA_ARRAY(a, Attr, n) : NULL;
    uint32_t *at =
        heavy ? ARENA_ARRAY(a, uint32_t, n) : NULL; /* place of the i-th; none if absent */
    uint32_t nattr = 0;
    for (size_t i = 0; i < n; i++) {
        bool there = take_attr(a, p->attribute[i], scope, &attr[nattr]);
        if (heavy)
            at[i] = there ? nattr : UINT32_MAX;
        nattr += there;
    }
    d->node.attr = attr;
    d->node.nattr = nattr;
    Status st = STATUS_OK;
    WireField f;
    for (size_t i = 0; heavy && !st && onnx_wire_next(&raw, &f) == WIRE_FIELD;) {
        if (f.number != N_ATTRIBUTE)
            continue;
        if (at[i] != UINT32_MAX)
            st = read_heavy(b, f.bytes, scope, &attr[at[i]]);
        i++;
    }
    return st;
}

static Status draft_read(Builder *b, Bytes raw, const OnnxScope *scope, Draft *ret)
{
    Loader *l = b->loader;
    bool heavy = node_is_heavy(raw);
    Bytes skeleton = heavy ? strip_node(l->arena, raw) : raw;
    Onnx__NodeProto *p = onnx_unpack(l, &onnx__node_proto__descriptor, skeleton, "node");
    if (!p)
        return STATUS_INPUT;
    draft_skeleton(b, p, scope, ret);
    WireField f;
    if (l->nfunction && onnx_wire_find(raw, N_OVERLOAD, WIRE_BYTES, &f))
        ret->overload = onnx_string(l->arena, raw, N_OVERLOAD);
    return draft_attributes(b, p, raw, heavy, scope, ret);
}

static TensorId *intern_all(Builder *b, const char *const *name, uint32_t n)
{
    TensorId *id = n ? ARENA_ARRAY(b->loader->arena, TensorId, n) : NULL;
    for (uint32_t i = 0; i < n; i++)
        id[i] = onnx_intern(b, name[i]);
    return id;
}

static Status draft_add(Builder *b, Bytes raw, const OnnxScope *scope, const Draft *d)
{
    Loader *l = b->loader;
    Graph *g = b->graph;
    l->nnode++;
    l->ninlined += scope != NULL;
    if (l->nnode > ONNX_MAX_NODES || l->ninlined > ONNX_MAX_INLINED)
        return onnx_error(l, "node", d->node.name,
                          "too many nodes after inlining functions (limits %d, inlined %d)",
                          ONNX_MAX_NODES, ONNX_MAX_INLINED);
    Node *n = VEC_PUSH(l->arena, g->node, g->nnode, b->node_cap);
    *n = d->node;
    n->order = (uint32_t)(g->nnode - 1);
    n->input = intern_all(b, d->input, n->ninput);
    n->output = intern_all(b, d->output, n->noutput);
    if (!scope) {
        n->raw_offset = (size_t)(raw.data - l->file.data);
        n->raw_size = raw.size;
    }
    for (uint32_t i = 0; i < n->nattr; i++) {
        const Graph *body = n->attr[i].type == ATTR_GRAPH ? n->attr[i].graph : NULL;
        for (size_t t = 0; body && t < body->ntensor; t++)
            if (tensor_is_outer(&body->tensor[t]))
                onnx_intern(b, body->tensor[t].name); /* perhaps of a graph further out */
    }
    return STATUS_OK;
}

Status onnx_read_node(Builder *b, Bytes raw, const OnnxScope *scope)
{
    Loader *l = b->loader;
    Draft d;
    Status st = draft_read(b, raw, scope, &d);
    if (st)
        return st;
    const Function *f =
        l->nfunction ? onnx_function_find(l, d.node.domain, d.node.op, d.overload) : NULL;
    if (f)
        return l->read_call(b, f, &d.node, d.input, d.output, scope);
    return draft_add(b, raw, scope, &d);
}
