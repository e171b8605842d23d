/* Predicts every step and low-level operator from figures and work alone. */
#include "cost_model/predict.h"

static void add_to(double work[TERM_MAX], const double more[TERM_MAX])
{
    for (int t = 0; t < TERM_MAX; t++)
        work[t] += more[t];
}

/* Errors of one figure go together over all its ops, those of different figures do not; `off_ns`
 * is what the model's form is off by. */
static Interval sum_of_terms(const Costs *c, const double work[TERM_MAX], Interval off_ns)
{
    Interval part[TERM_MAX + 1];
    size_t n = 0;
    for (int t = 0; t < c->nterm; t++)
        if (work[t] != 0)
            part[n++] = interval_scale(c->term[t].figure, work[t]);
    part[n++] = off_ns;
    return interval_sum_independent(part, n);
}

/* What `ns` is off by, as the figure of a residual says. */
static Interval residual_of(const Costs *c, int figure, double ns)
{
    double r = costs_figure(c, figure).mid;
    return (Interval){-ns * (1 - exp(-r)), 0, ns * (exp(r) - 1)};
}

/* The classes' residuals are those of whole networks, in which single errors cancel; rows of a
 * table and a calibration are measured one by one. */
static int residual_alone(const Costs *c, const LowOp *op)
{
    int of_class = op_residual_figure(op);
    bool seen = op->row || c->info[of_class].kind == KIND_CALIBRATED;
    return seen ? of_class : COST_residual_unseen;
}

static Limit dominant_limit(const double limit_ns[LIMIT_COUNT])
{
    int most = LIMIT_UNKNOWN;
    for (int l = 0; l < LIMIT_COUNT; l++)
        if (limit_ns[l] > limit_ns[most])
            most = l;
    return (Limit)most;
}

static double mac_utilisation(const OpModel *m, const LowOp *op, double ns)
{
    const Machine *x = m->program->machine;
    double peak_per_ns = (double)x->slices_per_pe * x->mac_width * x->mac_height *
                         m->program->options.pe / m->ns_per_cycle;
    return op->macs > 0 && ns > 0 ? (double)op->macs / (peak_per_ns * ns) : 0;
}

double predict_traffic_ns(const Costs *c, const LowOp *op)
{
    double streamed = (double)op->streamed_bytes, maps = (double)op->spill_bytes - streamed;
    if (op->spill_bytes <= 0)
        return 0;
    return streamed * costs_form_figure(c, TERM_OVERFLOW).mid +
           maps * costs_form_figure(c, TERM_SPILL).mid;
}

OpPrediction predict_op(const OpModel *m, const Costs *c, const LowOp *op, double work[TERM_MAX])
{
    op_work(m, op, work);
    double part[PART_COUNT] = {0}, limit[LIMIT_COUNT] = {0}, form[TERM_FORM_COUNT] = {0}, sum = 0;
    for (int t = 0; t < c->nterm; t++) {
        if (work[t] == 0)
            continue;
        double ns = costs_term_ns(c, t, work[t]);
        const FormInfo *info = &term_forms[c->term[t].form];
        part[info->part] += ns;
        limit[info->limit] += ns;
        form[c->term[t].form] += ns;
        sum += ns;
    }
    return (OpPrediction){
        .total_ns = sum_of_terms(c, work, residual_of(c, op_residual_figure(op), sum)),
        .alone_ns = sum_of_terms(c, work, residual_of(c, residual_alone(c, op), sum)),
        .load_ns = part[PART_LOAD],
        .compute_ns = part[PART_COMPUTE],
        .store_ns = part[PART_STORE],
        .mac_ns = limit[LIMIT_MAC],
        .fixed_ns = limit[LIMIT_LAUNCH],
        .memory_ns = limit[LIMIT_SRAM] + limit[LIMIT_DRAM],
        .dram_ns = op->row      ? form[TERM_READ] + form[TERM_WEIGHT] + form[TERM_BYTES]
                   : c->carried ? form[TERM_OVERFLOW] + form[TERM_SPILL] + form[TERM_OVERSIZE]
                                : predict_traffic_ns(c, op),
        .limit = dominant_limit(limit),
        .utilisation = mac_utilisation(m, op, sum),
    };
}

#define WAIT_OFF 1.0
#define REST_OFF 0.1

