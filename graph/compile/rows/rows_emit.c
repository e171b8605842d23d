/* Emits the low-level operators that an op of a machine of rows becomes and their work. */
#include "graph/compile/compile_lower.h"
#include "graph/compile/compile_state.h"
#include "graph/compile/rows/rows_program.h"
#include "graph/compile/layout.h"
#include "graph/compile/program.h"
#include "graph/infer/ops.h"
#include "graph/model/model.h"

enum { PIECES_MAX = 64, WORDS_MAX = PIECES_MAX + 2 };

typedef struct {
    const RowEmit *at;
    Compile *c;
    IrId ir;
    const Ir *op;
    const char *word[WORDS_MAX];
    size_t nword;
    LowOpId before; /* the row before of the same op; LOWOP_NONE */
    RowForm of;
    LowOp shape; /* geometry and window of the op as it stands */
} Row;

static bool is_product(const char *kind)
{
    return strcmp(kind, "Conv2d") == 0;
}

/* ---- what it works on ---- */

enum { RAW_CHANNELS = 4 }; /* graph inputs of so many channels lie as they come */

static int64_t value_bytes(const Compile *c, ValueId v)
{
    const CompileValue *value = &c->value[v];
    const Geometry *g = &value->g;
    bool raw = value->input != INDEX_NOT && g->c <= RAW_CHANNELS;
    int64_t channels = raw ? g->c : i64_round_up(g->c, c->machine->channel_block);
    return layout_size_mul(layout_size_mul(g->n, channels), layout_size_mul(g->h, g->w));
}

static void set_geometry(Row *r)
{
    const Compile *c = r->c;
    const Ir *op = r->op;
    LowOp *s = &r->shape;
    const Geometry *in = &c->value[op->in[0]].g;
    s->n = in->n, s->c_in = in->c, s->h_in = in->h, s->w_in = in->w;
    if (op->nout && op->out[0] != VALUE_NONE) {
        const Geometry *out = &c->value[op->out[0]].g;
        s->n = out->n, s->c_out = out->c, s->h_out = out->h, s->w_out = out->w;
    }
    for (uint32_t k = 0; k < op->nin; k++) {
        s->elements_in = layout_size_add(s->elements_in, layout_elements(&c->value[op->in[k]].g));
        s->bytes_in = layout_size_add(s->bytes_in, value_bytes(c, op->in[k]));
    }
    for (uint32_t k = 0; k < op->nout; k++) {
        if (op->out[k] == VALUE_NONE)
            continue;
        s->elements_out =
            layout_size_add(s->elements_out, layout_elements(&c->value[op->out[k]].g));
        s->bytes_out = layout_size_add(s->bytes_out, value_bytes(c, op->out[k]));
    }
    s->ninput = (int)op->nin;
}

/* A product that moves blocks of pixels has a window as large as a block. */
static void set_block(LowOp *s, OpIndex op)
{
    s->kernel_h = s->kernel_w = s->stride_h = s->stride_w = s->dilation_h = s->dilation_w = 1;
    if (op == OP_DepthToSpace && s->h_in > 0)
        s->kernel_h = s->kernel_w = (int)(s->h_out / s->h_in);
    if (op == OP_SpaceToDepth && s->h_out > 0)
        s->kernel_h = s->kernel_w = (int)(s->h_in / s->h_out);
}

static void set_window(Row *r)
{
    SpatialWindow w = lower_read_window(r->c, r->op);
    LowOp *s = &r->shape;
    s->kernel_h = (int)w.k[0], s->kernel_w = (int)w.k[1];
    s->stride_h = (int)w.stride[0], s->stride_w = (int)w.stride[1];
    s->dilation_h = (int)w.dilation[0], s->dilation_w = (int)w.dilation[1];
    if (!op_is((OpId)r->op->op, OP_Conv, OP_ConvTranspose, OP_AveragePool, OP_MaxPool))
        set_block(s, r->op->op);
    s->group = lower_bounded(node_attr_int(ir_node(r->c, r->op), "group", 1), 1);
    int64_t macs = node_macs(r->c->graph, ir_node(r->c, r->op));
    s->macs = macs > 0 ? layout_size_mul(macs, r->c->options->batch) : 0;
}

static int64_t last_dim(const Compile *c, ValueId v)
{
    const Shape *s = &c->graph->tensor[c->value[v].tensor].shape;
    return s->rank ? s->dim[s->rank - 1].value : 1;
}

/* A product of matrices: the last axes are channels, all others pixels. */
static void set_matrix(Row *r)
{
    LowOp *s = &r->shape;
    if ((r->op->op != OP_Gemm && r->op->op != OP_MatMul) || r->op->out[0] == VALUE_NONE)
        return;
    s->c_in = lower_bounded(last_dim(r->c, r->op->in[0]), 1);
    if (r->c->value[r->op->out[0]].last_axis)
        s->c_out = lower_bounded(last_dim(r->c, r->op->out[0]), 1);
    s->n = s->h_out = 1;
    s->w_out = s->elements_out / s->c_out;
    s->kernel_h = s->kernel_w = 1;
}

