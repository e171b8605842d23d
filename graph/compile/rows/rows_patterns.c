/* Recognises what the compiler of a machine of rows takes as one operator: gates, normalizations,
 * attention, chunks and channel shuffles that are written as several. */
#include "graph/compile/compile_state.h"
#include "graph/compile/machine.h"
#include "graph/infer/ops.h"
#include "graph/model/model.h"

enum { CHAIN_MAX = 6 };

static bool is_there(const Compile *c, IrId id, OpIndex op, uint32_t nin)
{
    return id != IR_NONE && !c->ir[id].merged && c->ir[id].op == op && c->ir[id].nin == nin;
}

static IrId next_of(const Compile *c, IrId id)
{
    return c->ir[id].nout ? compile_only_user(c, c->ir[id].out[0]) : IR_NONE;
}

/* The op that makes the value for one reader alone. */
static IrId made_for_one(const Compile *c, ValueId v)
{
    IrId p = c->value[v].producer;
    return p != IR_NONE && !c->ir[p].merged && compile_only_user(c, v) != IR_NONE ? p : IR_NONE;
}

/* Arithmetic of one activation with constants. */
static bool is_scaling(const Compile *c, IrId id)
{
    return id != IR_NONE && !c->ir[id].merged && c->ir[id].nin == 1 &&
           op_is((OpId)c->ir[id].op, OP_Add, OP_Sub, OP_Mul, OP_Div);
}

static void become(Compile *c, IrId id, OpIndex op, ValueId in)
{
    c->ir[id].op = op;
    c->ir[id].in[0] = in;
    c->ir[id].nin = 1;
}

/* The last op takes the place of the one that follows it. */
static void absorb_next(Compile *c, IrId id, IrId next)
{
    compile_merge_ir(c, next, id);
    c->ir[id].out = c->ir[next].out;
    c->ir[id].nout = c->ir[next].nout;
    c->value[c->ir[id].out[0]].producer = id;
}

/* ---- x times a gate of x: GELU by Erf, HardSwish by Clip ---- */

typedef struct {
    IrId op[CHAIN_MAX];
    size_t n;
    OpIndex key; /* OP_UNKNOWN: none yet */
} Chain;

static ValueId walk_back(const Compile *c, ValueId v, Chain *chain)
{
    for (IrId p = made_for_one(c, v); p != IR_NONE && chain->n < CHAIN_MAX;
         p = made_for_one(c, v)) {
        const Ir *op = &c->ir[p];
        bool is_key = op->nin == 1 && (op->op == OP_Erf || op->op == OP_Clip);
        if (!is_scaling(c, p) && !is_key)
            break;
        chain->key = is_key ? op->op : chain->key;
        chain->op[chain->n++] = p;
        v = op->in[0];
    }
    return v;
}

static void fuse_product_gate(Compile *c, IrId mul)
{
    for (uint32_t k = 0; k < 2; k++) {
        Chain gate = {.key = OP_UNKNOWN}, own = {.key = OP_UNKNOWN};
        ValueId x = walk_back(c, c->ir[mul].in[k], &gate);
        ValueId y = walk_back(c, c->ir[mul].in[1 - k], &own);
        if (x != y || gate.key == OP_UNKNOWN || own.key != OP_UNKNOWN)
            continue;
        for (size_t i = 0; i < gate.n; i++)
            compile_merge_ir(c, gate.op[i], mul);
        for (size_t i = 0; i < own.n; i++)
            compile_merge_ir(c, own.op[i], mul);
        become(c, mul, gate.key == OP_Erf ? OP_Gelu : OP_HardSwish, x);
        if (is_scaling(c, next_of(c, mul)))
            absorb_next(c, mul, next_of(c, mul));
        return;
    }
}

/* ---- scale and shift of a normalization ---- */

static void absorb_scales(Compile *c, IrId norm)
{
    for (int i = 0; i < 2 && is_scaling(c, next_of(c, norm)); i++)
        absorb_next(c, norm, next_of(c, norm));
}

/* A Reshape writes the parts as batches, so that nothing turns them for a Softmax of each. */
static void absorb_turns(Compile *c, IrId soft)
{
    IrId turn = made_for_one(c, c->ir[soft].in[0]), back = next_of(c, soft);
    if (!is_there(c, turn, OP_Transpose, 1) || !is_there(c, back, OP_Transpose, 1) ||
        !is_there(c, next_of(c, back), OP_Conv, 1) ||
        !is_there(c, made_for_one(c, c->ir[turn].in[0]), OP_Reshape, 1))
        return;
    compile_merge_ir(c, turn, soft);
    c->ir[soft].in[0] = c->ir[turn].in[0];
    absorb_next(c, soft, back);
}

/* ---- attention: a product, a Softmax and a product ---- */

static ValueId absorb_moves(Compile *c, ValueId v, IrId into)
{
    IrId p = made_for_one(c, v);
    while (p != IR_NONE && p != into &&
           (is_there(c, p, OP_Transpose, 1) || is_there(c, p, OP_Squeeze, 1) ||
            (is_scaling(c, p) && c->ir[p].op == OP_Mul))) {
        compile_merge_ir(c, p, into);
        v = c->ir[p].in[0];
        p = made_for_one(c, v);
    }
    return v;
}

