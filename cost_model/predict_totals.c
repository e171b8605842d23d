/* Adds the times of steps up to latency, throughput and their ceilings. */
#include "cost_model/predict.h"
#include "graph/compile/options.h"

/* What goes wrong together: the steps of one host operator, all NPU tasks, all transfers … */
enum { GROUP_NPU = HOST_OP_COUNT, GROUP_IO, GROUP_GAP, GROUP_UNATTRIBUTED, GROUP_COUNT };

Interval predict_launches(const Program *p, const Costs *c)
{
    double tasks = 0, bytes = 0;
    for (size_t i = 0; i < p->nstep; i++) {
        if (p->step[i].kind != STEP_NPU)
            continue;
        tasks++;
        bytes += (double)p->step[i].bytes_in + (double)p->step[i].bytes_out;
    }
    return interval_add(interval_scale(c->launch_ns, tasks),
                        interval_scale(c->task_io_ns_per_byte, bytes));
}

static double handoff_count(const Program *p)
{
    double more = LIST_SUM(double, i, p->nstep, p->step[i].more_calls);
    return p->nstep > 1 ? (double)(p->nstep - 1) + more : 0;
}

Interval predict_traced_handoffs(const Program *p, const Costs *c)
{
    double slowest = c->gap_profiled_ns.hi > c->gap_ns.hi ? c->gap_profiled_ns.hi : c->gap_ns.hi;
    return interval_scale((Interval){c->gap_ns.lo, c->gap_ns.mid, slowest}, handoff_count(p));
}

void predict_gaps(const Program *p, const Costs *c, Prediction *t)
{
    t->gap_part[REST_HANDOFF] = interval_scale(c->gap_ns, handoff_count(p));
    t->gap_part[REST_LAUNCH] = predict_launches(p, c);
    t->gap_part[REST_REQUEST] = c->request_ns;
    t->launch_ns = t->gap_part[REST_LAUNCH].mid;
    t->gap_ns = interval_sum_independent(t->gap_part, REST_COUNT);
}

/* Service times hardly vary on the NPU (0.10 guide: NPU Run 108,134 ns in all four rows) and over
 * PCIe; host operators spread by 0.40 in the logarithm (the same rows): cv^2 = exp(0.16) - 1. */
#define NPU_REGULARITY  1.0
#define PCIE_REGULARITY 1.0
#define HOST_REGULARITY 0.83

/* Streams that take turns on a channel break each other's rows, so that a byte takes longer than
 * alone.  No source says by how much; whole networks take 2.8 to 19.2 % longer by a DRAM that is
 * modelled cycle by cycle than by bandwidth alone (an NPU study of Ajou University), the mean of
 * three is 12.7 %. */
#define BROKEN_ROWS     1.1
#define BROKEN_ROWS_MAX 1.2

/* The others on the channel, each counted as more than one for the rows that it breaks. */
static double in_turns(double others, double broken_rows)
{
    return others + (broken_rows - 1) * (others + fmin(1, others));
}

/* PEs that each run a separate task share one DRAM: while another one uses it, which is for dram /
 * npu of the time, a transfer takes twice as long and more; and no task ends before all of them
 * have had their bytes. */
static double beside_others(const Prediction *t, double others)
{
    double npu = t->npu_ns.mid, dram = t->dram_ns;
    double met = npu > 0 ? others * fmin(1, dram / npu) : 0;
    return fmax(npu + met * dram, (1 + others) * dram);
}

double predict_others(double npu_ns, double whole_ns, double at_once, int most)
{
    double share = whole_ns > 0 ? fmin(1, npu_ns / whole_ns) : 1;
    return fmin(most, fmax(0, at_once - 1) * share);
}

/* PEs that share the channel fairly: while another one uses it, which is for wait / npu of the
 * time, a transfer takes twice as long and more, and so does the other's use: wait = d (1 + others
 * wait / npu), with the others as in_turns has it. */
double predict_dram_alone(double npu_ns, double dram_wait_ns, double others)
{
    double wait = fmin(dram_wait_ns, npu_ns);
    return npu_ns > 0 ? wait / (1 + in_turns(others, BROKEN_ROWS) * wait / npu_ns) : 0;
}

/* The same, solved for the wait of a task that computes for `own_ns` beside it. */
static double wait_beside(double own_ns, double dram_ns, double others)
{
    double more = dram_ns * (1 + others) - own_ns;
    return (more + sqrt(more * more + 4 * dram_ns * own_ns)) / 2;
}

/* A task that was measured beside others holds what it waited for them; now it waits for as many as
 * there are now.  At best they asked at the same time when it was measured, and now never do. */
static Interval measured_beside(const Prediction *t, double whole_ns, int at_once, int per_card,
                                double by_one)
{
    double npu = t->npu_ns.mid, waited = fmin(t->dram_others_ns, npu);
    double others = by_one * predict_others(npu, whole_ns, at_once, per_card - 1);
    double alone = npu - waited, dram = fmin(t->dram_ns, alone), own = alone - dram;
    double never = fmax(alone, (1 + others) * dram); /* the channel is busy all the time */
    if (waited > 0)
        never = fmin(never, fmax(npu - (dram + waited) * (per_card - 1) / per_card, dram + waited));
    double mid = own + wait_beside(own, dram, in_turns(others, BROKEN_ROWS));
    double always = own + (1 + in_turns(others, BROKEN_ROWS_MAX)) * dram;
    return (Interval){fmin(never, mid), mid, fmax(mid, always)};
}

