/* Propagates constants through Range and reductions. */
#include "graph/infer/fold.h"

/* ---- Range ---- */

void fold_range(InferContext *c)
{
    List start = infer_list(c, NULL, 0), delta = infer_list(c, NULL, 2);
    bool is_real = dtype_is_float(infer_dtype(c, 0));
    int64_t first, step, n;
    double first_real, step_real;
    Element *out;
    if (!list_int(&start, 0, &first) || !list_int(&delta, 0, &step) ||
        !(out = fold_value_new(c, 0, &n)))
        return;
    list_real(&start, 0, &first_real);
    list_real(&delta, 0, &step_real);
    for (int64_t i = 0; i < n; i++) {
        int64_t v;
        if (is_real)
            out[i] = element_real(infer_dtype(c, 0), first_real + (double)i * step_real);
        else if (!__builtin_mul_overflow(i, step, &v) && !__builtin_add_overflow(v, first, &v))
            out[i] = element_integer(v);
    }
    fold_value_store(c, 0, out, n);
}

/* ---- reductions ---- */

typedef struct {
    OpId op, pairwise; /* what combines two elements */
} ReduceOp;

static const ReduceOp reduce_op[] = {
    {OP_ReduceSum, OP_Add}, {OP_ReduceMean, OP_Add}, {OP_ReduceProd, OP_Mul},
    {OP_ReduceMin, OP_Min}, {OP_ReduceMax, OP_Max},
};

/* Only reductions of everything: what shape arithmetic uses. */
void fold_reduce(InferContext *c)
{
    OpId op =
        (OpId)LIST_VALUE(i, sizeof reduce_op / sizeof *reduce_op, reduce_op[i].op == c->node->op_id,
                         reduce_op[i].pairwise, OP_UNKNOWN);
    Folding f;
    if (op == OP_UNKNOWN || !fold_begin(c, &f) || f.n != 1 || f.in.n == 0)
        return;
    Element sum = f.in.e[0];
    for (int64_t i = 1; i < f.in.n; i++)
        sum = element_combine(op, f.in.dtype, &sum, &f.in.e[i]);
    if (c->node->op_id == OP_ReduceMean && sum.known)
        sum = dtype_is_float(f.in.dtype) ? element_real(f.in.dtype, sum.f / (double)f.in.n)
                                         : element_integer(sum.i / f.in.n);
    fold_value_store(c, 0, &sum, 1);
}

void fold_cumsum(InferContext *c)
{
    Folding f;
    bool plain = !node_attr_int(c->node, "exclusive", 0) && !node_attr_int(c->node, "reverse", 0);
    if (!plain || !fold_begin(c, &f) || f.in.shape.rank != 1 || f.n != f.in.n)
        return;
    for (int64_t i = 0; i < f.n; i++)
        f.out[i] = i ? element_combine(OP_Add, f.in.dtype, &f.out[i - 1], &f.in.e[i]) : f.in.e[i];
    fold_value_store(c, 0, f.out, f.n);
}
