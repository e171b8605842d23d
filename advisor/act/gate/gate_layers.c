/* Takes each metric from the stages, the profile or the precisions of a compiled graph. */
#include "advisor/act/gate/gate_layers.h"

#include "graph/model/dtype.h"

#include <assert.h>
#include <math.h>
#include <string.h>

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
static double count_above(const cJSON *result, const char *type)
{
    double n = 0;
    int limit = bits_of(type, strlen(type));
    for (const cJSON *o = json_first(result, "compiled.precisions"); o; o = o->next) {
        const char *name = json_text(o, "name", "");
        if (dtype_is_float(dtype_from_name(name)) && bits_of(name, strlen(name)) > limit)
            n += json_number_or(o, "layers", 0);
    }
    return n;
}

static void read_exact_figure(MetricFigure *f, const cJSON *o, const char *path)
{
    f->known = json_number(o, path, &f->v.mid);
    f->v.lo = f->v.hi = f->v.mid;
}

/* As with inferences: of one query nobody knows how far the next would be off, and below five the
 * middle is known by what they are apart.  A summary does not say how many there were. */
static void doubt_few(MetricFigure *f, double n, double min, double max)
{
    f->few = n >= 1 && n < 5;
    if (!f->few)
        return;
    f->v.lo = n < 2 ? 0 : fmax(0, min - (max - min));
    f->v.hi = n < 2 ? HUGE_VAL : max + (max - min);
    f->doubt = n < 2 ? gate_single_result_doubt : NULL;
}

static void take_stage(MetricFigure *f, const cJSON *stage, Aggregation how)
{
    static const char *const key[] = {"median", "p90", "max"};
    static_assert(sizeof key / sizeof *key == AGGREGATE_PESSIMISTIC + 1, "a key for each");
    assert(how <= AGGREGATE_PESSIMISTIC);
    read_exact_figure(f, stage, key[how]);
    if (how != AGGREGATE_PESSIMISTIC || json_number_or(stage, "n", 0) < 2)
        doubt_few(f, json_number_or(stage, "n", 0), json_number_or(stage, "min", 0),
                  json_number_or(stage, "max", 0));
}

/* Means of all runs of the profile, which does not hold the runs. */
static void take_profile(MetricFigure *f, const cJSON *compiled, const char *path)
{
    read_exact_figure(f, compiled, path);
    if (json_number_or(compiled, "runs", 0) == 1)
        doubt_few(f, 1, 0, 0);
}

bool gate_layer_figure(const cJSON *result, const char *name, Aggregation how, MetricFigure *ret)
{
    const cJSON *c = json_at(result, "compiled");
    *ret = (MetricFigure){.sampled = true};
    if (!strcmp(name, "compute_ns"))
        take_stage(ret, json_at(c, "stages.compute"), how);
    else if (!strcmp(name, "latency_ns") && c)
        take_stage(ret, json_at(c, "stages.latency"), how);
    else if (!strcmp(name, "layers_ns"))
        take_profile(ret, c, "sum_ns");
    else if (!strcmp(name, "reformat_share"))
        take_profile(ret, c, json_at(c, "sum_ns") ? "reformats.share" : "");
    else if (!strncmp(name, above, sizeof above - 1))
        *ret = (MetricFigure){.known = cJSON_IsObject(c) && !cJSON_IsTrue(json_at(c, "names_only")),
                              .v = interval_exact(count_above(result, name + sizeof above - 1))};
    else
        return false;
    return true;
}
