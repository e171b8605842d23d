/* Recognises SpaceToDepth, DepthToSpace and normalizations in several operators. */
#include "graph/compile/compile_state.h"

enum { QUARTERS = 4, SLICES_MAX = 8, CHAIN_MAX = 2, SDK_OF_SHUFFLES = 8 };

/* What one chain of Slices takes: every second element of H and W from a start of 0 or 1. */
typedef struct {
    int start[2]; /* of H, W; -1 while not sliced */
} Quarter;

static bool slice_number(const Compile *c, const Node *n, uint32_t input, int64_t i, int64_t *ret)
{
    const Tensor *t = node_input(c->graph, n, input);
    return t && t->value && const_int(t->value, i, ret);
}

/* One axis of one Slice: step 2 from 0 or 1 to the end. */
static bool slice_axis(const Compile *c, const Node *n, int64_t i, const Shape *s, Quarter *q)
{
    int64_t start, end, axis, step;
    if (!slice_number(c, n, 1, i, &start) || !slice_number(c, n, 2, i, &end) ||
        !slice_number(c, n, 3, i, &axis) || !slice_number(c, n, 4, i, &step))
        return false;
    axis += axis < 0 ? s->rank : 0;
    if (step != 2 || start < 0 || start > 1 || axis < 2 || axis > 3 ||
        end < s->dim[axis].value - 1 || q->start[axis - 2] != -1)
        return false;
    q->start[axis - 2] = (int)start;
    return true;
}

static bool slice_reads_quarter(const Compile *c, const Ir *op, Quarter *q)
{
    const Node *n = ir_node(c, op);
    const Tensor *axes = node_input(c->graph, n, 3), *in = node_input(c->graph, n, 0);
    if (op->op != OP_Slice || op->nin != 1 || !axes || !in || in->shape.rank != 4)
        return false;
    int64_t naxis = shape_elements(&axes->shape);
    return naxis >= 1 && naxis <= 2 && LIST_ALL(i, naxis, slice_axis(c, n, i, &in->shape, q));
}

typedef struct {
    IrId slice[SLICES_MAX];
    size_t nslice;
    ValueId root;
    bool seen[QUARTERS];
} Focus;

static void slice_remember(Focus *f, IrId id)
{
    for (size_t i = 0; i < f->nslice; i++)
        if (f->slice[i] == id)
            return; /* one Slice of H may serve two of W */
    f->slice[f->nslice++] = id;
}

/* Follows one input of the Concat up through its Slices. */
static bool quarter_find(const Compile *c, ValueId v, Focus *f)
{
    Quarter q = {{-1, -1}};
    for (int k = 0; k < CHAIN_MAX && (q.start[0] < 0 || q.start[1] < 0); k++) {
        IrId p = c->value[v].producer;
        if (p == IR_NONE || c->value[v].is_output || !slice_reads_quarter(c, &c->ir[p], &q))
            return false;
        slice_remember(f, p);
        v = c->ir[p].in[0];
    }
    if (q.start[0] < 0 || q.start[1] < 0 || (f->root != VALUE_NONE && f->root != v))
        return false;
    f->root = v;
    bool *seen = &f->seen[2 * q.start[0] + q.start[1]];
    bool first = !*seen;
    *seen = true;
    return first;
}

/* Nothing but the pattern reads what the Slices make. */
static bool slices_are_private(const Compile *c, const Focus *f, IrId concat)
{
    for (size_t i = 0; i < f->nslice; i++) {
        const CompileValue *v = &c->value[c->ir[f->slice[i]].out[0]];
        if (LIST_ANY(u, v->nuser,
                     v->user[u] != concat && !LIST_ANY(k, f->nslice, v->user[u] == f->slice[k])))
            return false;
    }
    return true;
}

