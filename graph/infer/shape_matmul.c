/* Infers shapes of matrix products and of Gemm. */
#include "graph/infer/infer.h"

/* ---- MatMul ---- */

typedef struct {
    Shape batch;    /* leading axes */
    Dim row, inner; /* of A; `inner` first for B */
    bool vector;    /* rank 1: its added axis goes again */
} Operand;

static Operand read_operand(InferContext *c, uint32_t input, bool transposed, bool is_left)
{
    int32_t rank = infer_rank(c, input);
    const Shape *s = infer_shape(c, input);
    Operand o = {.vector = rank == 1};
    if (o.vector) {
        o.batch = (Shape){0, NULL};
        o.row = dim_of(1);
        o.inner = infer_dim(c, input, 0);
        return o;
    }
    bool row_is_last = is_left == transposed;
    o.batch = (Shape){rank - 2, s->dim};
    o.row = infer_dim(c, input, row_is_last ? rank - 1 : rank - 2);
    o.inner = infer_dim(c, input, row_is_last ? rank - 2 : rank - 1);
    return o;
}

/* A and B are inputs a and b. */
static void infer_matmul(InferContext *c, uint32_t a, uint32_t b, DType t)
{
    infer_set_dtype(c, 0, t);
    if (infer_rank(c, a) < 1 || infer_rank(c, b) < 1 || node_attr_int(c->node, "transBatchA", 0) ||
        node_attr_int(c->node, "transBatchB", 0))
        return;
    Operand left = read_operand(c, a, node_attr_int(c->node, "transA", 0) != 0, true);
    Operand right = read_operand(c, b, node_attr_int(c->node, "transB", 0) != 0, false);
    infer_equate(c, left.inner, right.inner, &message_INNER_DIMENSIONS);
    Shape batch = infer_broadcast(c, &left.batch, &right.batch);
    Dim *dim = batch.rank == RANK_UNKNOWN ? NULL : infer_dims(c, batch.rank + 2);
    if (!dim)
        return;
    int32_t n = 0;
    for (; n < batch.rank; n++)
        dim[n] = batch.dim[n];
    if (!left.vector)
        dim[n++] = left.row;
    if (!right.vector)
        dim[n++] = right.row;
    infer_set_shape(c, 0, n, dim);
}

/* MatMul, FusedMatMul and DynamicQuantizeMatMul. */
void shape_matmul(InferContext *c)
{
    infer_matmul(c, 0, 1, infer_dtype(c, 0));
}

void shape_matmul_integer(InferContext *c)
{
    infer_matmul(c, 0, 1, DT_INT32);
}

/* The type of A's scale. */
void shape_matmul_integer_to_float(InferContext *c)
{
    infer_matmul(c, 0, 1, infer_dtype(c, 2));
}

/* (a, scale, zero point, b, scale, zero point, y scale, y zero point). */
void shape_qlinear_matmul(InferContext *c)
{
    DType t = infer_dtype(c, 7);
    infer_matmul(c, 0, 3, t != DT_UNKNOWN ? t : infer_dtype(c, 0));
}

/* Weights packed in blocks: attributes K and N are the matrix. */
void shape_matmul_nbits(InferContext *c)
{
    int32_t rank = infer_rank(c, 0);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    Dim *dim = rank > 0 ? infer_dims(c, rank) : NULL;
    for (int32_t i = 0; dim && i < rank; i++)
        dim[i] = i < rank - 1 ? infer_dim(c, 0, i) : dim_of(node_attr_int(c->node, "N", -1));
    if (dim)
        infer_set_shape(c, 0, rank, dim);
}

/* ---- Gemm ---- */

static void infer_gemm(InferContext *c, uint32_t b, DType t)
{
    bool ta = node_attr_int(c->node, "transA", 0) != 0;
    bool tb = node_attr_int(c->node, "transB", 0) != 0;
    infer_set_dtype(c, 0, t);
    for (uint32_t k = 0; k <= b; k += b)
        if (infer_rank(c, k) != 2) {
            if (infer_rank(c, k) != RANK_UNKNOWN)
                infer_conflict(c, MESSAGE_ID(NEEDS_MATRIX), arg_count(k),
                               arg_count(infer_rank(c, k)));
            return;
        }
    infer_equate(c, infer_dim(c, 0, !ta), infer_dim(c, b, tb), &message_INNER_DIMENSIONS);
    Dim *dim = infer_dims(c, 2);
    dim[0] = infer_dim(c, 0, ta);
    dim[1] = infer_dim(c, b, !tb);
    infer_set_shape(c, 0, 2, dim);
}

void shape_gemm(InferContext *c)
{
    infer_gemm(c, 1, infer_dtype(c, 0));
}

/* (A, scale, zero point, B, scale, zero point, C, y scale, y zero point); float32 without them. */
void shape_qgemm(InferContext *c)
{
    infer_gemm(c, 3, infer_has(c, 7) ? infer_dtype(c, 8) : DT_FLOAT32);
}
