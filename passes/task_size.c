/* Computes how much of a request is cost per call, whatever the number of images in it. */
#include "passes/pass.h"

static double fixed_ns(const PassInput *in)
{
    const Program *p = in->program;
    const Prediction *t = in->time;
    double ns = t->gap_ns.mid; /* hand-offs and launches */
    for (size_t i = 0; i < p->nop; i++)
        ns += t->op[i].fixed_ns;
    return ns;
}

void pass_task_size(const PassInput *in, FindingList *out)
{
    const Program *p = in->program;
    if (p->summary.segments == 0)
        return;
    double fixed = fixed_ns(in), latency = in->time->latency_ns.mid;
    Finding *f = finding_add(out, "task-size");
    finding_int(out, f, "batch", p->options.batch);
    finding_int(out, f, "images", p->images);
    finding_int(out, f, "macs", p->summary.macs);
    finding_int(out, f, "npu-ns", (int64_t)in->time->npu_ns.mid);
    finding_int(out, f, "fixed-ns", (int64_t)fixed);
    finding_real(out, f, "fixed-share", latency > 0 ? fixed / latency : 0);
}
