/* Checks every index, producer and size of the arrays that tflite_file.c made. */
#include "graph/tflite/tflite_check.h"
#include "graph/model/model.h"

typedef struct {
    Arena *arena;
    TfliteFile *file;
    TfliteGraph *graph;
    Diag *diag;
} Checker;

static Status bad_operator(Checker *c, const TfliteOperator *op, const char *fact, long long which)
{
    return diag_set(c->diag, STATUS_INPUT, c->file->path,
                    arena_printf(c->arena, "operator %u (%s)", (unsigned)op->index, op->name), fact,
                    which);
}

static Status bad_tensor(Checker *c, int64_t index, const char *fact)
{
    return diag_set(
        c->diag, STATUS_INPUT, c->file->path,
        arena_printf(c->arena, "tensor %lld '%s'", (long long)index, c->graph->tensor[index].name),
        "%s", fact);
}

static bool is_tensor(const Checker *c, int32_t index)
{
    return index >= 0 && (uint32_t)index < c->graph->ntensor;
}

static Status check_list(Checker *c, const int32_t *list, uint32_t n, const char *what)
{
    return LIST_VALUE(i, n, !is_tensor(c, list[i]),
                      diag_set(c->diag, STATUS_INPUT, c->file->path, NULL,
                               "%s %u of the graph is tensor %d, which is not there", what,
                               (unsigned)i, (int)list[i]),
                      STATUS_OK);
}

static Status set_producers(Checker *c, const TfliteOperator *op)
{
    for (uint32_t i = 0; i < op->noutput; i++) {
        if (!is_tensor(c, op->output[i]))
            return bad_operator(c, op, "its output is tensor %lld, which is not there",
                                op->output[i]);
        TfliteTensor *t = &c->graph->tensor[op->output[i]];
        if (t->producer >= 0)
            return bad_tensor(c, op->output[i], "is the result of two operators");
        if (t->is_input || t->has_buffer)
            return bad_tensor(c, op->output[i], "is a result, and an input or a constant too");
        t->producer = (int32_t)op->index;
    }
    return STATUS_OK;
}

/* Before its results are said to be there: so no operator reads its own. */
static Status check_inputs(Checker *c, const TfliteOperator *op)
{
    for (uint32_t i = 0; i < op->ninput; i++) {
        if (op->input[i] == TFLITE_NO_TENSOR)
            continue;
        if (!is_tensor(c, op->input[i]))
            return bad_operator(c, op, "its input is tensor %lld, which is not there",
                                op->input[i]);
        const TfliteTensor *t = &c->graph->tensor[op->input[i]];
        if (!tflite_has_value(t) && tflite_elements(t) != 0 && op->code != TFL_CUSTOM)
            return bad_tensor(c, op->input[i],
                              "is read, and no operator before that makes it, nor has it a value");
    }
    return STATUS_OK;
}

static Status check_constant(Checker *c, int64_t index)
{
    const TfliteTensor *t = &c->graph->tensor[index];
    if (LIST_ANY(i, t->rank, t->shape[i] < -1))
        return bad_tensor(c, index, "has a negative dimension");
    if (!t->has_buffer || !t->bytes.data || t->is_sparse || t->dtype == DT_STRING)
        return STATUS_OK;
    int64_t bytes = t->rank == RANK_UNKNOWN ? -1 : dtype_bytes(t->dtype, tflite_elements(t));
    if (bytes >= 0 && (uint64_t)bytes != t->bytes.size)
        return bad_tensor(c, index, "has not as many bytes as its shape and type need");
    return STATUS_OK;
}

static Status check_graph(Checker *c)
{
    TfliteGraph *g = c->graph;
    Status st = check_list(c, g->input, g->ninput, "input");
    st = st ? st : check_list(c, g->output, g->noutput, "output");
    for (uint32_t i = 0; !st && i < g->ninput; i++)
        g->tensor[g->input[i]].is_input = true;
    for (uint32_t i = 0; !st && i < g->ntensor; i++)
        st = check_constant(c, i);
    for (uint32_t i = 0; !st && i < g->nop; i++) {
        st = check_inputs(c, &g->op[i]);
        st = st ? st : set_producers(c, &g->op[i]);
    }
    for (uint32_t i = 0; !st && i < g->noutput; i++) {
        const TfliteTensor *t = &g->tensor[g->output[i]];
        if (!tflite_has_value(t))
            st = bad_tensor(c, g->output[i], "is an output, and no operator makes it");
    }
    return st;
}

/* Programs of a vendor's compiler, in place of the operators that it took. */
static Status check_compiled(const TfliteFile *f, const TfliteGraph *g, Diag *diag)
{
    bool vela = LIST_ANY(i, g->nop, !strcmp(g->op[i].name, "ethos-u"));
    if (!vela && !LIST_ANY(i, g->nop, !strcmp(g->op[i].name, "edgetpu-custom-op")))
        return STATUS_OK;
    return diag_set(diag, STATUS_INPUT, f->path, NULL,
                    "compiled for %s: give the model it was compiled from",
                    vela ? "Arm Ethos-U by Vela" : "the Edge TPU");
}

Status tflite_check(Arena *a, TfliteFile *f, Diag *diag)
{
    Status st = check_compiled(f, &f->graph[0], diag);
    for (uint32_t i = 0; !st && i < f->ngraph; i++) {
        Checker c = {a, f, &f->graph[i], diag};
        st = check_graph(&c);
    }
    return st;
}
