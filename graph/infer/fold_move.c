/* Propagates constants through operators that move elements or describe shapes. All but a few
 * are one loop over the output that asks which element of the input belongs there. */
#include "graph/infer/fold.h"

/* Elements of one step along `axis`. */
static int64_t stride_of(const Shape *s, int32_t axis)
{
    int64_t n = 1;
    for (int32_t i = axis + 1; i < s->rank; i++)
        n *= s->dim[i].value;
    return n;
}

static bool axis_attr(const InferContext *c, int32_t rank, int64_t fallback, int32_t *ret)
{
    int64_t axis = node_attr_int(c->node, "axis", fallback);
    if (axis < -rank || axis >= rank)
        return false;
    *ret = (int32_t)(axis < 0 ? axis + rank : axis);
    return true;
}

/* ---- views ---- */

/* The same elements in the same order: a constant is shared however large it is. */
void fold_view(InferContext *c)
{
    const Tensor *in = infer_input(c, 0), *out = node_output(c->graph, c->node, 0);
    FoldValue v;
    if (!in || !out)
        return;
    if (!in->value && infer_value_load(c, 0, &v))
        fold_value_store(c, 0, v.e, v.n);
    else if (in->value && in->value->dtype == out->dtype &&
             shape_elements(&out->shape) == in->value->nelem)
        infer_set_value(c, 0, in->value);
}

/* ---- descriptions of shapes ---- */

static Element element_of_dim(Dim d)
{
    return dim_known(d) ? element_integer(d.value) : (Element){.symbol = d.symbol, .most = d.most};
}

void fold_shape(InferContext *c)
{
    int32_t rank = infer_rank(c, 0);
    int64_t start = node_attr_int(c->node, "start", 0), n;
    Element *out = fold_value_new(c, 0, &n);
    if (!out)
        return;
    start = start < -rank ? 0 : start < 0 ? start + rank : start;
    for (int64_t i = 0; i < n; i++)
        out[i] = element_of_dim(infer_dim(c, 0, (int32_t)(start + i)));
    fold_value_store(c, 0, out, n);
}

void fold_size(InferContext *c)
{
    int64_t n, elements = shape_elements(infer_shape(c, 0));
    Element *out = fold_value_new(c, 0, &n);
    if (!out || elements < 0 || elements >= INT64_MAX / 16)
        return;
    out[0] = element_integer(elements);
    fold_value_store(c, 0, out, n);
}

/* ConstantOfShape: the attribute's one element everywhere. */
void fold_fill(InferContext *c)
{
    const Attr *a = node_attr(c->node, "value");
    Element fill = element_integer(0);
    int64_t n;
    Element *out = fold_value_new(c, 0, &n);
    if (!out)
        return;
    if (a && a->type == ATTR_TENSOR) {
        double f;
        if (!const_float(a->tensor, 0, &f))
            return;
        fill = element_real(DT_FLOAT64, f);
        const_int(a->tensor, 0, &fill.i);
    }
    for (int64_t i = 0; i < n; i++)
        out[i] = fill;
    fold_value_store(c, 0, out, n);
}

void fold_non_zero(InferContext *c)
{
    FoldValue v;
    if (!infer_value_load(c, 0, &v) || v.shape.rank == 0)
        return;
    int64_t count = 0, at = 0;
    for (int64_t i = 0; i < v.n; i++) {
        if (!v.e[i].known)
            return;
        count += v.e[i].f != 0;
    }
    Dim *dim = infer_dims(c, 2);
    dim[0] = dim_of(v.shape.rank);
    dim[1] = dim_of(count);
    infer_set_shape(c, 0, 2, dim);
    int64_t n;
    Element *out = fold_value_new(c, 0, &n);
    for (int64_t i = 0; out && i < v.n; i++) {
        if (v.e[i].f == 0)
            continue;
        for (int32_t k = 0; k < v.shape.rank; k++)
            out[k * count + at] =
                element_integer(i / stride_of(&v.shape, k) % v.shape.dim[k].value);
        at++;
    }
    if (out)
        fold_value_store(c, 0, out, n);
}

