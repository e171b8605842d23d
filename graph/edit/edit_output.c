/* Implements the edits of an output's type, order of axes or padding. Each inserts or removes
 * the operator that keeps the model's meaning. */
#include "graph/model/stored_ranges.h"
#include "graph/edit/rewriter.h"

enum { OPSET_QUANTIZE = 10, OPSET_CAST = 6, OPSET_PAD_INPUTS = 11, OPSET_PAD_ANY_TYPE = 13 };

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

/* What the output's maker reads takes the output's name and place; the maker stays for other
 * readers of the output. */
static Status expose_input(Editor *e, const Edit *edit, TensorId output, const char *suffix)
{
    TensorId unused, input = e->graph->node[e->graph->tensor[output].producer].input[0];
    Status st = insert_before(e, edit, output, suffix, &unused);
    st = st ? st : editor_rewire(e, edit, input, output);
    if (!st)
        editor_redirect(e, input, output);
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
    return editor_is_op(n, "Sigmoid") || editor_is_op(n, "Softmax") ||
           editor_is_op(n, "HardSigmoid");
}

/* Operators that leave every element what it is; a Pad adds zeros, which have a code. */
static bool moves_elements(const Node *n)
{
    static const char *const op[] = {"Reshape",   "Transpose", "Flatten", "Squeeze",
                                     "Unsqueeze", "Identity",  "Slice"};
    return LIST_VALUE(i, sizeof op / sizeof *op, editor_is_op(n, op[i]), true,
                      editor_is_op(n, "Pad") && n->ninput < 3 && !node_attr(n, "mode") &&
                          !node_attr(n, "value"));
}

const Node *edit_dequantize_of(const Graph *g, TensorId t)
{
    enum { FAR = 16 };
    const Node *n = NULL;
    for (int i = 0; i < FAR && t != TENSOR_NONE; i++) {
        NodeId maker = g->tensor[t].producer;
        n = maker == NODE_NONE ? NULL : &g->node[maker];
        if (!n || !moves_elements(n) || n->ninput == 0)
            break;
        t = n->input[0];
    }
    return n && editor_is_op(n, "DequantizeLinear") ? n : NULL;
}

bool edit_output_has_codes(const Graph *g, TensorId t, DType want)
{
    NodeId maker = g->tensor[t].producer;
    if (maker != NODE_NONE && editor_is_op(&g->node[maker], "Pad"))
        maker = g->tensor[t = g->node[maker].input[0]].producer;
    const Node *n = edit_dequantize_of(g, t);
    const Tensor *scale = n ? node_input(g, n, 1) : NULL;
    if (!n)
        return maker != NODE_NONE && is_normalized(&g->node[maker]);
    bool scalar = scale && scale->value && scale->value->nelem == 1;
    return scalar || (n == &g->node[maker] && tensor_dtype(&g->tensor[n->input[0]]) == want);
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
    uint8_t *zero = arena_alloc(e->arena, 1);
    *zero = want == DT_UINT8 ? 0 : 0x80;
    Status st = editor_need_opset(e, edit, "QuantizeLinear", OPSET_QUANTIZE);
    if (st)
        return st;
    TensorId s = editor_scalar(e, output, "_scale", 1.0f / 255.0f);
    TensorId z = editor_constant(e, output, "_zero_point", want, NULL, 0, zero);
    return quantize_output(e, edit, output, s, z);
}

static Status cast_output(Editor *e, const Edit *edit, TensorId output, DType want)
{
    TensorId inner;
    Status st = editor_need_opset(e, edit, "Cast", OPSET_CAST);
    if (!st)
        st = insert_before(e, edit, output, "_uncast", &inner);
    if (!st)
        editor_attr_int(e, editor_node(e, "Cast", inner, TENSOR_NONE, TENSOR_NONE, output), "to",
                        dtype_to_onnx(want));
    return st;
}

