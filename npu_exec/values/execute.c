/* Executes the nodes of a model in order and frees values after their last use. */
#include "npu_exec/values/execute.h"
#include "npu_exec/values/quantized.h"
#include "npu_exec/conv/onednn.h"

/* A node, and the Relu and QuantizeLinear that alone read what it makes. */
typedef struct {
    Epilogue epilogue;
    NodeId quantize;
} Fusion;

struct Execution {
    const Model *model;
    const Graph *graph;
    Arena *arena;
    Value **value;     /* per tensor, while it is needed; constants stay */
    uint32_t *uses;    /* that are still to come */
    KernelCache *kept; /* per node */
    Fusion *fusion;    /* per node; `quantize` NODE_NONE: none */
    bool *fused;       /* per node: done with another */
    bool quick;        /* by the library where it can */
    bool *steady;      /* per tensor: computed from constants alone, kept from run to run */
    bool *spent;       /* per tensor: a constant that only what is steady was computed from */
    uint32_t runs;     /* so far */
    const ValuesIo *io;
    Diag *diag;
};

typedef Execution Run;

static const char *file_of(const Run *r)
{
    return r->model->path;
}

/* Sizes of a tensor; false when one is not known, or of a type without whole bytes. */
static bool sizes_of(const Tensor *t, int64_t *ret)
{
    if (t->shape.rank < 0 || t->shape.rank > VALUE_MAX_RANK || dtype_bits(t->dtype) < 8)
        return false;
    for (int32_t i = 0; i < t->shape.rank; i++) {
        ret[i] = t->shape.dim[i].value;
        if (ret[i] < 0)
            return false;
    }
    return true;
}

static Status make_value(const Run *r, const Tensor *t, const char *place, Value **ret)
{
    int64_t dim[VALUE_MAX_RANK];
    if (!sizes_of(t, dim))
        return diag_set(r->diag, STATUS_UNDECIDED, file_of(r), place,
                        "cannot be executed: the type or shape of '%s' is not known or not handled",
                        t->name);
    *ret = value_shape(t->dtype, t->shape.rank, dim);
    return *ret ? STATUS_OK
                : diag_set(r->diag, STATUS_INPUT, file_of(r), place, "no memory for '%s'", t->name);
}

/* ---- before ---- */

static bool is_constant(const Run *r, const Node *n)
{
    if (n->op_id == OP_DequantizeLinear || n->op_id == OP_MsDequantizeLinear)
        return false; /* its integers count */
    for (uint32_t i = 0; i < n->noutput; i++) {
        const Tensor *t = node_output(r->graph, n, i);
        if (t && (!t->value || !t->value->data))
            return false;
    }
    return true;
}

static Status check_kernels(const Run *r)
{
    for (size_t i = 0; i < r->graph->nnode; i++) {
        const Node *n = &r->graph->node[i];
        if (!kernel_of(n->op_id) && !is_constant(r, n))
            return diag_set(r->diag, STATUS_UNDECIDED, file_of(r), node_label(r->arena, n),
                            "--values does not know operator %s%s%s", n->domain,
                            *n->domain ? "::" : "", n->op);
    }
    return STATUS_OK;
}

static void count_uses(Run *r)
{
    for (size_t i = 0; i < r->graph->ntensor; i++)
        r->uses[i] = r->graph->tensor[i].nconsumer + r->graph->tensor[i].is_output;
}

/* ---- values come and go ---- */

/* No one writes to them. */
static void *mutable_bytes(const Const *v)
{
    void *at;
    memcpy(&at, &v->data, sizeof at);
    return at;
}

static Status fetch_constant(const Run *r, const Tensor *t, const char *place, Value **ret)
{
    Status st = make_value(r, t, place, ret);
    if (st)
        return st;
    Value *v = *ret;
    if (t->value->data && (int64_t)t->value->nbyte == value_bytes(v)) {
        v->borrowed = value_is_bytes(v); /* which lie anywhere; numbers are aligned */
        if (v->borrowed)
            v->data = mutable_bytes(t->value);
        else if (value_allocate(v) && t->value->nbyte)
            memcpy(v->data, t->value->data, t->value->nbyte);
        if (v->data)
            return STATUS_OK;
    }
    value_release(v);
    *ret = NULL;
    return diag_set(r->diag, STATUS_INPUT, file_of(r), place,
                    "cannot be executed: the bytes of '%s' are not there", t->name);
}

