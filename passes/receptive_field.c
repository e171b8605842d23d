/* Propagates the step and reach of each tensor from the input to the outputs. */
#include "passes/receptive_field.h"
#include "graph/infer/ops.h"

/* Along one axis of a tensor, in input pixels: the distance between adjacent pixels, and how far a
 * pixel depends on either side of its position. */
typedef struct {
    double step, reach;
} View;

typedef struct {
    bool seen; /* depends on the input; everything else is the same in all parts */
    View axis[2];
} Sight;

typedef struct {
    const Graph *g;
    Sight *sight; /* per tensor */
    double coarsest[2];
} Walk;

static int64_t of_axis(const Node *n, const char *name, int axis, int64_t fallback)
{
    const int64_t *list = NULL;
    size_t count = node_attr_ints(n, name, &list);
    return count > (size_t)axis ? list[axis] : fallback;
}

/* No window is larger, nor is a border; keeps their sums defined. */
enum { WINDOW_MAX = 1024, PAD_MAX = 1 << 20 };

/* Kernel size along an axis; 0 if it is unknown. */
static int64_t kernel_extent(const Graph *g, const Node *n, int axis)
{
    const Tensor *w = node_input(g, n, n->op_id == OP_QLinearConv ? 3 : 1);
    bool has_weights = op_info(n->op_id)->op_class == CLASS_MAC && w && w->shape.rank == 4;
    int64_t written = has_weights ? w->shape.dim[2 + axis].value : 0;
    return of_axis(n, "kernel_shape", axis, written > 0 ? written : 0);
}

/* A window reaches from its padding on one side to the rest of it on the other. */
static bool slide_window(const Graph *g, const Node *n, View *v, int axis)
{
    int64_t kernel = kernel_extent(g, n, axis), stride = of_axis(n, "strides", axis, 1);
    int64_t dilation = of_axis(n, "dilations", axis, 1);
    if (kernel < 1 || kernel > WINDOW_MAX || dilation < 0 || dilation > WINDOW_MAX || stride < 1)
        return false;
    int64_t span = (kernel - 1) * dilation, before = of_axis(n, "pads", axis, span / 2);
    if (before < -PAD_MAX || before > PAD_MAX)
        return false;
    int64_t after = span - before;
    if (n->op_id == OP_ConvTranspose)
        v->step /= (double)stride;
    v->reach += v->step * (double)(n->op_id == OP_ConvTranspose ? span
                                   : before > after             ? before
                                                                : after);
    if (n->op_id != OP_ConvTranspose)
        v->step *= (double)stride;
    return true;
}

/* From the sizes before and after; interpolation looks at up to two neighbours. */
static bool resize_view(const Graph *g, const Node *n, View *v, int axis)
{
    const Tensor *in = node_input(g, n, 0), *out = node_output(g, n, 0);
    if (!in || !out || in->shape.rank != 4 || out->shape.rank != 4)
        return false;
    int64_t from = in->shape.dim[2 + axis].value, to = out->shape.dim[2 + axis].value;
    if (from < 1 || to < 1)
        return false;
    v->reach += 2 * v->step;
    v->step *= (double)from / (double)to;
    return true;
}

static bool rearrange_blocks(const Node *n, View *v)
{
    double block = (double)node_attr_int(n, "blocksize", 0);
    if (block < 1)
        return false;
    v->reach += v->step * (block - 1);
    v->step = n->op_id == OP_DepthToSpace ? v->step / block : v->step * block;
    return true;
}

static bool along_channels(const Graph *g, const Node *n, int64_t fallback)
{
    const Tensor *in = node_input(g, n, 0);
    int64_t axis = node_attr_int(n, "axis", fallback);
    return in && in->shape.rank == 4 && (axis == 1 || axis == -3);
}

static bool moves_layout_only(const Node *n)
{
    static const int64_t to_nchw[] = {0, 3, 1, 2}, to_nhwc[] = {0, 2, 3, 1};
    const int64_t *perm = NULL;
    return node_attr_ints(n, "perm", &perm) == 4 && (memcmp(perm, to_nchw, sizeof to_nchw) == 0 ||
                                                     memcmp(perm, to_nhwc, sizeof to_nhwc) == 0);
}