static Status convert_output(Editor *e, const Edit *edit, TensorId output, DType from, DType want)
{
    if (edit->number == 1 && editor_is_8_bit(want) && dtype_is_float(from))
        return quantize_normalized(e, edit, output, want);
    const Tensor *t = &e->graph->tensor[output];
    const Node *maker = t->producer == NODE_NONE ? NULL : &e->graph->node[t->producer];
    Quantization q;
    const Node *dequantize = edit_dequantize_of(e->graph, output);
    bool dequantized = dequantize && editor_quantization(e, dequantize, &q);
    if (dequantized && dequantize == maker && q.dtype == want && can_expose(e, &q))
        return expose_input(e, edit, output, "_dequantized");
    if (dequantized && q.scalar && editor_is_8_bit(q.dtype) && editor_is_8_bit(want))
        return quantize_output(e, edit, output, q.scale, editor_shifted_zero(e, &q, want));
    if (maker && editor_is_8_bit(want) && from == DT_FLOAT32 && is_normalized(maker))
        return quantize_normalized(e, edit, output, want);
    if (dtype_is_float(from) && !dtype_is_float(want))
        return editor_refuse(e, edit, "no scale is known that would make %s of its %s values",
                             dtype_name(want), dtype_name(from));
    return cast_output(e, edit, output, want);
}

static Status set_calibrated_output(Editor *e, const Edit *edit, TensorId output, DType want)
{
    const Tensor *t = &e->graph->tensor[output];
    const CalibratedTensor *x = stored_ranges_find(e->model->stored_ranges, t->name);
    if (!dtype_is_float(want) && !editor_is_8_bit(want))
        return editor_refuse(e, edit, "the quantizer of SDK 0.10 has no output of type %s",
                             dtype_name(want));
    if (!x || !x->range.known)
        return editor_refuse(e, edit, "the file has no range of it");
    CalibratedTensor entry = *x;
    entry.output_dtype = editor_is_8_bit(want) ? want : DT_UNKNOWN;
    entry.output_range = edit->number == 1 && editor_is_8_bit(want)
                             ? (CalibratedRange){0, 1, true}
                             : (CalibratedRange){.known = false};
    e->model->stored_ranges = stored_ranges_with(e->arena, e->model->stored_ranges, entry);
    return STATUS_OK;
}

Status edit_output_dtype(Editor *e, const Edit *edit)
{
    TensorId output;
    Status st = editor_find_output(e, edit, &output);
    return st ? st : editor_convert_end(e, edit, output, set_calibrated_output, convert_output);
}

/* ---- order of axes ---- */

/* The output's maker is a Transpose, or Reshape of its kind, that ours would undo. */
static bool is_inverse(const Editor *e, TensorId output, const int64_t *axis, int32_t rank)
{
    const Tensor *t = &e->graph->tensor[output];
    const int64_t *perm;
    int64_t moved[EDIT_PERMUTE_MAX_RANK];
    if (t->producer == NODE_NONE || t->nconsumer)
        return false;
    const Node *n = &e->graph->node[t->producer];
    if (!n->ninput || n->input[0] == TENSOR_NONE)
        return false;
    const Tensor *inner = &e->graph->tensor[n->input[0]];
    bool ones = editor_is_op(n, "Reshape") && tensor_shape(inner)->rank <= EDIT_PERMUTE_MAX_RANK &&
                rewrite_moves_ones(tensor_shape(inner), tensor_shape(t), moved);
    bool undone = ones ? LIST_ALL(i, rank, moved[i] == axis[i])
                       : editor_is_op(n, "Transpose") &&
                             node_attr_ints(n, "perm", &perm) == (size_t)rank &&
                             LIST_ALL(i, rank, perm[axis[i]] == i);
    return undone && inner->producer != NODE_NONE && !inner->is_output &&
           !editor_value(e, n->input[0]);
}

static void permute_declared(Editor *e, TensorId output, const int64_t *axis, int32_t rank)
{
    Tensor *t = &e->graph->tensor[output];
    const Shape old = *tensor_shape(t);
    Dim *dim = ARENA_ARRAY(e->arena, Dim, (size_t)rank);
    for (int32_t i = 0; i < rank; i++)
        dim[i] = old.dim[axis[i]];
    t->declared_shape = (Shape){rank, dim};
    t->edited = true;
}

/* A Transpose after it, and with one before it that nothing but operators on single elements parts
 * it from, both in one or none. */