static Status fetch_value(Run *r, TensorId id, const char *place, Value **ret)
{
    const Tensor *t = &r->graph->tensor[id];
    if (!r->value[id] && t->value) {
        Status st = fetch_constant(r, t, place, &r->value[id]);
        if (st)
            return st;
    }
    *ret = r->value[id];
    return *ret ? STATUS_OK
                : diag_set(r->diag, STATUS_UNDECIDED, file_of(r), place, "nothing computes '%s'",
                           t->name);
}

/* From run to run. */
static bool is_kept(const Run *r, TensorId id)
{
    const Tensor *t = &r->graph->tensor[id];
    return (t->value && !t->is_input) ? !r->spent[id] : r->steady[id] && !r->io->see;
}

static void release_use(Run *r, TensorId id)
{
    if (r->uses[id] > 0 && --r->uses[id] > 0)
        return;
    if (is_kept(r, id))
        return;
    value_release(r->value[id]);
    r->value[id] = NULL;
}

/* Each input once, as consumers are listed. */
static void used_by(Run *r, const Node *n)
{
    for (uint32_t i = 0; i < n->ninput; i++) {
        if (!(n->input[i] == TENSOR_NONE || LIST_ANY(k, i, n->input[k] == n->input[i])))
            release_use(r, n->input[i]);
    }
}

/* ---- what goes together ---- */

/* The only node that reads it; NULL: several do, or it is an output. */
static const Node *rewrite_only_reader(const Graph *g, const Node *n)
{
    const Tensor *t = n->noutput == 1 ? node_output(g, n, 0) : NULL;
    const Node *reader = t && t->nconsumer == 1 && !t->is_output ? &g->node[t->consumer[0]] : NULL;
    return reader && reader->ninput && reader->input[0] == n->output[0] ? reader : NULL;
}

/* One scale and one zero point that are known, and codes of 8 bits. */
static bool read_epilogue(const Graph *g, const Node *n, Epilogue *ret)
{
    const Tensor *scale = node_input(g, n, 1), *zero = node_input(g, n, 2),
                 *y = node_output(g, n, 0);
    double step = 0;
    bool known = scale && scale->value && scale->value->nelem == 1 &&
                 const_float(scale->value, 0, &step) && scale->dtype == DT_FLOAT32;
    ret->zero = 0;
    ret->scale = (float)step;
    if (zero)
        known = known && zero->value && zero->value->nelem == 1 &&
                const_int(zero->value, 0, &ret->zero);
    return known && y && (y->dtype == DT_INT8 || y->dtype == DT_UINT8);
}

/* What has a use for it. */
static bool takes_epilogue(const Run *r, const Node *n)
{
    OpId op = n->op_id;
    return op == OP_Conv ||
           (r->quick && (op == OP_Add || op == OP_Sub || op == OP_Mul || op == OP_Concat));
}

static void find_fusions(Run *r)
{
    const Graph *g = r->graph;
    for (size_t i = 0; i < g->nnode; i++) {
        Fusion *f = &r->fusion[i];
        f->quantize = NODE_NONE;
        const Node *n = &g->node[i],
                   *next = takes_epilogue(r, n) ? rewrite_only_reader(g, n) : NULL, *relu;
        relu = next && next->op_id == OP_Relu ? next : NULL;
        next = relu ? rewrite_only_reader(g, relu) : next;
        if (!next || next->op_id != OP_QuantizeLinear || !read_epilogue(g, next, &f->epilogue))
            continue;
        f->epilogue.relu = relu != NULL;
        f->quantize = (NodeId)(next - g->node);
        r->fused[f->quantize] = true;
        if (relu)
            r->fused[relu - g->node] = true;
    }
}

static bool is_steady(const Run *r, TensorId id)
{
    const Tensor *t = id == TENSOR_NONE ? NULL : &r->graph->tensor[id];
    return !t || (t->value && !t->is_input) || r->steady[id];
}

/* Whatever has a kernel computes the same from the same. */
static void find_steady(Run *r)
{
    for (size_t i = 0; i < r->graph->nnode; i++) {
        const Node *n = &r->graph->node[i];
        bool all = !r->fused[i] && r->fusion[i].quantize == NODE_NONE &&
                   LIST_ALL(k, n->ninput, is_steady(r, n->input[k]));
        for (uint32_t k = 0; k < n->noutput; k++)
            all = all && n->output[k] != TENSOR_NONE && !r->graph->tensor[n->output[k]].is_output;
        for (uint32_t k = 0; k < n->noutput && all; k++)
            r->steady[n->output[k]] = true;
    }
}

static bool is_steady_node(const Run *r, const Node *n)
{
    return n->noutput && n->output[0] != TENSOR_NONE && r->steady[n->output[0]];
}

