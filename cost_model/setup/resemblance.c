/* Compares a program with the typical inference, by classes of times that are off together. */
#include "cost_model/setup/resemblance.h"
#include "cost_model/costs.h"
#include "cost_model/interval.h"
#include "cost_model/op_model.h"
#include "cost_model/match/span_match.h"

enum {
    CLASS_H2D = HOST_COSTS_MAX,
    CLASS_D2H,
    CLASS_TASK_IO,
    CLASS_KIND,
    CLASS_MAC = CLASS_KIND + LOWOP_KIND_COUNT, /* Conv2d that multiplies most of its time */
    CLASS_TASK                                 /* of a task whose operators the trace lacks */
};
static_assert(CLASS_TASK + 1 == RESEMBLANCE_CLASSES, "the array has room for every class");

typedef struct {
    const Typical *typical;
    const Program *program;
    const Costs *costs;
    const Prediction *pred;
    double *op_ns; /* predicted, with what others do on the DRAM */
    double others; /* tasks beside this one on the card's DRAM */
    ResemblanceClass class[RESEMBLANCE_CLASSES];
    double first[2];   /* transfers that follow no other of their kind */
    double wire_ns[2]; /* of transfers: their bytes alone … */
    double least_wire_ns[2], least_mac_ns, mac_ns; /* … by the data sheet; measured */
    size_t host_apart, op_apart, op_both;
    ResemblanceClass products, convolutions; /* that have their weights in SRAM */
    size_t nstreamed;                        /* convolutions that have not */
    double n, y, yy;                         /* sums over operators: y = ln(measured / predicted) */
} Comparison;

static void add_to(ResemblanceClass *c, double measured, Interval predicted)
{
    c->measured_ns += measured;
    c->predicted_ns = interval_add(c->predicted_ns, predicted);
    c->items++;
}

static void add_to_class(Comparison *k, int class, double measured, Interval predicted)
{
    assert(class >= 0 && class < RESEMBLANCE_CLASSES);
    add_to(&k->class[class], measured, predicted);
}

static int class_of(const Comparison *k, const Step *s)
{
    if (s->kind != STEP_HOST)
        return s->kind == STEP_H2D ? CLASS_H2D : CLASS_D2H;
    const HostCost *law = costs_for_host(k->costs, k->program->options.sdk, s);
    return law ? (int)(law - k->costs->host) : -1;
}

/* What is written beyond this takes another time for an element, where a law has no price for it.
 */
enum { SIMILAR_BYTES = 4 << 20 };

static void add_wire(Comparison *k, const Step *s, int direction)
{
    k->first[direction] += s->id == 0 || k->program->step[s->id - 1].kind != s->kind;
    double giga = 1e9 * (double)(direction == 0 ? s->bytes_out : s->bytes_in);
    k->wire_ns[direction] += giga / k->costs->pcie_bytes_per_s.mid;
    k->least_wire_ns[direction] += giga / k->costs->pcie_bytes_per_s.hi;
}

static void compare_host(Arena *a, Comparison *k)
{
    const Typical *t = k->typical;
    uint32_t *match = ARENA_ARRAY(a, uint32_t, (size_t)t->nhost + 1);
    StrMap names = match_node_names(a, k->program);
    match_host(a, k->program, &names, t->host, t->nhost, match);
    size_t matched = 0, steps = 0;
    for (size_t i = 0; i < k->program->nstep; i++)
        steps += k->program->step[i].kind != STEP_NPU;
    for (uint32_t i = 0; i < t->nhost; i++) {
        bool is_step = t->host[i].kind == SPAN_HOST_OPERATOR || t->host[i].kind == SPAN_TRANSFER;
        k->host_apart += is_step && match[i] == MATCH_NONE;
        if (match[i] == MATCH_NONE)
            continue;
        matched++;
        const Step *s = &k->program->step[match[i]];
        int class = class_of(k, s);
        if (class >= 0 && k->pred->step[s->id].known && !t->host_detail[i].nominal)
            add_to_class(k, class, (double)t->host[i].dur_ns, k->pred->step[s->id].total_ns);
        const HostCost *law = class >= 0 && class < CLASS_H2D ? &k->costs->host[class] : NULL;
        if (law && !costs_host_counts_uncached(law) && s->bytes_out > SIMILAR_BYTES)
            k->class[class].beyond = true;
        if (class >= CLASS_H2D)
            add_wire(k, s, class - CLASS_H2D);
    }
    if (matched || k->host_apart) /* else the trace was made without the host */
        k->host_apart += steps - matched;
}

