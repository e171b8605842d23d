/* Infers shapes of operators that make a tensor of attributes or small inputs. */
#include "graph/infer/infer.h"

static DType dtype_attr(const InferContext *c, const char *name, int64_t fallback)
{
    return dtype_from_onnx((int32_t)node_attr_int(c->node, name, fallback));
}

/* The dimensions that a list writes down. */
static void set_listed(InferContext *c, const List *shape)
{
    Dim *dim = shape->known ? infer_dims(c, shape->n) : NULL;
    for (int32_t i = 0; dim && i < (int32_t)shape->n; i++)
        dim[i] = list_dim(shape, i);
    if (shape->known)
        infer_set_shape(c, 0, (int32_t)shape->n, dim);
}

/* ---- Constant ---- */

static const Const *new_constant(InferContext *c, DType t, size_t n, const void *from)
{
    Const *k = ARENA_NEW(c->run->arena, Const);
    size_t nbyte = n * (size_t)dtype_bits(t) / 8;
    uint8_t *data = arena_alloc(c->run->arena, nbyte + 1);
    if (nbyte)
        memcpy(data, from, nbyte);
    *k = (Const){.dtype = t, .nelem = (int64_t)n, .nbyte = nbyte, .data = data};
    return k;
}

static void set_constant(InferContext *c, const Const *k, Shape s)
{
    infer_set(c, 0, k->dtype, s.rank, s.dim);
    infer_set_value(c, 0, k);
}

static Shape vector_of(InferContext *c, size_t n)
{
    Dim *dim = infer_dims(c, 1);
    dim[0] = dim_of((int64_t)n);
    return (Shape){1, dim};
}

/* One of value (or sparse_value), value_int, value_ints, value_float, …; scalars have rank 0. */
void shape_constant(InferContext *c)
{
    const Shape scalar = {0, NULL};
    for (uint32_t i = 0; i < c->node->nattr; i++) {
        const Attr *a = &c->node->attr[i];
        float f = (float)a->f;
        Const text = {.dtype = DT_STRING, .nelem = a->type == ATTR_STRINGS ? (int64_t)a->count : 1};
        if (a->type == ATTR_TENSOR)
            set_constant(c, a->tensor, a->tensor_shape);
        else if (a->type == ATTR_INT)
            set_constant(c, new_constant(c, DT_INT64, 1, &a->i), scalar);
        else if (a->type == ATTR_INTS)
            set_constant(c, new_constant(c, DT_INT64, a->count, a->ints), vector_of(c, a->count));
        else if (a->type == ATTR_FLOAT)
            set_constant(c, new_constant(c, DT_FLOAT32, 1, &f), scalar);
        else if (a->type == ATTR_FLOATS)
            set_constant(c, new_constant(c, DT_FLOAT32, a->count, a->floats),
                         vector_of(c, a->count));
        else if (a->type == ATTR_STRING || a->type == ATTR_STRINGS) {
            Const *k = ARENA_NEW(c->run->arena, Const);
            *k = text;
            set_constant(c, k, a->type == ATTR_STRING ? scalar : vector_of(c, a->count));
        }
    }
}

/* ---- filled tensors ---- */

void shape_constant_of_shape(InferContext *c)
{
    const Attr *value = node_attr(c->node, "value");
    List shape = infer_list(c, NULL, 0);
    infer_set_dtype(c, 0, value && value->type == ATTR_TENSOR ? value->tensor->dtype : DT_FLOAT32);
    set_listed(c, &shape);
    Dim rank = infer_dim(c, 0, 0);
    if (!shape.known && infer_rank(c, 0) == 1 && dim_known(rank) && rank.value <= INFER_MAX_RANK)
        infer_set_shape(c, 0, (int32_t)rank.value, infer_dims(c, rank.value));
}

