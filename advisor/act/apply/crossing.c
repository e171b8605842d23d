/* Lists what the application and the compiled model exchange: shape, type, scale and zero point of
 * each input and output. */
#include "advisor/act/apply/bundle.h"

#include "graph/model/dtype.h"
#include "graph/model/stored_ranges.h"
#include "graph/infer/ops.h"
#include "graph/model/model.h"

static DType type_of(const IoType *list, size_t n, const char *name, DType otherwise)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].name, name) == 0)
            otherwise = list[i].dtype;
    return otherwise;
}

static const Const *value_of(const Graph *g, TensorId t)
{
    return t == TENSOR_NONE ? NULL : g->tensor[t].value;
}

static const Node *next_to(const Graph *g, TensorId t, bool input)
{
    const Tensor *x = &g->tensor[t];
    NodeId n = !input ? x->producer : x->nconsumer == 1 ? x->consumer[0] : NODE_NONE;
    return n == NODE_NONE ? NULL : &g->node[n];
}

/* Codes go through these as they are. */
static bool keeps_codes(const Graph *g, const Node *n)
{
    if (n->op_id == OP_Cast)
        return g->tensor[n->input[0]].dtype == g->tensor[n->output[0]].dtype;
    return op_is(n->op_id, OP_Identity, OP_Transpose, OP_Pad, OP_Slice, OP_Reshape, OP_Flatten,
                 OP_Squeeze, OP_Unsqueeze);
}

/* The operator with the scale of a tensor's quantized values; NULL if there is none. */
static const Node *find_scale_node(const Graph *g, TensorId t, bool input)
{
    enum { FAR = 8 };
    OpId want = input ? OP_DequantizeLinear : OP_QuantizeLinear;
    const Node *n = next_to(g, t, input);
    for (int i = 0; i < FAR && n && keeps_codes(g, n); i++)
        n = next_to(g, input ? n->output[0] : n->input[0], input);
    return n && n->op_id == want && n->ninput > 1 ? n : NULL;
}

static void read_scale(const Graph *g, TensorId t, bool input, Crossing *ret)
{
    const Node *n = find_scale_node(g, t, input);
    const Const *scale = n ? value_of(g, n->input[1]) : NULL;
    const Const *zero = n && n->ninput > 2 ? value_of(g, n->input[2]) : NULL;
    if (!scale || scale->nelem != 1 || !const_float(scale, 0, &ret->scale))
        return;
    ret->scaled = !zero || const_int(zero, 0, &ret->zero);
}

static const char *permuted_shape(const Bundle *b, size_t input, const Shape *s)
{
    const CompileOptions *o = &b->variant->compile;
    Dim dim[PERMUTE_MAX_RANK];
    if (input >= o->npermute || o->permute[input].rank != s->rank)
        return shape_text(b->a, s);
    assert(s->rank <= PERMUTE_MAX_RANK);
    for (int i = 0; i < s->rank; i++)
        dim[i] = s->dim[o->permute[input].axis[i]];
    return shape_text(b->a, &(Shape){s->rank, dim});
}

static Crossing describe_boundary(const Bundle *b, TensorId t, size_t index, bool input)
{
    const Graph *g = b->model->graph;
    const CompileOptions *o = &b->variant->compile;
    const Tensor *x = &g->tensor[t];
    Crossing c = {.name = x->name, .model_dtype = x->dtype};
    c.dtype =
        input
            ? type_of(o->input_dtype, o->ninput_dtype, x->name, model_input_dtype(b->model, x))
            : type_of(o->output_dtype, o->noutput_dtype, x->name, model_output_dtype(b->model, x));
    c.shape = input ? permuted_shape(b, index, &x->shape) : shape_text(b->a, &x->shape);
    const CalibratedTensor *range = stored_ranges_find(b->model->stored_ranges, x->name);
    if (range && !dtype_is_float(c.dtype))
        c.scaled = stored_ranges_scale(range, c.dtype, &c.scale, &c.zero);
    else
        read_scale(g, t, input, &c);
    return c;
}

Crossing *bundle_crossings(const Bundle *b, size_t *ret_ninput, size_t *ret_count)
{
    const Graph *g = b->model->graph;
    Crossing *list = ARENA_ARRAY(b->a, Crossing, g->ninput + g->noutput + 1);
    size_t n = 0;
    for (size_t i = 0; i < g->ninput; i++)
        list[n++] = describe_boundary(b, g->input[i], i, true);
    for (size_t i = 0; i < g->noutput; i++)
        list[n++] = describe_boundary(b, g->output[i], i, false);
    assert(n == g->ninput + g->noutput);
    *ret_ninput = g->ninput;
    *ret_count = n;
    return list;
}
