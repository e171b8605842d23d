/* Answers questions of the edits about quantization, element types and opsets. */
#include "graph/edit/editor.h"

#include "graph/model/dtype.h"

#include <string.h>

bool editor_is_op(const Node *n, const char *op)
{
    return strcmp(n->op, op) == 0 && !*n->domain;
}

bool editor_quantization(const Editor *e, const Node *n, Quantization *ret)
{
    if (!(editor_is_op(n, "QuantizeLinear") || editor_is_op(n, "DequantizeLinear")) ||
        n->ninput < 2 || n->noutput != 1 || n->input[0] == TENSOR_NONE ||
        n->input[1] == TENSOR_NONE || n->output[0] == TENSOR_NONE)
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

bool editor_is_8_bit(DType t)
{
    return t == DT_INT8 || t == DT_UINT8;
}

/* The same values in the other 8-bit type: int8 is uint8 less 128. */
TensorId editor_shifted_zero(Editor *e, const Quantization *q, DType want)
{
    if (want == q->dtype)
        return q->zero_point;
    int64_t zero = q->zero + (want == DT_INT8 ? -128 : 128);
    uint8_t *byte = arena_alloc(e->arena, 1);
    *byte = (uint8_t)zero;
    return editor_constant(e, q->scale, "_zero_point", want, NULL, 0, byte);
}

Status editor_want_dtype(Editor *e, const Edit *edit, DType *ret)
{
    *ret = dtype_from_name(edit->text);
    if (*ret == DT_UNKNOWN || *ret == DT_STRING)
        return editor_refuse(e, edit, "'%s' is not an element type for it", edit->text);
    return STATUS_OK;
}

Status editor_need_opset(Editor *e, const Edit *edit, const char *op, int64_t since)
{
    if (e->model->opset >= since)
        return STATUS_OK;
    return editor_refuse(e, edit, "needs %s of opset %lld, the model imports %lld", op,
                         (long long)since, (long long)e->model->opset);
}
