/* Infers shapes of operators that copy elements to other positions. */
#include "graph/infer/infer.h"

/* ---- Concat, Split ---- */

void infer_join(InferContext *c, uint32_t first, uint32_t step, int64_t along)
{
    int32_t rank = infer_rank(c, first), axis;
    Dim *dim = rank > 0 ? infer_dims_of(c, first, 0) : NULL;
    if (!dim || !infer_axis(c, along, rank, &axis))
        return;
    for (uint32_t k = first + step; k < c->node->ninput; k += step) {
        if (infer_rank(c, k) != rank) {
            infer_conflict(c, MESSAGE_ID(RANKS_JOINED), arg_count(rank),
                           arg_count(infer_rank(c, k)));
            return;
        }
        for (int32_t i = 0; i < rank; i++)
            dim[i] = i == axis ? dim_add(dim[i], infer_dim(c, k, i))
                               : infer_equate(c, dim[i], infer_dim(c, k, i), &message_CONCAT);
    }
    infer_set_shape(c, 0, rank, dim);
}

void shape_concat(InferContext *c)
{
    DType t = infer_dtype(c, 0);
    int32_t rank = infer_rank(c, 0);
    for (uint32_t k = 1; k < c->node->ninput; k++) {
        if (t == DT_UNKNOWN)
            t = infer_dtype(c, k);
        if (infer_rank(c, k) == RANK_UNKNOWN)
            rank = RANK_UNKNOWN;
    }
    infer_set_dtype(c, 0, t);
    if (rank > 0)
        infer_join(c, 0, 1, node_attr_int(c->node, "axis", 1));
}

/* Size of part k when sizes are not given: equal parts, the last one smaller since opset 18. */
static Dim equal_part(InferContext *c, Dim whole, uint32_t k)
{
    int64_t parts = node_attr_int(c->node, "num_outputs", (int64_t)c->node->noutput);
    if (!dim_known(whole) || parts < 1 || k >= parts)
        return dim_of(DIM_UNKNOWN);
    int64_t each = whole.value / parts + (whole.value % parts != 0);
    int64_t left = whole.value - each * (int64_t)k;
    if (whole.value % parts != 0 && c->opset < 18) {
        infer_conflict(c, MESSAGE_ID(NO_EQUAL_PARTS), arg_count(whole.value), arg_count(parts));
        return dim_of(DIM_UNKNOWN);
    }
    return dim_of(left < 0 ? 0 : left < each ? left : each);
}

void shape_split(InferContext *c)
{
    int32_t rank = infer_rank(c, 0), axis;
    List sizes = infer_list(c, "split", 1);
    bool placed = rank > 0 && infer_axis(c, node_attr_int(c->node, "axis", 0), rank, &axis);
    for (uint32_t k = 0; k < c->node->noutput; k++) {
        infer_set_dtype(c, k, infer_dtype(c, 0));
        Dim *dim = placed ? infer_dims_of(c, 0, 0) : NULL;
        if (!dim)
            continue;
        Dim whole = dim[axis];
        dim[axis] = sizes.given ? list_dim(&sizes, k) : equal_part(c, whole, k);
        if (!dim_known(dim[axis]) && !dim[axis].most)
            dim[axis].most = dim_max(whole);
        infer_set_shape(c, k, rank, dim);
    }
}

/* ---- Slice ---- */

/* Elements of [start : end : step] on an axis of that size.  As numpy counts them, but a start
 * before the axis is its first element when stepping backwards, too. */
static int64_t slice_size(int64_t size, int64_t start, int64_t end, int64_t step)
{
    if (size == 0)
        return 0;
    /* "To the end" even when stepping backwards, where the end is before the first element: the
     * specification asks for the smallest integer there, onnxruntime takes the largest as well. */
    if (step < 0 && (end == INT32_MAX || end == INT64_MAX))
        end = INT64_MIN;
    start = start < 0 ? start + size : start; /* size is at most INT64_MAX / 16 */
    end = end < 0 ? end + size : end;
    if (step > 0) {
        start = i64_clamp(start, 0, size);
        end = i64_clamp(end, 0, size);
        return end > start ? (end - start - 1) / step + 1 : 0;
    }
    start = i64_clamp(start, 0, size - 1);
    end = i64_clamp(end, -1, size - 1);
    if (step == INT64_MIN)
        return start > end;
    return start > end ? (start - end - 1) / -step + 1 : 0;
}

