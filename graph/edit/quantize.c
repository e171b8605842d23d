/* Chooses the tensors to quantize, computes their scales and adds the nodes. */
#include "graph/edit/quantize.h"

#include "graph/edit/rewriter.h"

enum { OPSET_PER_CHANNEL = 13, BYTE_LO = -128, BYTE_HI = 127 };

typedef struct {
    double scale; /* stored in float32 */
    int zero;
} Step8;

typedef struct {
    Editor e;
    const Graph *before; /* as inferred; its ids hold until the end */
    const Quantizing *q;
    bool *chosen;    /* per tensor of `before`: it becomes codes */
    TensorId *group; /* the tensor whose range it shares; union-find */
    double (*range)[2];
    TensorId *constant; /* per tensor: the dequantized values of a constant, once made */
    Quantized done;
} Work;

static const Edit at_quantize = {.kind = EDIT_REWRITE, .where = "quantize", .text = ""};

/* ---- what is quantized ---- */

static bool is_on_npu(const Work *w, const Node *n)
{
    return w->q->on_npu[n - w->before->node];
}

static bool is_float_data(const Graph *g, TensorId t)
{
    return t != TENSOR_NONE && g->tensor[t].dtype == DT_FLOAT32 && !g->tensor[t].value;
}

/* What an activation that clips is done in one with: codes that saturate at its bounds clip too. */
static bool is_between(const Work *w, TensorId t)
{
    const Tensor *x = &w->before->tensor[t];
    if (x->producer == NODE_NONE || x->is_output || x->nconsumer != 1)
        return false;
    const Node *maker = &w->before->node[x->producer], *reader = &w->before->node[x->consumer[0]];
    OpClass k = op_info(maker->op_id)->op_class;
    return (k == CLASS_MAC || k == CLASS_ELEMENTWISE) && is_on_npu(w, maker) &&
           is_on_npu(w, reader) && (reader->op_id == OP_Relu || reader->op_id == OP_Clip);
}

/* A body reads names, not ids. */
static bool is_read_by_body(const Work *w, TensorId t)
{
    const Tensor *x = &w->before->tensor[t];
    return LIST_ANY(k, x->nconsumer, node_has_body(&w->before->node[x->consumer[k]]));
}

static void choose_tensor(Work *w, TensorId t)
{
    if (!is_float_data(w->before, t) || w->chosen[t] || is_between(w, t) || is_read_by_body(w, t) ||
        (w->before->tensor[t].is_input && w->before->tensor[t].is_output))
        return;
    w->chosen[t] = w->q->range[t][0] <= w->q->range[t][1];
    w->done.activations += w->chosen[t];
    w->done.unknown += !w->chosen[t];
}

static void choose_all(Work *w)
{
    for (size_t i = 0; i < w->before->nnode; i++) {
        const Node *n = &w->before->node[i];
        if (!is_on_npu(w, n))
            continue;
        for (uint32_t k = 0; k < n->ninput; k++)
            choose_tensor(w, n->input[k]);
        for (uint32_t k = 0; k < n->noutput; k++)
            choose_tensor(w, n->output[k]);
    }
}

/* ---- scales that are shared ---- */

static TensorId head_of(const Work *w, TensorId t)
{
    while (w->group[t] != t)
        t = w->group[t] = w->group[w->group[t]];
    return t;
}

static void join_groups(Work *w, TensorId a, TensorId b)
{
    a = head_of(w, a);
    b = head_of(w, b);
    if (a == b)
        return;
    w->group[b] = a;
    w->range[a][0] = fmin(w->range[a][0], w->range[b][0]);
    w->range[a][1] = fmax(w->range[a][1], w->range[b][1]);
}

/* Its results are among its operands: the codes go through as they are. */
static bool keeps_scale(const Node *n)
{
    OpClass k = op_info(n->op_id)->op_class;
    return (k == CLASS_VIEW || k == CLASS_MOVE || n->op_id == OP_MaxPool) && n->op_id != OP_Concat;
}

/* The only reader of its first operand, which is no result of the model or of a Concat. */
static bool decides_range(const Work *w, const Node *n)
{
    const Tensor *x = node_input(w->before, n, 0);
    return keeps_scale(n) && n->op_id != OP_Resize && n->noutput == 1 && x && x->nconsumer == 1 &&
           !x->is_output && w->chosen[n->input[0]] && w->chosen[n->output[0]] &&
           (x->producer == NODE_NONE || w->before->node[x->producer].op_id != OP_Concat);
}

/* As furiosa-quantizer-impl 0.9.2: a value takes the range of its only reader's result, from the
 * outputs backwards; else it keeps its range, and is requantized where the two differ. */
