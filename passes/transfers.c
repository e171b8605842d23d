/* Reports what crosses PCIe, how long it takes, and which tensor is most of it. */
#include "passes/pass.h"
#include "cost_model/predict.h"
#include "cost_model/queueing.h"

/* The transfer of an input or output of the graph that moves most; NULL without one. */
static const Step *largest_transfer(const Program *p)
{
    const Step *most = NULL;
    for (size_t i = 0; i < p->nstep; i++) {
        const Step *s = &p->step[i];
        if ((s->kind == STEP_H2D || s->kind == STEP_D2H) && s->io != IO_NONE &&
            (!most || s->bytes_out > most->bytes_out))
            most = s;
    }
    return most;
}

void pass_transfers(const PassInput *in, FindingList *out)
{
    const Program *p = in->program;
    const Prediction *t = in->time;
    if (p->summary.segments == 0)
        return;
    const Step *most = largest_transfer(p);
    const Graph *g = p->model->graph;
    Finding *f = finding_add(out, "transfers");
    assert(!most || most->io_index < (most->io == IO_INPUT ? g->ninput : g->noutput));
    if (most)
        f->tensor = most->io == IO_INPUT ? g->input[most->io_index] : g->output[most->io_index];
    finding_int(out, f, "h2d-bytes", p->summary.h2d_bytes);
    finding_int(out, f, "d2h-bytes", p->summary.d2h_bytes);
    finding_int(out, f, "io-ns", (int64_t)t->io_ns.mid);
    finding_int(out, f, "npu-ns", (int64_t)t->npu_ns.mid);
    finding_real(out, f, "share", t->latency_ns.mid > 0 ? t->io_ns.mid / t->latency_ns.mid : 0);
    QueueDemand d = predict_demand(p, in->run, t);
    finding_text(out, f, "bound", queueing_bottleneck(&d));
    finding_text(out, f, "largest", pass_io_name(most ? most->io : IO_NONE));
    finding_int(out, f, "index", most ? (int64_t)most->io_index : -1);
    finding_int(out, f, "largest-bytes", most ? most->bytes_out : 0);
    finding_int(out, f, "outputs", (int64_t)g->noutput);
}
