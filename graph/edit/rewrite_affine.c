/* Moves scales and shifts of channels into the neighbour's weights. */
#include "graph/edit/rewriter.h"

/* y = factor * x + offset, per channel. */
typedef struct {
    double *factor, *offset;
    int64_t n;
    bool known; /* false: the constants' bytes are not there */
} Affine;

static Affine affine_identity(Arena *a, int64_t n)
{
    Affine f = {ARENA_ARRAY(a, double, (size_t)n), ARENA_ARRAY(a, double, (size_t)n), n, true};
    for (int64_t i = 0; i < n; i++)
        f.factor[i] = 1;
    return f;
}

static void compose_affine(Affine *f, int64_t channel, double factor, double offset)
{
    f->factor[channel] *= factor;
    f->offset[channel] = f->offset[channel] * factor + offset;
}

/* Constants of the model, whatever their bytes. */
static bool is_stored(const Graph *g, const Node *n, uint32_t i, int64_t nelem)
{
    const Tensor *t = node_input(g, n, i);
    return t && t->value && dtype_is_float(t->value->dtype) && t->value->nelem == nelem;
}

static double input_element(const Graph *g, const Node *n, uint32_t input, int64_t i)
{
    double v = (double)NAN;
    const Const *c = node_constant(g, n, input);
    return c && const_float(c, i, &v) ? v : (double)NAN;
}

/* ---- BatchNormalization ---- */

static int64_t channels_of(const Graph *g, TensorId t)
{
    const Shape *s = &g->tensor[t].shape;
    return s->rank >= 2 ? s->dim[1].value : DIM_UNKNOWN;
}

/* A variance of 0 makes a factor that is no number; of unknown bytes nothing is said. */
static bool has_positive_variance(const Graph *g, const Node *n, int64_t channels)
{
    float epsilon = (float)node_attr_float(n, "epsilon", 1e-5);
    return LIST_ALL(c, channels, !((float)input_element(g, n, 4, c) + epsilon <= 0));
}

bool rewrite_is_constant_bn(const Scene *s, const Node *n)
{
    if (n->op_id != OP_BatchNormalization || n->ninput < 5 || n->input[0] == TENSOR_NONE)
        return false;
    int64_t c = channels_of(s->graph, n->input[0]);
    if (c < 1 || node_attr_int(n, "training_mode", 0) || !node_attr_int(n, "spatial", 1))
        return false;
    if (!LIST_ALL(i, 4u, is_stored(s->graph, n, i + 1, c)) ||
        !has_positive_variance(s->graph, n, c))
        return false;
    return LIST_ALL(k, n->noutput,
                    k == 0 || n->output[k] == TENSOR_NONE ||
                        !s->graph->tensor[n->output[k]].nconsumer);
}

/* In float32 and in this order, as furiosa-optimizer: its weights and ours are equal to the bit. */
void rewrite_bn_channel(const Graph *g, const Node *n, int64_t c, double *factor, double *offset)
{
    float epsilon = (float)node_attr_float(n, "epsilon", 1e-5);
    float scale = (float)input_element(g, n, 1, c), mean = (float)input_element(g, n, 3, c);
    float root = 1 / sqrtf((float)input_element(g, n, 4, c) + epsilon);
    *factor = (double)(scale * root);
    *offset = (double)(-mean * scale * root + (float)input_element(g, n, 2, c));
}

static void then_bn(Affine *f, const Graph *g, const Node *n)
{
    for (int64_t c = 0; c < f->n; c++) {
        double factor, offset;
        rewrite_bn_channel(g, n, c, &factor, &offset);
        compose_affine(f, c, factor, offset);
    }
}

/* ---- weights ---- */

/* How elements of a weight go with its channels. */
typedef struct {
    const Node *node;
    int64_t outputs, inputs; /* channels */
    int64_t group, taps;     /* elements of one kernel */
    bool transposed;         /* ConvTranspose: inputs first */
    bool columns;            /* Gemm without transB: outputs last */
} Weights;

