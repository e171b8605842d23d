/* Infers shapes of elementwise operators and of normalisations. */
#include "graph/infer/infer.h"

void shape_same(InferContext *c)
{
    infer_copy(c, 0, 0);
}

void shape_same_bool(InferContext *c)
{
    infer_copy(c, 0, 0);
    infer_set_dtype(c, 0, DT_BOOL);
}

/* Normalizer and Scaler of ai.onnx.ml take any number and give float32. */
void shape_same_float32(InferContext *c)
{
    infer_copy(c, 0, 0);
    infer_set_dtype(c, 0, DT_FLOAT32);
}

/* ai.onnx knows multidirectional broadcasting since opset 7 (Max, Min, Mean and Sum: 8); before,
 * the second operand was broadcast to the first. */
static void broadcast_inputs(InferContext *c, uint32_t first, uint32_t step, uint32_t end)
{
    Shape s = *infer_shape(c, first);
    bool one_way = c->node->domain[0] == '\0' && c->opset != 0 && c->opset < 7;
    for (uint32_t i = first + step; i < end && !one_way; i += step)
        s = infer_broadcast(c, &s, infer_shape(c, i));
    infer_set(c, 0, infer_dtype(c, first), s.rank, s.dim);
}

void shape_broadcast(InferContext *c)
{
    broadcast_inputs(c, 0, 1, c->node->ninput);
}

void shape_compare(InferContext *c)
{
    broadcast_inputs(c, 0, 1, c->node->ninput);
    infer_set_dtype(c, 0, DT_BOOL);
}

void shape_where(InferContext *c)
{
    Shape s = infer_broadcast(c, infer_shape(c, 1), infer_shape(c, 2));
    s = infer_broadcast(c, infer_shape(c, 0), &s);
    DType t = infer_dtype(c, 1);
    infer_set(c, 0, t != DT_UNKNOWN ? t : infer_dtype(c, 2), s.rank, s.dim);
}

/* QLinearAdd, QLinearMul: (A, scale, zero point, B, scale, zero point, scale, zero point). */
void shape_qlinear_binary(InferContext *c)
{
    Shape s = infer_broadcast(c, infer_shape(c, 0), infer_shape(c, 3));
    infer_set(c, 0, infer_dtype(c, 0), s.rank, s.dim);
}

/* (condition, X, scale, zero point, Y, scale, zero point, scale, zero point). */
void shape_qlinear_where(InferContext *c)
{
    Shape s = infer_broadcast(c, infer_shape(c, 1), infer_shape(c, 4));
    s = infer_broadcast(c, infer_shape(c, 0), &s);
    infer_set(c, 0, infer_dtype(c, 1), s.rank, s.dim);
}

/* ---- conversions ---- */

void shape_cast(InferContext *c)
{
    const Attr *to = node_attr(c->node, "to");
    infer_copy(c, 0, 0);
    infer_set_dtype(c, 0, DT_UNKNOWN);
    if (to && to->type == ATTR_INT)
        infer_set_dtype(c, 0, dtype_from_onnx((int32_t)to->i));
    if (to && to->type == ATTR_STRING) { /* opsets before 6 spell it: "FLOAT", "INT64" … */
        static const struct {
            const char *name;
            DType dtype;
        } spelled[] = {
            {"FLOAT", DT_FLOAT32},   {"UINT8", DT_UINT8},    {"INT8", DT_INT8},
            {"UINT16", DT_UINT16},   {"INT16", DT_INT16},    {"INT32", DT_INT32},
            {"INT64", DT_INT64},     {"STRING", DT_STRING},  {"BOOL", DT_BOOL},
            {"FLOAT16", DT_FLOAT16}, {"DOUBLE", DT_FLOAT64}, {"UINT32", DT_UINT32},
            {"UINT64", DT_UINT64},
        };
        for (size_t i = 0; i < sizeof spelled / sizeof *spelled; i++)
            if (strcmp(spelled[i].name, to->s) == 0)
                infer_set_dtype(c, 0, spelled[i].dtype);
    }
}