double predict_op_wait(const OpPrediction *op, double measured_ns)
{
    double wait = WAIT_OFF * op->dram_ns, rest = REST_OFF * fmax(0, op->total_ns.mid - op->dram_ns);
    if (!(wait > 0))
        return 0;
    double share = wait * wait / (wait * wait + rest * rest);
    double ns = op->dram_ns + share * (measured_ns - op->total_ns.mid);
    return fmin(fmax(0, ns), measured_ns);
}

void predict_set_op_time(OpPrediction *op, Interval total, double dram_ns)
{
    double k = op->total_ns.mid > 0 ? total.mid / op->total_ns.mid : 0;
    op->load_ns *= k;
    op->store_ns *= k;
    op->compute_ns = total.mid - op->load_ns - op->store_ns;
    op->mac_ns *= k;
    op->fixed_ns *= k;
    op->memory_ns *= k;
    op->dram_ns = dram_ns;
    op->utilisation = k > 0 ? op->utilisation / k : 0;
    op->total_ns = total;
}

/* The operators' errors go together over a task; where the figures say what a whole network is off
 * by, each row that a measured one informs is off by itself beside that. */
static void add_error(const Costs *c, const LowOp *op, double ns, double *together, double *squares)
{
    int figure = op_residual_figure(op);
    double off = ns * costs_figure(c, figure).mid;
    if (c->residual_network.mid > 0 && figure != COST_residual_unseen)
        *squares += off * off;
    else
        *together += off;
}

/* What a batch is off by comes on top. */
static StepPrediction predict_npu(const OpModel *m, const Costs *c, const Step *s, OpPrediction *op)
{
    assert(s->first_op + s->nop <= m->program->nop);
    double work[TERM_MAX] = {0}, limit[LIMIT_COUNT] = {0}, sum = 0, together = 0, squares = 0;
    for (LowOpId i = s->first_op; i < s->first_op + s->nop; i++) {
        double of_op[TERM_MAX];
        op[i] = predict_op(m, c, &m->program->op[i], of_op);
        double ns = op[i].total_ns.mid;
        add_to(work, of_op);
        add_error(c, &m->program->op[i], ns, &together, &squares);
        sum += ns;
        limit[op[i].limit] += ns;
    }
    double of_batch = m->program->images > 1 ? c->residual_batch.mid : 0;
    double of_rows = sum > 0 ? sqrt(together * together + squares) / sum : 0;
    double r = hypot(op_model_widening(m) * hypot(c->residual_network.mid, of_rows), of_batch);
    Interval form = {-sum * -expm1(-r), 0, sum * expm1(r)};
    return (StepPrediction){sum_of_terms(c, work, form), true, dominant_limit(limit)};
}

static Interval wire_ns(const Costs *c, const Step *s)
{
    assert(s->kind == STEP_H2D || s->kind == STEP_D2H);
    double bytes = s->kind == STEP_H2D ? (double)s->bytes_out : (double)s->bytes_in;
    Interval rate = c->pcie_bytes_per_s;
    return (Interval){bytes * 1e9 / rate.hi, bytes * 1e9 / rate.mid, bytes * 1e9 / rate.lo};
}

static StepPrediction predict_transfer(const Costs *c, const Step *s)
{
    Interval wire = wire_ns(c, s);
    return (StepPrediction){interval_add(c->pcie_ns, wire), true,
                            wire.mid > c->pcie_ns.mid ? LIMIT_PCIE : LIMIT_LAUNCH};
}

/* What a transfer takes longer than predicted is its set-up, as far as that may be off. */
static double time_on_link(const Costs *c, const Step *s, double total_ns)
{
    double least = fmax(0, total_ns - c->pcie_ns.hi), most = fmax(0, total_ns - c->pcie_ns.lo);
    return fmin(fmax(wire_ns(c, s).mid, least), most);
}

void predict_link(const Program *p, const Costs *c, Prediction *t)
{
    double ns[2] = {0}, all = 0;
    for (size_t i = 0; i < p->nstep; i++) {
        const Step *s = &p->step[i];
        if (s->kind != STEP_H2D && s->kind != STEP_D2H)
            continue;
        all += t->step[i].total_ns.mid;
        ns[s->kind == STEP_D2H] += time_on_link(c, s, t->step[i].total_ns.mid);
    }
    t->one_way_share = all > 0 ? fmax(ns[0], ns[1]) / all : 0;
}

