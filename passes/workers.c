/* Computes how many requests must be in flight to keep the busiest resource busy. */
#include "passes/pass.h"
#include "cost_model/predict.h"
#include "cost_model/queueing.h"

void pass_workers(const PassInput *in, FindingList *out)
{
    const Program *p = in->program;
    if (p->summary.segments == 0)
        return;
    QueueDemand d = predict_demand(p, in->run, in->time);
    int cap = predict_worker_cap(p, in->costs);
    int enough = queueing_workers_for(&d, QUEUE_ENOUGH_SHARE, cap);
    assert(enough >= 1 && (enough <= cap || cap < 1));
    Finding *f = finding_add(out, "workers");
    finding_int(out, f, "workers", in->run->workers);
    finding_int(out, f, "enough", enough);
    finding_int(out, f, "fewer", enough > 1 ? enough - 1 : 1);
    finding_int(out, f, "more", enough < cap ? enough + 1 : cap);
    finding_int(out, f, "cap", cap);
    finding_int(out, f, "host-ns", (int64_t)in->time->host_ns.mid);
    finding_int(out, f, "npu-ns", (int64_t)in->time->npu_ns.mid);
    finding_int(out, f, "waiting-ns", (int64_t)(in->time->latency_ns.mid - in->time->npu_ns.mid));
}
