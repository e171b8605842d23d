/* Finds convolutions whose channel counts leave part of the MAC array idle. */
#include "passes/alignment.h"
#include "passes/losses.h"

static Finding *write_misaligned_op(const PassInput *in, FindingList *out, const Loss *loss)
{
    const LowOp *op = &in->program->op[loss->item];
    Finding *f = losses_of_op(in, out, "misaligned", loss);
    FullChannels full = alignment_full_channels(in->program->machine, in->program->options.pe, op);
    finding_int(out, f, "c-in", op->c_in);
    finding_int(out, f, "c-out", op->c_out);
    finding_int(out, f, "c-in-full", full.c_in);
    finding_int(out, f, "c-out-full", full.c_out);
    finding_real(out, f, "idle-share", alignment_idle_share(op, &full));
    return f;
}

void pass_channels(const PassInput *in, FindingList *out)
{
    const Program *p = in->program;
    LossList lost = {0};
    for (size_t i = 0; i < p->nop; i++) {
        FullChannels full = alignment_full_channels(p->machine, p->options.pe, &p->op[i]);
        double ns = in->time->op[i].mac_ns * alignment_idle_share(&p->op[i], &full);
        if (ns > 0)
            losses_add(out->arena, &lost, (uint32_t)i, "channels", ns);
    }
    losses_write(in, out, &lost, write_misaligned_op);
}