typedef struct {
    List start, end, axes, step;
} SliceLists;

static Dim slice_dim(const SliceLists *s, int64_t i, Dim in)
{
    int64_t start, end, step = 1;
    if (!list_int(&s->start, i, &start) || !list_int(&s->end, i, &end) ||
        (s->step.given && !list_int(&s->step, i, &step)) || step == 0)
        return dim_with_max(dim_max(in));
    if (!dim_known(in) && start == 0 && step == 1 && end >= INT32_MAX) /* all of it */
        return in;
    if (!dim_known(in))
        return dim_with_max(in.most);
    return in.value <= INT64_MAX / 16 ? dim_of(slice_size(in.value, start, end, step))
                                      : dim_of(DIM_UNKNOWN);
}

void shape_slice(InferContext *c)
{
    SliceLists s = {infer_list(c, "starts", 1), infer_list(c, "ends", 2), infer_list(c, "axes", 3),
                    infer_list(c, "steps", 4)};
    int32_t rank = infer_rank(c, 0);
    Dim *dim = infer_dims_of(c, 0, 0);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    if (!dim)
        return;
    bool axes_known = s.axes.given ? list_is_complete(&s.axes) : s.start.known;
    if (!axes_known) { /* any axis may be cut */
        infer_set_shape(c, 0, rank, infer_dims(c, rank));
        return;
    }
    int64_t n = s.axes.given ? s.axes.n : s.start.n;
    for (int64_t i = 0; i < n; i++) {
        int64_t v = i;
        int32_t axis;
        if (s.axes.given)
            list_int(&s.axes, i, &v);
        if (!infer_axis(c, v, rank, &axis))
            return;
        dim[axis] = slice_dim(&s, i, dim[axis]);
    }
    infer_set_shape(c, 0, rank, dim);
}

/* ---- Transpose, Expand, Tile, Pad ---- */

void shape_transpose(InferContext *c)
{
    int32_t rank = infer_rank(c, 0);
    List perm = infer_list(c, "perm", -1);
    Dim *dim = infer_dims_of(c, 0, 0);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    if (!dim)
        return;
    if (perm.given && perm.n != rank) {
        infer_conflict(c, MESSAGE_ID(PERM_ENTRIES), arg_count(perm.n), arg_count(rank));
        return;
    }
    bool seen[INFER_MAX_RANK] = {false};
    for (int32_t i = 0; i < rank; i++) {
        int64_t from = rank - 1 - i;
        if (perm.given)
            list_int(&perm, i, &from);
        if (from < 0 || from >= rank || seen[from]) {
            infer_conflict(c, MESSAGE_ID(NO_PERMUTATION));
            return;
        }
        seen[from] = true;
        dim[i] = infer_dim(c, 0, (int32_t)from);
    }
    infer_set_shape(c, 0, rank, dim);
}

void shape_expand(InferContext *c)
{
    List to = infer_list(c, NULL, 1);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    Dim *dim = to.known ? infer_dims(c, to.n) : NULL;
    if (!dim)
        return;
    for (int32_t i = 0; i < (int32_t)to.n; i++)
        dim[i] = list_dim(&to, i);
    Shape wanted = {(int32_t)to.n, dim};
    Shape out = infer_broadcast(c, infer_shape(c, 0), &wanted);
    infer_set_shape(c, 0, out.rank, out.dim);
}

void shape_tile(InferContext *c)
{
    int32_t rank = infer_rank(c, 0);
    List repeats = infer_list(c, NULL, 1), axis = infer_list(c, NULL, 2);
    Dim *dim = infer_dims_of(c, 0, 0);
    int64_t at;
    int32_t only;
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    if (!dim)
        return;
    if (axis.given) { /* opset 1: one axis, a scalar each */
        if (!list_int(&axis, 0, &at) || !infer_axis(c, at, rank, &only))
            return;
        dim[only] = dim_mul(dim[only], list_dim(&repeats, 0));
    }
    for (int32_t i = 0; i < rank && !axis.given; i++)
        dim[i] = dim_mul(dim[i], list_dim(&repeats, i));
    infer_set_shape(c, 0, rank, dim);
}

/* Entry i of the axes, or axis i where none are given; false, with a note, out of range. */
static bool axis_at(InferContext *c, const List *axes, int64_t i, int32_t rank, int32_t *ret)
{
    int64_t v = i;
    if (axes->given)
        list_int(axes, i, &v);
    return infer_axis(c, v, rank, ret);
}

