/* Emits what the host hands over to a machine of rows, and the operators of the NPU between
 * what the host computes. */
#include "graph/compile/rows/rows_program.h"
#include "graph/compile/compile_state.h"
#include "graph/infer/ops.h"
#include "graph/model/dtype.h"

/* The words up to the next of the host, or those of the host up to the next of the NPU. */
typedef struct {
    const char *words;
    bool host;
    bool last; /* of the operator */
    bool owns; /* its step has the operator's nodes: one of them has */
    RowForm form;
} Part;
enum { PARTS_MAX = 16 };

typedef struct {
    IrId ir;
    const char *words;
    PTensorId from; /* what a part of the same operator made of its first input; PTENSOR_NONE */
    bool owns;      /* the nodes of the operator */
    bool more;      /* another part of the operator goes on with its result */
    RowForm form;
} Pending;

typedef struct {
    CompileEmit e;
    PTensorId *lies; /* per value: where it is for who reads it now */
    LowOpId *maker;  /* per value: the operator of the open step that makes it; LOWOP_NONE */
    bool *open;      /* per op: it is one of the pending */
    Pending *pending;
    size_t npending, cap;
} Rows;

/* ---- parts ---- */

/* Adds the parts of the words to `n` others. */
static size_t split_parts(Arena *a, const char *words, RowForm form, Part part[PARTS_MAX], size_t n)
{
    size_t first = n;
    char *text = arena_strdup(a, words), *save = NULL;
    for (char *w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        bool host = strncmp(w, ROW_HOST_MARK, strlen(ROW_HOST_MARK)) == 0;
        const char *word = host ? w + strlen(ROW_HOST_MARK) : w;
        if (n > first && !host && !part[n - 1].host)
            part[n - 1].words = arena_printf(a, "%s %s", part[n - 1].words, word);
        else if (n < PARTS_MAX)
            part[n++] = (Part){.words = word, .host = host, .form = form};
    }
    return n;
}

/* The words for a value of the graph that is not as the machine's operators have it; "". */
static const char *edge_words(Compile *c, const Ir *op, const char *edge, ValueId v)
{
    Ir whole = {.node = op->node, .op = OP_Identity, .in = &v, .out = &v, .nin = 1, .nout = 1};
    const SupportRow *row = c->value[v].known ? support_row(c, &whole, edge) : NULL;
    return row ? row->rows : "";
}

static const char *words_before(Compile *c, IrId id)
{
    const Ir *op = &c->ir[id];
    bool begins = op->nin && op->on_npu && c->value[op->in[0]].producer == IR_NONE &&
                  c->value[op->in[0]].user[0] == id;
    return begins ? edge_words(c, op, "Input", op->in[0]) : "";
}

static const char *words_after(Compile *c, const Ir *op)
{
    bool ends = op->nout == 1 && op->out[0] != VALUE_NONE && c->value[op->out[0]].is_output;
    return ends ? edge_words(c, op, "Output", op->out[0]) : "";
}

static const char *words_of(const Compile *c, const Ir *op)
{
    if (op->row && (op->on_npu || strstr(op->row->rows, ROW_HOST_MARK)))
        return op->word && op->on_npu ? op->word : op->row->rows;
    const char *name = op->op == OP_UNKNOWN ? ir_node(c, op)->op : op_info((OpId)op->op)->name;
    return arena_printf(c->arena, "%s%s", ROW_HOST_MARK, name);
}

static size_t parts_of(Compile *c, IrId id, Part part[PARTS_MAX])
{
    const Ir *op = &c->ir[id];
    const char *words = words_of(c, op);
    bool moves = ir_class(op) == CLASS_VIEW && *words; /* to the shape that is wanted at once */
    RowForm form = op->row ? op->row->form : ROW_PLAIN;
    bool edges = !moves && !op->told;
    size_t n = edges ? split_parts(c->arena, words_before(c, id), ROW_PLAIN, part, 0) : 0;
    size_t own = n;
    n = split_parts(c->arena, words, form, part, n);
    size_t npu = own + LIST_INDEX(i, n - own, !part[own + i].host);
    if (n > own)
        part[npu < n ? npu : n - 1].owns = true;
    if (edges)
        n = split_parts(c->arena, words_after(c, op), ROW_PLAIN, part, n);
    if (n) {
        part[n - 1].last = true;
        part[0].owns |= own == n || !LIST_ANY(i, n, part[i].owns);
    }
    return n;
}

/* ---- steps ---- */

static const NodeId *nodes_of(const Rows *r, const IrId *op, size_t nop, uint32_t *ret_n)
{
    size_t n = LIST_SUM(size_t, i, nop, r->e.nnodes_of_ir[op[i]]), k = 0;
    NodeId *node = ARENA_ARRAY(r->e.c->arena, NodeId, n + 1);
    for (size_t i = 0; i < nop; i++)
        for (uint32_t j = 0; j < r->e.nnodes_of_ir[op[i]]; j++)
            node[k++] = r->e.nodes_of_ir[op[i]][j];
    *ret_n = (uint32_t)n;
    return node;
}

