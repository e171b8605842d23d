/* Computes sums, means and norms over axes. */
#include "npu_exec/values/kernels.h"

/* ---- Reduce… ---- */

static double fold_start(OpId op)
{
    return op == OP_ReduceMax    ? -INFINITY
           : op == OP_ReduceMin  ? INFINITY
           : op == OP_ReduceProd ? 1
                                 : 0;
}

static double fold_step(OpId op, double sum, double x)
{
    switch (op) {
    case OP_ReduceMax:
        return x > sum ? x : sum;
    case OP_ReduceMin:
        return x < sum ? x : sum;
    case OP_ReduceProd:
        return sum * x;
    case OP_ReduceL1:
        return sum + fabs(x);
    case OP_ReduceL2:
    case OP_ReduceSumSquare:
        return sum + x * x;
    case OP_ReduceLogSumExp:
        return sum + exp(x);
    default:
        return sum + x;
    }
}

static double fold_end(OpId op, double sum, double count)
{
    if (op == OP_ReduceLogSum || op == OP_ReduceLogSumExp)
        return log(sum);
    return op == OP_ReduceMean ? sum / count : op == OP_ReduceL2 ? sqrt(sum) : sum;
}

/* Marks the axes; all of them when none is named, unless that means none. */
static Status read_axes(Call *c, const Value *v, bool *ret)
{
    const int64_t *axes = NULL;
    size_t n = 0;
    Status st = kernel_int_list(c, "axes", 1, &axes, &n);
    bool all = n == 0 && !node_attr_int(c->node, "noop_with_empty_axes", 0);
    for (int32_t i = 0; i < v->rank; i++)
        ret[i] = all;
    for (size_t i = 0; i < n && !st; i++) {
        int64_t a = axes[i] + (axes[i] < 0 ? v->rank : 0);
        if (a < 0 || a >= v->rank)
            return call_refuse(c, "an axis is out of range");
        ret[a] = true;
    }
    return st;
}

Status kernel_reduce(Call *c)
{
    Numbers x;
    Value *v = call_in(c, 0), *out = c->out[0];
    bool gone[VALUE_MAX_RANK];
    Status st = kernel_in_numbers(c, 0, &x);
    st = st ? st : read_axes(c, v, gone);
    float *y = x.real ? kernel_out_floats(out) : NULL;
    int64_t *whole = x.real ? NULL : kernel_out_ints(out);
    if (st || (!y && !whole))
        return st ? st : call_no_memory(c);
    OpId op = c->node->op_id;
    int64_t stride[VALUE_MAX_RANK], step = 1, index[VALUE_MAX_RANK] = {0};
    for (int32_t i = v->rank - 1; i >= 0; i--) {
        stride[i] = gone[i] ? 0 : step;
        step *= gone[i] ? 1 : v->dim[i];
    }
    if (step != out->count)
        return call_refuse(c, "its shapes do not go together");
    double *sum = ARENA_ARRAY(c->scratch, double, (size_t)out->count);
    for (int64_t i = 0; i < out->count; i++)
        sum[i] = fold_start(op);
    for (int64_t from = 0; from < v->count; from++, kernel_next_index(v, index)) {
        int64_t to = kernel_offset(index, stride, v->rank);
        sum[to] = fold_step(op, sum[to], kernel_number_at(&x, from));
    }
    for (int64_t i = 0; i < out->count; i++) {
        sum[i] = fold_end(op, sum[i], (double)v->count / (double)out->count);
        if (y)
            y[i] = (float)sum[i];
        else
            whole[i] = value_round_to_int64(sum[i]);
    }
    return STATUS_OK;
}

/* ArgMax, ArgMin. */
Status kernel_arg(Call *c)
{
    Numbers x;
    Value *v = call_in(c, 0), *out = c->out[0];
    int64_t *y = kernel_out_ints(out);
    Status st = kernel_in_numbers(c, 0, &x);
    int32_t axis = v ? kernel_axis(c, 0, v->rank) : -1;
    if (st || !y || axis < 0)
        return st ? st : call_refuse(c, "its axis does not fit");
    int64_t inner = value_extent(v, axis + 1, v->rank), d = v->dim[axis];
    if (d < 1 || out->count != v->count / d)
        return call_refuse(c, "its shapes do not go together");
    bool last = node_attr_int(c->node, "select_last_index", 0), min = c->node->op_id == OP_ArgMin;
    for (int64_t i = 0; i < out->count; i++) {
        int64_t from = i / inner * inner * d + i % inner, best = 0;
        for (int64_t k = 1; k < d; k++) {
            double a = kernel_number_at(&x, from + k * inner),
                   b = kernel_number_at(&x, from + best * inner);
            if ((min ? a < b : a > b) || (last && a == b))
                best = k;
        }
        y[i] = best;
    }
    return STATUS_OK;
}

