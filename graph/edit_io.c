/* Edits of inputs and outputs: element type, order of axes, padding.  Each inserts, or takes away,
 * the operator that keeps the model's meaning. */
#include "graph/editor.h"

#include <stdlib.h>
#include <string.h>

enum { OPSET_QUANTIZE = 10, OPSET_CAST = 6, OPSET_PAD_INPUTS = 11, OPSET_PAD_ANY_TYPE = 13 };

static bool is_op(const Node *n, const char *op)
{
    return strcmp(n->op, op) == 0 && !*n->domain;
}

/* QuantizeLinear or DequantizeLinear with what it needs to be taken apart. */
typedef struct {
    const Node *node;
    TensorId scale, zero_point; /* zero_point may be TENSOR_NONE */
    DType dtype;                /* of the quantized side */
    int64_t zero;               /* of a scalar zero point */
    bool scalar;
} Quantization;

static bool quantization_of(const Editor *e, const Node *n, Quantization *ret)
{
    if (!(is_op(n, "QuantizeLinear") || is_op(n, "DequantizeLinear")) || n->ninput < 2 ||
        n->noutput != 1 || n->input[0] == TENSOR_NONE || n->input[1] == TENSOR_NONE ||
        n->output[0] == TENSOR_NONE)
        return false;
    Quantization q = {.node = n,
                      .scale = n->input[1],
                      .zero_point = n->ninput > 2 ? n->input[2] : TENSOR_NONE,
                      .dtype = DT_UINT8, /* what the operator takes without a zero point */
                      .scalar = true};
    const Const *scale = editor_value(e, q.scale);
    if (q.zero_point != TENSOR_NONE) {
        const Const *zero = editor_value(e, q.zero_point);
        if (!zero)
            return false;
        q.dtype = zero->dtype;
        q.scalar = zero->nelem == 1 && const_int(zero, 0, &q.zero);
    } else if (node_attr_int(n, "output_dtype", 0)) {
        q.dtype = dtype_from_onnx((int32_t)node_attr_int(n, "output_dtype", 0));
    }
    q.scalar = q.scalar && scale && scale->nelem == 1;
    *ret = q;
    return true;
}

static bool is_8_bit(DType t)
{
    return t == DT_INT8 || t == DT_UINT8;
}

/* The same values in the other 8-bit type: int8 is uint8 less 128. */
static TensorId shifted_zero_point(Editor *e, const Quantization *q, DType want)
{
    if (want == q->dtype)
        return q->zero_point;
    int64_t zero = q->zero + (want == DT_INT8 ? -128 : 128);
    uint8_t *byte = arena_alloc(e->arena, 1);
    *byte = (uint8_t)zero;
    return editor_constant(e, q->scale, "_zero_point", want, NULL, 0, byte, 1);
}

static Status want_dtype(Editor *e, const Edit *edit, DType *ret)
{
    *ret = dtype_from_name(edit->text);
    if (*ret == DT_UNKNOWN || *ret == DT_STRING)
        return editor_refuse(e, edit, "'%s' is no element type for it", edit->text);
    return STATUS_OK;
}

static Status need_opset(Editor *e, const Edit *edit, const char *op, int64_t since)
{
    if (e->model->opset >= since)
        return STATUS_OK;
    return editor_refuse(e, edit, "needs %s of opset %lld, the model imports %lld", op,
                         (long long)since, (long long)e->model->opset);
}

/* --- input-dtype --------------------------------------------------------------------------- */

/* All consumers quantize to the same type with the same parameters: *ret is one of them. */
static bool only_quantized(const Editor *e, TensorId input, Quantization *ret)
{
    const Graph *g = e->graph;
    const Tensor *t = &g->tensor[input];
    for (uint32_t k = 0; k < t->nconsumer; k++) {
        Quantization q;
        const Node *n = &g->node[t->consumer[k]];
        if (!is_op(n, "QuantizeLinear") || n->ninput < 1 || n->input[0] != input ||
            !quantization_of(e, n, &q) || g->tensor[n->output[0]].is_output)
            return false;
        if (k && (q.scale != ret->scale || q.zero_point != ret->zero_point))
            return false;
        *ret = q;
    }
    return t->nconsumer > 0 && !t->is_output;
}