/* Without what others make it wait. */
static double whole_ns(const Prediction *t)
{
    double waits = t->waiting_ns;
    return t->npu_ns.mid + t->host_ns.mid + t->io_ns.mid + t->gap_ns.mid +
           fmax(0, t->unattributed_ns.mid - waits);
}

static int tasks_at_once(const Program *p, const RunOptions *run)
{
    int per_card = compile_options_lanes(&p->options, p->machine);
    return per_card > 1 && run->workers > 1 ? per_card : 1;
}

Interval predict_npu_beside(const Program *p, const RunOptions *run, const Prediction *t)
{
    int per_card = tasks_at_once(p, run), devices = run->devices > 1 ? run->devices : 1;
    /* A memory that feeds several PEs at once is busy for less of the time that one reads, and lets
     * another one wait for less of its own. */
    double feeds = fmax(1, p->machine->dram_feeds_1e3 * 1e-3), by_one = 1 / (feeds * feeds);
    if (!t->replayed)
        return interval_exact(beside_others(t, by_one * in_turns(per_card - 1, BROKEN_ROWS)));
    return measured_beside(t, whole_ns(t), run->workers / devices, per_card, by_one);
}

QueueDemand predict_demand(const Program *p, const RunOptions *run, const Prediction *t)
{
    int devices = run->devices > 1 ? run->devices : 1;
    int per_card = tasks_at_once(p, run), io_threads = run->io_threads == 1 ? 1 : 2;
    double io = t->io_ns.mid + t->submit_ns, one_way = t->one_way_share * t->io_ns.mid;
    bool in_turns = one_way > io / io_threads; /* no request waits for the other direction */
    double launch = t->npu_ns.mid > 0 ? t->launch_ns : 0;
    double delay = t->gap_ns.mid - launch + t->unattributed_ns.mid - t->host_skew_ns -
                   t->submit_ns - t->waiting_ns;
    /* Unattributed time may belong to a host step of unknown cost, which needs a core. */
    double hidden = t->nunknown > 0 ? fmax(0, delay) : 0;
    bool more = run->application_threads > t->application_threads;
    int threads = more ? run->application_threads : t->application_threads;
    return (QueueDemand){
        .npu_ns = predict_npu_beside(p, run, t).mid + launch,
        .npu_servers = devices * per_card,
        .host_ns = t->host_ns.mid + t->host_more_ns + hidden,
        .share_ns = run->application_ns.mid,
        .host_servers = p->options.host_cores,
        .pcie_ns = in_turns ? one_way : io,
        .pcie_servers = devices * (in_turns ? 1 : io_threads),
        .delay_ns = fmax(0, delay - hidden) + (in_turns ? io - one_way : 0),
        .application_ns = fmax(0, t->application_ns - run->spared_ns),
        .application_servers = threads,
        .blocking_callers = t->application_blocks && !more ? t->application_threads : 0,
        .npu_regularity = NPU_REGULARITY,
        .host_regularity = HOST_REGULARITY,
        .pcie_regularity = PCIE_REGULARITY,
    };
}

double predict_images(const Program *p, const RunOptions *run)
{
    bool is_short = run->fill > 0 && run->fill < p->images;
    return is_short ? (double)run->fill : (double)p->images;
}

int predict_worker_cap(const Program *p, const Costs *c)
{
    return p->options.sdk < 10 ? (int)c->worker_cap_old.mid : QUEUEING_MAX_WORKERS;
}

int predict_workers(const Program *p, const Costs *c, const RunOptions *run)
{
    int cap = predict_worker_cap(p, c), n = run->workers;
    if (run->queue_depth > 0 && run->queue_depth < n)
        n = run->queue_depth;
    return n < 1 ? 1 : n > cap ? cap : n;
}

/* Time per task when one total has another value than its mid; 0 when nothing takes time. */
static double period_with(const Program *p, const RunOptions *run, const Prediction *t, int n,
                          size_t which, double value)
{
    Prediction moved = *t;
    Interval *total[] = {&moved.npu_ns, &moved.host_ns, &moved.io_ns, &moved.gap_ns,
                         &moved.unattributed_ns};
    assert(which < sizeof total / sizeof *total);
    total[which]->mid = value;
    if (moved.gap_ns.mid < moved.launch_ns)
        moved.launch_ns = moved.gap_ns.mid;
    QueueDemand d = predict_demand(p, run, &moved);
    double per_s = queueing_throughput(&d, n);
    return per_s > 0 ? 1e9 / per_s : 0;
}

