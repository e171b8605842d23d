/* Takes each metric from the stages, profile or precisions of a compiled graph. */
#include "advisor/act/gate/gate_parts.h"

#include "graph/model/dtype.h"

static const char above[] = "layers_above:";

static int bits_of(const char *name, size_t len)
{
    char text[32];
    if (len >= sizeof text)
        return 0;
    memcpy(text, name, len);
    text[len] = '\0';
    return dtype_bits(dtype_from_name(text));
}

bool gate_layer_type(const char *name, size_t len)
{
    size_t prefix = sizeof above - 1;
    return len > prefix && !memcmp(name, above, prefix) && bits_of(name + prefix, len - prefix) > 0;
}

/* Precisions are counted by the widest type; those of integers that are no numbers of the network
 * (int32 shapes, bool) do not count. */
static double count_above(const ResultCompiled *c, const char *type)
{
    double n = 0;
    int limit = bits_of(type, strlen(type));
    for (size_t i = 0; c && i < c->precisions.count; i++) {
        const ResultLayerGroup *p = &c->precisions.item[i];
        if (dtype_is_float(dtype_from_name(p->name)) && bits_of(p->name, strlen(p->name)) > limit)
            n += (double)p->layers;
    }
    return n;
}

/* As with inferences: one query does not tell how far the next would deviate; below five, their
 * range bounds the median.  A summary does not say how many there were. */
static void doubt_few(MetricFigure *f, double n, double min, double max)
{
    f->few = n >= 1 && n < 5;
    if (!f->few)
        return;
    f->v.lo = n < 2 ? 0 : fmax(0, min - (max - min));
    f->v.hi = n < 2 ? HUGE_VAL : max + (max - min);
    f->doubt = n < 2 ? gate_single_result_doubt : NULL;
}

static void take_stage(MetricFigure *f, const ResultStage *stage, Aggregation how)
{
    assert(how <= AGGREGATE_PESSIMISTIC);
    f->known = stage && (how != AGGREGATE_P90 || stage->p90.known);
    if (!f->known)
        return;
    f->v = interval_exact((double)(how == AGGREGATE_MEDIAN ? stage->median
                                   : how == AGGREGATE_P90  ? stage->p90.value
                                                           : stage->max));
    if (how != AGGREGATE_PESSIMISTIC || stage->n < 2)
        doubt_few(f, (double)stage->n, (double)stage->min, (double)stage->max);
}

/* Means of all runs of the profile, which does not hold the runs.  If no layer has a time, it is of
 * another engine. */
static void take_profile(MetricFigure *f, const ResultCompiled *c, double value)
{
    f->known = c && c->sum_ns.known && c->joined > 0;
    f->v = interval_exact(value);
    if (c && c->runs == 1)
        doubt_few(f, 1, 0, 0);
}

bool gate_layer_figure(const Result *r, const char *name, Aggregation how, MetricFigure *ret)
{
    const ResultCompiled *c = r->compiled;
    *ret = (MetricFigure){.sampled = true};
    if (!strcmp(name, "compute_ns"))
        take_stage(ret, c ? c->stages.compute : NULL, how);
    else if (!strcmp(name, "latency_ns") && c)
        take_stage(ret, c->stages.latency, how);
    else if (!strcmp(name, "layers_ns"))
        take_profile(ret, c, c ? (double)c->sum_ns.value : 0);
    else if (!strcmp(name, "reformat_share"))
        take_profile(ret, c, c ? c->reformats.share : 0);
    else if (!strncmp(name, above, sizeof above - 1))
        *ret = (MetricFigure){.known = c && !c->names_only,
                              .v = interval_exact(count_above(c, name + sizeof above - 1))};
    else
        return false;
    return true;
}