/* The parameters by which the input is quantized, if any consumer tells. */
static bool first_quantization(const Editor *e, TensorId input, const char *op, Quantization *ret)
{
    const Tensor *t = &e->graph->tensor[input];
    for (uint32_t k = 0; k < t->nconsumer; k++) {
        const Node *n = &e->graph->node[t->consumer[k]];
        if (is_op(n, op) && n->input[0] == input && quantization_of(e, n, ret) && ret->scalar)
            return true;
    }
    return false;
}

static Status drop_quantizers(Editor *e, const Edit *edit, TensorId input)
{
    const Graph *g = e->graph;
    for (uint32_t k = 0; k < g->tensor[input].nconsumer; k++) {
        const Node *n = &g->node[g->tensor[input].consumer[k]];
        Status st = editor_rewire(e, edit, n->output[0], input);
        if (st)
            return st;
    }
    return STATUS_OK;
}

/* Puts `op` behind the input; everything that read the input reads its result. */
static Status insert_behind(Editor *e, const Edit *edit, TensorId input, const char *op,
                            TensorId scale, TensorId zero_point, const char *suffix, Node **ret)
{
    TensorId result = editor_tensor(e, input, suffix);
    Status st = editor_rewire(e, edit, input, result);
    if (st)
        return st;
    *ret = editor_node(e, op, input, scale, zero_point, result);
    return STATUS_OK;
}

static Status insert_cast(Editor *e, const Edit *edit, TensorId input, DType from)
{
    Node *n = NULL;
    Status st = need_opset(e, edit, "Cast", OPSET_CAST);
    if (!st)
        st = insert_behind(e, edit, input, "Cast", TENSOR_NONE, TENSOR_NONE, "_cast", &n);
    if (!st)
        editor_attr_int(e, n, "to", dtype_to_onnx(from));
    return st;
}

static Status convert_input(Editor *e, const Edit *edit, TensorId input, DType from, DType want)
{
    Quantization q;
    Node *n = NULL;
    if (dtype_is_float(from) && only_quantized(e, input, &q) && q.dtype == want)
        return drop_quantizers(e, edit, input);
    if (dtype_is_float(from) && is_8_bit(want) &&
        first_quantization(e, input, "QuantizeLinear", &q) && is_8_bit(q.dtype))
        return insert_behind(e, edit, input, "DequantizeLinear", q.scale,
                             shifted_zero_point(e, &q, want), "_dequantized", &n);
    if (is_8_bit(from) && want == DT_FLOAT32 &&
        first_quantization(e, input, "DequantizeLinear", &q))
        return insert_behind(e, edit, input, "QuantizeLinear", q.scale, q.zero_point, "_quantized",
                             &n);
    return insert_cast(e, edit, input, from);
}

Status edit_input_dtype(Editor *e, const Edit *edit)
{
    TensorId input;
    DType want;
    Status st = editor_find_input(e, edit, &input);
    if (!st)
        st = want_dtype(e, edit, &want);
    if (st)
        return st;
    DType from = e->graph->tensor[input].dtype;
    if (from == want)
        return STATUS_OK;
    if (from == DT_UNKNOWN || from == DT_STRING)
        return editor_refuse(e, edit, "its element type is %s", dtype_name(from));
    st = convert_input(e, edit, input, from, want);
    if (st)
        return st;
    e->graph->tensor[input].dtype = want;
    e->graph->tensor[input].edited = true;
    return STATUS_OK;
}

/* --- permute-input ------------------------------------------------------------------------- */