static void pass_ranges_back(Work *w)
{
    for (size_t i = w->before->nnode; i-- > 0;) {
        const Node *n = &w->before->node[i];
        if (decides_range(w, n))
            memcpy(w->range[n->input[0]], w->range[head_of(w, n->output[0])], sizeof *w->range);
    }
}

static void share_scales(Work *w)
{
    for (size_t t = 0; t < w->before->ntensor; t++) {
        w->group[t] = (TensorId)t;
        w->range[t][0] = fmin(w->q->range[t][0], 0); /* zero has an exact quantized value */
        w->range[t][1] = fmax(w->q->range[t][1], 0);
    }
    for (size_t i = 0; i < w->before->nnode; i++) {
        const Node *n = &w->before->node[i];
        TensorId first = n->noutput ? n->output[0] : TENSOR_NONE;
        if (!(w->q->as_sdk_0_9 ? n->op_id == OP_Concat : keeps_scale(n)) || first == TENSOR_NONE ||
            !w->chosen[first])
            continue;
        for (uint32_t k = 0; k < n->ninput; k++)
            if (n->input[k] != TENSOR_NONE && w->chosen[n->input[k]])
                join_groups(w, first, n->input[k]);
        for (uint32_t k = 1; k < n->noutput; k++)
            if (n->output[k] != TENSOR_NONE && w->chosen[n->output[k]])
                join_groups(w, first, n->output[k]);
    }
    if (w->q->as_sdk_0_9)
        pass_ranges_back(w);
}

/* In float64, and halves away from zero, as furiosa-quantizer-impl 0.9.2. */
static Step8 step_of(double lo, double hi, bool symmetric)
{
    double most = fmax(fabs(lo), fabs(hi));
    if (!(most > 0))
        return (Step8){1, 0};
    double scale = symmetric ? most / BYTE_HI : (hi - lo) / (BYTE_HI - BYTE_LO);
    scale = fmax(scale, 1e-30);
    double zero = symmetric ? 0 : BYTE_LO - round(lo / scale);
    return (Step8){scale, (int)fmin(fmax(zero, BYTE_LO), BYTE_HI)};
}

static Step8 step_of_tensor(const Work *w, TensorId t)
{
    TensorId head = head_of(w, t);
    return step_of(w->range[head][0], w->range[head][1], w->q->symmetric);
}

/* ---- activations ---- */

/* Quantize and Dequantize after a tensor; an output keeps its name after both. */
static Status quantize_activation(Work *w, TensorId t)
{
    Editor *e = &w->e;
    Step8 step = step_of_tensor(w, t);
    int8_t *z = ARENA_NEW(e->arena, int8_t);
    *z = (int8_t)step.zero;
    TensorId scale = editor_scalar(e, t, "_scale", (float)step.scale), from = t, to,
             zero = editor_constant(e, t, "_zero_point", DT_INT8, NULL, 0, z);
    if (w->before->tensor[t].is_output) {
        from = editor_tensor(e, t, "_float");
        editor_redirect(e, t, from);
        to = t;
    } else {
        to = editor_tensor(e, t, "_dequantized");
        Status st = editor_rewire(e, &at_quantize, t, to);
        if (st)
            return st;
    }
    TensorId codes = editor_tensor(e, t, "_quantized");
    editor_node(e, "QuantizeLinear", from, scale, zero, codes);
    editor_node(e, "DequantizeLinear", codes, scale, zero, to);
    return STATUS_OK;
}

/* ---- constants ---- */

/* A constant as codes: `n` scales, each for `inner` elements in turns. */
typedef struct {
    const Const *c;
    const Shape *shape;
    int64_t n, inner;
    int axis;
    Step8 *step;
} Codes;

static float constant_value(const Codes *k, int64_t i)
{
    double v = 0;
    const_float(k->c, i, &v);
    return isfinite(v) ? (float)v : 0;
}

/* Weights are symmetric, as the vendor's; other constants have the range that they need. */
static void find_steps(Work *w, Codes *k, bool symmetric)
{
    double(*end)[2] = arena_calloc(w->e.arena, (size_t)k->n, sizeof *end);
    k->step = ARENA_ARRAY(w->e.arena, Step8, (size_t)k->n);
    for (int64_t i = 0; i < k->c->nelem; i++) {
        double v = (double)constant_value(k, i), *at = end[i / k->inner % k->n];
        at[0] = fmin(at[0], v);
        at[1] = fmax(at[1], v);
    }
    for (int64_t i = 0; i < k->n; i++)
        k->step[i] = step_of(end[i][0], end[i][1], symmetric);
}