/* Every value that the pending operators read from before, once, and what they leave for later. */
typedef struct {
    PTensorId *in, *out;
    uint32_t nin, nout;
} StepIo;

static void add_once(PTensorId *list, uint32_t *n, PTensorId id)
{
    if (id != PTENSOR_NONE && !LIST_ANY(i, *n, list[i] == id))
        list[(*n)++] = id;
}

static bool is_read_later(const Rows *r, ValueId v)
{
    const CompileValue *value = &r->e.c->value[v];
    return value->is_output || LIST_ANY(u, value->nuser, !r->open[value->user[u]]);
}

/* The next of the pending is of the same operator. */
static bool goes_on(const Rows *r, size_t i)
{
    return i + 1 < r->npending && r->pending[i + 1].ir == r->pending[i].ir;
}

static StepIo pending_io(Rows *r)
{
    Compile *c = r->e.c;
    size_t nin = 1, nout = 1;
    for (size_t i = 0; i < r->npending; i++) {
        nin += c->ir[r->pending[i].ir].nin + 1;
        nout += c->ir[r->pending[i].ir].nout;
    }
    StepIo io = {ARENA_ARRAY(c->scratch, PTensorId, nin), ARENA_ARRAY(c->scratch, PTensorId, nout),
                 0, 0};
    for (size_t i = 0; i < r->npending; i++) {
        const Ir *op = &c->ir[r->pending[i].ir];
        add_once(io.in, &io.nin, r->pending[i].from);
        for (uint32_t k = r->pending[i].from != PTENSOR_NONE; k < op->nin; k++)
            add_once(io.in, &io.nin, r->lies[op->in[k]]);
    }
    for (size_t i = 0; i < r->npending; i++) {
        const Ir *op = &c->ir[r->pending[i].ir];
        for (uint32_t k = 0; k < op->nout && !goes_on(r, i); k++)
            if (op->out[k] != VALUE_NONE && (r->pending[i].more || is_read_later(r, op->out[k])))
                io.out[io.nout++] = r->lies[op->out[k]] =
                    compile_emit_tensor(&r->e, op->out[k], DT_INT8, LAYOUT_PLAIN);
    }
    return io;
}

/* The pending operators as one step. */
static void flush_pending(Rows *r)
{
    Compile *c = r->e.c;
    if (!r->npending)
        return;
    IrId *list = ARENA_ARRAY(c->scratch, IrId, r->npending + 1);
    size_t nown = 0;
    for (size_t i = 0; i < r->npending; i++)
        if (r->pending[i].owns)
            list[nown++] = r->pending[i].ir;
    StepIo io = pending_io(r);
    Step *s = compile_emit_step(&r->e, STEP_NPU, HOST_NONE);
    s->segment = (uint32_t)r->e.p->summary.segments++;
    s->from = s->to = DT_INT8;
    s->node = nodes_of(r, list, nown, &s->nnode);
    s->macs = compile_macs(c, s->node, s->nnode);
    compile_emit_step_io(&r->e, s, io.in, io.nin, io.out, io.nout);
    s->first_op = (LowOpId)r->e.p->nop;
    RowEmit at = {&r->e, s->id, r->maker, LOWOP_NONE};
    for (size_t i = 0; i < r->npending; i++) {
        bool follows = i > 0 && goes_on(r, i - 1);
        at.before = follows ? (LowOpId)(r->e.p->nop - 1) : LOWOP_NONE;
        rows_emit_words(&at, r->pending[i].ir, r->pending[i].words, r->pending[i].form);
    }
    s->nop = (uint32_t)(r->e.p->nop - s->first_op);
    for (size_t i = 0; i < r->npending; i++) {
        const Ir *op = &c->ir[r->pending[i].ir];
        r->open[r->pending[i].ir] = false;
        for (uint32_t k = 0; k < op->nout; k++)
            if (op->out[k] != VALUE_NONE)
                r->maker[op->out[k]] = LOWOP_NONE;
    }
    r->npending = 0;
}

static DType type_of(const Compile *c, ValueId v)
{
    DType t = c->graph->tensor[c->value[v].tensor].dtype;
    return dtype_is_float(t) ? DT_INT8 : t;
}

