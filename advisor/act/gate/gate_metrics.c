/* Holds the table of the gate's metrics, and reads the value of each from a result. */
#include "advisor/act/gate/gate_layers.h"
#include "advisor/act/gate/gate_parts.h"
#include "graph/base/quantity.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const Metric gate_metric_table[] = {
    {"host_steps", true, false, false},
    {"npu_segments", true, false, false},
    {"transfers", true, false, false},
    {"unknown_nodes", true, false, false},
    {"coverage", true, true, false}, /* share of the nodes whose cost is known */
    {"latency_ns", false, false, true},
    {"npu_ns", false, false, true},
    {"host_ns", false, false, true},
    {"io_ns", false, false, true},
    {"throughput_per_s", false, true, false},
    {"compute_ns", false, false, true},
    {"layers_ns", false, false, true},
    {"reformat_share", false, false, false},
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

/* Steps of one kind (NULL: any transfer) and of one operator (NULL: any). */
static double count_steps(const cJSON *result, const char *kind, const char *op)
{
    double n = 0;
    for (const cJSON *s = json_first(result, "steps"); s; s = s->next) {
        const char *k = json_text(s, "kind", "");
        bool fits = kind ? !strcmp(k, kind) : !strcmp(k, "h2d") || !strcmp(k, "d2h");
        n += fits && (!op || !strcmp(json_text(s, "op", ""), op));
    }
    return n;
}

const char *gate_metric_text(Arena *a, const Metric *m, double v)
{
    char time[64];
    return m->is_time ? arena_strdup(a, quantity_time(time, sizeof time, v))
                      : arena_printf(a, "%.6g", v);
}

static double structure_value(const cJSON *result, const char *name)
{
    double nodes = json_number_or(result, "coverage.nodes", 0);
    double known = json_number_or(result, "coverage.nodes_known", 0);
    if (!strncmp(name, host_prefix, sizeof host_prefix - 1))
        return count_steps(result, "host", name + sizeof host_prefix - 1);
    if (!strcmp(name, "host_steps"))
        return count_steps(result, "host", NULL);
    if (!strcmp(name, "npu_segments"))
        return count_steps(result, "npu", NULL);
    if (!strcmp(name, "transfers"))
        return count_steps(result, NULL, NULL);
    return !strcmp(name, "coverage") ? nodes > 0 ? known / nodes : 0 : nodes - known;
}

static bool read_interval(const cJSON *o, const char *mid, Interval *ret)
{
    if (!json_number(o, mid, &ret->mid))
        return false;
    ret->lo = json_number_or(o, "lo", ret->mid);
    ret->hi = json_number_or(o, "hi", ret->mid);
    return true;
}

/* Which layers of an engine, or operators of a graph, the host runs is in no file. */
static bool has_kinds(const cJSON *result)
{
    const cJSON *steps = json_at(result, "steps");
    return !json_count(steps, "") || strcmp(json_text(steps->child, "kind", ""), "layer") != 0;
}

static bool counts_steps(const char *name)
{
    return strcmp(name, "coverage") != 0 && strcmp(name, "unknown_nodes") != 0;
}

/* Latency has samples; of the other times the median of the inferences is known. */
static MetricFigure measured_latency(Arena *a, const cJSON *samples, Aggregation how)
{
    static const char *const key[] = {"median", "p90"};
    static_assert(sizeof key / sizeof *key == AGGREGATE_PESSIMISTIC, "a key for each decile");
    MetricFigure f = {.sampled = true};
    double *value = ARENA_ARRAY(a, double, json_count(samples, "values") + 1);
    for (const cJSON *v = json_first(samples, "values"); v; v = v->next)
        if (cJSON_IsNumber(v))
            value[f.nvalue++] = v->valuedouble;
    f.value = value;
    if (how == AGGREGATE_PESSIMISTIC) {
        f.known = json_number(samples, "max", &f.v.mid);
        f.v.lo = f.v.hi = f.v.mid;
    } else {
        f.known = read_interval(json_at(samples, key[how]), "mid", &f.v);
    }
    return f;
}

static MetricFigure measured_figure(Arena *a, const cJSON *result, const char *name,
                                    Aggregation how)
{
    const cJSON *samples = json_at(result, "measured.samples");
    MetricFigure f = {.sampled = true};
    if (!strcmp(name, "latency_ns"))
        f = measured_latency(a, samples, how);
    else
        f.known = read_interval(json_at(samples, name), "median", &f.v);
    f.few = json_number_or(samples, "n", 0) < 5;
    if (f.known && json_number_or(samples, "n", 0) < 2) { /* the next one may be any time off */
        f.v.lo = 0;
        f.v.hi = HUGE_VAL;
        f.doubt = gate_single_result_doubt;
    }
    return f;
}

/* A throughput of which nothing is known reads 0.  Steps of unknown cost are in no sum. */
static MetricFigure predicted_figure(const cJSON *result, const Metric *m, const char *name)
{
    MetricFigure f = {0};
    f.known = gate_has_evidence(result) &&
              read_interval(json_at(json_at(result, "prediction"), name), "mid", &f.v) &&
              (m->is_time || f.v.mid > 0);
    if (f.known && gate_has_unknown_cost(result)) {
        f.v.lo = m->is_time ? f.v.lo : 0;
        f.v.hi = m->is_time ? HUGE_VAL : f.v.hi;
        f.doubt = "steps of unknown cost may take any time";
    }
    return f;
}

/* The times fit another size of picture as well: a chip of another speed, or a trace of another
 * model.  What is too slow either way stays so. */
static void doubt_size(const cJSON *result, const Metric *m, MetricFigure *f)
{
    if (!json_find(json_at(result, "evidence.issues"), "code", "other-size"))
        return;
    f->v.lo = m->is_time ? f->v.lo : 0;
    f->v.hi = m->is_time ? HUGE_VAL : f->v.hi;
    f->doubt = "the trace may be of the model for another size of picture";
}

MetricFigure gate_metric_figure(Arena *a, const cJSON *result, const char *name, Aggregation how,
                                TimeSource source)
{
    Metric m;
    bool measured = source == TIMES_MEASURED;
    if (!gate_metric_find(name, strlen(name), &m))
        return (MetricFigure){0};
    MetricFigure f = {0};
    if (!m.structure && gate_trace_is_refuted(result))
        return (MetricFigure){0}; /* of what runs, nothing is known but what was said */
    if (gate_layer_figure(result, name, how, &f)) {
        f.known &= measured || m.structure;
    } else if (m.structure) {
        f.known = gate_has_evidence(result) && (!counts_steps(name) || has_kinds(result));
        f.v = interval_exact(structure_value(result, name));
    } else if (measured && m.is_time) {
        f = measured_figure(a, result, name, how);
    } else {
        f = predicted_figure(result, &m, name);
    }
    if (f.known && !m.structure)
        doubt_size(result, &m, &f);
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
