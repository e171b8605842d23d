/* Implements the edits of an input's element type or order of axes. Each inserts or removes the
 * operator that keeps the model's meaning. */
#include "graph/edit/editor.h"
#include "graph/model/stored_ranges.h"

enum { OPSET_CAST = 6 };

/* All consumers quantize to the same type with the same parameters: *ret is one of them. */
static bool only_quantized(const Editor *e, TensorId input, Quantization *ret)
{
    const Graph *g = e->graph;
    const Tensor *t = &g->tensor[input];
    for (uint32_t k = 0; k < t->nconsumer; k++) {
        Quantization q;
        const Node *n = &g->node[t->consumer[k]];
        if (!editor_is_op(n, "QuantizeLinear") || n->ninput < 1 || n->input[0] != input ||
            !editor_quantization(e, n, &q) || g->tensor[n->output[0]].is_output)
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
        if (editor_is_op(n, op) && n->input[0] == input && editor_quantization(e, n, ret) &&
            ret->scalar)
            return true;
    }
    return false;
}

static Status drop_quantizers(Editor *e, const Edit *edit, TensorId input)
{
    const Tensor *t = &e->graph->tensor[input];
    Status st = STATUS_OK;
    for (uint32_t k = 0; k < t->nconsumer && !st; k++)
        st = editor_rewire(e, edit, e->graph->node[t->consumer[k]].output[0], input);
    return st;
}

/* An operator after an input: everything that read the input reads its result. */
typedef struct {
    const char *op, *suffix; /* of the result's name */
    TensorId scale, zero_point;
} Inserted;

static Status insert_after(Editor *e, const Edit *edit, TensorId input, Inserted new, Node **ret)
{
    TensorId result = editor_tensor(e, input, new.suffix);
    Status st = editor_rewire(e, edit, input, result);
    if (!st)
        *ret = editor_node(e, new.op, input, new.scale, new.zero_point, result);
    return st;
}

static Status insert_cast(Editor *e, const Edit *edit, TensorId input, DType from)
{
    Node *n = NULL;
    Status st = editor_need_opset(e, edit, "Cast", OPSET_CAST);
    if (!st)
        st =
            insert_after(e, edit, input, (Inserted){"Cast", "_cast", TENSOR_NONE, TENSOR_NONE}, &n);
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
    if (dtype_is_float(from) && editor_is_8_bit(want) &&
        first_quantization(e, input, "QuantizeLinear", &q) && editor_is_8_bit(q.dtype))
        return insert_after(e, edit, input,
                            (Inserted){"DequantizeLinear", "_dequantized", q.scale,
                                       editor_shifted_zero(e, &q, want)},
                            &n);
    if (editor_is_8_bit(from) && want == DT_FLOAT32 &&
        first_quantization(e, input, "DequantizeLinear", &q))
        return insert_after(e, edit, input,
                            (Inserted){"QuantizeLinear", "_quantized", q.scale, q.zero_point}, &n);
    return insert_cast(e, edit, input, from);
}

/* In a calibrated model the nodes stay as they are: SDK 0.10 has inputs of uint8 or float32. */
static Status set_calibrated_input(Editor *e, const Edit *edit, TensorId input, DType want)
{
    const Tensor *t = &e->graph->tensor[input];
    const CalibratedTensor *x = stored_ranges_find(e->model->stored_ranges, t->name);
    CalibratedTensor entry = x ? *x : (CalibratedTensor){.name = t->name};
    if (want != DT_UINT8 && want != t->dtype)
        return editor_refuse(e, edit, "the quantizer of SDK 0.10 has no input of type %s",
                             dtype_name(want));
    entry.is_fed_as_uint8 = want == DT_UINT8;
    if (!x)
        entry.output_dtype = DT_UNKNOWN;
    e->model->stored_ranges = stored_ranges_with(e->arena, e->model->stored_ranges, entry);
    return STATUS_OK;
}

Status edit_input_dtype(Editor *e, const Edit *edit)
{
    TensorId input;
    Status st = editor_find_input(e, edit, &input);
    return st ? st : editor_convert_end(e, edit, input, set_calibrated_input, convert_input);
}

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
    if (!editor_is_op(n, "Transpose") || node_attr_ints(n, "perm", &perm) != (size_t)rank ||
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
        return editor_refuse(e, edit, "'%s' is not a permutation of the axes of %s", edit->text,
                             shape_text(e->arena, &e->graph->tensor[input].shape));
    const Node *cancelled = cancelled_transpose(e, input, axis, rank);
    if (cancelled) {
        st = editor_rewire(e, edit, cancelled->output[0], input);
    } else {
        Node *n = NULL;
        st = insert_after(e, edit, input,
                          (Inserted){"Transpose", "_permuted", TENSOR_NONE, TENSOR_NONE}, &n);
        for (int32_t i = 0; i < rank; i++)
            back[axis[i]] = i;
        if (!st)
            editor_attr_ints(e, n, "perm", back, (size_t)rank);
    }
    if (!st)
        permute_shape(e, &e->graph->tensor[input], axis, rank);
    return st;
}
