/* Groups measured operators by a hash of their shape. */
#include "cost_model/same_shape.h"

/* Not among these: images, PEs, and what follows from them. */
static uint64_t key_of(const LowOp *op, bool waits)
{
    const int64_t shape[] = {
        op->kind,  op->c_out,    op->h_out,      op->w_out,         op->c_in,     op->h_in,
        op->w_in,  op->kernel_h, op->kernel_w,   op->stride_h,      op->stride_w, op->dilation_h,
        op->group, op->ninput,   op->dilation_w, op->vector_passes, waits};
    return strmap_hash_bytes(HASH_SEED, shape, sizeof shape);
}

ORDER_BY(compare_shape_keys, ShapeTimes, COMPARE(a->key, b->key))

/* Those of one key become one. */
static size_t merge_equal_keys(ShapeTimes *shape, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (kept && shape[kept - 1].key == shape[i].key) {
            PartTimes *sum = &shape[kept - 1].times, *one = &shape[i].times;
            sum->wait_ns += one->wait_ns;
            sum->predicted_wait_ns += one->predicted_wait_ns;
            sum->rest_ns += one->rest_ns;
            sum->predicted_rest_ns += one->predicted_rest_ns;
        } else {
            shape[kept++] = shape[i];
        }
    }
    return kept;
}

/* Share of fixed time in an operator's prediction, above which the rest says nothing. */
#define FIXED_MAX 0.95

ShapeTable same_shape(Arena *a, const Program *p, const Prediction *pure, const Reconciliation *r)
{
    ShapeTimes *shape = ARENA_ARRAY(a, ShapeTimes, p->nop + 1);
    size_t n = 0;
    for (size_t i = 0; i < p->nop; i++) {
        const LowOp *op = &p->op[i];
        double ns = (double)r->op[i].median_ns, predicted = pure->op[i].total_ns.mid;
        bool fixed = pure->op[i].fixed_ns > FIXED_MAX * predicted;
        if (!r->op[i].count || !(ns > 0) || !(predicted > 0) || fixed)
            continue;
        shape[n] = (ShapeTimes){.key = key_of(op, pure->op[i].dram_ns > 0)};
        same_shape_add_times(&shape[n++].times, &pure->op[i], ns);
    }
    assert(n <= p->nop);
    ORDER_LIST(shape, n, compare_shape_keys);
    return (ShapeTable){shape, merge_equal_keys(shape, n)};
}

void same_shape_add_times(PartTimes *sum, const OpPrediction *t, double ns)
{
    double wait = predict_op_wait(t, ns);
    sum->wait_ns += wait;
    sum->predicted_wait_ns += t->dram_ns;
    sum->rest_ns += ns - wait;
    sum->predicted_rest_ns += t->total_ns.mid - t->dram_ns;
}

static double time_ratio(double measured, double predicted)
{
    return predicted > 0 ? measured / predicted : 1;
}

double same_shape_part_ns(const PartTimes *x, const OpPrediction *t, double *ret_wait_ns)
{
    *ret_wait_ns = t->dram_ns * time_ratio(x->wait_ns, x->predicted_wait_ns);
    double rest = (t->total_ns.mid - t->dram_ns) * time_ratio(x->rest_ns, x->predicted_rest_ns);
    return rest + *ret_wait_ns;
}

const PartTimes *same_shape_times(const ShapeTable *t, const LowOp *op, bool waits)
{
    ShapeTimes wanted = {.key = key_of(op, waits)};
    const ShapeTimes *found =
        t->count ? bsearch(&wanted, t->shape, t->count, sizeof wanted, compare_shape_keys) : NULL;
    return found ? &found->times : NULL;
}