static StepPrediction predict_host(const Program *p, const Costs *c, const Step *s)
{
    const HostCost *law = s->known ? costs_for_host(c, p->options.sdk, s) : NULL;
    if (!law)
        return (StepPrediction){.known = false, .limit = LIMIT_UNKNOWN};
    return (StepPrediction){costs_host_ns(law, s), true, LIMIT_HOST};
}

/* The longer the NPU works, the less time the host steps after its first task take. */
static void hide_beside_npu(const Program *p, const Costs *c, Prediction *t)
{
    size_t first = LIST_INDEX(i, p->nstep, p->step[i].kind == STEP_NPU);
    double npu = 0, host = 0;
    for (size_t i = first; i < p->nstep; i++) {
        npu += p->step[i].kind == STEP_NPU ? t->step[i].total_ns.mid : 0;
        host += p->step[i].kind == STEP_HOST ? t->step[i].total_ns.mid : 0;
    }
    double hidden = fmin(c->beside_npu.mid * npu, fmin(c->beside_most.mid, 0.9) * host);
    t->host_share = host > 0 ? 1 - hidden / host : 1;
    for (size_t i = first; i < p->nstep; i++)
        if (p->step[i].kind == STEP_HOST)
            t->step[i].total_ns = interval_scale(t->step[i].total_ns, t->host_share);
}

Prediction *predict(Arena *a, const Program *p, const Costs *c, const RunOptions *run)
{
    Prediction *t = ARENA_NEW(a, Prediction);
    t->step = ARENA_ARRAY(a, StepPrediction, p->nstep);
    t->op = ARENA_ARRAY(a, OpPrediction, p->nop);
    OpModel m = op_model(p, c);
    for (size_t i = 0; i < p->nstep; i++) {
        const Step *s = &p->step[i];
        assert(s->id == i);
        t->step[i] = s->kind == STEP_NPU    ? predict_npu(&m, c, s, t->op)
                     : s->kind == STEP_HOST ? predict_host(p, c, s)
                                            : predict_transfer(c, s);
    }
    for (size_t i = 0; i < p->nop; i++)
        t->dram_ns += t->op[i].dram_ns;
    hide_beside_npu(p, c, t);
    predict_gaps(p, c, t);
    predict_link(p, c, t);
    predict_totals(p, c, run, t);
    assert(t->latency_ns.lo <= t->latency_ns.hi && (t->latency_ns.lo >= 0 || run->spared_ns > 0));
    return t;
}

/* Operators were measured one at a time: the smallest fixed time of their laws is the call. */
static double call_ns(const Costs *c)
{
    double ns = INFINITY;
    for (size_t i = 0; i < c->nhost; i++)
        ns = c->host[i].of_operator ? fmin(ns, c->host[i].fixed_ns.mid) : ns;
    return isfinite(ns) ? ns : 0;
}

/* Without the call; the far end of the law is that of the NPU's runtime. */
static Interval alone_ns(const HostCost *law, const Step *s, double call)
{
    HostCost own = *law;
    double ns = fmax(0, own.fixed_ns.mid - call);
    double near = own.fixed_ns.lo > 0 ? own.fixed_ns.lo / own.fixed_ns.mid : 0.5;
    if (own.of_operator)
        own.fixed_ns = (Interval){ns * near, ns, ns / near};
    return costs_host_ns(&own, s);
}

Interval predict_host_alone(const Program *p, const Costs *c)
{
    double call = call_ns(c);
    Interval ns = {call / 2, call, call * 2};
    for (size_t i = 0; i < p->nstep; i++) {
        const Step *s = &p->step[i];
        const HostCost *law = s->known ? costs_for_host(c, p->options.sdk, s) : NULL;
        if (!law)
            return interval_exact(0);
        ns = interval_add(ns, alone_ns(law, s, call));
    }
    return ns;
}

double *predict_op_times(Arena *a, const Program *p, const Prediction *t)
{
    double *ns = ARENA_ARRAY(a, double, p->nop + 1);
    for (size_t i = 0; i < p->nop; i++)
        ns[i] = t->op[i].total_ns.mid;
    return ns;
}
