/* Joins the parallel Convs that re-parameterized networks are trained with. */
#include "graph/edit/rewriter.h"

enum { BRANCHES_MAX = 8 };

/* What a sum adds: a Conv of the source, or the source itself, and a BatchNormalization of it; each
 * may be absent. */
typedef struct {
    const Node *conv, *bn;
    Window2 window;
} Branch;

typedef struct {
    Branch branch[BRANCHES_MAX];
    size_t n, computing; /* branches, and those that are not the source as it is */
    TensorId source;     /* TENSOR_NONE: not known yet */
    const Branch *largest;
} Join;

static bool is_joinable(const Scene *s, const Node *n)
{
    const Const *w = n && editor_is_op(n, "Conv") ? node_constant(s->graph, n, 1) : NULL;
    bool biased = w && n->ninput > 2 && n->input[2] != TENSOR_NONE;
    return w && w->dtype == DT_FLOAT32 && !tensor_maker(s->graph, n->input[1]) &&
           s->graph->tensor[n->input[1]].shape.rank == 4 &&
           (!biased || node_constant(s->graph, n, 2));
}

static bool add_branch(const Scene *s, TensorId t, Join *j)
{
    Branch b = {
        .window = {.kernel = {1, 1}, .stride = {1, 1}, .dilation = {1, 1}, .explicit_pads = true}};
    const Node *n = tensor_maker(s->graph, t);
    if (n && rewrite_is_constant_bn(s, n) && LIST_ALL(i, 4u, node_constant(s->graph, n, i + 1)) &&
        rewrite_only_reader(s->graph, t)) {
        b.bn = n;
        t = n->input[0];
        n = tensor_maker(s->graph, t);
    }
    if (rewrite_only_reader(s->graph, t) && is_joinable(s, n)) {
        b.conv = n;
        t = n->input[0];
    }
    if (j->n == BRANCHES_MAX || (j->n && j->source != t) ||
        (b.conv && !window2_read(s->graph, b.conv, &b.window)))
        return false;
    j->source = t;
    j->computing += b.conv || b.bn;
    j->branch[j->n++] = b;
    return true;
}

/* Sums of sums, as far as nothing else reads them. */
static bool find_branches(const Scene *s, const Node *add, Join *j, int depth)
{
    for (uint32_t i = 0; i < 2; i++) {
        const Node *n = add->input[i] == TENSOR_NONE ? NULL : tensor_maker(s->graph, add->input[i]);
        bool sum = n && editor_is_op(n, "Add") && rewrite_only_reader(s->graph, add->input[i]);
        if (add->input[i] == TENSOR_NONE || (sum && depth >= BRANCHES_MAX) ||
            !(sum ? find_branches(s, n, j, depth + 1) : add_branch(s, add->input[i], j)))
            return false;
    }
    return true;
}

static int64_t conv_group(const Node *conv)
{
    return node_attr_int(conv, "group", 1);
}

/* The taps of the branch are taps of the largest kernel. */
static bool lies_within(const Branch *b, const Branch *all)
{
    const Window2 *w = &b->window, *k = &all->window;
    for (int i = 0; i < 2; i++) {
        int64_t at = k->pad[i] - w->pad[i];
        if (w->stride[i] != k->stride[i] || w->dilation[i] != 1 || at < 0 ||
            at + w->kernel[i] > k->kernel[i])
            return false;
    }
    return w->explicit_pads && (!b->conv || conv_group(b->conv) == conv_group(all->conv));
}