/* What others do on the DRAM is waited for. */
static Interval op_ns(const Comparison *k, LowOpId op)
{
    const OpPrediction *t = &k->pred->op[op];
    return interval_add(t->total_ns, interval_exact(k->others * t->dram_ns));
}

static void compare_op(Comparison *k, LowOpId op, double measured)
{
    Interval predicted = op_ns(k, op);
    const OpPrediction *t = &k->pred->op[op];
    k->op_both++;
    if (t->utilisation > 0) {
        k->least_mac_ns += t->utilisation * t->total_ns.mid;
        k->mac_ns += measured;
    }
    if (!(measured > 0) || !(predicted.mid > 0) || k->program->op[op].zero_cost)
        return;
    bool multiplies = k->program->op[op].kind == LOWOP_CONV2D && 2 * t->mac_ns > t->total_ns.mid;
    add_to_class(k, multiplies ? CLASS_MAC : CLASS_KIND + (int)k->program->op[op].kind, measured,
                 predicted);
    if (k->program->op[op].kind != LOWOP_CONV2D)
        return;
    /* What waits for the DRAM takes as long as that, whatever is computed with it; and the law of
     * maps that exceed the SRAM rests on one network. */
    k->nstreamed += k->program->op[op].streamed_bytes > 0;
    if (k->program->op[op].streamed_bytes == 0 && t->limit != LIMIT_DRAM) {
        add_to(&k->convolutions, measured, predicted);
        if (multiplies)
            add_to(&k->products, measured, predicted);
    }
    double y = log(measured / predicted.mid);
    k->n += 1;
    k->y += y;
    k->yy += y * y;
}

/* The data sheet's DRAM, which the task of the guide beats by a third, and its usual efficiency. */
static void compare_task_io(Comparison *k, const Step *s, const TypicalTask *t)
{
    if (!t->has_run || (double)t->io_ns < k->costs->launch_ns.lo / 2)
        return; /* no task is launched in that time: the figure is no such */
    Interval byte = {k->costs->task_io_ns_per_byte.mid, k->costs->task_io_ns_per_byte.hi,
                     costs_form_figure(k->costs, TERM_SPILL).mid};
    double bytes = (double)s->bytes_in + (double)s->bytes_out;
    add_to_class(k, CLASS_TASK_IO, (double)t->io_ns,
                 interval_add(k->costs->launch_ns, interval_scale(byte, bytes)));
}

static void compare_task(Arena *a, Comparison *k, const Step *s, const TypicalTask *t)
{
    compare_task_io(k, s, t);
    if (t->nop == 0) {
        double launch = t->has_run ? 0 : k->pred->launch_ns, waits = 0;
        for (LowOpId i = s->first_op; i < s->first_op + s->nop; i++)
            waits += k->others * k->pred->op[i].dram_ns;
        Interval whole =
            interval_add(k->pred->step[s->id].total_ns, interval_exact(launch + waits));
        add_to_class(k, CLASS_TASK, (double)t->total_ns, whole);
        return;
    }
    uint32_t *match = ARENA_ARRAY(a, uint32_t, (size_t)t->nop + 1);
    match_task(a, k->program, s, k->op_ns, t->op, t->nop, match);
    size_t costly = 0, matched = 0;
    for (LowOpId i = s->first_op; i < s->first_op + s->nop; i++)
        costly += !k->program->op[i].zero_cost;
    for (uint32_t i = 0; i < t->nop; i++) {
        if (t->op[i].kind != SPAN_NPU_OPERATOR)
            continue;
        bool is_view = t->op[i].dur_ns <= (int64_t)(2 * op_fixed_ns(k->costs, LOWOP_RESHAPE).hi);
        k->op_apart += match[i] == MATCH_NONE && !is_view;
        if (match[i] == MATCH_NONE)
            continue;
        matched += !k->program->op[match[i]].zero_cost;
        compare_op(k, match[i], (double)t->op[i].dur_ns);
    }
    k->op_apart += costly - matched;
}

static double total_of(const Comparison *k, bool measured)
{
    return LIST_SUM(double, i, RESEMBLANCE_CLASSES,
                    measured ? k->class[i].measured_ns : k->class[i].predicted_ns.mid);
}

static void compare_tasks(Arena *a, Comparison *k)
{
    uint32_t tasks = 0, i = 0;
    for (size_t s = 0; s < k->program->nstep; s++)
        tasks += k->program->step[s].kind == STEP_NPU;
    if (tasks != k->typical->ntask) {
        k->host_apart +=
            tasks > k->typical->ntask ? tasks - k->typical->ntask : k->typical->ntask - tasks;
        k->op_apart++;
        return;
    }
    for (size_t s = 0; s < k->program->nstep; s++)
        if (k->program->step[s].kind == STEP_NPU)
            compare_task(a, k, &k->program->step[s], &k->typical->task[i++]);
}