/* A mean or sum over one axis is a product whose channels are that axis, all others pixels. */
static void set_sums(Row *r)
{
    LowOp *s = &r->shape;
    int64_t axis[8];
    const Shape *in = &r->c->graph->tensor[r->c->value[r->op->in[0]].tensor].shape;
    if (!op_is((OpId)r->op->op, OP_ReduceMean, OP_ReduceSum) || r->of != ROW_PLAIN ||
        compile_reduce_axes(r->c->graph, ir_node(r->c, r->op), axis) != 1)
        return;
    axis[0] += axis[0] < 0 ? in->rank : 0;
    s->c_in = axis[0] < in->rank ? lower_bounded(in->dim[axis[0]].value, 1) : 1;
    s->n = s->h_out = s->c_out = 1;
    s->w_out = s->elements_in / s->c_in;
}

/* ---- rows ---- */

/* Weights with both channels rounded up, and what each output channel has beside them. */
static int64_t weight_bytes(const LowOp *op, int64_t block)
{
    int64_t each = op->kind == LOWOP_DEPTHWISE ? 1 : op->c_in > block ? op->c_in : block;
    int64_t taps = layout_size_mul(op->kernel_h, op->kernel_w);
    return layout_size_mul(op->c_out, layout_size_add(layout_size_mul(each, taps), 8));
}

static void add_deps(const Row *r, LowOp *op)
{
    LowOpId *dep = ARENA_ARRAY(r->c->arena, LowOpId, r->op->nin + 1);
    for (uint32_t k = 0; k < r->op->nin; k++) {
        LowOpId id = r->before != LOWOP_NONE ? r->before : r->at->maker[r->op->in[k]];
        if (id != LOWOP_NONE)
            lower_add_dep(dep, &op->ndep, id);
    }
    op->dep = dep;
}

/* One row: `op` has geometry and window; the word says what it is. */
static void add_row(Row *r, const char *word, LowOp op)
{
    CompileEmit *e = r->at->e;
    RowWord w = machine_word(r->c->machine, word);
    op.id = (LowOpId)e->p->nop;
    op.step = r->at->step;
    op.tiles = 1;
    op.row = w.name;
    op.joint = w.joint;
    op.kind = program_lowop_from_word(w.kind);
    op.vector_passes = w.table;
    op.node = e->nodes_of_ir[r->ir];
    op.nnode = e->nnodes_of_ir[r->ir];
    if (op.kind == LOWOP_CONV2D && op.group > 1 && op.group == op.c_in && op.c_in == op.c_out)
        op.kind = LOWOP_DEPTHWISE;
    if (is_product(w.kind))
        op.weight_bytes = weight_bytes(&op, r->c->machine->channel_block);
    else
        op.macs = 0;
    add_deps(r, &op);
    *VEC_PUSH(r->c->arena, e->p->op, e->p->nop, e->op_cap) = op;
    r->before = op.id;
}

static void emit_plain(Row *r)
{
    for (size_t i = 0; i < r->nword; i++)
        add_row(r, r->word[i], r->shape);
}

static void emit_dense(Row *r)
{
    r->shape.group = 1;
    emit_plain(r);
}

/* The longest step that divides the stride and that the machine takes; an odd one is not divided.
 */
static int first_stride(int stride, int most)
{
    int s = stride < most ? stride : most;
    while (s > 1 && stride % s)
        s--;
    return stride % 2 ? stride : s;
}

static int64_t strided(int64_t size, int kernel, int stride)
{
    return size < kernel ? 1 : (size - kernel) / stride + 1;
}

/* The product with a shorter stride; returns the one that selects from its result. */
static LowOp shorten_stride(const Row *r, LowOp *first)
{
    LowOp then = *first;
    int high = first_stride(first->stride_h, r->c->machine->window_max);
    int wide = first_stride(first->stride_w, r->c->machine->window_max);
    if (high != first->stride_h)
        first->h_out = strided(first->h_in, first->kernel_h, first->stride_h = high);
    if (wide != first->stride_w)
        first->w_out = strided(first->w_in, first->kernel_w, first->stride_w = wide);
    then.c_in = then.group = then.c_out;
    then.h_in = first->h_out, then.w_in = first->w_out;
    then.kernel_h = then.kernel_w = 1;
    return then;
}

static void emit_strides(Row *r)
{
    LowOp first = r->shape;
    if (r->op->op != OP_Conv)
        first.group = first.c_in;
    LowOp then = shorten_stride(r, &first);
    add_row(r, r->word[0], first);
    if (first.stride_h != r->shape.stride_h || first.stride_w != r->shape.stride_w)
        add_row(r, r->word[r->nword - 1], then);
}

