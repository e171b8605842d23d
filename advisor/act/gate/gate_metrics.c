/* Holds the table of the gate's metrics, and reads the value of each from a result. */
#include "advisor/act/gate/gate_parts.h"
#include "advisor/message/figure.h"

const Metric gate_metric_table[] = {
#define METRIC(name, structure, at_least, time) {name, structure, at_least, time},
#include "advisor/act/gate/gate_metrics.def"
    {0},
};

static const char host_prefix[] = "host:";

bool gate_metric_find(const char *name, size_t len, Metric *ret)
{
    size_t prefix = sizeof host_prefix - 1;
    if (len > prefix && !memcmp(name, host_prefix, prefix)) {
        *ret = (Metric){.name = host_prefix, .structure = true};
        return true;
    }
    if (gate_layer_type(name, len)) {
        *ret = (Metric){.name = "layers_above:", .structure = true};
        return true;
    }
    for (const Metric *m = gate_metric_table; m->name; m++)
        if (strlen(m->name) == len && !memcmp(m->name, name, len)) {
            *ret = *m;
            return true;
        }
    return false;
}

/* Steps of one kind (unset: any transfer) and of one operator (NULL: any). */
static double count_steps(const Result *r, ResultStepKind kind, const char *op)
{
    double n = 0;
    for (size_t i = 0; i < r->steps.count; i++) {
        const ResultStep *s = &r->steps.item[i];
        bool fits = kind ? s->kind == kind
                         : s->kind == RESULT_STEP_KIND_H2D || s->kind == RESULT_STEP_KIND_D2H;
        n += fits && (!op || !strcmp(s->op, op));
    }
    return n;
}

ResultAssertionLimitUnit gate_metric_unit(const Metric *m)
{
    return m->is_time                     ? RESULT_ASSERTION_LIMIT_UNIT_NS
           : m->at_least && !m->structure ? RESULT_ASSERTION_LIMIT_UNIT_PER_S
                                          : RESULT_ASSERTION_LIMIT_UNIT_NONE;
}

const char *gate_metric_text(Arena *a, const Metric *m, double v)
{
    Figure f;
    return gate_metric_unit(m) == RESULT_ASSERTION_LIMIT_UNIT_NONE
               ? arena_printf(a, "%.6g", v)
               : arena_strdup(a, m->is_time ? figure_time(&f, v) : figure_rate(&f, v));
}

static double structure_value(const Result *r, const char *name)
{
    double nodes = (double)r->coverage.nodes, known = (double)r->coverage.nodes_known;
    if (!strncmp(name, host_prefix, sizeof host_prefix - 1))
        return count_steps(r, RESULT_STEP_KIND_HOST, name + sizeof host_prefix - 1);
    if (!strcmp(name, "host_steps"))
        return count_steps(r, RESULT_STEP_KIND_HOST, NULL);
    if (!strcmp(name, "npu_segments"))
        return count_steps(r, RESULT_STEP_KIND_NPU, NULL);
    if (!strcmp(name, "transfers"))
        return count_steps(r, RESULT_STEP_KIND_UNSET, NULL);
    return !strcmp(name, "coverage") ? nodes > 0 ? known / nodes : 0 : nodes - known;
}

static Interval interval_of_ns(const ResultIntervalNs *v)
{
    return (Interval){(double)v->lo, (double)v->mid, (double)v->hi};
}

/* Latency has samples; of the other times the median of the inferences is known. */
static MetricFigure measured_latency(Arena *a, const ResultSamples *samples, Aggregation how)
{
    MetricFigure f = {.known = true, .sampled = true};
    double *value = ARENA_ARRAY(a, double, samples->values.count + 1);
    for (; f.nvalue < samples->values.count; f.nvalue++)
        value[f.nvalue] = (double)samples->values.item[f.nvalue];
    f.value = value;
    f.v = how == AGGREGATE_PESSIMISTIC ? interval_exact((double)samples->max)
          : how == AGGREGATE_P90       ? interval_of_ns(&samples->p90)
                                       : interval_of_ns(&samples->median);
    return f;
}

static MetricFigure measured_median(const ResultMeasuredNs *v)
{
    MetricFigure f = {.known = v, .sampled = true};
    if (v)
        f.v = (Interval){(double)v->lo, (double)v->median, (double)v->hi};
    return f;
}