bool edit_parse_axes(const char *text, int64_t axis[EDIT_PERMUTE_MAX_RANK], int32_t *ret_rank)
{
    unsigned seen = 0;
    int32_t n = 0;
    for (const char *s = text + strspn(text, "[ "); *s && n < EDIT_PERMUTE_MAX_RANK; n++) {
        char *end;
        long v = strtol(s, &end, 10);
        if (end == s || v < 0 || v >= EDIT_PERMUTE_MAX_RANK)
            return false;
        axis[n] = v;
        seen |= 1u << v;
        s = end + strspn(end, ", ]");
    }
    *ret_rank = n;
    return n > 0 && seen == (1u << n) - 1;
}

/* The only consumer is a Transpose that undoes what ours would do. */
static const Node *cancelled_transpose(const Editor *e, TensorId input, const int64_t *axis,
                                       int32_t rank)
{
    const Tensor *t = &e->graph->tensor[input];
    const int64_t *perm;
    if (t->nconsumer != 1 || t->is_output)
        return NULL;
    const Node *n = &e->graph->node[t->consumer[0]];
    if (!is_op(n, "Transpose") || node_attr_ints(n, "perm", &perm) != (size_t)rank ||
        n->noutput != 1 || e->graph->tensor[n->output[0]].is_output)
        return NULL;
    return memcmp(perm, axis, (size_t)rank * sizeof *perm) == 0 ? n : NULL;
}

static void permute_shape(Editor *e, Tensor *t, const int64_t *axis, int32_t rank)
{
    Dim *dim = ARENA_ARRAY(e->arena, Dim, (size_t)rank);
    for (int32_t i = 0; i < rank; i++)
        dim[i] = t->shape.dim[axis[i]];
    t->shape.dim = dim;
    t->edited = true;
}

Status edit_permute_input(Editor *e, const Edit *edit)
{
    TensorId input;
    int64_t axis[EDIT_PERMUTE_MAX_RANK], back[EDIT_PERMUTE_MAX_RANK] = {0};
    int32_t rank;
    Status st = editor_find_input(e, edit, &input);
    if (st)
        return st;
    if (!edit_parse_axes(edit->text, axis, &rank) || rank != e->graph->tensor[input].shape.rank)
        return editor_refuse(e, edit, "'%s' is no permutation of the axes of %s", edit->text,
                             shape_text(e->arena, &e->graph->tensor[input].shape));
    const Node *cancelled = cancelled_transpose(e, input, axis, rank);
    if (cancelled) {
        st = editor_rewire(e, edit, cancelled->output[0], input);
    } else {
        Node *n = NULL;
        st = insert_behind(e, edit, input, "Transpose", TENSOR_NONE, TENSOR_NONE, "_permuted", &n);
        for (int32_t i = 0; i < rank; i++)
            back[axis[i]] = i;
        if (!st)
            editor_attr_ints(e, n, "perm", back, (size_t)rank);
    }
    if (!st)
        permute_shape(e, &e->graph->tensor[input], axis, rank);
    return st;
}

/* --- output-dtype -------------------------------------------------------------------------- */

/* The output's maker makes another tensor, so that something can be put between the two.  What
 * else read the output reads that tensor. */
static Status insert_before(Editor *e, const Edit *edit, TensorId output, const char *suffix,
                            TensorId *ret)
{
    if (e->graph->tensor[output].producer == NODE_NONE)
        return editor_refuse(e, edit, "is an input or a constant as well");
    TensorId inner = editor_tensor(e, output, suffix);
    Status st = editor_rewire(e, edit, output, inner);
    if (st)
        return st;
    editor_redirect(e, output, inner);
    *ret = inner;
    return STATUS_OK;
}

/* The quantized tensor takes the output's name and place; its Dequantize stays for whoever else
 * read the output. */
static Status expose_quantized(Editor *e, const Edit *edit, TensorId output, const Node *dequantize)
{
    TensorId inner, quantized = dequantize->input[0];
    Status st = insert_before(e, edit, output, "_dequantized", &inner);
    if (!st)
        st = editor_rewire(e, edit, quantized, output);
    if (!st)
        editor_redirect(e, quantized, output);
    return st;
}