/* ---- Concat, Split, Slice, Gather ---- */

/* A part that nothing is known of but its size. */
static bool load_unknown(InferContext *c, uint32_t input, FoldValue *ret)
{
    const Shape *s = infer_shape(c, input);
    int64_t n = shape_elements(s);
    Element *e = fold_value_is_small(c, s) ? infer_scratch(c, n) : NULL;
    *ret = (FoldValue){infer_dtype(c, input), *s, n, e};
    return e != NULL && dtype_is_integer(ret->dtype);
}

void fold_concat(InferContext *c)
{
    const Tensor *result = node_output(c->graph, c->node, 0);
    int64_t n, at = 0;
    int32_t axis;
    Element *out = fold_value_new(c, 0, &n);
    if (!out || !axis_attr(c, result->shape.rank, 1, &axis))
        return;
    int64_t row = stride_of(&result->shape, axis) * result->shape.dim[axis].value;
    for (uint32_t k = 0; k < c->node->ninput; k++) {
        FoldValue v;
        size_t used = c->run->scratch_used;
        if ((!infer_value_load(c, k, &v) && !load_unknown(c, k, &v)) ||
            v.shape.rank != result->shape.rank)
            return;
        int64_t chunk = stride_of(&v.shape, axis) * v.shape.dim[axis].value;
        for (int64_t i = 0; i < v.n; i++) {
            int64_t place = i / chunk * row + at + i % chunk;
            if (place >= n)
                return;
            out[place] = v.e[i];
        }
        at += chunk;
        c->run->scratch_used = used;
    }
    fold_value_store(c, 0, out, n);
}

void fold_split(InferContext *c)
{
    FoldValue v;
    int32_t axis;
    int64_t at = 0;
    if (!infer_value_load(c, 0, &v) || !axis_attr(c, v.shape.rank, 0, &axis))
        return;
    int64_t row = stride_of(&v.shape, axis) * v.shape.dim[axis].value;
    for (uint32_t k = 0; k < c->node->noutput; k++) {
        const Tensor *result = node_output(c->graph, c->node, k);
        size_t used = c->run->scratch_used;
        int64_t n;
        Element *out = fold_value_new(c, k, &n);
        if (!out || result->shape.rank != v.shape.rank)
            return;
        int64_t chunk = stride_of(&v.shape, axis) * result->shape.dim[axis].value;
        for (int64_t i = 0; i < n; i++) {
            int64_t place = i / chunk * row + at + i % chunk;
            out[i] = place < v.n ? v.e[place] : (Element){0};
        }
        fold_value_store(c, k, out, n);
        at += chunk;
        c->run->scratch_used = used;
    }
}

/* Where the slice begins on each axis, and its step. */
typedef struct {
    int64_t first[INFER_MAX_RANK], step[INFER_MAX_RANK];
} SliceStart;

static bool slice_start(InferContext *c, const Shape *in, SliceStart *ret)
{
    List start = infer_list(c, "starts", 1), axes = infer_list(c, "axes", 3);
    List steps = infer_list(c, NULL, 4);
    if (in->rank > INFER_MAX_RANK || !list_is_complete(&start))
        return false;
    for (int32_t i = 0; i < in->rank; i++) {
        ret->first[i] = 0;
        ret->step[i] = 1;
    }
    for (int64_t i = 0; i < start.n; i++) {
        int64_t v = i, step = 1, first = start.e[i].i;
        int32_t axis;
        if ((axes.given && !list_int(&axes, i, &v)) ||
            (steps.given && !list_int(&steps, i, &step)) || !infer_axis(c, v, in->rank, &axis))
            return false;
        int64_t size = in->dim[axis].value;
        first = first < -size ? -size : first > size ? size : first;
        first = first < 0 ? first + size : first;
        ret->first[axis] = step < 0 && first == size ? size - 1 : first;
        ret->step[axis] = step;
    }
    return true;
}