static bool read_gemm(Weights *w, const Shape *s)
{
    const Node *n = w->node;
    bool trans_b = node_attr_int(n, "transB", 0) != 0;
    if (s->rank != 2 || node_attr_int(n, "transA", 0) ||
        fabs(node_attr_float(n, "alpha", 1) - 1) > 0 || fabs(node_attr_float(n, "beta", 1) - 1) > 0)
        return false;
    w->group = w->taps = 1;
    w->columns = !trans_b;
    w->outputs = s->dim[trans_b ? 0 : 1].value;
    w->inputs = s->dim[trans_b ? 1 : 0].value;
    return w->outputs > 0 && w->inputs > 0;
}

/* Float weights of the model itself: quantized ones hold scales that would have to change too. */
static bool read_weights(const Scene *s, const Node *n, Weights *ret)
{
    const Tensor *t = node_input(s->graph, n, 1);
    Weights w = {.node = n, .group = node_attr_int(n, "group", 1)};
    if (!t || !t->is_initializer || t->dtype != DT_FLOAT32 || !shape_is_known(&t->shape) ||
        *n->domain || n->noutput != 1)
        return false;
    const Shape *shape = &t->shape;
    *ret = w;
    if (n->op_id == OP_Gemm)
        return read_gemm(ret, shape);
    w.transposed = n->op_id == OP_ConvTranspose;
    if ((n->op_id != OP_Conv && !w.transposed) || shape->rank < 3 || w.group < 1 ||
        shape->dim[0].value < 1 || shape->dim[1].value < 1)
        return false;
    int64_t first = shape->dim[0].value, second = shape->dim[1].value, plane, grouped;
    if (__builtin_mul_overflow(first, second, &plane) ||
        __builtin_mul_overflow(second, w.group, &grouped))
        return false;
    w.outputs = w.transposed ? grouped : first;
    w.inputs = w.transposed ? first : grouped;
    w.taps = shape_elements(shape) / plane;
    *ret = w;
    return w.taps > 0 && w.outputs % w.group == 0 && w.inputs % w.group == 0;
}

/* Output and input channel of element i. */
static void channels_at(const Weights *w, int64_t i, int64_t *ret_out, int64_t *ret_in)
{
    if (w->columns) {
        *ret_out = i % w->outputs;
        *ret_in = i / w->outputs;
        return;
    }
    int64_t across = (w->transposed ? w->outputs : w->inputs) / w->group;
    int64_t first = i / (w->taps * across), second = i / w->taps % across;
    int64_t per_group = (w->transposed ? w->inputs : w->outputs) / w->group;
    int64_t other = first / per_group * across + second;
    *ret_out = w->transposed ? other : first;
    *ret_in = w->transposed ? first : other;
}

/* No bias, one value for all, or one per output channel. */
static bool has_plain_bias(const Graph *g, const Weights *w)
{
    const Tensor *t = node_input(g, w->node, 2);
    if (!t)
        return true;
    return t->is_initializer && t->dtype == DT_FLOAT32 && t->value && shape_is_known(&t->shape) &&
           (t->value->nelem == 1 || (t->value->nelem == w->outputs && t->shape.rank > 0 &&
                                     t->shape.dim[t->shape.rank - 1].value == w->outputs));
}

static double bias_at(const Graph *g, const Weights *w, int64_t out)
{
    const Tensor *t = node_input(g, w->node, 2);
    return t ? input_element(g, w->node, 2, t->value->nelem == 1 ? 0 : out) : 0;
}

static bool has_bytes(const Graph *g, const Weights *w)
{
    return node_constant(g, w->node, 1) &&
           (!node_input(g, w->node, 2) || node_constant(g, w->node, 2));
}

/* Weights and biases in double while they change. */
typedef struct {
    double *weight, *bias;
    int64_t n;
} Numbers;

static Numbers load_numbers(Arena *a, const Graph *g, const Weights *w)
{
    Numbers x = {.n = g->tensor[w->node->input[1]].value->nelem};
    x.weight = ARENA_ARRAY(a, double, (size_t)x.n);
    x.bias = ARENA_ARRAY(a, double, (size_t)w->outputs);
    for (int64_t i = 0; i < x.n; i++)
        x.weight[i] = input_element(g, w->node, 1, i);
    for (int64_t m = 0; m < w->outputs; m++)
        x.bias[m] = bias_at(g, w, m);
    return x;
}

