/* Sorts losses by cause and size and writes the largest of each cause as findings. */
#include "passes/losses.h"
#include "graph/compile/program.h"

void losses_add(Arena *a, LossList *l, uint32_t item, const char *cause, double ns)
{
    assert(cause && *cause && !(ns < 0));
    *VEC_PUSH(a, l->item, l->nitem, l->cap) = (Loss){item, cause, ns};
}

ORDER_BY(by_cause_and_size, Loss, strcmp(a->cause, b->cause), COMPARE(b->ns, a->ns),
         COMPARE(a->item, b->item))

void losses_write(const PassInput *in, FindingList *out, LossList *l, LossWriter write)
{
    ORDER_LIST(l->item, l->nitem, by_cause_and_size);
    for (size_t first = 0, end = 0; first < l->nitem; first = end) {
        double sum = 0;
        for (; end < l->nitem && strcmp(l->item[end].cause, l->item[first].cause) == 0; end++)
            sum += l->item[end].ns;
        for (size_t i = first; i < end && i < first + LOSSES_SHOWN; i++) {
            assert(i == first || !(l->item[i].ns > l->item[i - 1].ns)); /* the largest first */
            Finding *f = write(in, out, &l->item[i]);
            finding_text(out, f, "cause", l->item[i].cause);
            finding_int(out, f, "lost-ns", (int64_t)l->item[i].ns);
            finding_int(out, f, "cause-ns", (int64_t)sum);
            finding_int(out, f, "cause-count", (int64_t)(end - first));
        }
    }
}

static const char *op_geometry_text(Arena *a, const LowOp *op)
{
    return arena_printf(a,
                        "%" PRId64 "x%" PRId64 "x%" PRId64 " -> %" PRId64 "x%" PRId64 "x%" PRId64,
                        op->c_in, op->h_in, op->w_in, op->c_out, op->h_out, op->w_out);
}

Finding *losses_of_op(const PassInput *in, FindingList *out, const char *kind, const Loss *loss)
{
    assert(loss->item < in->program->nop);
    const LowOp *op = &in->program->op[loss->item];
    const Graph *g = in->program->model->graph;
    Finding *f = finding_add(out, kind);
    f->step = op->step;
    f->node = op->nnode ? op->node[0] : NODE_NONE;
    finding_text(out, f, "op", op->nnode ? g->node[op->node[0]].op : program_lowop_name(op->kind));
    finding_text(out, f, "low-op", program_lowop_name(op->kind));
    finding_text(out, f, "shape", op_geometry_text(out->arena, op));
    finding_int(out, f, "time-ns", (int64_t)in->time->op[loss->item].total_ns.mid);
    return f;
}
