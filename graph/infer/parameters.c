/* Counts how many numbers a model has learnt. These are the elements of its stored constants,
 * without scales and zero points, scalars, and the integers of shape arithmetic. */
#include "graph/infer/ops.h"

#include "graph/model/dtype.h"

enum { MAX_BODY_DEPTH = 32 };

/* Quantized operators: which inputs carry data; the others are scales and zero points. */
typedef struct {
    OpId op;
    uint32_t data; /* bit i: input i */
} DataInputs;

static const DataInputs data_inputs[] = {
#define DATA_INPUTS(op, inputs) {OP_##op, inputs},
#include "graph/infer/data_inputs.def"
};

static bool carries_data(const Node *n, uint32_t slot)
{
    for (size_t i = 0; i < sizeof data_inputs / sizeof *data_inputs; i++)
        if (data_inputs[i].op == n->op_id)
            return slot < 32 && (data_inputs[i].data >> slot & 1);
    switch (op_info(n->op_id)->op_class) {
    case CLASS_MAC:
    case CLASS_ELEMENTWISE:
    case CLASS_ACTIVATION:
    case CLASS_REDUCE:
    case CLASS_UNKNOWN:
        return true;
    default:
        return slot == 0 || n->op_id == OP_Concat;
    }
}

static bool is_read_as_data(const Graph *g, TensorId id)
{
    const Tensor *t = &g->tensor[id];
    for (uint32_t i = 0; i < t->nconsumer; i++) {
        const Node *n = &g->node[t->consumer[i]];
        bool is_input = false;
        for (uint32_t k = 0; k < n->ninput; k++) {
            is_input = is_input || n->input[k] == id;
            if (n->input[k] == id && carries_data(n, k))
                return true;
        }
        if (!is_input) /* a body reads it */
            return true;
    }
    return false;
}

static bool is_stored(const Graph *g, const Tensor *t)
{
    bool made = t->producer != NODE_NONE && g->node[t->producer].op_id == OP_Constant;
    return t->is_initializer || (made && t->value);
}

static int64_t count_parameters(const Graph *g, int depth)
{
    int64_t sum = 0;
    for (TensorId i = 0; i < g->ntensor; i++) {
        const Tensor *t = &g->tensor[i];
        bool numbers =
            dtype_is_float(t->dtype) || (dtype_is_integer(t->dtype) && t->dtype != DT_INT64);
        int64_t n = numbers && t->shape.rank > 0 ? shape_elements(&t->shape) : -1;
        if (n > 0 && is_stored(g, t) && is_read_as_data(g, i))
            sum = sum > INT64_MAX - n ? INT64_MAX : sum + n;
    }
    for (size_t i = 0; i < g->nnode && depth < MAX_BODY_DEPTH; i++)
        for (uint32_t k = 0; k < g->node[i].nattr; k++)
            if (g->node[i].attr[k].graph) {
                int64_t n = count_parameters(g->node[i].attr[k].graph, depth + 1);
                sum = sum > INT64_MAX - n ? INT64_MAX : sum + n;
            }
    return sum;
}

int64_t graph_parameters(const Graph *g)
{
    return count_parameters(g, 0);
}
