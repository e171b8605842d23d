/* Reports whether the program runs on one processing element or fused ones. */
#include "passes/pass.h"
#include "graph/compile/options.h"

void pass_pe_mode(const PassInput *in, FindingList *out)
{
    const Program *p = in->program;
    int pes = compile_options_pes(&p->options, p->machine);
    if (p->summary.segments == 0 || pes < 2)
        return;
    TargetText other;
    target_text(&other, p->options.target_name, p->options.pe == 1 ? pes : 1);
    Finding *f = finding_add(out, "pe-mode");
    finding_int(out, f, "pe", p->options.pe);
    finding_text(out, f, "target", p->options.target);
    finding_text(out, f, "other-target", arena_strdup(out->arena, other.text));
    finding_int(out, f, "npu-ns", (int64_t)in->time->npu_ns.mid);
    finding_int(out, f, "sram-bytes", p->summary.sram_bytes);
    finding_int(out, f, "spill-bytes", p->summary.dram_spill_bytes);
}