/* One word of the host; `from` what an earlier part made, or PTENSOR_NONE. */
static PTensorId emit_host_part(Rows *r, IrId id, Part part, PTensorId from)
{
    Compile *c = r->e.c;
    const Ir *op = &c->ir[id];
    PTensorId *in = ARENA_ARRAY(c->scratch, PTensorId, op->nin + 1);
    PTensorId *out = ARENA_ARRAY(c->scratch, PTensorId, op->nout + 1);
    uint32_t nin = 0, nout = 0;
    add_once(in, &nin, from);
    for (uint32_t k = 0; from == PTENSOR_NONE && k < op->nin; k++)
        add_once(in, &nin, r->lies[op->in[k]]);
    for (uint32_t k = 0; part.last && k < op->nout; k++)
        if (op->out[k] != VALUE_NONE)
            out[nout++] = r->lies[op->out[k]] =
                compile_emit_tensor(&r->e, op->out[k], type_of(c, op->out[k]), LAYOUT_PLAIN);
    if (!part.last && op->nin)
        out[nout++] = compile_emit_tensor(&r->e, op->in[0], DT_INT8, LAYOUT_PLAIN);
    bool control = op->reason == REASON_CONTROL_FLOW;
    Step *s = compile_emit_step(&r->e, STEP_HOST, control ? HOST_CONTROL : HOST_OPERATOR);
    s->op = part.words;
    s->reason = op->on_npu ? REASON_UNSUPPORTED : op->reason;
    s->why = op->why;
    s->nearest = op->nearest;
    s->as_others = op->as_others;
    if (part.owns) {
        s->node = nodes_of(r, &id, 1, &s->nnode);
        compile_host_work(c, op, s);
    }
    compile_emit_step_io(&r->e, s, in, nin, out, nout);
    s->known = op->reason != REASON_CONTROL_FLOW && op->reason != REASON_UNKNOWN_OPERATOR &&
               op->reason != REASON_SHAPE_UNKNOWN;
    return nout ? out[0] : PTENSOR_NONE;
}

static void emit_op(Rows *r, IrId id)
{
    Compile *c = r->e.c;
    const Ir *op = &c->ir[id];
    Part part[PARTS_MAX];
    size_t n = parts_of(c, id, part);
    PTensorId from = PTENSOR_NONE;
    for (size_t i = 0; i < n; i++) {
        if (part[i].host) {
            flush_pending(r);
            from = emit_host_part(r, id, part[i], from);
            continue;
        }
        *VEC_PUSH(c->scratch, r->pending, r->npending, r->cap) =
            (Pending){.ir = id,
                      .words = part[i].words,
                      .from = from,
                      .owns = part[i].owns,
                      .more = !part[i].last && part[i + 1].host,
                      .form = part[i].form};
        r->open[id] = true;
        if (part[i].last || !part[i + 1].host)
            continue;
        flush_pending(r);
        from = op->nout && op->out[0] != VALUE_NONE ? r->lies[op->out[0]] : PTENSOR_NONE;
    }
    if (!n) /* the compiler drops it: its result lies where its input does */
        *VEC_PUSH(c->scratch, r->pending, r->npending, r->cap) =
            (Pending){.ir = id, .words = "", .from = PTENSOR_NONE, .owns = true};
    r->open[id] |= !n;
}

/* ---- hand-over ---- */

static void emit_edge(Rows *r, HostOp edge, const char *word, IoKind io, size_t index)
{
    Compile *c = r->e.c;
    const Graph *g = c->graph;
    bool input = io == IO_INPUT;
    ValueId v = c->value_of[input ? g->input[index] : g->output[index]];
    if (v == VALUE_NONE || (input && c->value[v].nuser == 0) ||
        (!input && r->lies[v] == PTENSOR_NONE))
        return;
    DType outside = input ? c->input_dtype[index] : c->output_dtype[index];
    PTensorId in = input ? compile_emit_tensor(&r->e, v, outside, LAYOUT_PLAIN) : r->lies[v];
    PTensorId out = compile_emit_tensor(&r->e, v, input ? type_of(c, v) : outside, LAYOUT_PLAIN);
    Step *s = compile_emit_step(&r->e, STEP_HOST, edge);
    s->op = word;
    s->io = io;
    s->io_index = (uint32_t)index;
    s->from = r->e.p->tensor[in].dtype;
    s->to = r->e.p->tensor[out].dtype;
    compile_emit_step_io(&r->e, s, &in, 1, &out, 1);
    if (input)
        r->lies[v] = out;
}

void compile_rows(Compile *c)
{
    if (c->machine->kind != MACHINE_ROWS)
        return;
    Rows r = {.e = {.c = c, .p = c->program}};
    rows_join(c);
    compile_emit_index_nodes(&r.e);
    rows_take_told(&r.e);
    r.lies = ARENA_ARRAY(c->scratch, PTensorId, c->nvalue + 1);
    r.maker = ARENA_ARRAY(c->scratch, LowOpId, c->nvalue + 1);
    r.open = ARENA_ARRAY(c->scratch, bool, c->nir + 1);
    for (size_t v = 0; v < c->nvalue; v++)
        r.lies[v] = PTENSOR_NONE, r.maker[v] = LOWOP_NONE;
    for (size_t i = 0; i < c->graph->ninput; i++)
        emit_edge(&r, HOST_INPUT, c->machine->first_row, IO_INPUT, i);
    for (size_t i = 0; i < c->nir; i++)
        if (!c->ir[i].merged)
            emit_op(&r, (IrId)i);
    flush_pending(&r);
    for (size_t i = 0; i < c->graph->noutput; i++)
        emit_edge(&r, HOST_OUTPUT, c->machine->last_row, IO_OUTPUT, i);
    compile_emit_folded(&r.e);
    c->program->summary.segments = 0; /* counted with the rest of the summary */
}