/* Each total is moved to its ends alone; the differences in time add in quadrature. */
static Interval throughput_interval(const Program *p, const RunOptions *run, const Prediction *t,
                                    int n)
{
    const Interval total[] = {t->npu_ns, t->host_ns, t->io_ns, t->gap_ns, t->unattributed_ns};
    enum { TOTALS = sizeof total / sizeof *total };
    double mid = period_with(p, run, t, n, 0, total[0].mid);
    Interval part[TOTALS];
    for (size_t i = 0; i < TOTALS; i++) {
        part[i].mid = i ? 0 : mid;
        part[i].lo = part[i].mid + period_with(p, run, t, n, i, total[i].lo) - mid;
        part[i].hi = part[i].mid + period_with(p, run, t, n, i, total[i].hi) - mid;
    }
    Interval ns = interval_sum_independent(part, TOTALS);
    double tasks = 1e9 * predict_images(p, run);
    if (!(ns.lo > 0))
        ns.lo = mid / 100; /* faster than that is not credible */
    return mid > 0 ? (Interval){tasks / ns.hi, tasks / ns.mid, tasks / ns.lo} : (Interval){0};
}

double predict_skew(const Prediction *t)
{
    return t->host_more_ns - t->host_skew_ns;
}

double predict_line(const Program *p, const Costs *c, const RunOptions *run, const Prediction *t)
{
    double per_s = t->throughput_per_s.mid / predict_images(p, run);
    double own = t->latency_ns.mid - t->waiting_ns;
    double all = per_s > 0 ? predict_workers(p, c, run) * 1e9 / per_s : own;
    return fmax(0, all - predict_skew(t) - t->application_ns - own);
}

double predict_idle_share(const Prediction *t)
{
    double ceiling = t->throughput_ceiling_per_s;
    return ceiling > 0 ? fmax(0, 1 - t->throughput_per_s.mid / ceiling) : 0;
}

static Interval interval_shift(Interval x, double by)
{
    return (Interval){x.lo + by, x.mid + by, x.hi + by};
}

/* Waiting depends on all the rest, which it is no part of. */
static void wait_in_line(const Program *p, const Costs *c, const RunOptions *run, Prediction *t)
{
    double idle = t->idle_share > 0 ? fmin(1, predict_idle_share(t) / t->idle_share) : 0;
    double waits = fmax(0, predict_line(p, c, run, t) + idle * t->waits_more_ns);
    double more = waits - t->waiting_ns;
    t->latency_ns = interval_shift(t->latency_ns, more);
    t->unattributed_ns = interval_shift(t->unattributed_ns, more);
    t->waiting_ns = waits;
}

/* Converts figures per task to figures per image, which takes several tasks. */
static void per_picture(Prediction *t, int patches)
{
    t->latency_ns = interval_scale(t->latency_ns, patches);
    t->host_free_ns *= patches;
    t->npu_free_ns *= patches;
    t->throughput_per_s = interval_scale(t->throughput_per_s, 1.0 / patches);
    t->throughput_ceiling_per_s /= patches;
}

void predict_totals(const Program *p, const Costs *c, const RunOptions *run, Prediction *t)
{
    Interval group[GROUP_COUNT];
    memset(group, 0, sizeof group);
    t->nunknown = 0;
    for (size_t i = 0; i < p->nstep; i++) {
        const Step *s = &p->step[i];
        int g = s->kind == STEP_NPU ? GROUP_NPU : s->kind == STEP_HOST ? (int)s->host_op : GROUP_IO;
        assert(g >= 0 && g < GROUP_GAP);
        group[g] = interval_add(group[g], t->step[i].total_ns);
        t->nunknown += !t->step[i].known;
    }
    group[GROUP_GAP] = t->gap_ns;
    group[GROUP_UNATTRIBUTED] = t->unattributed_ns;
    t->npu_ns = group[GROUP_NPU];
    t->io_ns = group[GROUP_IO];
    t->host_ns = interval_sum_independent(group, HOST_OP_COUNT);
    t->latency_ns = interval_sum_independent(group, GROUP_COUNT);
    t->throughput_per_s = throughput_interval(p, run, t, predict_workers(p, c, run));
    QueueDemand d = predict_demand(p, run, t);
    t->throughput_ceiling_per_s = queueing_ceiling(&d) * predict_images(p, run);
    if (t->in_line)
        wait_in_line(p, c, run, t);
    /* without host operators, their scatter adds nothing to the sum */
    double scatter = fmin(t->host_skew_ns, fmax(0, t->unattributed_ns.mid));
    t->host_free_ns = fmax(0, t->latency_ns.mid - t->host_ns.mid - scatter);
    t->npu_free_ns = fmax(0, t->latency_ns.mid - t->npu_ns.mid);
    if (run->patches > 1)
        per_picture(t, run->patches);
    /* Below zero where the application spares more than an inference takes. */
    t->latency_ns = interval_shift(t->latency_ns, -run->spared_ns);
}

Interval prediction_objective(const Prediction *p, Objective o)
{
    assert(o == OBJECTIVE_LATENCY || o == OBJECTIVE_THROUGHPUT);
    return o == OBJECTIVE_LATENCY ? p->latency_ns : p->throughput_per_s;
}