/* ---- along one axis ---- */

/* Makes y of n numbers x, both `stride` apart. */
typedef void AxisFunction(const Node *node, const float *x, float *y, int64_t n, int64_t stride);

static void softmax(const Node *node, const float *x, float *y, int64_t n, int64_t stride)
{
    float most = -INFINITY;
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        most = x[i * stride] > most ? x[i * stride] : most;
    for (int64_t i = 0; i < n; i++)
        sum += (double)expf(x[i * stride] - most);
    for (int64_t i = 0; i < n; i++)
        y[i * stride] = node->op_id == OP_LogSoftmax
                            ? x[i * stride] - most - (float)log(sum)
                            : (float)((double)expf(x[i * stride] - most) / sum);
}

/* One at the first largest. */
static void hardmax(const Node *node, const float *x, float *y, int64_t n, int64_t stride)
{
    (void)node;
    int64_t best = 0;
    for (int64_t i = 0; i < n; i++) {
        best = x[i * stride] > x[best * stride] ? i : best;
        y[i * stride] = 0;
    }
    y[best * stride] = 1;
}

/* Where the norm is 0 onnxruntime gives 0. */
static void lp_normalize(const Node *node, const float *x, float *y, int64_t n, int64_t stride)
{
    OpId norm = node_attr_int(node, "p", 2) == 1 ? OP_ReduceL1 : OP_ReduceL2;
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum = fold_step(norm, sum, (double)x[i * stride]);
    sum = fold_end(norm, sum, (double)n);
    for (int64_t i = 0; i < n; i++)
        y[i * stride] = sum == 0 ? 0 : (float)((double)x[i * stride] / sum);
}

/* Softmax, LogSoftmax and Hardmax went over all axes from `axis` on before opset 13. */
Status kernel_along_axis(Call *c)
{
    const float *x = NULL;
    Value *v = call_in(c, 0);
    float *y = kernel_out_floats(c->out[0]);
    Status st = kernel_in_floats(c, 0, &x);
    OpId op = c->node->op_id;
    bool to_end = c->opset < 13 && op != OP_LpNormalization;
    int32_t axis = v ? kernel_axis(c, to_end ? 1 : -1, v->rank) : -1;
    if (st || !y || axis < 0 || v->count != c->out[0]->count)
        return st ? st : call_refuse(c, "its axis does not fit");
    int64_t p = node_attr_int(c->node, "p", 2), inner = 1, n = value_extent(v, axis, v->rank);
    if (op == OP_LpNormalization && p != 1 && p != 2)
        return call_refuse(c, "its p is not 1 or 2");
    if (!to_end) {
        inner = value_extent(v, axis + 1, v->rank);
        n = v->dim[axis];
    }
    AxisFunction *f = op == OP_Hardmax           ? hardmax
                      : op == OP_LpNormalization ? lp_normalize
                                                 : softmax;
    for (int64_t at = 0; n > 0 && at < v->count; at += n * inner)
        for (int64_t i = 0; i < inner; i++)
            f(c->node, x + at + i, y + at + i, n, inner);
    return STATUS_OK;
}

/* ---- normalisations ---- */

static Status channel_input(Call *c, uint32_t i, int64_t channels, const float **ret)
{
    Status st = kernel_in_floats(c, i, ret);
    return !st && call_in(c, i)->count != channels ? call_refuse(c, "its parameters do not fit")
                                                   : st;
}

Status kernel_batch_norm(Call *c)
{
    const float *x = NULL, *parameter[4] = {NULL};
    Value *v = call_in(c, 0);
    float *y = kernel_out_floats(c->out[0]);
    Status st = kernel_in_floats(c, 0, &x);
    int64_t channels = v && v->rank > 1 ? v->dim[1] : 1;
    for (uint32_t i = 0; i < 4 && !st; i++)
        st = channel_input(c, i + 1, channels, &parameter[i]);
    if (st || !y || v->count != c->out[0]->count || c->nout > 1 ||
        node_attr_int(c->node, "training_mode", 0))
        return st ? st : call_refuse(c, "training is not handled");
    float epsilon = (float)node_attr_float(c->node, "epsilon", 1e-5);
    int64_t plane = value_extent(v, 2, v->rank);
    for (int64_t i = 0; i < v->count; i++) {
        int64_t k = i / plane % channels;
        y[i] = parameter[0][k] * (x[i] - parameter[2][k]) / sqrtf(parameter[3][k] + epsilon) +
               parameter[1][k];
    }
    return STATUS_OK;
}