static void fuse_attention(Compile *c, IrId soft)
{
    IrId turn = next_of(c, soft);
    bool turned = is_there(c, turn, OP_Transpose, 1);
    IrId last = turned ? next_of(c, turn) : turn;
    IrId before = made_for_one(c, c->ir[soft].in[0]);
    bool scaled = is_scaling(c, before);
    IrId first = scaled ? made_for_one(c, c->ir[before].in[0]) : before;
    size_t nrow;
    if (!machine_rows(c->machine, PAGE_DECIDES, "Attention", &nrow) ||
        !is_there(c, first, OP_MatMul, 2) || !is_there(c, last, OP_MatMul, 2))
        return;
    Ir *op = &c->ir[last];
    ValueId weights = turned ? c->ir[turn].out[0] : c->ir[soft].out[0];
    ValueId *in = ARENA_ARRAY(c->scratch, ValueId, 3);
    bool rows_first = op->in[0] == weights;
    in[2] = op->in[rows_first];
    compile_merge_ir(c, first, last);
    compile_merge_ir(c, soft, last);
    if (scaled)
        compile_merge_ir(c, before, last);
    if (turned)
        compile_merge_ir(c, turn, last);
    in[0] = absorb_moves(c, c->ir[first].in[0], last);
    in[1] = absorb_moves(c, c->ir[first].in[1], last);
    in[2] = absorb_moves(c, in[2], last);
    op->in = in;
    op->nin = 3;
    op->op = OP_Attention;
    if (is_there(c, next_of(c, last), OP_Transpose, 1))
        absorb_next(c, last, next_of(c, last));
    c->value[c->ir[last].out[0]].last_axis = rows_first;
}

/* ---- Slices and elements of one value are one Split ---- */

static bool takes_part(const Compile *c, IrId id)
{
    const Node *n = ir_node(c, &c->ir[id]);
    const Tensor *index = node_input(c->graph, n, 1), *step = node_input(c->graph, n, 4);
    int64_t by = 1;
    bool whole = !step || !step->value || !const_int(step->value, 0, &by) || by == 1;
    return (is_there(c, id, OP_Slice, 1) && whole) ||
           (is_there(c, id, OP_Gather, 1) && index && index->shape.rank == 0);
}

static void fuse_slices(Compile *c, ValueId v)
{
    const CompileValue *value = &c->value[v];
    uint32_t n = 0;
    for (uint32_t i = 0; i < value->nuser; i++)
        n += takes_part(c, value->user[i]);
    if (n < 2)
        return;
    IrId into = IR_NONE;
    ValueId *out = ARENA_ARRAY(c->scratch, ValueId, n);
    n = 0;
    for (uint32_t i = 0; i < value->nuser; i++) {
        IrId slice = value->user[i];
        if (!takes_part(c, slice))
            continue;
        out[n++] = c->ir[slice].out[0];
        if (into == IR_NONE)
            into = slice;
        else
            compile_merge_ir(c, slice, into);
    }
    c->ir[into].op = OP_Split;
    c->ir[into].out = out;
    c->ir[into].nout = n;
    for (uint32_t i = 0; i < n; i++)
        c->value[out[i]].producer = into;
}

/* ---- channels in another order ---- */

static void fuse_channel_shuffle(Compile *c, IrId first)
{
    IrId turn = next_of(c, first);
    IrId last = is_there(c, turn, OP_Transpose, 1) ? next_of(c, turn) : IR_NONE;
    if (!is_there(c, last, OP_Reshape, 1) || !c->ir[last].nout)
        return;
    const Shape *from = value_shape(c, c->ir[first].in[0]),
                *to = value_shape(c, c->ir[last].out[0]);
    static const int64_t swap[] = {0, 2, 1, 3, 4};
    const int64_t *perm;
    if (from->rank != 4 || to->rank != 4 || !shape_is_known(from) || !shape_is_known(to) ||
        LIST_ANY(i, 4, from->dim[i].value != to->dim[i].value) ||
        node_attr_ints(ir_node(c, &c->ir[turn]), "perm", &perm) != 5 ||
        memcmp(perm, swap, sizeof swap) != 0)
        return;
    compile_merge_ir(c, first, last);
    compile_merge_ir(c, turn, last);
    become(c, last, OP_Gather, c->ir[first].in[0]);
}

void rows_patterns(Compile *c)
{
    for (size_t i = 0; i < c->nir; i++) {
        IrId id = (IrId)i;
        if (is_there(c, id, OP_Softmax, 1))
            absorb_turns(c, id);
        if (is_there(c, id, OP_Mul, 2))
            fuse_product_gate(c, id);
        else if (is_there(c, id, OP_LayerNormalization, 1))
            absorb_scales(c, id);
        else if (is_there(c, id, OP_InstanceNormalization, 1) &&
                 is_there(c, next_of(c, id), OP_Reshape, 1))
            absorb_scales(c, next_of(c, id));
        else if (is_there(c, id, OP_Softmax, 1))
            fuse_attention(c, id);
        else if (is_there(c, id, OP_Reshape, 1))
            fuse_channel_shuffle(c, id);
    }
    compile_index(c);
    for (size_t v = 0; v < c->nvalue; v++)
        fuse_slices(c, (ValueId)v);
    compile_index(c);
    rows_views(c);
}
