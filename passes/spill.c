/* Finds activations that leave the SRAM for lack of room, and a target with more of it. */
#include "passes/losses.h"
#include "graph/compile/options.h"

static Finding *write_spill(const PassInput *in, FindingList *out, const Loss *loss)
{
    const LowOp *op = &in->program->op[loss->item];
    Finding *f = losses_of_op(in, out, "spill", loss);
    const Program *p = in->program;
    finding_int(out, f, "live-bytes", op->live_bytes);
    finding_int(out, f, "sram-bytes", p->summary.sram_bytes);
    finding_int(out, f, "spill-bytes", p->summary.dram_spill_bytes);
    finding_int(out, f, "pe", p->options.pe);
    finding_int(out, f, "batch", p->options.batch);
    TargetText other;
    target_text(&other, p->options.target_name, compile_options_pes(&p->options, p->machine));
    finding_text(out, f, "other-target", arena_strdup(out->arena, other.text));
    return f;
}

void pass_spill(const PassInput *in, FindingList *out)
{
    const Program *p = in->program;
    LossList lost = {0};
    for (size_t i = 0; i < p->nop; i++) {
        double ns = in->time->op[i].store_ns;
        if (ns > 0)
            losses_add(out->arena, &lost, (uint32_t)i, "activations", ns);
    }
    losses_write(in, out, &lost, write_spill);
}