/* What the operator makes of the view along one axis; false when it is not local. */
static bool pass_through(const Graph *g, const Node *n, View *v, int axis)
{
    switch (n->op_id) {
    case OP_Conv:
    case OP_ConvTranspose:
    case OP_QLinearConv:
    case OP_ConvInteger:
        return slide_window(g, n, v, axis);
    case OP_Resize:
    case OP_Upsample:
        return resize_view(g, n, v, axis);
    case OP_DepthToSpace:
    case OP_SpaceToDepth:
        return rearrange_blocks(n, v);
    case OP_Concat:
        return along_channels(g, n, 1);
    case OP_Split:
    case OP_ArgMax:
    case OP_ArgMin:
        return along_channels(g, n, 0);
    case OP_Softmax:
    case OP_LogSoftmax:
        return along_channels(g, n, -1);
    case OP_Transpose:
        return moves_layout_only(n);
    case OP_Identity:
    case OP_Dropout:
        return true;
    default:
        break;
    }
    OpClass c = op_info(n->op_id)->op_class;
    if (c == CLASS_POOL && kernel_extent(g, n, axis) > 0)
        return slide_window(g, n, v, axis);
    return c == CLASS_ELEMENTWISE || c == CLASS_ACTIVATION || c == CLASS_CONVERT;
}

/* The widest view of the inputs; local operators never join feature maps of different sizes. */
static bool join_inputs(const Walk *w, const Node *n, Sight *ret)
{
    for (uint32_t i = 0; i < n->ninput; i++) {
        const Sight *in = n->input[i] == TENSOR_NONE ? NULL : &w->sight[n->input[i]];
        if (!in || !in->seen)
            continue;
        for (int k = 0; k < 2; k++) {
            if (ret->seen && fabs(ret->axis[k].step - in->axis[k].step) > 1e-9)
                return false;
            ret->axis[k].step = in->axis[k].step;
            ret->axis[k].reach = fmax(ret->axis[k].reach, in->axis[k].reach);
        }
        ret->seen = true;
    }
    return true;
}

static bool visit_node(Walk *w, const Node *n)
{
    Sight s = {0};
    if (!join_inputs(w, n, &s))
        return false;
    for (int k = 0; k < 2 && s.seen; k++) {
        if (!pass_through(w->g, n, &s.axis[k], k) || !isfinite(s.axis[k].reach))
            return false;
        w->coarsest[k] = fmax(w->coarsest[k], s.axis[k].step);
    }
    for (uint32_t i = 0; i < n->noutput; i++)
        if (n->output[i] != TENSOR_NONE)
            w->sight[n->output[i]] = s;
    return true;
}

#define PIXELS_MAX 1e6 /* no image is larger; keeps the conversion defined */

ReceptiveField receptive_field(Arena *a, const Graph *g, TensorId input)
{
    Walk w = {g, ARENA_ARRAY(a, Sight, g->ntensor + 1), {1, 1}};
    ReceptiveField f = {.local = true};
    assert(input < g->ntensor);
    w.sight[input] = (Sight){true, {{1, 0}, {1, 0}}};
    for (size_t i = 0; i < g->nnode; i++)
        if (!visit_node(&w, &g->node[i]))
            return (ReceptiveField){.why_not = g->node[i].op};
    for (int k = 0; k < 2; k++) {
        double halo = 0;
        for (size_t i = 0; i < g->noutput; i++)
            halo = fmax(halo, w.sight[g->output[i]].axis[k].reach);
        f.halo[k] = (int64_t)ceil(fmin(halo, PIXELS_MAX));
        f.granule[k] = (int64_t)ceil(fmin(w.coarsest[k], PIXELS_MAX));
        assert(f.halo[k] >= 0 && f.granule[k] >= 1);
    }
    return f;
}