static const float *to_floats(Arena *a, const double *v, int64_t n)
{
    float *f = ARENA_ARRAY(a, float, (size_t)n);
    for (int64_t i = 0; i < n; i++)
        f[i] = (float)v[i];
    return f;
}

/* `x` NULL: the bytes cannot be known, but the shapes can. */
static void store_numbers(Editor *e, const Weights *w, const Numbers *x)
{
    NodeId node = node_id(e->graph, w->node);
    TensorId weight = w->node->input[1],
             bias = w->node->ninput > 2 ? w->node->input[2] : TENSOR_NONE;
    const Shape shape = e->graph->tensor[weight].shape;
    Dim *dim = ARENA_NEW(e->arena, Dim);
    dim->value = w->outputs;
    const Shape list = {1, dim};
    TensorId folded = rewrite_add_floats(e, weight, "_folded", &shape,
                                         x ? to_floats(e->arena, x->weight, x->n) : NULL);
    TensorId shifted = rewrite_add_floats(e, bias != TENSOR_NONE ? bias : weight,
                                          bias != TENSOR_NONE ? "_folded" : "_bias", &list,
                                          x ? to_floats(e->arena, x->bias, w->outputs) : NULL);
    rewrite_set_input(e, node, 1, folded);
    rewrite_set_input(e, node, 2, shifted);
}

/* ---- fold-bn ---- */

static const char *find_bn(const Scene *s, NodeId node, Weights *ret)
{
    const Node *bn = scene_node(s, node, "BatchNormalization");
    if (!bn || !rewrite_is_constant_bn(s, bn))
        return "not a BatchNormalization of constants";
    const Node *maker = tensor_maker(s->graph, bn->input[0]);
    if (!maker || rewrite_only_reader(s->graph, bn->input[0]) != bn)
        return "nothing before it that it reads alone";
    if (!read_weights(s, maker, ret) || !has_plain_bias(s->graph, ret))
        return "no Conv, ConvTranspose or Gemm with float weights before it";
    if (ret->outputs != channels_of(s->graph, bn->input[0]))
        return "its channels are not those of the weights";
    return rewrite_is_rewirable(s->graph, bn->output[0]) ? NULL : "a body reads its result";
}

const char *rewrite_check_fold_bn(const Scene *s, NodeId node)
{
    Weights w;
    return find_bn(s, node, &w);
}

/* What is done to each channel before the weights, or after them. */
static void fold_into(Editor *e, const Graph *g, const Weights *w, const Affine *f, bool after)
{
    if (!has_bytes(g, w) || (!after && !f->known)) {
        store_numbers(e, w, NULL);
        return;
    }
    Numbers x = load_numbers(e->arena, g, w);
    for (int64_t i = 0; i < x.n; i++) {
        int64_t out, in;
        channels_at(w, i, &out, &in);
        if (!after)
            x.bias[out] += x.weight[i] * f->offset[in];
        x.weight[i] *= f->factor[after ? out : in];
    }
    for (int64_t m = 0; after && m < w->outputs; m++)
        x.bias[m] = (double)(float)(x.bias[m] * f->factor[m]) + f->offset[m];
    store_numbers(e, w, &x);
}

void rewrite_fold_bn(Editor *e, const Scene *s, NodeId node)
{
    Weights w;
    const Graph *g = s->graph;
    find_bn(s, node, &w);
    Affine f = affine_identity(e->arena, w.outputs);
    TensorId result = w.node->output[0];
    then_bn(&f, g, &g->node[node]);
    fold_into(e, g, &w, &f, true);
    rewrite_replace_result(e, node, result);
}

/* ---- fold-normalisation ---- */

/* One number, or one per channel (axis 1), beside an activation of that shape. */
static bool goes_by_channel(const Graph *g, const Node *n, const Shape *x)
{
    const Tensor *t = node_input(g, n, 1);
    if (!t || !t->value || !dtype_is_float(t->value->dtype))
        return false;
    int32_t channel = t->shape.rank - (x->rank - 1);
    return t->value->nelem == 1 || (channel >= 0 && t->value->nelem == x->dim[1].value &&
                                    t->shape.dim[channel].value == x->dim[1].value);
}

