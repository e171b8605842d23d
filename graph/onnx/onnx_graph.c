/* Reads the values, initializers and nodes of a GraphProto. */
#include "graph/onnx/onnx_read.h"
#include "graph/model/dtype.h"
#include "graph/model/order.h"

static Dim proto_dim(Arena *a, const Onnx__TensorShapeProto__Dimension *p)
{
    Dim d = {.value = DIM_UNKNOWN};
    if (p->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE &&
        p->dim_value >= 0) {
        d.value = p->dim_value;
    } else if (p->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM &&
               p->dim_param && *p->dim_param && strcmp(p->dim_param, "?") != 0) {
        d.symbol = arena_strdup(a, p->dim_param);
    }
    return d;
}

static Status read_proto_shape(Loader *l, const char *name, const Onnx__TensorShapeProto *p,
                               Shape *ret)
{
    *ret = (Shape){.rank = RANK_UNKNOWN};
    if (!p)
        return STATUS_OK;
    if (p->n_dim > ONNX_MAX_RANK)
        return onnx_error(l, "value", name, "more than %d dimensions", ONNX_MAX_RANK);
    Dim *dim = p->n_dim ? ARENA_ARRAY(l->arena, Dim, p->n_dim) : NULL;
    for (size_t i = 0; i < p->n_dim; i++)
        dim[i] = proto_dim(l->arena, p->dim[i]);
    *ret = (Shape){(int32_t)p->n_dim, dim};
    return STATUS_OK;
}

typedef struct {
    const char *name; /* in the scratch memory */
    DType dtype;
    Shape shape;
} Value;

/* Sequences, maps and optionals have no type and shape of their own here: unknown. */
static Status read_value(Loader *l, Bytes raw, Value *ret)
{
    Onnx__ValueInfoProto *p = onnx_unpack(l, &onnx__value_info_proto__descriptor, raw, "value");
    if (!p)
        return STATUS_INPUT;
    *ret = (Value){.name = p->name ? p->name : "", .shape.rank = RANK_UNKNOWN};
    const Onnx__TypeProto *t = p->type;
    if (!t)
        return STATUS_OK;
    if (t->value_case == ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE) {
        ret->dtype = dtype_from_onnx(t->tensor_type->elem_type);
        return read_proto_shape(l, ret->name, t->tensor_type->shape, &ret->shape);
    }
    if (t->value_case == ONNX__TYPE_PROTO__VALUE_SPARSE_TENSOR_TYPE) {
        ret->dtype = dtype_from_onnx(t->sparse_tensor_type->elem_type);
        return read_proto_shape(l, ret->name, t->sparse_tensor_type->shape, &ret->shape);
    }
    return STATUS_OK;
}

static Status add_initializer(Builder *b, const WireField *f, const OnnxScope *scope)
{
    Loader *l = b->loader;
    TensorRead r;
    Status st = f->number == G_SPARSE ? onnx_read_sparse(l, f->bytes, &r)
                                      : onnx_read_tensor(l, f->bytes, &r);
    if (st)
        return st;
    if (!*r.name)
        return onnx_error(l, "graph", b->graph->name, "an initializer has no name");
    TensorId id = onnx_intern(b, onnx_scoped(b, scope, r.name));
    Tensor *t = &b->graph->tensor[id];
    if (t->is_initializer)
        return onnx_error(l, "initializer", r.name, "defined twice");
    Const *c = ARENA_NEW(l->arena, Const);
    *c = r.value;
    t->is_initializer = true;
    t->dtype = c->dtype;
    t->shape = r.shape;
    t->value = c;
    if (!scope) {
        t->raw_offset = (size_t)(f->bytes.data - l->file.data);
        t->raw_size = f->bytes.size;
    }
    return STATUS_OK;
}

static Status add_input(Builder *b, Bytes raw, const OnnxScope *scope, TensorId *list)
{
    Value v;
    Status st = read_value(b->loader, raw, &v);
    if (st)
        return st;
    if (!*v.name)
        return onnx_error(b->loader, "graph", b->graph->name, "an input has no name");
    TensorId id = onnx_intern(b, onnx_scoped(b, scope, v.name));
    Tensor *t = &b->graph->tensor[id];
    if (t->is_input)
        return onnx_error(b->loader, "input", t->name, "defined twice");
    if (t->is_initializer)
        return STATUS_OK; /* up to IR 3 every initializer had to be listed as an input too */
    t->is_input = true;
    t->dtype = v.dtype;
    t->shape = v.shape;
    list[b->graph->ninput++] = id;
    return STATUS_OK;
}