static void mean_and_variance(const float *x, int64_t n, double *ret_mean, double *ret_variance)
{
    double sum = 0, square = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (double)x[i];
    double mean = sum / (double)n;
    for (int64_t i = 0; i < n; i++)
        square += ((double)x[i] - mean) * ((double)x[i] - mean);
    *ret_mean = mean;
    *ret_variance = square / (double)n;
}

Status kernel_instance_norm(Call *c)
{
    const float *x = NULL, *scale = NULL, *bias = NULL;
    Value *v = call_in(c, 0);
    float *y = kernel_out_floats(c->out[0]);
    Status st = kernel_in_floats(c, 0, &x);
    int64_t channels = v && v->rank > 1 ? v->dim[1] : 0;
    st = st ? st : channel_input(c, 1, channels, &scale);
    st = st ? st : channel_input(c, 2, channels, &bias);
    if (st || !y || v->count != c->out[0]->count)
        return st ? st : call_refuse(c, "shapes differ");
    double epsilon = node_attr_float(c->node, "epsilon", 1e-5), mean, variance;
    int64_t plane = value_extent(v, 2, v->rank);
    for (int64_t at = 0, k = 0; at < v->count; at += plane, k = (k + 1) % channels) {
        mean_and_variance(x + at, plane, &mean, &variance);
        for (int64_t i = 0; i < plane; i++)
            y[at + i] =
                (float)(((double)x[at + i] - mean) / sqrt(variance + epsilon)) * scale[k] + bias[k];
    }
    return STATUS_OK;
}

Status kernel_layer_norm(Call *c)
{
    const float *x = NULL, *scale = NULL, *bias = NULL;
    Value *v = call_in(c, 0);
    float *y = kernel_out_floats(c->out[0]);
    Status st = kernel_in_floats(c, 0, &x);
    int32_t axis = v ? kernel_axis(c, -1, v->rank) : -1;
    if (st || !y || axis < 0 || v->count != c->out[0]->count)
        return st ? st : call_refuse(c, "its axis does not fit");
    int64_t n = value_extent(v, axis, v->rank);
    Value *const more[2] = {c->nout > 1 ? c->out[1] : NULL, c->nout > 2 ? c->out[2] : NULL};
    float *extra[2] = {more[0] ? kernel_out_floats(more[0]) : NULL,
                       more[1] ? kernel_out_floats(more[1]) : NULL};
    if (LIST_ANY(k, 2, more[k] && (!extra[k] || n < 1 || more[k]->count != v->count / n)))
        return call_refuse(c, "its shapes do not go together");
    st = channel_input(c, 1, n, &scale);
    st = st || !call_in(c, 2) ? st : channel_input(c, 2, n, &bias);
    double epsilon = node_attr_float(c->node, "epsilon", 1e-5), mean, variance;
    for (int64_t at = 0; at < v->count && !st; at += n) {
        mean_and_variance(x + at, n, &mean, &variance);
        if (extra[0])
            extra[0][at / n] = (float)mean;
        if (extra[1]) /* one over the deviation */
            extra[1][at / n] = (float)(1 / sqrt(variance + epsilon));
        for (int64_t i = 0; i < n; i++)
            y[at + i] = (float)(((double)x[at + i] - mean) / sqrt(variance + epsilon)) * scale[i] +
                        (bias ? bias[i] : 0);
    }
    return st;
}

Status kernel_lrn(Call *c)
{
    const float *x = NULL;
    Value *v = call_in(c, 0);
    float *y = kernel_out_floats(c->out[0]);
    Status st = kernel_in_floats(c, 0, &x);
    int64_t size = node_attr_int(c->node, "size", 1);
    if (st || !y || v->rank < 2 || v->count != c->out[0]->count || size < 1)
        return st ? st : call_refuse(c, "its size is not handled");
    double alpha = node_attr_float(c->node, "alpha", 1e-4);
    double beta = node_attr_float(c->node, "beta", 0.75),
           bias = node_attr_float(c->node, "bias", 1);
    int64_t plane = value_extent(v, 2, v->rank), channels = v->dim[1];
    for (int64_t i = 0; i < v->count; i++) {
        int64_t k = i / plane % channels, first = k - (size - 1) / 2, last = k + size / 2;
        double sum = 0;
        for (int64_t j = first > 0 ? first : 0; j <= last && j < channels; j++) {
            double near = (double)x[i + (j - k) * plane];
            sum += near * near;
        }
        y[i] = (float)((double)x[i] / pow(bias + alpha / (double)size * sum, beta));
    }
    return STATUS_OK;
}