/* Weights lie in the file; of all else what was made of it is enough. */
static void find_spent(Run *r)
{
    for (size_t i = 0; i < r->graph->ntensor; i++) {
        const Tensor *t = &r->graph->tensor[i];
        bool all = t->value && t->nconsumer && !t->is_output &&
                   LIST_ALL(k, t->nconsumer, is_steady_node(r, &r->graph->node[t->consumer[k]]));
        r->spent[i] = all;
    }
}

/* Weights of a convolution or a product, and their zero points. */
static bool has_constant_weights(const Run *r, const Node *n)
{
    bool bytes = n->op_id == OP_QLinearConv || n->op_id == OP_MsQLinearConv;
    bool ints = bytes || n->op_id == OP_ConvInteger;
    uint32_t w = bytes ? 3 : 1, zero = bytes ? 5 : 3;
    if (!ints && n->op_id != OP_Conv && n->op_id != OP_Gemm && n->op_id != OP_MatMul)
        return false;
    return n->ninput > w && is_steady(r, n->input[w]) &&
           (!ints || n->ninput <= zero || is_steady(r, n->input[zero]));
}

/* ---- one node ---- */

/* With room, and what the plain kernels expect of inputs. */
static Status make_plain(Call *c)
{
    bool ok = LIST_ALL(i, c->nin, !c->in[i] || value_plain(c->in[i]));
    for (uint32_t i = 0; i < c->nout; i++)
        ok = ok && (!c->out[i] || value_allocate(c->out[i]));
    return ok ? STATUS_OK : call_no_memory(c);
}

static Status compute_node(const Run *r, Call *c)
{
    OpId op = c->node->op_id;
    FastKernel *quick = r->quick ? kernel_fast_of(op) : NULL;
    if (quick && quick(c))
        return STATUS_OK;
    Status st = make_plain(c);
    if (st)
        return st;
    bool knows = !c->epilogue || op == OP_Conv;
    return knows ? c->plain(c) : quantized_run_plain(c, c->plain);
}

static bool is_input(const Call *c, const Value *v)
{
    return LIST_ANY(i, c->nin, c->in[i] == v);
}

/* Output i is there: to be seen and kept, or not. */
static Status keep_output(Run *r, Call *c, uint32_t i, TensorId id, Status st)
{
    Value *v = c->out[i];
    if (!st && !is_input(c, v) && !value_convert_elements(v))
        st = call_refuse(c, "its type is not handled");
    if (!st && r->io->see)
        st = value_plain(v) ? r->io->see(r->io->user, id, v, r->diag) : call_no_memory(c);
    if (st || r->uses[id] == 0)
        value_release(v);
    else
        r->value[id] = v;
    return st;
}

static Status run_node(Run *r, const Node *n)
{
    Arena *scratch = arena_new(SIZE_MAX);
    const char *place = node_label(scratch, n);
    Call c = {.graph = r->graph,
              .node = n,
              .opset = r->model->opset,
              .nin = n->ninput,
              .nout = n->noutput,
              .scratch = scratch,
              .plain = kernel_of(n->op_id),
              .diag = r->diag};
    size_t at = (size_t)(n - r->graph->node);
    const Fusion *f = !r->io->see && r->fusion[at].quantize != NODE_NONE ? &r->fusion[at] : NULL;
    const TensorId *output = f ? r->graph->node[f->quantize].output : n->output;
    c.epilogue = f ? &f->epilogue : NULL;
    c.kept = has_constant_weights(r, n) ? &r->kept[at] : NULL;
    c.in = ARENA_ARRAY(scratch, Value *, (size_t)n->ninput);
    c.last = ARENA_ARRAY(scratch, bool, (size_t)n->ninput);
    c.out = ARENA_ARRAY(scratch, Value *, (size_t)n->noutput);
    Status st = STATUS_OK;
    for (uint32_t i = 0; i < n->ninput && !st; i++)
        if (n->input[i] != TENSOR_NONE) {
            st = fetch_value(r, n->input[i], place, &c.in[i]);
            c.last[i] = r->uses[n->input[i]] == 1 && !is_kept(r, n->input[i]);
        }
    for (uint32_t i = 0; i < n->noutput && !st; i++)
        if (output[i] != TENSOR_NONE)
            st = make_value(r, &r->graph->tensor[output[i]], place, &c.out[i]);
    if (!st && (n->noutput == 0 || !c.out[0]))
        st = call_refuse(&c, "its first output is omitted");
    st = st ? st : compute_node(r, &c);
    for (uint32_t i = 0; i < n->noutput; i++)
        if (c.out[i])
            st = keep_output(r, &c, i, output[i], st);
    arena_free(scratch);
    return st;
}

