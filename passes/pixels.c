/* Follows operators from a boundary of the graph until one of them tells layout or range. */
#include "passes/pixels.h"
#include "graph/infer/ops.h"
#include "passes/ranges.h"

enum { WALK_LIMIT = 64 }; /* operators looked at on the way from a border */

/* What a walk from a border learns from one operator. */
typedef enum { WALK_ON, WALK_NCHW, WALK_NHWC, WALK_END } Walk;

static bool perm_is(const Node *n, const int64_t want[4])
{
    const int64_t *perm = NULL;
    return node_attr_ints(n, "perm", &perm) == 4 && memcmp(perm, want, 4 * sizeof *want) == 0;
}

/* `forward`: the walk enters at the input side.  Convolutions and pools are NCHW in ONNX. */
static Walk classify_node(const Node *n, bool forward)
{
    static const int64_t to_nchw[4] = {0, 3, 1, 2}, to_nhwc[4] = {0, 2, 3, 1};
    OpClass c = op_info(n->op_id)->op_class;
    if (n->op_id == OP_Transpose) {
        bool nhwc_outside = perm_is(n, forward ? to_nchw : to_nhwc);
        bool nchw_outside = perm_is(n, forward ? to_nhwc : to_nchw);
        return nhwc_outside ? WALK_NHWC : nchw_outside ? WALK_NCHW : WALK_END;
    }
    if (op_is(n->op_id, OP_Conv, OP_ConvTranspose, OP_QLinearConv, OP_ConvInteger, OP_DepthToSpace,
              OP_SpaceToDepth) ||
        (c == CLASS_POOL && n->op_id != OP_UNKNOWN))
        return WALK_NCHW;
    bool keeps_axes = c == CLASS_CONVERT || c == CLASS_ELEMENTWISE || c == CLASS_ACTIVATION ||
                      op_is(n->op_id, OP_Identity, OP_Pad, OP_Concat, OP_Resize, OP_Slice);
    return keeps_axes ? WALK_ON : WALK_END;
}

static Walk walk_forward(const Graph *g, TensorId t)
{
    for (int i = 0; i < WALK_LIMIT && t != TENSOR_NONE; i++) {
        const Tensor *x = &g->tensor[t];
        if (x->nconsumer == 0)
            break;
        const Node *n = &g->node[x->consumer[0]];
        Walk w = classify_node(n, true);
        if (w != WALK_ON)
            return w;
        t = n->noutput ? n->output[0] : TENSOR_NONE;
    }
    return WALK_END;
}

/* The input that carries the data: the first one that is computed. */
static TensorId data_input(const Graph *g, const Node *n)
{
    const TensorId *t = n->input;
    return LIST_VALUE(i, n->ninput,
                      t[i] != TENSOR_NONE && !g->tensor[t[i]].value &&
                          !g->tensor[t[i]].is_initializer,
                      t[i], TENSOR_NONE);
}

static Walk walk_backward(const Graph *g, TensorId t)
{
    for (int i = 0; i < WALK_LIMIT && t != TENSOR_NONE; i++) {
        NodeId id = g->tensor[t].producer;
        if (id == NODE_NONE)
            break;
        Walk w = classify_node(&g->node[id], false);
        if (w != WALK_ON)
            return w;
        t = data_input(g, &g->node[id]);
    }
    return WALK_END;
}

static bool few_channels(int64_t c)
{
    return c == 1 || c == 3 || c == 4;
}

/* The operators do not tell: an image has few channels and more of everything else. */
static const char *layout_by_size(const Shape *s)
{
    int64_t second = s->dim[1].value, last = s->dim[3].value;
    if (few_channels(second) && last >= PIXELS_IMAGE_MIN)
        return "nchw";
    return few_channels(last) && second >= PIXELS_IMAGE_MIN ? "nhwc" : "unknown";
}

