/* Writes a compiled program as DOT, with the names and the bipartite form of the vendor's compiler.
 * Operators and tensors are boxes, every edge connects one of each, and what crosses between
 * subgraphs is a tensor of the graph.  A subgraph is an NPU segment or a run of host steps. */
#include "advisor/render/program/lowered.h"

#include "advisor/message/plain.h"
#include "graph/compile/program.h"
#include "graph/model/dtype.h"
#include "graph/model/model.h"

typedef struct {
    FILE *out;
    const Program *p;
    uint32_t *subgraph; /* per step */
    uint32_t *number;   /* per step: its operator's; an NPU step's first */
} Dot;

static void put_quoted(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putc('\\', out);
        putc(*text, out);
    }
}

static void put_label(FILE *out, const char *what, const char *name)
{
    Plain plain_name;
    fprintf(out, "label=\"");
    put_quoted(out, what);
    fprintf(out, "\\n");
    put_quoted(out, plain(&plain_name, name, 60));
    putc('"', out);
}

/* Consecutive steps outside the NPU share a subgraph; every segment has a separate one. */
static void number_steps(Dot *d)
{
    const Program *p = d->p;
    uint32_t subgraph = 0, number = 0;
    for (size_t i = 0; i < p->nstep; i++) {
        bool npu = p->step[i].kind == STEP_NPU, before = i && p->step[i - 1].kind == STEP_NPU;
        subgraph += i && (npu || before);
        d->subgraph[i] = subgraph;
        d->number[i] = number;
        number += npu ? p->step[i].nop : 1;
    }
}

static void put_tensor(const Dot *d, const PTensor *t)
{
    const char *name = t->tensor == TENSOR_NONE ? "" : d->p->model->graph->tensor[t->tensor].name;
    fprintf(d->out, "\ttensor%u [shape=box, ", t->id);
    put_label(d->out, dtype_name(t->dtype), name);
    fprintf(d->out, "]\n");
}

static void put_step(const Dot *d, const Step *s)
{
    uint32_t k = d->subgraph[s->id], n = d->number[s->id];
    fprintf(d->out, "\tsubgraph%u_operator%u [shape=box, ", k, n);
    put_label(d->out, s->op, lowered_first_node(d->p, s->node, s->nnode));
    fprintf(d->out, "]\n");
    for (uint32_t i = 0; i < s->ninput; i++)
        fprintf(d->out, "\ttensor%u -> subgraph%u_operator%u\n", s->input[i], k, n);
    for (uint32_t i = 0; i < s->noutput; i++)
        fprintf(d->out, "\tsubgraph%u_operator%u -> tensor%u\n", k, n, s->output[i]);
}

static void put_lowop(const Dot *d, const Step *s, const LowOp *op, bool *has_reader)
{
    uint32_t k = d->subgraph[s->id], first = d->number[s->id];
    uint32_t n = first + (op->id - s->first_op);
    fprintf(d->out, "\tsubgraph%u_operator%u [shape=box, ", k, n);
    put_label(d->out, program_lowop_name(op->kind), lowered_first_node(d->p, op->node, op->nnode));
    fprintf(d->out, "]\n\tsubgraph%u_tensor%u [shape=box]\n", k, n);
    fprintf(d->out, "\tsubgraph%u_operator%u -> subgraph%u_tensor%u\n", k, n, k, n);
    for (uint32_t i = 0; i < op->ndep; i++) {
        uint32_t from = first + (op->dep[i] - s->first_op);
        fprintf(d->out, "\tsubgraph%u_tensor%u -> subgraph%u_operator%u\n", k, from, k, n);
        has_reader[op->dep[i]] = true;
    }
    for (uint32_t i = 0; op->ndep == 0 && i < s->ninput; i++)
        fprintf(d->out, "\ttensor%u -> subgraph%u_operator%u\n", s->input[i], k, n);
}

static void put_segment(const Dot *d, const Step *s, bool *has_reader)
{
    uint32_t k = d->subgraph[s->id];
    for (uint32_t i = 0; i < s->nop; i++)
        put_lowop(d, s, &d->p->op[s->first_op + i], has_reader);
    uint32_t out = 0;
    for (uint32_t i = 0; i < s->nop && out < s->noutput; i++)
        if (!has_reader[s->first_op + i])
            fprintf(d->out, "\tsubgraph%u_operator%u -> tensor%u\n", k, d->number[s->id] + i,
                    s->output[out++]);
}

void lowered_dot(FILE *out, const Program *p)
{
    Dot d = {out, p, ARENA_ARRAY(p->arena, uint32_t, p->nstep + 1),
             ARENA_ARRAY(p->arena, uint32_t, p->nstep + 1)};
    bool *has_reader = ARENA_ARRAY(p->arena, bool, p->nop + 1);
    number_steps(&d);
    fprintf(out, "digraph G {\n");
    for (size_t i = 0; i < p->ntensor; i++)
        put_tensor(&d, &p->tensor[i]);
    for (size_t i = 0; i < p->nstep; i++) {
        if (p->step[i].kind == STEP_NPU)
            put_segment(&d, &p->step[i], has_reader);
        else
            put_step(&d, &p->step[i]);
    }
    fprintf(out, "}\n");
}
