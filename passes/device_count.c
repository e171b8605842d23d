/* Computes how many accelerator cards a stated throughput goal needs. */
#include "passes/pass.h"
#include "cost_model/predict.h"
#include "cost_model/queueing.h"

enum { CARDS_MAX = 8 };   /* of one host: what npu-exec can run, too */
#define WITHIN_REACH 0.95 /* share of the ceiling that enough workers get to (queueing.h) */

static double reach_per_s(const PassInput *in, int cards, QueueDemand *ret)
{
    RunOptions run = *in->run;
    run.devices = cards;
    *ret = predict_demand(in->program, &run, in->time);
    return WITHIN_REACH * queueing_ceiling(ret) * predict_images(in->program, &run);
}

void pass_device_count(const PassInput *in, FindingList *out)
{
    if (!(in->goal_per_s > 0) || in->program->summary.segments == 0)
        return;
    QueueDemand d;
    int now = in->run->devices > 1 ? in->run->devices : 1, cards = now;
    double first = reach_per_s(in, now, &d), reach = first;
    while (reach < in->goal_per_s && cards < CARDS_MAX)
        reach = reach_per_s(in, ++cards, &d);
    assert(cards >= now && (cards == now || cards <= CARDS_MAX));
    int cap = predict_worker_cap(in->program, in->costs);
    Finding *f = finding_add(out, "goal");
    finding_real(out, f, "goal-per-s", in->goal_per_s);
    finding_int(out, f, "devices", now);
    finding_real(out, f, "reach-per-s", first);
    finding_int(out, f, "needed", cards);
    finding_real(out, f, "needed-reach-per-s", reach);
    finding_int(out, f, "needed-workers", queueing_workers_for(&d, 1, cap));
    finding_text(out, f, "reached", reach >= in->goal_per_s ? "yes" : "no");
    finding_text(out, f, "bound", queueing_bottleneck(&d));
}