static int64_t *dims_of(Arena *a, const Shape *s)
{
    int64_t *dim = ARENA_ARRAY(a, int64_t, (size_t)s->rank + 1);
    for (int32_t i = 0; i < s->rank; i++)
        dim[i] = s->dim[i].value;
    return dim;
}

/* Initializers of codes, scales and zero points, and the node that makes floats of them. */
static TensorId add_codes(Work *w, TensorId like, const Codes *k, DType dtype, const void *code,
                          const float *scale, const void *zero)
{
    Editor *e = &w->e;
    int32_t rank = k->n > 1 ? 1 : 0;
    TensorId codes = editor_constant(e, like, "_quantized", dtype, dims_of(e->arena, k->shape),
                                     k->shape->rank, code);
    TensorId s = editor_constant(e, like, "_scale", DT_FLOAT32, &k->n, rank, scale);
    TensorId z = editor_constant(e, like, "_zero_point", dtype, &k->n, rank, zero);
    TensorId to = editor_tensor(e, like, "_dequantized");
    Node *n = editor_node(e, "DequantizeLinear", codes, s, z, to);
    if (k->n > 1)
        editor_attr_int(e, n, "axis", k->axis);
    return to;
}

static TensorId add_bytes(Work *w, TensorId like, const Codes *k)
{
    Arena *a = w->e.arena;
    int8_t *code = ARENA_ARRAY(a, int8_t, (size_t)k->c->nelem + 1);
    int8_t *zero = ARENA_ARRAY(a, int8_t, (size_t)k->n);
    float *scale = ARENA_ARRAY(a, float, (size_t)k->n);
    for (int64_t i = 0; i < k->c->nelem; i++) {
        Step8 s = k->step[i / k->inner % k->n];
        double v = round((double)constant_value(k, i) / s.scale) + s.zero;
        code[i] = (int8_t)fmin(fmax(v, BYTE_LO), BYTE_HI);
    }
    for (int64_t i = 0; i < k->n; i++) {
        scale[i] = (float)k->step[i].scale;
        zero[i] = (int8_t)k->step[i].zero;
    }
    return add_codes(w, like, k, DT_INT8, code, scale, zero);
}

static Status fail_missing_data(Work *w, TensorId t)
{
    bool made = w->before->tensor[t].producer != NODE_NONE;
    return diag_set(w->e.diag, STATUS_INPUT, w->e.model->path, w->before->tensor[t].name,
                    made ? "operators make this constant: fold them with onnxsim or onnxslim first"
                         : "its numbers are not there, so it cannot be quantized");
}

/* Float constant at input i; NULL when it is none. */
static const Tensor *float_constant(const Work *w, const Node *n, uint32_t i)
{
    const Tensor *t = node_input(w->before, n, i);
    return t && t->value && t->dtype == DT_FLOAT32 && shape_is_known(&t->shape) ? t : NULL;
}

/* The axis of a weight along which output channels lie; -1: one scale must do. */
static int channel_axis(const Work *w, const Node *n, const Shape *s)
{
    if (!w->q->per_channel || s->rank < 2)
        return -1;
    if (n->op_id == OP_Conv)
        return 0;
    if (n->op_id == OP_ConvTranspose)
        return node_attr_int(n, "group", 1) == 1 ? 1 : -1;
    if (n->op_id == OP_Gemm)
        return node_attr_int(n, "transB", 0) ? 0 : 1;
    return s->rank == 2 ? 1 : -1;
}

static Codes channel_view(const Tensor *t, int axis)
{
    Codes k = {.c = t->value, .shape = &t->shape, .n = 1, .inner = t->value->nelem, .axis = axis};
    if (axis < 0)
        return k;
    k.n = t->shape.dim[axis].value;
    k.inner = 1;
    for (int32_t i = axis + 1; i < t->shape.rank; i++)
        k.inner *= t->shape.dim[i].value;
    if (k.n < 1 || k.inner < 1)
        return (Codes){.c = k.c, .shape = k.shape, .n = 1, .inner = k.c->nelem, .axis = -1};
    return k;
}