static const char *image_layout(const Graph *g, TensorId t, Walk w)
{
    const Shape *s = &g->tensor[t].shape;
    if (s->rank == RANK_UNKNOWN)
        return "unknown";
    if (s->rank != 4)
        return "other";
    return w == WALK_NCHW ? "nchw" : w == WALK_NHWC ? "nhwc" : layout_by_size(s);
}

const char *pixels_input_layout(const Graph *g, TensorId input)
{
    return image_layout(g, input, walk_forward(g, input));
}

const char *pixels_output_layout(const Graph *g, TensorId output)
{
    return image_layout(g, output, walk_backward(g, output));
}

/* A range as the rules know them; 5 % for what rounding and calibration leave. */
static const char *name_range(double lo, double hi)
{
    if (lo >= -0.05 && hi <= 1.05 && hi > 0.5)
        return "0..1";
    return lo >= -12.75 && hi <= 267.75 && hi > 127.5 ? "0..255" : "other";
}

/* The range that an operator gives its output; NULL when it proves none. */
static const char *range_after(const Graph *g, const Node *n)
{
    double lo = 0, hi = 0;
    bool told = n->op_id == OP_DequantizeLinear ? range_of_codes(g, n, &lo, &hi)
                                                : range_proven(g, n, &lo, &hi) && isfinite(hi - lo);
    return told ? name_range(lo, hi) : NULL;
}

static bool keeps_values(const Node *n)
{
    OpClass c = op_info(n->op_id)->op_class;
    return c == CLASS_CONVERT || c == CLASS_VIEW ||
           op_is(n->op_id, OP_Transpose, OP_DepthToSpace, OP_SpaceToDepth);
}

static const char *range_from_metadata(const Model *m)
{
    static const struct {
        const char *value, *range;
    } known[] = {{"NominalRange_0_255", "0..255"},
                 {"Normalized_0_1", "0..1"},
                 {"Normalized_1_1", "other"},
                 {"NominalRange_16_235", "other"}};
    return LIST_VALUE(k, sizeof known / sizeof *known,
                      LIST_ANY(i, m->nmetadata,
                               strcmp(m->metadata[i].key, "Image.NominalPixelRange") == 0 &&
                                   strcmp(m->metadata[i].value, known[k].value) == 0),
                      known[k].range, "unknown");
}

/* An activation proves more than the scale after it, which is only as tight as its calibration;
 * hence the walk goes on past a Dequantize and comes back to it. */
const char *pixels_output_range(const Model *m, TensorId output)
{
    const Graph *g = m->graph;
    const char *by_scale = NULL;
    TensorId t = output;
    for (int i = 0; i < WALK_LIMIT && t != TENSOR_NONE; i++) {
        NodeId id = g->tensor[t].producer;
        if (id == NODE_NONE)
            break;
        const Node *n = &g->node[id];
        const char *range = range_after(g, n);
        if (range && n->op_id != OP_DequantizeLinear)
            return range;
        by_scale = by_scale ? by_scale : range;
        if (!keeps_values(n))
            break;
        t = data_input(g, n);
    }
    return by_scale ? by_scale : range_from_metadata(m);
}

Pixels pixels_of(const Shape *s, const char *layout_name)
{
    Pixels p = {DIM_UNKNOWN, DIM_UNKNOWN, DIM_UNKNOWN};
    if (s->rank != 4)
        return p;
    bool nhwc = strcmp(layout_name, "nhwc") == 0;
    if (!nhwc && strcmp(layout_name, "nchw") != 0)
        return p;
    p.c = s->dim[nhwc ? 3 : 1].value;
    p.h = s->dim[nhwc ? 1 : 2].value;
    p.w = s->dim[nhwc ? 2 : 3].value;
    return p;
}

const char *pixels_are_image(const Pixels *p, bool is_input)
{
    if (p->c == DIM_UNKNOWN || p->h == DIM_UNKNOWN || p->w == DIM_UNKNOWN)
        return "unknown";
    bool channels = p->c == 1 || p->c == 3 || (is_input && p->c == 4);
    return channels && p->h >= PIXELS_IMAGE_MIN && p->w >= PIXELS_IMAGE_MIN ? "yes" : "no";
}