/* Experimental, gone since opset 9: shape from an attribute, the input's values, or its shape. */
void shape_constant_fill(InferContext *c)
{
    List shape = infer_list(c, "shape", node_attr_int(c->node, "input_as_shape", 0) ? 0 : -1);
    if (!shape.given)
        infer_copy(c, 0, 0);
    infer_set_dtype(c, 0, dtype_attr(c, "dtype", 1));
    set_listed(c, &shape);
}

void shape_random(InferContext *c)
{
    List shape = infer_list(c, "shape", -1);
    infer_set_dtype(c, 0, dtype_attr(c, "dtype", 1));
    set_listed(c, &shape);
}

void shape_random_like(InferContext *c)
{
    DType t = dtype_attr(c, "dtype", 0);
    infer_copy(c, 0, 0);
    if (t != DT_UNKNOWN)
        infer_set_dtype(c, 0, t);
}

/* [batch, classes] -> [batch, samples] */
void shape_multinomial(InferContext *c)
{
    Dim *dim = infer_dims(c, 2);
    dim[0] = infer_dim(c, 0, 0);
    dim[1] = dim_of(node_attr_int(c->node, "sample_size", 1));
    infer_set(c, 0, dtype_attr(c, "dtype", 6), 2, dim);
}

/* ---- Range ---- */

static Dim range_size(InferContext *c)
{
    List start = infer_list(c, NULL, 0), end = infer_list(c, NULL, 1);
    List step = infer_list(c, NULL, 2);
    bool is_real = dtype_is_float(infer_dtype(c, 0));
    int64_t a, b, d, span;
    double ra, rb, rd;
    if (is_real && list_real(&start, 0, &ra) && list_real(&end, 0, &rb) &&
        list_real(&step, 0, &rd) && rd != 0) {
        double n = ceil((rb - ra) / rd);
        return n < 0x1p40 ? dim_of(n > 0 ? (int64_t)n : 0) : dim_of(DIM_UNKNOWN);
    }
    if (!is_real && list_int(&start, 0, &a) && list_int(&end, 0, &b) && list_int(&step, 0, &d) &&
        d != 0 && d != INT64_MIN && !__builtin_sub_overflow(b, a, &span) && span != INT64_MIN) {
        bool empty = span == 0 || (span > 0) != (d > 0);
        span = span < 0 && !empty ? -span : span;
        return dim_of(empty ? 0 : (span - 1) / (d < 0 ? -d : d) + 1);
    }
    if (!is_real && list_int(&start, 0, &a) && a == 0 && list_int(&step, 0, &d) && d == 1 &&
        end.known && end.n == 1) /* 0, 1, … N - 1 */
        return list_dim(&end, 0);
    return dim_of(DIM_UNKNOWN);
}

void shape_range(InferContext *c)
{
    Dim *dim = infer_dims(c, 1);
    dim[0] = range_size(c);
    infer_set(c, 0, infer_dtype(c, 0), 1, dim);
}

/* ---- signals ---- */

void shape_window(InferContext *c)
{
    List size = infer_list(c, NULL, 0);
    Dim *dim = infer_dims(c, 1);
    dim[0] = list_size(&size, 0);
    infer_set(c, 0, dtype_attr(c, "output_datatype", 1), 1, dim);
}

/* [DFT bins, mel bins] */
void shape_mel_weight_matrix(InferContext *c)
{
    List bins = infer_list(c, NULL, 0), length = infer_list(c, NULL, 1);
    int64_t n;
    Dim *dim = infer_dims(c, 2);
    dim[0] = dim_of(list_int(&length, 0, &n) && n >= 0 ? n / 2 + 1 : DIM_UNKNOWN);
    dim[1] = list_size(&bins, 0);
    infer_set(c, 0, dtype_attr(c, "output_datatype", 1), 2, dim);
}