static bool is_affine(const Scene *s, const Node *n)
{
    const Tensor *in = node_input(s->graph, n, 0), *out = node_output(s->graph, n, 0);
    if (*n->domain || !in || !out || in->dtype != DT_FLOAT32 || in->shape.rank < 3 ||
        in->shape.rank != out->shape.rank || in->shape.dim[1].value < 1 || in->value)
        return false;
    if (n->op_id == OP_BatchNormalization)
        return rewrite_is_constant_bn(s, n);
    bool plain = op_is(n->op_id, OP_Add, OP_Sub, OP_Mul, OP_Div);
    return plain && n->ninput == 2 && n->input[1] != TENSOR_NONE &&
           in->shape.dim[1].value == out->shape.dim[1].value &&
           goes_by_channel(s->graph, n, &in->shape);
}

static void then_node(Affine *f, const Graph *g, const Node *n)
{
    if (n->op_id == OP_BatchNormalization) {
        then_bn(f, g, n);
        return;
    }
    bool one = g->tensor[n->input[1]].value->nelem == 1;
    for (int64_t c = 0; c < f->n; c++) {
        double k = input_element(g, n, 1, one ? 0 : c);
        bool shifts = n->op_id == OP_Add || n->op_id == OP_Sub;
        compose_affine(f, c,
                       shifts               ? 1
                       : n->op_id == OP_Mul ? k
                                            : 1 / k,
                       !shifts              ? 0
                       : n->op_id == OP_Add ? k
                                            : -k);
    }
}

/* From the first node of the chain down to the Conv. */
static Affine chain_affine(Arena *a, const Graph *g, const Node *top, const Node *conv)
{
    Affine f = affine_identity(a, g->tensor[top->input[0]].shape.dim[1].value);
    for (const Node *n = top; n != conv; n = rewrite_only_reader(g, n->output[0]))
        then_node(&f, g, n);
    for (int64_t c = 0; c < f.n; c++)
        f.known &= isfinite(f.factor[c]) && isfinite(f.offset[c]);
    return f;
}

static bool conv_pads(const Node *conv)
{
    const int64_t *pads;
    size_t n = node_attr_ints(conv, "pads", &pads);
    const char *automatic = node_attr_string(conv, "auto_pad", "NOTSET");
    return strcmp(automatic, "VALID") != 0 &&
           (LIST_ANY(i, n, pads[i]) || strncmp(automatic, "SAME", 4) == 0);
}

static const char *find_chain(const Scene *s, NodeId node, Weights *ret, const Node **ret_top)
{
    const Node *conv = scene_node(s, node, "Conv");
    if (!conv || !read_weights(s, conv, ret) || !has_plain_bias(s->graph, ret))
        return "not a Conv with float weights";
    rewrite_walk_up(s, conv->input[0], is_affine, ret_top);
    if (!*ret_top)
        return "no Sub, Div, Mul or Add of constants before it";
    return s->graph->tensor[(*ret_top)->input[0]].shape.dim[1].value == ret->inputs
               ? NULL
               : "its channels are not those of the weights";
}

const char *rewrite_check_fold_normalisation_borders(const Scene *s, NodeId node)
{
    Weights w;
    const Node *top;
    return find_chain(s, node, &w, &top);
}

const char *rewrite_check_fold_normalisation(const Scene *s, NodeId node)
{
    Weights w;
    const Node *top;
    const char *why = find_chain(s, node, &w, &top);
    if (why || !conv_pads(w.node))
        return why;
    Arena *scratch = arena_new(0);
    Affine f = chain_affine(scratch, s->graph, top, w.node);
    for (int64_t c = 0; c < f.n && !why; c++)
        if (!f.known || fabs(f.offset[c]) > 0)
            why = "the Conv pads with zeros, which the offset would make another value";
    arena_free(scratch);
    return why;
}

void rewrite_fold_normalisation_borders(Editor *e, const Scene *s, NodeId node)
{
    Weights w;
    const Node *top;
    const Graph *g = s->graph;
    find_chain(s, node, &w, &top);
    Affine f = chain_affine(e->arena, g, top, w.node);
    TensorId source = top->input[0];
    fold_into(e, g, &w, &f, false);
    rewrite_set_input(e, node, 0, source);
}

void rewrite_fold_normalisation(Editor *e, const Scene *s, NodeId node)
{
    rewrite_fold_normalisation_borders(e, s, node);
}