static Status add_transpose(Editor *e, const Edit *edit, TensorId output, const int64_t *axis,
                            int32_t rank)
{
    TensorId inner;
    Status st = insert_before(e, edit, output, "_unpermuted", &inner);
    if (st)
        return st;
    editor_attr_ints(e, editor_node(e, "Transpose", inner, TENSOR_NONE, TENSOR_NONE, output),
                     "perm", axis, (size_t)rank);
    permute_declared(e, output, axis, rank);
    st = editor_index(e);
    if (st)
        return st;
    editor_infer(e);
    const Scene s = {.graph = e->graph, .opset = e->model->opset};
    NodeId node = e->graph->tensor[output].producer;
    if (!rewrite_check_cancel_transposes(&s, node))
        rewrite_cancel_transposes(e, &s, node);
    editor_clear_names(e->graph);
    return STATUS_OK;
}

Status edit_permute_output(Editor *e, const Edit *edit)
{
    TensorId output;
    int64_t axis[EDIT_PERMUTE_MAX_RANK];
    int32_t rank;
    Status st = editor_find_output(e, edit, &output);
    if (st)
        return st;
    const Shape *shape = tensor_shape(&e->graph->tensor[output]);
    if (!edit_parse_axes(edit->text, axis, &rank) || rank != shape->rank)
        return editor_refuse(e, edit, "'%s' is not a permutation of the axes of %s", edit->text,
                             shape_text(e->arena, shape));
    if (!is_inverse(e, output, axis, rank))
        return add_transpose(e, edit, output, axis, rank);
    st = expose_input(e, edit, output, "_transposed");
    if (!st)
        permute_declared(e, output, axis, rank);
    return st;
}

/* ---- padding ---- */

static TensorId pad_amounts(Editor *e, TensorId like, int32_t rank, int64_t columns)
{
    int64_t *amount = ARENA_ARRAY(e->arena, int64_t, 2 * (size_t)rank);
    const int64_t dim = 2 * rank;
    amount[2 * rank - 1] = columns;
    return editor_constant(e, like, "_pads", DT_INT64, &dim, 1, amount);
}

/* What pads: the zero point of the quantized tensor, or nothing for a float one (Pad takes 0). */
static TensorId pad_value(Editor *e, const Quantization *q)
{
    if (!q || q->zero == 0)
        return TENSOR_NONE;
    uint8_t *byte = arena_alloc(e->arena, 1);
    *byte = (uint8_t)q->zero;
    return editor_constant(e, q->scale, "_pad_value", q->dtype, NULL, 0, byte);
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

/* Pads before a separate DequantizeLinear; other readers of the output read the unpadded tensor. */
static Status pad_quantized(Editor *e, const Edit *edit, TensorId output, const Quantization *q,
                            int32_t rank, int64_t columns)
{
    TensorId unread, padded = editor_tensor(e, output, "_padded");
    TensorId codes = q->node->input[0];
    Status st = insert_before(e, edit, output, "_unpadded", &unread);
    if (st)
        return st;
    editor_node(e, "Pad", codes, pad_amounts(e, output, rank, columns), pad_value(e, q), padded);
    editor_node(e, "DequantizeLinear", padded, q->scale, q->zero_point, output);
    return STATUS_OK;
}

/* Whatever comes first, the cut or the pad. */
static bool is_cut_off(const Editor *e, TensorId output)
{
    const char *name = e->graph->tensor[output].name;
    return editor_mark_downstream(e)[output] &&
           !LIST_ANY(i, e->nedit,
                     e->edit[i].kind == EDIT_CUT_TAIL && !strcmp(e->edit[i].where, name));
}

Status edit_pad_output(Editor *e, const Edit *edit)
{
    TensorId output;
    Status st = editor_find_output(e, edit, &output);
    if (!st && is_cut_off(e, output))
        st = editor_refuse(e, edit, "a cut takes this output away");
    if (!st)
        st = editor_need_opset(e, edit, "Pad", OPSET_PAD_INPUTS);
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
    bool quantized = maker && editor_is_op(maker, "DequantizeLinear") &&
                     editor_quantization(e, maker, &q) && q.scalar && editor_is_8_bit(q.dtype) &&
                     e->model->opset >= OPSET_PAD_ANY_TYPE;
    if (quantized)
        st = pad_quantized(e, edit, output, &q, old.rank, edit->number - width);
    else
        st = pad_float(e, edit, output, old.rank, edit->number - width);
    if (!st)
        set_last_dim(e, output, &old, edit->number);
    return st;
}