static Status add_graph_output(Builder *b, Bytes raw, const OnnxScope *scope, TensorId *list)
{
    Value v;
    Status st = read_value(b->loader, raw, &v);
    if (st)
        return st;
    if (!*v.name)
        return onnx_error(b->loader, "graph", b->graph->name, "an output has no name");
    TensorId id = onnx_intern(b, onnx_scoped(b, scope, v.name));
    Tensor *t = &b->graph->tensor[id];
    t->is_output = true;
    t->declared_dtype = v.dtype;
    t->declared_shape = v.shape;
    list[b->graph->noutput++] = id;
    return STATUS_OK;
}

/* value_info only describes: names that the graph does not have are left out. */
static Status add_hint(Builder *b, Bytes raw, const OnnxScope *scope)
{
    Value v;
    Status st = read_value(b->loader, raw, &v);
    if (st)
        return st;
    uint32_t id = strmap_get(&b->graph->by_name, onnx_scoped(b, scope, v.name));
    if (id == STRMAP_NONE)
        return STATUS_OK;
    Tensor *t = &b->graph->tensor[id];
    if (t->declared_dtype == DT_UNKNOWN)
        t->declared_dtype = v.dtype;
    if (t->declared_shape.rank == RANK_UNKNOWN)
        t->declared_shape = v.shape;
    return STATUS_OK;
}

/* Room for all that the message says it has, so that arrays need not grow. */
static void reserve_tables(Builder *b, Bytes raw, size_t *ret_ninput, size_t *ret_noutput)
{
    size_t count[32] = {0};
    WireField f;
    while (onnx_wire_next(&raw, &f) == WIRE_FIELD)
        if (f.number < 32)
            count[f.number]++;
    Arena *a = b->loader->arena;
    b->node_cap = count[G_NODE] + 1;
    b->tensor_cap = count[G_NODE] + count[G_INITIALIZER] + count[G_INPUT] + count[G_OUTPUT] + 8;
    b->graph->node = ARENA_ARRAY(a, Node, b->node_cap);
    b->graph->tensor = ARENA_ARRAY(a, Tensor, b->tensor_cap);
    strmap_init(&b->graph->by_name, a, b->tensor_cap);
    *ret_ninput = count[G_INPUT];
    *ret_noutput = count[G_OUTPUT];
}

typedef struct {
    Builder builder;
    const OnnxScope *scope;
    TensorId *input, *output;
} GraphRead;

static Status read_field(GraphRead *r, const WireField *f)
{
    switch (f->number) {
    case G_NODE:
        return onnx_read_node(&r->builder, f->bytes, r->scope);
    case G_INITIALIZER:
    case G_SPARSE:
        return add_initializer(&r->builder, f, r->scope);
    case G_INPUT:
        return add_input(&r->builder, f->bytes, r->scope, r->input);
    case G_OUTPUT:
        return add_graph_output(&r->builder, f->bytes, r->scope, r->output);
    case G_VALUE:
        return add_hint(&r->builder, f->bytes, r->scope);
    default:
        return STATUS_OK;
    }
}

/* One kind of field after the other: initializers decide which inputs are inputs, and value_info
 * is a hint for names that are there. */
static Status read_fields(GraphRead *r, Bytes raw)
{
    static const uint32_t order[] = {G_INITIALIZER, G_SPARSE, G_INPUT, G_OUTPUT, G_NODE, G_VALUE};
    Status st = STATUS_OK;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        Bytes rest = raw;
        WireField f;
        while (!st && onnx_wire_next(&rest, &f) == WIRE_FIELD)
            if (f.number == order[k])
                st = read_field(r, &f);
    }
    return st;
}

Status onnx_read_graph(Loader *l, Bytes raw, const Graph *parent, const OnnxScope *scope,
                       Graph **ret_graph)
{
    Graph *g = ARENA_NEW(l->arena, Graph);
    GraphRead r = {.builder = {.loader = l, .graph = g}, .scope = scope};
    size_t ninput, noutput;
    g->name = onnx_string(l->arena, raw, G_NAME);
    g->parent = parent;
    reserve_tables(&r.builder, raw, &ninput, &noutput);
    g->input = r.input = ARENA_ARRAY(l->arena, TensorId, ninput + 1);
    g->output = r.output = ARENA_ARRAY(l->arena, TensorId, noutput + 1);
    Status st = read_fields(&r, raw);
    st = st ? st : graph_index(l->arena, g, l->path, l->diag);
    if (!st)
        *ret_graph = g;
    return st;
}