static void emit_windows(Row *r)
{
    int most = r->c->machine->window_max;
    LowOp op = r->shape;
    op.group = op.c_in;
    for (int i = 0; i < PIECES_MAX && (i == 0 || op.h_in > 1 || op.w_in > 1); i++) {
        op.kernel_h = op.stride_h = (int)(op.h_in < most ? op.h_in : most);
        op.kernel_w = op.stride_w = (int)(op.w_in < most ? op.w_in : most);
        op.h_out = (op.h_in + op.kernel_h - 1) / op.kernel_h;
        op.w_out = (op.w_in + op.kernel_w - 1) / op.kernel_w;
        int64_t plane = layout_size_mul(op.n, i64_round_up(op.c_in, r->c->machine->channel_block));
        op.bytes_in = layout_size_mul(plane, layout_size_mul(op.h_in, op.w_in));
        op.bytes_out = layout_size_mul(plane, layout_size_mul(op.h_out, op.w_out));
        add_row(r, r->word[0], op);
        op.h_in = op.h_out, op.w_in = op.w_out;
    }
}

static void emit_groups(Row *r)
{
    LowOp piece = r->shape;
    int64_t n = piece.group;
    piece.c_in /= n, piece.c_out /= n, piece.macs /= n, piece.bytes_in /= n, piece.bytes_out /= n;
    piece.group = 1;
    add_row(r, r->word[0], r->shape);
    for (int64_t i = 0; i < n && i < PIECES_MAX; i++)
        add_row(r, r->word[1], piece);
    add_row(r, r->word[r->nword - 1], r->shape);
}

/* Input channels of a piece, in whole blocks, so that its window fits. */
static int64_t piece_channels(const Row *r)
{
    const Machine *m = r->c->machine;
    int64_t taps = compile_window_taps(r->c, r->op) / lower_bounded(r->shape.c_in, 1);
    int64_t n = m->window_taps / lower_bounded(taps, 1);
    int64_t block = n >= m->mac_width ? m->mac_width : m->channel_block;
    return n > block ? n / block * block : block;
}

/* Pieces are added up in the products, or by a row for each; a fourth word selects at the end. */
static void emit_tiles(Row *r)
{
    LowOp whole = r->shape, then = r->nword > 3 ? shorten_stride(r, &whole) : whole, piece = whole;
    int64_t each = piece_channels(r);
    bool fused = is_product(machine_word(r->c->machine, r->word[2]).kind);
    const char *between = r->nword > 3 ? r->word[2] : strrchr(r->op->row->rows, ' ') + 1;
    add_row(r, r->word[0], r->shape);
    for (int64_t at = 0, i = 0; at < whole.c_in && i < PIECES_MAX; at += each, i++) {
        double share = (double)(piece.c_in = at + each < whole.c_in ? each : whole.c_in - at) /
                       (double)whole.c_in;
        piece.macs = (int64_t)((double)whole.macs * share);
        piece.bytes_in = (int64_t)((double)whole.bytes_in * share);
        bool last = at + each >= whole.c_in;
        add_row(r, !fused || i == 0 ? r->word[1] : last ? r->word[2] : between, piece);
    }
    for (int64_t at = each, i = 1; !fused && at < whole.c_in && i < PIECES_MAX; at += each, i++)
        add_row(r, r->word[2], whole);
    if (r->nword > 3)
        add_row(r, r->word[3], then);
}

void rows_emit_words(const RowEmit *at, IrId ir, const char *words, RowForm of)
{
    static void (*const form[])(Row * r) = {
        [ROW_PLAIN] = emit_plain, [ROW_STRIDES] = emit_strides, [ROW_WINDOWS] = emit_windows,
        [ROW_DENSE] = emit_dense, [ROW_GROUPS] = emit_groups,   [ROW_TILES] = emit_tiles};
    static_assert(sizeof form / sizeof *form == ROW_FORM_COUNT, "a function for each form");
    Compile *c = at->e->c;
    const Ir *op = &c->ir[ir];
    Row r = {.at = at, .c = c, .ir = ir, .op = op, .before = at->before, .of = of};
    char *text = arena_strdup(c->arena, words), *save = NULL;
    for (char *w = strtok_r(text, " ", &save); w && r.nword < WORDS_MAX;
         w = strtok_r(NULL, " ", &save))
        r.word[r.nword++] = w;
    set_geometry(&r);
    set_window(&r);
    set_matrix(&r);
    set_sums(&r);
    bool pieces = of == ROW_GROUPS || of == ROW_TILES;
    if (r.nword)
        form[pieces && r.nword < 3 ? ROW_PLAIN : of](&r);
    for (uint32_t k = 0; k < op->nout; k++)
        if (op->out[k] != VALUE_NONE)
            at->maker[op->out[k]] = r.before != LOWOP_NONE ? r.before
                                    : op->nin              ? at->maker[op->in[0]]
                                                           : LOWOP_NONE;
}