static void focus_at(Compile *c, IrId id)
{
    Ir *op = &c->ir[id];
    if (op->op != OP_Concat || op->nin != QUARTERS || node_attr_int(ir_node(c, op), "axis", 0) != 1)
        return;
    Focus f = {.root = VALUE_NONE};
    for (uint32_t k = 0; k < QUARTERS; k++)
        if (!quarter_find(c, op->in[k], &f))
            return;
    bool later = c->machine->kind == MACHINE_ROWS && c->value[f.root].input == INDEX_NOT;
    if (later || !slices_are_private(c, &f, id))
        return;
    for (size_t i = 0; i < f.nslice; i++)
        compile_merge_ir(c, f.slice[i], id);
    op->op = OP_SpaceToDepth;
    op->nin = 1;
    op->in[0] = f.root;
}

void compile_focus(Compile *c)
{
    for (size_t i = 0; i < c->nir; i++)
        focus_at(c, (IrId)i);
    compile_index(c);
}

/* ---- normalizations that the vendor's quantizer fuses ---- */

/* The op that makes the value, if it is of that kind and of `nin` activations; IR_NONE. */
static IrId maker_of(const Compile *c, ValueId v, OpIndex op, uint32_t nin)
{
    IrId id = c->value[v].producer;
    return id != IR_NONE && !c->ir[id].merged && c->ir[id].op == op && c->ir[id].nin == nin
               ? id
               : IR_NONE;
}

/* maker_of() for the value that op `id` reads, if nothing else reads it. */
static IrId maker_before(const Compile *c, IrId id, OpIndex op, uint32_t nin)
{
    if (id == IR_NONE)
        return IR_NONE;
    const CompileValue *v = &c->value[c->ir[id].in[0]];
    return v->nuser == 1 && !v->is_output ? maker_of(c, c->ir[id].in[0], op, nin) : IR_NONE;
}

/* The last axis; on a machine of rows the channels do as well. */
static bool reduces_one_axis(const Compile *c, IrId id)
{
    bool channels = c->machine->kind == MACHINE_ROWS;
    int64_t axis[8];
    const Ir *op = &c->ir[id];
    int rank = c->graph->tensor[c->value[op->in[0]].tensor].shape.rank;
    return compile_reduce_axes(c->graph, ir_node(c, op), axis) == 1 &&
           (axis[0] == -1 || axis[0] == rank - 1 || (channels && axis[0] == 1)) &&
           node_attr_int(ir_node(c, op), "keepdims", 1) == 1;
}

static void fuse_parts(Compile *c, const IrId *part, size_t n, IrId into, ValueId x, OpIndex op)
{
    for (size_t i = 0; i < n; i++)
        compile_merge_ir(c, part[i], into);
    c->ir[into].op = op;
    c->ir[into].nin = 1;
    c->ir[into].in[0] = x;
}

/* (x - mean) / sqrt(mean((x - mean)^2) + eps), means over the last axis. */
static bool fuse_layer_norm(Compile *c, IrId div)
{
    ValueId apart = c->ir[div].in[0];
    IrId sqrt_op = maker_of(c, c->ir[div].in[1], OP_Sqrt, 1);
    IrId add = maker_before(c, sqrt_op, OP_Add, 1);
    IrId variance = maker_before(c, add, OP_ReduceMean, 1);
    IrId square = maker_before(c, variance, OP_Pow, 1);
    IrId sub = maker_of(c, apart, OP_Sub, 2);
    if (square == IR_NONE || sub == IR_NONE || c->ir[square].in[0] != apart ||
        c->value[apart].nuser != 2 || c->value[apart].is_output ||
        c->value[c->ir[div].in[1]].nuser != 1)
        return false;
    ValueId x = c->ir[sub].in[0];
    IrId mean = maker_of(c, c->ir[sub].in[1], OP_ReduceMean, 1);
    if (mean == IR_NONE || c->ir[mean].in[0] != x || c->value[c->ir[sub].in[1]].nuser != 1 ||
        !reduces_one_axis(c, mean) || !reduces_one_axis(c, variance))
        return false;
    const IrId part[] = {mean, sub, square, variance, add, sqrt_op};
    fuse_parts(c, part, sizeof part / sizeof *part, div, x, OP_LayerNormalization);
    return true;
}