/* [batch, …, signal, …, 1 or 2] -> the same with 2 at the end. */
void shape_dft(InferContext *c)
{
    int32_t rank = infer_rank(c, 0), axis;
    bool onesided = node_attr_int(c->node, "onesided", 0) != 0;
    List length = infer_list(c, NULL, 1);
    int64_t at;
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    if (rank < 2 || !infer_scalar(c, "axis", 2, c->opset < 20 ? 1 : -2, &at) ||
        !infer_axis(c, at, rank, &axis) || (onesided && node_attr_int(c->node, "inverse", 0)))
        return;
    Dim *dim = infer_dims_of(c, 0, 0);
    if (!dim)
        return;
    if (length.given)
        dim[axis] = list_size(&length, 0);
    if (onesided && dim_known(dim[axis]))
        dim[axis] = dim_of(dim[axis].value / 2 + 1);
    else if (onesided)
        dim[axis] = dim_of(DIM_UNKNOWN);
    dim[rank - 1] = dim_of(2);
    infer_set_shape(c, 0, rank, dim);
}

/* (signal [batch, length, 1 or 2], step, window, frame length) -> [batch, frames, bins, 2] */
void shape_stft(InferContext *c)
{
    List step = infer_list(c, NULL, 1), length = infer_list(c, NULL, 3);
    int64_t every;
    Dim frame = infer_has(c, 3) ? list_size(&length, 0) : infer_dim(c, 2, 0);
    Dim signal = infer_dim(c, 0, 1);
    Dim *dim = infer_dims(c, 4);
    dim[0] = infer_dim(c, 0, 0);
    if (dim_known(frame) && dim_known(signal) && list_int(&step, 0, &every) && every > 0 &&
        signal.value >= frame.value)
        dim[1] = dim_of((signal.value - frame.value) / every + 1);
    if (dim_known(frame))
        dim[2] = dim_of(node_attr_int(c->node, "onesided", 1) ? frame.value / 2 + 1 : frame.value);
    dim[3] = dim_of(2);
    infer_set(c, 0, infer_dtype(c, 0), 4, dim);
}

/* ---- images and text ---- */

void shape_image_decoder(InferContext *c)
{
    bool gray = strcmp(node_attr_string(c->node, "pixel_format", "RGB"), "Grayscale") == 0;
    Dim *dim = infer_dims(c, 3);
    dim[2] = dim_of(gray ? 1 : 3);
    infer_set(c, 0, DT_UINT8, 3, dim);
}

/* Without stop words every string stays. */
void shape_string_normalizer(InferContext *c)
{
    int32_t rank = infer_rank(c, 0);
    bool drops = node_attr(c->node, "stopwords") != NULL;
    infer_set_dtype(c, 0, DT_STRING);
    Dim *dim = infer_dims_of(c, 0, 0);
    if (dim && drops && rank > 0)
        dim[rank - 1] = dim_of(DIM_UNKNOWN);
    infer_set_shape(c, 0, rank, dim);
}

/* (pieces [..., most pieces], how many of them [...]) */
void shape_string_split(InferContext *c)
{
    int32_t rank = infer_rank(c, 0);
    infer_set_dtype(c, 0, DT_STRING);
    infer_copy(c, 1, 0);
    infer_set_dtype(c, 1, DT_INT64);
    if (rank != RANK_UNKNOWN)
        infer_set_shape(c, 0, rank + 1, infer_dims_of(c, 0, 1));
}

/* [C] -> [n], [N, C] -> [N, n]: n is one more than the largest index of an n-gram. */
void shape_tfidf(InferContext *c)
{
    int32_t rank = infer_rank(c, 0);
    List index = infer_list(c, "ngram_indexes", -1);
    int64_t most = -1;
    for (int64_t i = 0; index.known && i < index.n; i++)
        most = index.e[i].i > most ? index.e[i].i : most;
    infer_set_dtype(c, 0, DT_FLOAT32);
    Dim *dim = rank == 1 || rank == 2 ? infer_dims(c, rank) : NULL;
    if (!dim)
        return;
    dim[0] = infer_dim(c, 0, 0);
    dim[rank - 1] = dim_of(most >= 0 && most < INT64_MAX / 16 ? most + 1 : DIM_UNKNOWN);
    infer_set_shape(c, 0, rank, dim);
}
