/* Creates a step with its tensors, bytes and dependencies. */
#include "graph/compile/compile_emit.h"

Step *compile_emit_step(CompileEmit *e, StepKind kind, HostOp host_op)
{
    assert((kind == STEP_HOST) == (host_op != HOST_NONE) && host_op < HOST_OP_COUNT);
    Program *p = e->p;
    StepId id = (StepId)p->nstep;
    Step *s = VEC_PUSH(e->c->arena, p->step, p->nstep, e->step_cap);
    *s = (Step){.id = id,
                .kind = kind,
                .host_op = host_op,
                .op = kind == STEP_HOST ? program_host_op_name(host_op) : step_kind_name(kind),
                .known = true};
    return s;
}

void compile_emit_mark_io(const Compile *c, Step *s, ValueId v, bool in)
{
    const CompileValue *value = &c->value[v];
    if (in && value->input != INDEX_NOT) {
        s->io = IO_INPUT;
        s->io_index = value->input;
    }
    if (!in && value->is_output) {
        s->io = IO_OUTPUT;
        s->io_index = c->first_output[v];
    }
}

/* A shape that depends on the data may have an upper bound: NonZero finds no more than all
 * elements. */
static void bound_by_shape(const Compile *c, PTensor *t)
{
    if (t->tensor == TENSOR_NONE)
        return;
    int64_t most = shape_max_elements(&c->graph->tensor[t->tensor].shape);
    int64_t bytes = dtype_bytes(t->dtype, most);
    if (most < 0 || bytes < 0)
        return;
    t->elements = most;
    t->bytes = bytes;
    t->at_most = true;
}

PTensorId compile_emit_tensor(CompileEmit *e, ValueId v, DType type, Layout layout)
{
    Program *p = e->p;
    const Compile *c = e->c;
    assert(v < c->nvalue);
    const CompileValue *value = &c->value[v];
    PTensorId id = (PTensorId)p->ntensor;
    PTensor *t = VEC_PUSH(c->arena, p->tensor, p->ntensor, e->tensor_cap);
    *t = (PTensor){.id = id,
                   .tensor = compile_value_tensor(c, v),
                   .dtype = type,
                   .layout = layout,
                   .producer = STEP_NONE};
    if (!value->known) {
        bound_by_shape(c, t);
        return id;
    }
    Lowered l = layout_lower(c->machine, c->options->pe, &value->g);
    t->n = value->g.n, t->c = value->g.c, t->h = value->g.h, t->w = value->g.w;
    t->ho = l.ho, t->co = l.co, t->hi = l.hi, t->ci = l.ci, t->w_padded = l.w_padded;
    t->elements = layout_elements(&value->g);
    int64_t units = layout == LAYOUT_LOWERED  ? l.bytes
                    : layout == LAYOUT_PADDED ? layout_padded_bytes(c->machine, &value->g)
                                              : t->elements;
    int64_t bytes = dtype_bytes(type, units);
    t->bytes = bytes < 0 ? 0 : bytes;
    return id;
}

ORDER_BY(by_step, StepId, COMPARE(*a, *b))

static void set_deps(CompileEmit *e, Step *s)
{
    StepId *dep = ARENA_ARRAY(e->c->arena, StepId, s->ninput + 1);
    uint32_t n = 0, unique = 0;
    for (uint32_t i = 0; i < s->ninput; i++)
        if (e->p->tensor[s->input[i]].producer != STEP_NONE)
            dep[n++] = e->p->tensor[s->input[i]].producer;
    qsort(dep, n, sizeof *dep, by_step);
    for (uint32_t i = 0; i < n; i++)
        if (unique == 0 || dep[unique - 1] != dep[i])
            dep[unique++] = dep[i];
    assert(unique == 0 || dep[unique - 1] < s->id); /* steps are in executable order */
    s->dep = dep;
    s->ndep = unique;
}

static PTensorId *ids_copy(Arena *a, const PTensorId *id, uint32_t n)
{
    PTensorId *copy = ARENA_ARRAY(a, PTensorId, n + 1);
    for (uint32_t i = 0; i < n; i++)
        copy[i] = id[i];
    return copy;
}

void compile_emit_step_io(CompileEmit *e, Step *s, const PTensorId *in, uint32_t nin,
                          const PTensorId *out, uint32_t nout)
{
    int64_t elements_in = 0, elements_out = 0;
    s->input = ids_copy(e->c->arena, in, nin);
    s->output = ids_copy(e->c->arena, out, nout);
    s->ninput = nin;
    s->noutput = nout;
    for (uint32_t i = 0; i < nin; i++) {
        assert(in[i] < e->p->ntensor); /* made before it is read */
        s->bytes_in = layout_size_add(s->bytes_in, e->p->tensor[in[i]].bytes);
        elements_in = layout_size_add(elements_in, e->p->tensor[in[i]].elements);
    }
    for (uint32_t i = 0; i < nout; i++) {
        assert(out[i] < e->p->ntensor && e->p->tensor[out[i]].producer == STEP_NONE);
        s->bytes_out = layout_size_add(s->bytes_out, e->p->tensor[out[i]].bytes);
        elements_out = layout_size_add(elements_out, e->p->tensor[out[i]].elements);
        e->p->tensor[out[i]].producer = s->id;
    }
    for (uint32_t i = 0; i < nin + nout; i++)
        s->at_most |= e->p->tensor[i < nin ? in[i] : out[i - nin]].at_most;
    s->elements = elements_in > elements_out ? elements_in : elements_out;
    set_deps(e, s);
}