/* From an earlier run. */
static bool is_there(const Run *r, const Node *n)
{
    bool there = !r->io->see;
    for (uint32_t i = 0; there && i < n->noutput; i++)
        there = n->output[i] != TENSOR_NONE && r->steady[n->output[i]] && r->value[n->output[i]];
    return there && n->noutput;
}

static Status run_nodes(Run *r)
{
    Status st = STATUS_OK;
    for (size_t i = 0; i < r->graph->nnode && !st; i++) {
        const Node *n = &r->graph->node[i];
        if (!is_constant(r, n) && !(r->fused[i] && !r->io->see) && !is_there(r, n))
            st = run_node(r, n);
        used_by(r, n);
    }
    return st;
}

/* ---- all of it ---- */

static Status read_inputs(Run *r, const ValuesIo *io)
{
    Status st = STATUS_OK;
    for (size_t i = 0; i < r->graph->ninput && !st; i++) {
        TensorId id = r->graph->input[i];
        const Tensor *t = &r->graph->tensor[id];
        st = make_value(r, t, NULL, &r->value[id]);
        if (!st && !value_allocate(r->value[id]))
            st = diag_set(r->diag, STATUS_INPUT, file_of(r), NULL, "no memory for '%s'", t->name);
        st = st ? st : io->take(io->user, i, t, r->value[id], r->diag);
        st = st || !io->see ? st : io->see(io->user, id, r->value[id], r->diag);
        if (!st && r->uses[id] == 0)
            release_use(r, id);
    }
    return st;
}

static Status write_outputs(Run *r, const ValuesIo *io)
{
    Status st = STATUS_OK;
    for (size_t i = 0; i < r->graph->noutput && !st; i++) {
        Value *v = NULL;
        TensorId id = r->graph->output[i];
        st = fetch_value(r, id, r->graph->tensor[id].name, &v);
        if (!st && !value_plain(v))
            st = diag_set(r->diag, STATUS_INPUT, file_of(r), NULL, "no memory for output %zu", i);
        st = st ? st : io->give(io->user, i, v, r->diag);
    }
    return st;
}

static void let_go(Run *r, bool constants)
{
    for (size_t i = 0; i < r->graph->ntensor; i++) {
        if (!constants && is_kept(r, (TensorId)i))
            continue;
        value_release(r->value[i]);
        r->value[i] = NULL;
    }
}

Status execution_open(const Model *model, Execution **ret, Diag *diag)
{
    Arena *a = arena_new(0);
    size_t n = model->graph->ntensor;
    Execution *x = ARENA_NEW(a, Execution);
    *x = (Execution){.model = model, .graph = model->graph, .arena = a, .diag = diag};
    x->quick = onednn_is_ready();
    x->value = ARENA_ARRAY(a, Value *, n);
    x->uses = ARENA_ARRAY(a, uint32_t, n);
    x->kept = ARENA_ARRAY(a, KernelCache, model->graph->nnode);
    x->fusion = ARENA_ARRAY(a, Fusion, model->graph->nnode);
    x->fused = ARENA_ARRAY(a, bool, model->graph->nnode);
    x->steady = ARENA_ARRAY(a, bool, n);
    x->spent = ARENA_ARRAY(a, bool, n);
    find_fusions(x);
    find_steady(x);
    find_spent(x);
    Status st = check_kernels(x);
    if (st)
        arena_free(a);
    else
        *ret = x;
    return st;
}

Status execution_run(Execution *x, const ValuesIo *io, Diag *diag)
{
    x->io = io;
    x->diag = diag;
    count_uses(x);
    Status st = read_inputs(x, io);
    st = st ? st : run_nodes(x);
    st = st ? st : write_outputs(x, io);
    let_go(x, false);
    if (x->runs++ < 2) /* what is small is made when it is run again */
        onednn_configure();
    return st;
}

void execution_close(Execution *x)
{
    if (!x)
        return;
    let_go(x, true);
    for (size_t i = 0; i < x->graph->nnode; i++)
        if (x->kept[i].data && x->kept[i].release)
            x->kept[i].release(x->kept[i].data);
    arena_free(x->arena);
}

Status values_run(const Model *model, const ValuesIo *io, Diag *diag)
{
    Execution *x = NULL;
    Status st = execution_open(model, &x, diag);
    st = st ? st : execution_run(x, io, diag);
    execution_close(x);
    return st;
}