/* Begin and end pads of n axes: pads[i] and pads[i + n]. */
static Dim padded_dim(const List *pads, int64_t i, int64_t n, Dim in)
{
    int64_t begin, end, sum;
    if (!list_int(pads, i, &begin) || !list_int(pads, i + n, &end) ||
        __builtin_add_overflow(begin, end, &sum))
        return dim_of(DIM_UNKNOWN);
    if (sum == 0)
        return in;
    return dim_known(in) && !__builtin_add_overflow(in.value, sum, &sum) ? dim_of(sum)
                                                                         : dim_of(DIM_UNKNOWN);
}

void shape_pad(InferContext *c)
{
    int32_t rank = infer_rank(c, 0);
    List pads = infer_list(c, node_attr(c->node, "paddings") ? "paddings" : "pads", 1);
    List axes = infer_list(c, NULL, 3);
    Dim *dim = infer_dims_of(c, 0, 0);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    if (!dim)
        return;
    if (axes.given && !list_is_complete(&axes)) {
        infer_set_shape(c, 0, rank, infer_dims(c, rank));
        return;
    }
    int64_t n = axes.given ? axes.n : rank;
    for (int64_t i = 0; i < n; i++) {
        int32_t axis;
        if (!axis_at(c, &axes, i, rank, &axis))
            return;
        dim[axis] = padded_dim(&pads, i, n, dim[axis]);
    }
    infer_set_shape(c, 0, rank, dim);
}

/* ---- channels and space ---- */

/* [N, C, H, W] with C divided and H, W multiplied by the block, or the other way round. */
static void move_blocks(InferContext *c, bool to_depth)
{
    int64_t block = node_attr_int(c->node, "blocksize", 0);
    Dim *dim = infer_rank(c, 0) == 4 ? infer_dims_of(c, 0, 0) : NULL;
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    if (!dim || block < 1 || block > INT32_MAX)
        return;
    for (int i = 1; i < 4; i++) {
        int64_t by = i == 1 ? block * block : block;
        bool grows = (i == 1) == to_depth;
        if (!grows && dim_known(dim[i]) && dim[i].value % by != 0) {
            infer_conflict(c, MESSAGE_ID(NO_MULTIPLE), arg_count(dim[i].value), arg_count(by));
            return;
        }
        dim[i] = grows ? dim_mul(dim[i], dim_of(by)) : dim_div(dim[i], by);
    }
    infer_set_shape(c, 0, 4, dim);
}

void shape_depth_to_space(InferContext *c)
{
    move_blocks(c, false);
}

void shape_space_to_depth(InferContext *c)
{
    move_blocks(c, true);
}

/* The experimental Crop: border [left, top, right, bottom], or scale [height, width]. */
void shape_crop(InferContext *c)
{
    List border = infer_list(c, "border", -1), scale = infer_list(c, "scale", -1);
    Dim *dim = infer_rank(c, 0) == 4 ? infer_dims_of(c, 0, 0) : NULL;
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    if (!dim)
        return;
    for (int i = 2; i < 4; i++) {
        int64_t before, after;
        if (scale.given)
            dim[i] = list_size(&scale, i - 2);
        else if (list_int(&border, 3 - i, &before) && list_int(&border, 5 - i, &after) &&
                 dim_known(dim[i]) && before >= 0 && after >= 0 && before <= dim[i].value)
            dim[i] = dim_of(dim[i].value - before - after);
        else
            dim[i] = dim_of(DIM_UNKNOWN);
    }
    infer_set_shape(c, 0, 4, dim);
}

void shape_center_crop_pad(InferContext *c)
{
    int32_t rank = infer_rank(c, 0);
    List size = infer_list(c, NULL, 1), axes = infer_list(c, "axes", -1);
    Dim *dim = infer_dims_of(c, 0, 0);
    infer_set_dtype(c, 0, infer_dtype(c, 0));
    if (!dim)
        return;
    for (int64_t i = 0; i < (axes.given ? axes.n : rank); i++) {
        int32_t axis;
        if (!axis_at(c, &axes, i, rank, &axis))
            return;
        dim[axis] = list_size(&size, i);
    }
    infer_set_shape(c, 0, rank, dim);
}
