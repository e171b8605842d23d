/* Expands ops.xml into the operator table and searches it. */
#include "graph/infer/fold.h"
#include "graph/infer/macs.h"

static const OpInfo table[] = {
    [OP_UNKNOWN] = {"", "", CLASS_UNKNOWN, shape_unknown, macs_unknown, fold_never},
#define OP(id, name, domain, op_class, shape, macs, fold)                                          \
    [OP_##id] = {name, domain, op_class, shape, macs, fold},
#include "graph/infer/ops.def"
};
static_assert(sizeof table / sizeof *table == OP_COUNT, "a row for each operator");
static_assert(OP_COUNT <= UINT16_MAX, "an OpId holds every operator");

static int compare_op_name(const OpInfo *op, const char *domain, const char *name)
{
    int order = strcmp(op->domain, domain);
    return order != 0 ? order : strcmp(op->name, name);
}

OpId op_lookup(const char *domain, const char *name)
{
    if (strcmp(domain, "ai.onnx") == 0)
        domain = "";
    size_t at =
        LIST_BOUND(i, OP_COUNT, i <= OP_UNKNOWN || compare_op_name(&table[i], domain, name) < 0);
    bool found = at < OP_COUNT && compare_op_name(&table[at], domain, name) == 0;
    return found ? (OpId)at : OP_UNKNOWN;
}

const OpInfo *op_info(OpId id)
{
    assert(id < OP_COUNT);
    return &table[id];
}

int64_t node_macs(const Graph *g, const Node *n)
{
    const OpInfo *op = op_info(n->op_id);
    if (op->op_class == CLASS_UNKNOWN)
        return -1;
    if (op->op_class == CLASS_CONTROL)
        return macs_control(g, n, node_macs);
    int64_t macs = op->macs ? op->macs(g, n) : 0;
    assert(macs >= -1);
    return macs;
}