/* How far a law may be off for another host or chip: standard deviations of ln(measured /
 * predicted), beside a figure's own interval, seen on nine networks that no test uses, 1 to 32
 * images, six simulated chips: Conv2d that multiplies 0.27, others 0.2 to 0.6 about means of
 * -0.6 to 0.5, Dequantize 0.2 to 0.35, Slice and Quantize 0.5, tasks beside their operators
 * 0.17.  An eighth is beyond twice that: hence the tails of a t distribution. */
#define HOST_SIGMA 0.3
#define IO_SIGMA   0.15
#define MAC_SIGMA  0.27
#define CONV_SIGMA 0.6
#define TASK_SIGMA 0.3
#define TAILS      4.0 /* degrees of freedom */
/* Beside them, of a step whose result no cache holds under a law that was seen within one: a
 * megabyte of uint8 pixels took 5 times as long there. */
#define OUTLIER_SIGMA 0.7
/* One host is faster than another, and a profiler slows all that it does: its steps are off
 * together. */
#define COMMON_SIGMA 0.25
#define COMMON_MAX   1.5
#define COMMON_STEP  0.05
/* An operator on one side only. */
#define HOST_DISTANCE_COST 12.0
#define NPU_DISTANCE_COST  4.0
/* Ends of 90 % intervals in standard deviations. */
#define NINETY 1.645

/* 0: a kind with three published points or fewer tells nothing: DepthwiseConv2d took a fifth of its
 * prediction, and Pad five times as much. */
static double sigma_of_class(int index)
{
    switch (index) {
    case CLASS_TASK_IO:
        return IO_SIGMA;
    case CLASS_MAC:
        return MAC_SIGMA;
    case CLASS_TASK:
        return TASK_SIGMA;
    case CLASS_KIND + LOWOP_CONV2D:
        return CONV_SIGMA;
    default:
        return index < CLASS_H2D ? HOST_SIGMA : 0;
    }
}

static double student_t_cost(double deviation)
{
    return (TAILS + 1) * log1p(deviation * deviation / TAILS);
}

/* The cost of a class if its group is off by `common`, in the logarithm. */
static double class_cost(const ResemblanceClass *c, int index, double common)
{
    double base = sigma_of_class(index);
    if (!c->items || !(base > 0) || !(c->measured_ns > 0) || !(c->predicted_ns.mid > 0))
        return 0;
    double far = log(c->measured_ns / c->predicted_ns.mid);
    double end = far > 0 ? c->predicted_ns.hi / c->predicted_ns.mid
                         : c->predicted_ns.mid / fmax(c->predicted_ns.lo, c->predicted_ns.mid / 20);
    double own = index < CLASS_KIND ? log(end) / NINETY : 0;
    double far_off = c->beyond ? OUTLIER_SIGMA : 0;
    return student_t_cost((far - common) / sqrt(own * own + base * base + far_off * far_off));
}

static double host_cost(const Comparison *k, double common)
{
    double cost = common * common / COMMON_SIGMA / COMMON_SIGMA;
    for (int i = 0; i < CLASS_H2D; i++)
        cost += class_cost(&k->class[i], i, common);
    return cost;
}

/* Transfers: set-up of the first of several in a row, a little of each one after it, and bytes
 * at the link's rate in both directions, within WIRE_SIGMA.  The set-up is the runtime's,
 * anything within its figure, but nearly the same for writes and reads. */
#define WIRE_SIGMA  0.2
#define WIRE_MAX    0.6
#define WIRE_STEP   0.1
#define LINK_SIGMA  0.15
#define SETUP_SIGMA 0.5
enum { SETUPS = 12 };

static void link_costs(const Comparison *k, int direction, double rate, double ret[SETUPS])
{
    assert(direction == 0 || direction == 1);
    const ResemblanceClass *c = &k->class[CLASS_H2D + direction];
    const Interval *setup = &k->costs->pcie_ns;
    for (int i = 0; i < SETUPS; i++) {
        double first = setup->lo * pow(setup->hi / setup->lo, i / (SETUPS - 1.0));
        double next = ((double)c->items - k->first[direction]) * setup->mid;
        double ns = k->first[direction] * first + next + k->wire_ns[direction] * exp(rate);
        ret[i] = c->items && c->measured_ns > 0
                     ? student_t_cost(log(c->measured_ns / ns) / LINK_SIGMA)
                     : 0;
    }
}