/* The bias in steps of image and weights, as int32; left alone where it does not fit. */
static void quantize_bias(Work *w, const Node *n, const Codes *weights)
{
    const Tensor *t = float_constant(w, n, 2);
    TensorId x = n->input[0];
    int64_t count = t ? t->value->nelem : 0;
    if (!t || !t->value->data || t->shape.rank != 1 || (weights->n > 1 && weights->n != count) ||
        !is_float_data(w->before, x) || !w->chosen[x])
        return;
    Arena *a = w->e.arena;
    Codes k = {.c = t->value, .shape = &t->shape, .n = weights->n, .inner = 1, .axis = 0};
    int32_t *code = ARENA_ARRAY(a, int32_t, (size_t)count + 1);
    int32_t *zero = ARENA_ARRAY(a, int32_t, (size_t)k.n);
    float *scale = ARENA_ARRAY(a, float, (size_t)k.n);
    double of_x = step_of_tensor(w, x).scale;
    for (int64_t i = 0; i < k.n; i++)
        scale[i] = (float)(of_x * weights->step[i].scale);
    for (int64_t i = 0; i < count; i++) {
        double step = of_x * weights->step[k.n > 1 ? i : 0].scale;
        double v = round((double)constant_value(&k, i) / step);
        if (!(fabs(v) < 2147483000.0))
            return;
        code[i] = (int32_t)v;
    }
    rewrite_set_input(&w->e, node_id(w->before, n), 2,
                      add_codes(w, n->input[2], &k, DT_INT32, code, scale, zero));
}

/* Weights, or the other operand of an addition or multiplication. */
static Status quantize_constant(Work *w, const Node *n, uint32_t i, bool weights)
{
    const Tensor *t = float_constant(w, n, i);
    if (!t || t->value->nelem < 1)
        return STATUS_OK;
    if (!t->value->data)
        return fail_missing_data(w, n->input[i]);
    Codes k = channel_view(t, weights ? channel_axis(w, n, &t->shape) : -1);
    find_steps(w, &k, weights || w->q->symmetric);
    TensorId *made = &w->constant[n->input[i]];
    if (*made == TENSOR_NONE) {
        *made = add_bytes(w, n->input[i], &k);
        w->done.weights += weights;
    }
    rewrite_set_input(&w->e, node_id(w->before, n), i, *made);
    if (weights && n->ninput > 2 && n->input[2] != TENSOR_NONE)
        quantize_bias(w, n, &k);
    return STATUS_OK;
}

static Status quantize_constants(Work *w, const Node *n)
{
    Status st = STATUS_OK;
    if (op_is(n->op_id, OP_Conv, OP_ConvTranspose, OP_Gemm, OP_MatMul))
        return quantize_constant(w, n, 1, true);
    if (op_is(n->op_id, OP_Add, OP_Sub, OP_Mul, OP_Div))
        for (uint32_t i = 0; i < n->ninput && !st; i++)
            st = quantize_constant(w, n, i, false);
    return st;
}

/* ---- all of it ---- */

static void begin_quantizing(Work *w, Arena *a, const Model *m, const Quantizing *q, Diag *diag)
{
    *w = (Work){.before = m->graph, .q = q};
    size_t n = m->graph->ntensor + 1;
    editor_begin(&w->e, a, m, diag);
    w->e.before = m->graph;
    w->chosen = ARENA_ARRAY(a, bool, n);
    w->group = ARENA_ARRAY(a, TensorId, n);
    w->range = arena_calloc(a, n, sizeof *w->range);
    w->constant = ARENA_ARRAY(a, TensorId, n);
    for (size_t i = 0; i < n; i++)
        w->constant[i] = TENSOR_NONE;
}

Status model_quantize(Arena *a, const Model *m, const Quantizing *q, Model **ret,
                      Quantized *ret_done, Diag *diag)
{
    Work w;
    if (m->opset < OPSET_PER_CHANNEL)
        return diag_set(diag, STATUS_INPUT, m->path, NULL, "is of opset %lld, and has to be of %d",
                        (long long)m->opset, OPSET_PER_CHANNEL);
    begin_quantizing(&w, a, m, q, diag);
    choose_all(&w);
    if (w.done.activations == 0)
        return diag_set(diag, STATUS_INPUT, m->path, NULL,
                        "has nothing to quantize: no operator of the NPU works on float32 values "
                        "that were seen");
    share_scales(&w);
    Status st = STATUS_OK;
    for (size_t i = 0; i < m->graph->nnode && !st; i++)
        if (q->on_npu[i])
            st = quantize_constants(&w, &m->graph->node[i]);
    for (size_t t = 0; t < m->graph->ntensor && !st; t++)
        if (w.chosen[t])
            st = quantize_activation(&w, (TensorId)t);
    st = st ? st : editor_index(&w.e);
    st = st ? st : editor_finish(&w.e);
    if (st)
        return st;
    editor_infer(&w.e);
    *ret = w.e.model;
    *ret_done = w.done;
    return STATUS_OK;
}
