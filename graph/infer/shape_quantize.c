/* Infers shapes of quantization and of quantized operators. */
#include "graph/infer/infer.h"

static DType dtype_attr(const InferContext *c, const char *name)
{
    return dtype_from_onnx((int32_t)node_attr_int(c->node, name, 0));
}

/* The zero point decides; output_dtype (opset 21) where there is none; else uint8. */
void shape_quantize(InferContext *c)
{
    infer_copy(c, 0, 0);
    DType t = infer_has(c, 2) ? infer_dtype(c, 2) : dtype_attr(c, "output_dtype");
    infer_set_dtype(c, 0, infer_has(c, 2) || t != DT_UNKNOWN ? t : DT_UINT8);
}

/* float32 up to opset 18; the scale's type since 19, unless output_dtype (23) says otherwise. */
void shape_dequantize(InferContext *c)
{
    infer_copy(c, 0, 0);
    DType t = dtype_attr(c, "output_dtype");
    if (t == DT_UNKNOWN)
        t = infer_dtype(c, 1);
    if (c->node->domain[0] == '\0' && c->opset < 19)
        t = DT_FLOAT32;
    infer_set_dtype(c, 0, t);
}

/* (quantized, scale, zero point). */
void shape_dynamic_quantize(InferContext *c)
{
    infer_copy(c, 0, 0);
    infer_set_dtype(c, 0, DT_UINT8);
    infer_set(c, 1, DT_FLOAT32, 0, NULL);
    infer_set(c, 2, DT_UINT8, 0, NULL);
}

/* (Y scale, Y zero point, then X, scale, zero point of each input). */
void shape_qlinear_concat(InferContext *c)
{
    DType t = infer_dtype(c, 1);
    infer_set_dtype(c, 0, t != DT_UNKNOWN ? t : infer_dtype(c, 2));
    if (!LIST_ANY(k, c->node->ninput, k >= 2 && (k - 2) % 3 == 0 && infer_rank(c, k) < 0))
        infer_join(c, 2, 3, node_attr_int(c->node, "axis", 0));
}