void fold_slice(InferContext *c)
{
    SliceStart at;
    Folding f;
    if (!fold_begin(c, &f) || f.n > f.in.n || f.shape->rank != f.in.shape.rank ||
        !slice_start(c, &f.in.shape, &at))
        return;
    for (int64_t i = 0; i < f.n; i++) {
        int64_t rest = i, place = 0, stride = 1;
        for (int32_t k = f.shape->rank - 1; k >= 0; k--) {
            int64_t size = f.shape->dim[k].value; /* place on the axis: inside, as it is cut */
            place += (at.first[k] + rest % size * (size > 1 ? at.step[k] : 1)) * stride;
            rest /= size;
            stride *= f.in.shape.dim[k].value;
        }
        if (place >= 0 && place < f.in.n)
            f.out[i] = f.in.e[place];
    }
    fold_value_store(c, 0, f.out, f.n);
}

void fold_gather(InferContext *c)
{
    Folding f;
    FoldValue index;
    int32_t axis;
    if (!fold_begin(c, &f) || !infer_value_load(c, 1, &index) ||
        !axis_attr(c, f.in.shape.rank, 0, &axis))
        return;
    int64_t stride = stride_of(&f.in.shape, axis), size = f.in.shape.dim[axis].value;
    for (int64_t i = 0; i < f.n; i++) { /* i = (outer, place in indices, inner) */
        const Element *at = &index.e[i / stride % index.n];
        int64_t k = at->i < 0 ? at->i + size : at->i;
        if (at->known && k >= 0 && k < size)
            f.out[i] = f.in.e[i / stride / index.n * size * stride + k * stride + i % stride];
    }
    fold_value_store(c, 0, f.out, f.n);
}

/* ---- Transpose, Expand, Tile ---- */

void fold_transpose(InferContext *c)
{
    List perm = infer_list(c, "perm", -1);
    Folding f;
    if (!fold_begin(c, &f) || f.n != f.in.n)
        return;
    const Shape *in = &f.in.shape;
    for (int64_t i = 0; i < f.n; i++) {
        int64_t rest = i, place = 0;
        for (int32_t o = in->rank - 1; o >= 0; o--) {
            int64_t axis = in->rank - 1 - o;
            if (perm.given && (!list_int(&perm, o, &axis) || axis < 0 || axis >= in->rank))
                return;
            place += rest % f.shape->dim[o].value * stride_of(in, (int32_t)axis);
            rest /= f.shape->dim[o].value;
        }
        if (place < f.n)
            f.out[i] = f.in.e[place];
    }
    fold_value_store(c, 0, f.out, f.n);
}

void fold_expand(InferContext *c)
{
    Folding f;
    if (!fold_begin(c, &f) || !fold_broadcast_fits(&f.in.shape, f.shape))
        return;
    fold_repeat(&f);
    fold_value_store(c, 0, f.out, f.n);
}

void fold_tile(InferContext *c)
{
    Folding f;
    if (!fold_begin(c, &f) || f.in.n == 0 || f.in.shape.rank != f.shape->rank)
        return;
    fold_repeat(&f);
    fold_value_store(c, 0, f.out, f.n);
}

/* ---- scatter into a vector ---- */

void fold_scatter_elements(InferContext *c)
{
    Folding f;
    FoldValue index, update;
    if (!fold_begin(c, &f) || f.in.shape.rank != 1 || f.n != f.in.n ||
        !infer_value_load(c, 1, &index) || !infer_value_load(c, 2, &update) ||
        index.n != update.n || strcmp(node_attr_string(c->node, "reduction", "none"), "none") != 0)
        return;
    memcpy(f.out, f.in.e, (size_t)f.n * sizeof *f.out);
    for (int64_t i = 0; i < index.n; i++) {
        int64_t k = index.e[i].i < 0 ? index.e[i].i + f.n : index.e[i].i;
        if (!index.e[i].known || k < 0 || k >= f.n)
            return;
        f.out[k] = update.e[i];
    }
    fold_value_store(c, 0, f.out, f.n);
}

/* Into a vector, indices [n, 1] say the same as ScatterElements' [n]. */
void fold_scatter_nd(InferContext *c)
{
    const Shape *s = infer_shape(c, 1);
    if (s->rank >= 1 && dim_is(s->dim[s->rank - 1], 1))
        fold_scatter_elements(c);
}