/* At the likeliest set-ups. */
static double cost_at_rate(const Comparison *k, double rate)
{
    double in[SETUPS], out[SETUPS], least = INFINITY;
    double step = log(k->costs->pcie_ns.hi / k->costs->pcie_ns.lo) / (SETUPS - 1) / SETUP_SIGMA;
    link_costs(k, 0, rate, in);
    link_costs(k, 1, rate, out);
    for (int i = 0; i < SETUPS; i++)
        for (int o = 0; o < SETUPS; o++)
            least = fmin(least, in[i] + out[o] + (i - o) * (i - o) * step * step);
    return least + rate * rate / WIRE_SIGMA / WIRE_SIGMA;
}

static double cost_of_links(const Comparison *k)
{
    double least = INFINITY;
    for (double rate = -WIRE_MAX; rate <= WIRE_MAX; rate += WIRE_STEP)
        least = fmin(least, cost_at_rate(k, rate));
    return least;
}

/* Nothing is faster than the data sheet: a link that carries more than it can, an array that
 * multiplies more than it has, show that there was less to carry and to multiply.  The ends leave
 * room for the figures themselves to be off. */
#define SHEET_SIGMA 0.15

static double bound_violation_cost(double least_ns, double measured_ns)
{
    double over = measured_ns > 0 && least_ns > measured_ns ? log(least_ns / measured_ns) : 0;
    return over * over / SHEET_SIGMA / SHEET_SIGMA;
}

static double cost_of_bounds(const Comparison *k)
{
    double cost = bound_violation_cost(k->least_mac_ns, k->mac_ns);
    for (int i = 0; i < 2; i++)
        cost += bound_violation_cost(k->least_wire_ns[i], k->class[CLASS_H2D + i].measured_ns);
    return cost;
}

/* At the likeliest speed of the host. */
static double cost_of_classes(const Comparison *k)
{
    double least = INFINITY;
    for (double common = -COMMON_MAX; common <= COMMON_MAX; common += COMMON_STEP)
        least = fmin(least, host_cost(k, common));
    for (int i = CLASS_TASK_IO; i < RESEMBLANCE_CLASSES; i++)
        least += class_cost(&k->class[i], i, 0);
    return least;
}

/* ln of how much longer than predicted it takes. */
static double log_time_ratio(const ResemblanceClass *c)
{
    bool known = c->measured_ns > 0 && c->predicted_ns.mid > 0;
    return known ? log(c->measured_ns / c->predicted_ns.mid) : 0;
}

static Excess excess_of(const ResemblanceClass *c, const ResemblanceClass *io)
{
    double over_law = log_time_ratio(c);
    return (Excess){over_law, over_law - log_time_ratio(io), c->items};
}

static void compare_products(const Comparison *k, Resemblance *ret)
{
    const ResemblanceClass *mac = &k->products, *all = &k->convolutions,
                           *io = &k->class[CLASS_TASK_IO];
    ret->beyond = cost_of_bounds(k);
    /* Where most weights are fetched each time, which ones stay is the compiler's choice. */
    if (!io->items || all->items == 0 || k->nstreamed > all->items)
        return;
    ret->products = excess_of(mac, io);
    ret->convolutions = excess_of(all, io);
}

static void finish_operators(const Comparison *k, Resemblance *ret)
{
    ret->operators = (size_t)k->n;
    double both = (double)k->op_both, all = both + (double)k->op_apart;
    ret->npu_apart = all > 0 ? (double)k->op_apart / all : 0;
    if (k->n < 2)
        return;
    double variance = fmax(0, k->yy / k->n - k->y * k->y / k->n / k->n);
    ret->spread = sqrt(variance);
}

Resemblance resemblance_of(Arena *a, const Typical *t, const Program *p, const Costs *c,
                           const Prediction *pred, int tasks_at_once)
{
    Comparison k = {.typical = t, .program = p, .costs = c, .pred = pred};
    k.others = tasks_at_once > 1 ? tasks_at_once - 1 : 0;
    k.op_ns = ARENA_ARRAY(a, double, p->nop + 1);
    for (LowOpId i = 0; i < p->nop; i++)
        k.op_ns[i] = op_ns(&k, i).mid;
    compare_host(a, &k);
    compare_tasks(a, &k);
    Resemblance ret = {.host_apart = k.host_apart};
    double predicted = total_of(&k, false);
    ret.times = predicted > 0 ? total_of(&k, true) / predicted : 1;
    finish_operators(&k, &ret);
    compare_products(&k, &ret);
    ret.cost = HOST_DISTANCE_COST * (double)k.host_apart + NPU_DISTANCE_COST * (double)k.op_apart;
    ret.cost += cost_of_classes(&k) + cost_of_links(&k) + ret.beyond;
    return ret;
}