static bool find_join(const Scene *s, const Node *add, Join *j)
{
    *j = (Join){.source = TENSOR_NONE};
    if (add->ninput != 2 || !find_branches(s, add, j, 0))
        return false;
    for (size_t i = 0; i < j->n; i++) {
        const Branch *b = &j->branch[i];
        int64_t area = b->window.kernel[0] * b->window.kernel[1];
        if (b->conv &&
            (!j->largest || area > j->largest->window.kernel[0] * j->largest->window.kernel[1]))
            j->largest = b;
    }
    const Tensor *in = &s->graph->tensor[j->source], *out = &s->graph->tensor[add->output[0]];
    if (!j->largest || j->computing < 2 || in->shape.rank != 4 || in->shape.dim[1].value < 1)
        return false;
    for (size_t i = 0; i < j->n; i++) {
        const Branch *b = &j->branch[i];
        const TensorId made = b->bn ? b->bn->output[0] : b->conv ? b->conv->output[0] : j->source;
        if (!lies_within(b, j->largest) ||
            !rewrite_shapes_equal(&s->graph->tensor[made].shape, &out->shape))
            return false;
    }
    return out->dtype == DT_FLOAT32;
}

const char *rewrite_check_join_convs(const Scene *s, NodeId node)
{
    Join j;
    const Node *n = scene_node(s, node, "Add");
    if (!n || !find_join(s, n, &j))
        return "not a sum of Convs of one tensor";
    const Node *sum = rewrite_only_reader(s->graph, n->output[0]);
    if (sum && editor_is_op(sum, "Add") && find_join(s, sum, &j))
        return "it is part of a larger sum";
    return rewrite_is_rewirable(s->graph, n->output[0]) ? NULL : "a body reads its result";
}

/* Adds a branch to weights of `across` inputs, K taps, for each output channel, and to biases. */
static void add_weights(const Graph *g, const Branch *b, const Window2 *k, const Shape *shape,
                        float *weight, float *bias)
{
    int64_t across = shape->dim[1].value, taps = b->window.kernel[0] * b->window.kernel[1];
    const Const *w = b->conv ? node_constant(g, b->conv, 1) : NULL;
    const Const *shift = b->conv ? node_constant(g, b->conv, 2) : NULL;
    for (int64_t c = 0; c < shape->dim[0].value; c++) {
        double factor = 1, offset = 0, v = 0;
        if (b->bn)
            rewrite_bn_channel(g, b->bn, c, &factor, &offset);
        if (shift)
            const_float(shift, c, &v);
        bias[c] += (float)(v * factor + offset);
        for (int64_t i = 0; i < across * taps; i++) {
            int64_t row = i % taps / b->window.kernel[1] + k->pad[0] - b->window.pad[0];
            int64_t column = i % b->window.kernel[1] + k->pad[1] - b->window.pad[1];
            v = i == c % across; /* the source itself */
            if (w)
                const_float(w, c * across * taps + i, &v);
            weight[((c * across + i / taps) * k->kernel[0] + row) * k->kernel[1] + column] +=
                (float)(v * factor);
        }
    }
}

void rewrite_join_convs(Editor *e, const Scene *s, NodeId node)
{
    Join j;
    find_join(s, &s->graph->node[node], &j);
    const Node conv = *j.largest->conv;
    const Window2 *k = &j.largest->window;
    const Shape shape = s->graph->tensor[conv.input[1]].shape, list = {1, shape.dim};
    float *weight = ARENA_ARRAY(e->arena, float, (size_t)shape_elements(&shape));
    float *bias = ARENA_ARRAY(e->arena, float, (size_t)shape.dim[0].value);
    for (size_t i = 0; i < j.n; i++)
        add_weights(s->graph, &j.branch[i], k, &shape, weight, bias);
    NodeId joined;
    TensorId like = conv.input[1];
    TensorId out = rewrite_add_node(e, "Conv", conv.output[0], "_joined", j.source, &joined);
    e->graph->node[joined].attr = conv.attr;
    e->graph->node[joined].nattr = conv.nattr;
    rewrite_set_input(e, joined, 1, rewrite_add_floats(e, like, "_joined", &shape, weight));
    rewrite_set_input(e, joined, 2, rewrite_add_floats(e, like, "_bias", &list, bias));
    rewrite_replace_result(e, node, out);
}