static MetricFigure measured_figure(Arena *a, const ResultMeasured *measured, const char *name,
                                    Aggregation how)
{
    if (!measured)
        return (MetricFigure){.sampled = true, .few = true};
    const ResultSamples *samples = &measured->samples;
    MetricFigure f = !strcmp(name, "latency_ns") ? measured_latency(a, samples, how)
                     : !strcmp(name, "npu_ns")   ? measured_median(samples->npu_ns)
                     : !strcmp(name, "host_ns")  ? measured_median(samples->host_ns)
                                                 : measured_median(samples->io_ns);
    f.few = samples->n < 5;
    if (f.known && samples->n < 2) { /* the next one may be any time off */
        f.v.lo = 0;
        f.v.hi = HUGE_VAL;
        f.doubt = gate_single_result_doubt;
    }
    return f;
}

static Interval predicted_interval(const ResultPrediction *p, const char *name)
{
    const ResultFigureNs *v = !strcmp(name, "latency_ns") ? &p->latency_ns
                              : !strcmp(name, "npu_ns")   ? &p->npu_ns
                              : !strcmp(name, "host_ns")  ? &p->host_ns
                                                          : &p->io_ns;
    if (!strcmp(name, "throughput_per_s"))
        return (Interval){p->throughput_per_s.lo, p->throughput_per_s.mid, p->throughput_per_s.hi};
    return (Interval){(double)v->lo, (double)v->mid, (double)v->hi};
}

/* A throughput of which nothing is known reads 0.  Steps of unknown cost are in no sum. */
static MetricFigure predicted_figure(const Result *r, const Metric *m, const char *name)
{
    MetricFigure f = {0};
    if (!r->prediction)
        return f;
    f.v = predicted_interval(r->prediction, name);
    f.known = gate_has_evidence(r) && (m->is_time || f.v.mid > 0);
    if (f.known && gate_has_unknown_cost(r)) {
        f.v.lo = m->is_time ? f.v.lo : 0;
        f.v.hi = m->is_time ? HUGE_VAL : f.v.hi;
        f.doubt = "steps of unknown cost may take any time";
    }
    return f;
}

/* The times also fit another image size: a chip of another speed, or a trace of another model.
 * Times that are too slow either way stay too slow. */
static void doubt_size(const Result *r, const Metric *m, MetricFigure *f)
{
    const ResultIssueList *issues = &r->evidence.issues;
    if (LIST_ALL(i, issues->count, strcmp(issues->item[i].code, "other-size") != 0))
        return;
    f->v.lo = m->is_time ? f->v.lo : 0;
    f->v.hi = m->is_time ? HUGE_VAL : f->v.hi;
    f->doubt = "the trace may be of the model for another image size";
}

MetricFigure gate_metric_figure(Arena *a, const Result *r, const char *name, Aggregation how,
                                TimeSource source)
{
    Metric m;
    bool measured = source == TIMES_MEASURED;
    if (!gate_metric_find(name, strlen(name), &m))
        return (MetricFigure){0};
    MetricFigure f = {0};
    if (!m.structure && gate_trace_is_refuted(r))
        return (MetricFigure){0}; /* of what runs, nothing is known but what was said */
    if (gate_layer_figure(r, name, how, &f)) {
        f.known &= measured || m.structure;
    } else if (m.structure) {
        f.known = gate_has_evidence(r) &&
                  (!strcmp(name, "coverage") || !strcmp(name, "unknown_nodes") ||
                   (r->steps.count == 0 || r->steps.item[0].kind != RESULT_STEP_KIND_LAYER));
        f.v = interval_exact(structure_value(r, name));
    } else if (measured && m.is_time) {
        f = measured_figure(a, r->measured, name, how);
    } else {
        f = predicted_figure(r, &m, name);
    }
    if (f.known && !m.structure)
        doubt_size(r, &m, &f);
    if (f.nvalue == 0) {
        double *all = ARENA_ARRAY(a, double, 3);
        all[f.nvalue++] = f.v.lo;
        if (f.v.hi > f.v.lo && isfinite(f.v.hi))
            all[f.nvalue++] = f.v.hi;
        f.value = all;
    }
    assert(f.value && f.nvalue);
    return f;
}