/* x / expand(max(|x|, eps)), the norm over one axis. */
static void fuse_l2_norm(Compile *c, IrId div)
{
    IrId expand = maker_of(c, c->ir[div].in[1], OP_Expand, 1);
    IrId clip = maker_before(c, expand, OP_Clip, 1);
    IrId norm = maker_before(c, clip, OP_ReduceL2, 1);
    if (norm == IR_NONE || c->ir[norm].in[0] != c->ir[div].in[0] ||
        c->value[c->ir[div].in[1]].nuser != 1)
        return;
    const IrId part[] = {norm, clip, expand};
    fuse_parts(c, part, sizeof part / sizeof *part, div, c->ir[div].in[0], OP_LpNormalization);
}

/* DepthToSpace in either order of channels, as a Transpose of six axes between Reshapes; `other` is
 * the axis of a block's rows. */
static void fuse_shuffle(Compile *c, IrId last)
{
    static const struct {
        int64_t perm[6];
        int other;
    } way[] = {{{0, 1, 4, 2, 5, 3}, 3}, {{0, 3, 4, 1, 5, 2}, 1}};
    IrId turn = maker_before(c, last, OP_Transpose, 1);
    IrId first = maker_before(c, turn, OP_Reshape, 1);
    const int64_t *perm;
    if (first == IR_NONE || node_attr_ints(ir_node(c, &c->ir[turn]), "perm", &perm) != 6)
        return;
    const Tensor *t = c->graph->tensor;
    const Shape *from = &t[c->value[c->ir[first].in[0]].tensor].shape,
                *to = &t[c->value[c->ir[last].out[0]].tensor].shape;
    const Shape *blocks = &t[c->value[c->ir[turn].in[0]].tensor].shape;
    if (from->rank != 4 || to->rank != 4 || blocks->rank != 6 || !shape_is_known(from) ||
        !shape_is_known(to) || !shape_is_known(blocks))
        return;
    const Dim *d = blocks->dim, *in = from->dim, *out = to->dim;
    int64_t block = d[2].value;
    for (size_t i = 0; i < 2 && block > 0; i++)
        if (!memcmp(perm, way[i].perm, sizeof way[i].perm) && d[0].value == in[0].value &&
            d[way[i].other].value == block && d[4].value == in[2].value &&
            d[5].value == in[3].value && out[0].value == in[0].value && out[2].value % block == 0 &&
            out[2].value / block == in[2].value && out[3].value % block == 0 &&
            out[3].value / block == in[3].value)
            fuse_parts(c, (const IrId[]){first, turn}, 2, last, c->ir[first].in[0],
                       OP_DepthToSpace);
}

/* The quantizer of SDK 0.8 fuses LpNormalization and shuffles (furiosa-sdk branch-0.8.0,
 * frontend/onnx/transformer/); that of later SDKs the normalizations alone. */
void compile_patterns(Compile *c)
{
    bool rows = c->machine->kind == MACHINE_ROWS, layers = c->quantizer || rows;
    bool shuffles = !c->quantizer && !rows && c->options->sdk == SDK_OF_SHUFFLES;
    if (!layers && !shuffles)
        return;
    for (size_t i = 0; i < c->nir; i++) {
        const Ir *op = &c->ir[i];
        if (op->merged)
            continue;
        if (op->op == OP_Div && op->nin == 2 && !(layers && fuse_layer_norm(c, (IrId)i)))
            fuse_l2_norm(c, (IrId)i);
        else if (op->op == OP_Reshape && op->nin == 1 && shuffles)
            fuse_shuffle(c, (IrId)i);
    }
}