/* The result has the type of the second input, such as the scale. */
void shape_typed_as_second(InferContext *c)
{
    infer_copy(c, 0, 0);
    infer_set_dtype(c, 0, infer_dtype(c, 1));
}

/* ---- Dropout ---- */

/* The mask is of the input's type before opset 10, bool since. */
void shape_dropout(InferContext *c)
{
    infer_copy(c, 0, 0);
    infer_copy(c, 1, 0);
    if (c->node->domain[0] || c->opset >= 10)
        infer_set_dtype(c, 1, DT_BOOL);
}

/* ---- normalisations ---- */

/* Beside Y, statistics per channel: of the type and shape of the running ones. */
void shape_batch_norm(InferContext *c)
{
    infer_copy(c, 0, 0);
    for (uint32_t i = 1; i < c->node->noutput; i++) {
        infer_copy(c, i, i % 2 ? 3 : 4);
        if (infer_rank(c, 3) == RANK_UNKNOWN && infer_rank(c, 0) > 1) {
            Dim *channels = infer_dims(c, 1);
            channels[0] = infer_dim(c, 0, 1);
            infer_set_shape(c, i, 1, channels);
        }
    }
}

/* The shape of the statistics: ones from `axis` on. */
static void set_statistics(InferContext *c, uint32_t output, int64_t first_axis, DType t)
{
    int32_t rank = infer_rank(c, 0), axis;
    infer_set_dtype(c, output, t);
    if (rank <= 0 || !infer_axis(c, first_axis, rank, &axis))
        return;
    Dim *dim = infer_dims(c, rank);
    for (int32_t i = 0; dim && i < rank; i++)
        dim[i] = i < axis ? infer_dim(c, 0, i) : dim_of(1);
    infer_set_shape(c, output, rank, dim);
}

void shape_layer_norm(InferContext *c)
{
    int64_t axis = node_attr_int(c->node, "axis", -1);
    DType stash = dtype_from_onnx((int32_t)node_attr_int(c->node, "stash_type", 1));
    infer_copy(c, 0, 0);
    set_statistics(c, 1, axis, stash);
    set_statistics(c, 2, axis, stash);
}

/* (input, skip, gamma, …) -> (output, mean, inverse deviation, input + skip + bias). */
void shape_skip_layer_norm(InferContext *c)
{
    infer_copy(c, 0, 0);
    set_statistics(c, 1, -1, DT_FLOAT32);
    set_statistics(c, 2, -1, DT_FLOAT32);
    infer_copy(c, 3, 0);
}

/* (input_ids, …, word table at 2, …) -> ([batch, length, hidden], mask index [batch], sum). */
void shape_embed_layer_norm(InferContext *c)
{
    DType t = infer_dtype(c, 2);
    infer_set_dtype(c, 0, t);
    infer_set_dtype(c, 1, DT_INT32);
    infer_set_dtype(c, 2, t);
    if (infer_rank(c, 0) != 2 || infer_rank(c, 2) != 2)
        return;
    Dim *dim = infer_dims(c, 3);
    dim[0] = infer_dim(c, 0, 0);
    dim[1] = infer_dim(c, 0, 1);
    dim[2] = infer_dim(c, 2, 1);
    infer_set_shape(c, 0, 3, dim);
    infer_set_shape(c, 1, 1, dim);
    infer_set_shape(c, 2, 3, dim);
}

/* Half of the channels gate the other half. */
void shape_bias_split_gelu(InferContext *c)
{
    int32_t rank = infer_rank(c, 0);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    if (rank <= 0)
        return;
    Dim *dim = infer_dims_of(c, 0, 0);
    if (dim)
        dim[rank - 1] = dim_div(dim[rank - 1], 2);
    infer_set_shape(c, 0, rank, dim);
}

void shape_unknown(InferContext *c)
{
    (void)c;
}