static bool can_expose(const Editor *e, const Quantization *q)
{
    const Tensor *t = &e->graph->tensor[q->node->input[0]];
    return t->producer != NODE_NONE && !t->is_output && !editor_value(e, q->node->input[0]);
}

/* Operators whose results are in 0 … 1, for which 1/255 loses nothing that 8 bits could hold. */
static bool is_normalized(const Node *n)
{
    return is_op(n, "Sigmoid") || is_op(n, "Softmax") || is_op(n, "HardSigmoid");
}

static Status quantize_output(Editor *e, const Edit *edit, TensorId output, TensorId scale,
                              TensorId zero_point)
{
    TensorId inner;
    Status st = insert_before(e, edit, output, "_float", &inner);
    if (!st)
        editor_node(e, "QuantizeLinear", inner, scale, zero_point, output);
    return st;
}

static Status quantize_normalized(Editor *e, const Edit *edit, TensorId output, DType want)
{
    static const float step = 1.0f / 255.0f;
    float *scale = arena_alloc(e->arena, sizeof *scale);
    uint8_t *zero = arena_alloc(e->arena, 1);
    *scale = step;
    *zero = want == DT_UINT8 ? 0 : 0x80;
    Status st = need_opset(e, edit, "QuantizeLinear", OPSET_QUANTIZE);
    if (st)
        return st;
    TensorId s = editor_constant(e, output, "_scale", DT_FLOAT32, NULL, 0, scale, sizeof *scale);
    TensorId z = editor_constant(e, output, "_zero_point", want, NULL, 0, zero, 1);
    return quantize_output(e, edit, output, s, z);
}

static Status cast_output(Editor *e, const Edit *edit, TensorId output, DType want)
{
    TensorId inner;
    Status st = need_opset(e, edit, "Cast", OPSET_CAST);
    if (!st)
        st = insert_before(e, edit, output, "_uncast", &inner);
    if (!st)
        editor_attr_int(e, editor_node(e, "Cast", inner, TENSOR_NONE, TENSOR_NONE, output), "to",
                        dtype_to_onnx(want));
    return st;
}

static Status convert_output(Editor *e, const Edit *edit, TensorId output, DType from, DType want)
{
    const Tensor *t = &e->graph->tensor[output];
    const Node *maker = t->producer == NODE_NONE ? NULL : &e->graph->node[t->producer];
    Quantization q;
    bool dequantized = maker && is_op(maker, "DequantizeLinear") && quantization_of(e, maker, &q);
    if (dequantized && q.dtype == want && can_expose(e, &q))
        return expose_quantized(e, edit, output, maker);
    if (dequantized && q.scalar && is_8_bit(q.dtype) && is_8_bit(want))
        return quantize_output(e, edit, output, q.scale, shifted_zero_point(e, &q, want));
    if (maker && is_8_bit(want) && from == DT_FLOAT32 && is_normalized(maker))
        return quantize_normalized(e, edit, output, want);
    if (dtype_is_float(from) && !dtype_is_float(want))
        return editor_refuse(e, edit, "no scale is known that would make %s of its %s values",
                             dtype_name(want), dtype_name(from));
    return cast_output(e, edit, output, want);
}

Status edit_output_dtype(Editor *e, const Edit *edit)
{
    TensorId output;
    DType want;
    Status st = editor_find_output(e, edit, &output);
    if (!st)
        st = want_dtype(e, edit, &want);
    if (st)
        return st;
    DType from = tensor_dtype(&e->graph->tensor[output]);
    if (from == want)
        return STATUS_OK;
    if (from == DT_UNKNOWN || from == DT_STRING)
        return editor_refuse(e, edit, "its element type is %s", dtype_name(from));
    st = convert_output(e, edit, output, from, want);
    if (st)
        return st;
    e->graph->tensor[output].declared_dtype = want;
    e->graph->tensor[output].edited = true;
    return STATUS_OK;
}

