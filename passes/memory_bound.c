/* Finds operators that wait longer for data than for arithmetic, and which data. */
#include "passes/losses.h"

/* Where most of the waiting comes from.  What was spilled is another question (spill.c). */
static const char *wait_source(const OpPrediction *t)
{
    double inside = t->memory_ns - t->load_ns - t->store_ns;
    return t->load_ns >= inside ? "weights" : "maps";
}

static Finding *write_memory_bound_op(const PassInput *in, FindingList *out, const Loss *loss)
{
    const LowOp *op = &in->program->op[loss->item];
    Finding *f = losses_of_op(in, out, "memory-bound", loss);
    double bytes = (double)op->weight_bytes + (double)op->bytes_in + (double)op->bytes_out;
    finding_int(out, f, "weight-bytes", op->weight_bytes);
    finding_int(out, f, "map-bytes", op->bytes_in + op->bytes_out);
    finding_real(out, f, "ops-per-byte", bytes > 0 ? 2 * (double)op->macs / bytes : 0);
    finding_int(out, f, "images", in->program->images);
    return f;
}

void pass_memory_bound(const PassInput *in, FindingList *out)
{
    const Program *p = in->program;
    LossList lost = {0};
    for (size_t i = 0; i < p->nop; i++) {
        const OpPrediction *t = &in->time->op[i];
        double waiting = t->memory_ns - t->store_ns, rest = t->total_ns.mid - t->memory_ns;
        if (waiting > rest)
            losses_add(out->arena, &lost, (uint32_t)i, wait_source(t), waiting - rest);
    }
    losses_write(in, out, &lost, write_memory_bound_op);
}
