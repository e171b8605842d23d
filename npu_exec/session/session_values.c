/* Runs the model of a session on values. */
#include "npu_exec/session/session_state.h"
#include "graph/model/dtype.h"
#include "npu_exec/values/execute.h"
#include "npu_exec/values/value.h"

typedef struct {
    const void *const *input;
    void *const *output;
} Buffers;

/* As compiled: with the batch and the dimensions that the options bind. */
static const Graph *graph_of(const NpuSession *s)
{
    return s->plan->program->model->graph;
}

static bool describe_tensor(const NpuSession *s, const TensorId *list, size_t n, size_t i,
                            NpuTensor *ret)
{
    const Graph *g = graph_of(s);
    const Tensor *t = i < n ? &g->tensor[list[i]] : NULL;
    if (!t || t->shape.rank < 0 || t->shape.rank > NPU_MAX_RANK || dtype_bits(t->dtype) < 8)
        return false;
    NpuTensor d = {.name = t->name, .type = dtype_name(t->dtype), .rank = t->shape.rank};
    int64_t count = 1;
    for (int32_t k = 0; k < d.rank; k++) {
        d.dim[k] = t->shape.dim[k].value;
        if (d.dim[k] < 0)
            return false;
        count = i64_mul(count, d.dim[k]);
    }
    d.bytes = (size_t)i64_mul(count, dtype_bits(t->dtype) / 8);
    *ret = d;
    return true;
}

bool npu_session_input(const NpuSession *s, size_t i, NpuTensor *ret)
{
    return describe_tensor(s, graph_of(s)->input, graph_of(s)->ninput, i, ret);
}

bool npu_session_output(const NpuSession *s, size_t i, NpuTensor *ret)
{
    return describe_tensor(s, graph_of(s)->output, graph_of(s)->noutput, i, ret);
}

static Status copy_input(void *user, size_t i, const Tensor *t, Value *v, Diag *diag)
{
    const Buffers *b = user;
    if (!b->input[i])
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "input '%s' has no buffer", t->name);
    memcpy(v->data, b->input[i], (size_t)value_bytes(v));
    return STATUS_OK;
}

static Status copy_output(void *user, size_t i, Value *v, Diag *diag)
{
    const Buffers *b = user;
    const void *data = v->data ? v->data : value_floats(v);
    if (!data)
        return diag_set(diag, STATUS_INPUT, NULL, NULL, "no memory for output %zu", i);
    if (b->output[i])
        memcpy(b->output[i], data, (size_t)value_bytes(v));
    return STATUS_OK;
}

bool npu_session_execute(NpuSession *s, const void *const *input, void *const *ret_output)
{
    Buffers b = {input, ret_output};
    return values_run(s->plan->program->model,
                      &(ValuesIo){.user = &b, .take = copy_input, .give = copy_output},
                      &s->diag) == STATUS_OK;
}