/* --- pad-output ---------------------------------------------------------------------------- */

static TensorId pad_amounts(Editor *e, TensorId like, int32_t rank, int64_t columns)
{
    int64_t *amount = ARENA_ARRAY(e->arena, int64_t, 2 * (size_t)rank);
    const int64_t dim = 2 * rank;
    amount[2 * rank - 1] = columns;
    return editor_constant(e, like, "_pads", DT_INT64, &dim, 1, amount,
                           (size_t)dim * sizeof *amount);
}

/* What pads: the zero point of the quantized tensor, or nothing for a float one (Pad takes 0). */
static TensorId pad_value(Editor *e, const Quantization *q)
{
    if (!q || q->zero == 0)
        return TENSOR_NONE;
    uint8_t *byte = arena_alloc(e->arena, 1);
    *byte = (uint8_t)q->zero;
    return editor_constant(e, q->scale, "_pad_value", q->dtype, NULL, 0, byte, 1);
}

static void set_last_dim(Editor *e, TensorId id, const Shape *old, int64_t width)
{
    Dim *dim = ARENA_ARRAY(e->arena, Dim, (size_t)old->rank);
    memcpy(dim, old->dim, (size_t)old->rank * sizeof *dim);
    dim[old->rank - 1] = (Dim){.value = width};
    e->graph->tensor[id].declared_shape = (Shape){old->rank, dim};
    e->graph->tensor[id].edited = true;
}

static Status pad_float(Editor *e, const Edit *edit, TensorId output, int32_t rank, int64_t columns)
{
    TensorId inner;
    Status st = insert_before(e, edit, output, "_unpadded", &inner);
    if (!st)
        editor_node(e, "Pad", inner, pad_amounts(e, output, rank, columns), TENSOR_NONE, output);
    return st;
}

/* Before the Dequantize: the padded tensor is what it reads. */
static void pad_quantized(Editor *e, TensorId output, const Quantization *q, int32_t rank,
                          int64_t columns)
{
    TensorId padded = editor_tensor(e, output, "_padded");
    TensorId *input = ARENA_ARRAY(e->arena, TensorId, 3);
    Node *n = &e->graph->node[e->graph->tensor[output].producer];
    TensorId inner = n->input[0];
    memcpy(input, n->input, (n->ninput < 3 ? n->ninput : 3) * sizeof *input);
    input[0] = padded;
    n->input = input;
    n->rewired = true;
    editor_node(e, "Pad", inner, pad_amounts(e, output, rank, columns), pad_value(e, q), padded);
}

Status edit_pad_output(Editor *e, const Edit *edit)
{
    TensorId output;
    Status st = editor_find_output(e, edit, &output);
    if (!st)
        st = need_opset(e, edit, "Pad", OPSET_PAD_INPUTS);
    if (st)
        return st;
    const Tensor *t = &e->graph->tensor[output];
    const Shape old = *tensor_shape(t);
    int64_t width = old.rank > 0 ? old.dim[old.rank - 1].value : DIM_UNKNOWN;
    if (width < 0 || edit->number <= width)
        return editor_refuse(e, edit, "its shape %s cannot be padded to a width of %lld",
                             shape_text(e->arena, &old), (long long)edit->number);
    const Node *maker = t->producer == NODE_NONE ? NULL : &e->graph->node[t->producer];
    Quantization q;
    bool quantized = maker && is_op(maker, "DequantizeLinear") && quantization_of(e, maker, &q) &&
                     q.scalar && is_8_bit(q.dtype) && t->nconsumer == 0 &&
                     e->model->opset >= OPSET_PAD_ANY_TYPE;
    if (quantized)
        pad_quantized(e, output, &q, old.rank, edit->number - width);
    else
        st = pad_float(e, edit, output, old.rank, edit->number - width);
    if (!st)
        set_last_dim(e, output, &old, edit->number);
    return st;
}
