/* Computes percentiles and shares of a run and prints them as text or JSON. */
#include "npu_exec/sim/run_stats.h"
#include "graph/compile/machine.h"
#include "npu_exec/sim/run_figures.def"

#include <cjson/cJSON.h>

void run_stats(Arena *a, const RunPlan *plan, const SimOptions *o, const SimResult *r,
               int64_t images, RunStats *ret)
{
    int64_t *ns = ARENA_ARRAY(a, int64_t, r->nlatency);
    for (uint64_t i = 0; i < r->nlatency; i++)
        ns[i] = r->latency[i] / PS_PER_NS;
    double busy = LIST_SUM(double, i, r->nstream, (double)r->stream_busy[i]);
    *ret = (RunStats){.plan = plan,
                      .options = o,
                      .result = r,
                      .model_name = file_base_name(plan->program->model->path),
                      .images = images,
                      .latency = distribution_of(ns, r->nlatency),
                      .queries_per_s = r->duration > 0 ? (double)r->nlatency * (double)PS_PER_S /
                                                             (double)r->duration
                                                       : 0};
    ret->images_per_s = ret->queries_per_s * (double)images;
    if (r->total > 0) {
        ret->npu_utilisation = busy / ((double)r->total * r->nstream);
        ret->in_flight = (double)r->in_system / (double)r->total;
    }
}

void run_stats_print(const RunStats *s, FILE *out)
{
    const Program *p = s->plan->program;
    fprintf(out, "%s: simulated on %s for SDK %s, %u worker%s, seed %llu; silicon %s\n",
            s->model_name, p->options.target, sdk_text(p->options.sdk), s->options->workers,
            s->options->workers == 1 ? "" : "s", (unsigned long long)s->options->seed,
            file_base_name(s->plan->silicon->path));
    fprintf(out, "%llu queries executed with batch size %lld",
            (unsigned long long)s->result->nlatency, (long long)p->images);
    if (s->images < p->images)
        fprintf(out, ", %lld of them filled", (long long)s->images);
    fputs(s->plan->host_measured ? "; host conversions were run and measured on this machine\n"
                                 : "\n",
          out);
    fprintf(out, "QPS(Throughput): %.2f/s, %.2f images/s\n\nPer-query latency:\n", s->queries_per_s,
            s->images_per_s);
#define ROW(label, key, field)                                                                     \
    fprintf(out, "%-22s: %.3f\n", label, (double)s->latency.field / 1000);
    RUN_LATENCIES(ROW)
#undef ROW
    fprintf(out, "NPU busy              : %.1f %%\n", 100 * s->npu_utilisation);
}

static void add_text(cJSON *o, const char *key, const char *fmt, double value)
{
    char text[64];
    snprintf(text, sizeof text, fmt, value);
    cJSON_AddStringToObject(o, key, text);
}

static cJSON *bench_result(const RunStats *s)
{
    cJSON *r = cJSON_CreateObject();
    cJSON_AddStringToObject(r, "mode", s->options->arrivals == ARRIVALS_CLOSED ? "closed" : "open");
    add_text(r, "total run time", "%.0f us", (double)s->result->duration / (double)PS_PER_US);
    add_text(r, "total num queries", "%.0f", (double)s->result->nlatency);
    add_text(r, "batch size", "%.0f", (double)s->plan->program->images);
    add_text(r, "qps", "%.2f/s", s->queries_per_s);
    cJSON *latency = cJSON_AddObjectToObject(r, "latency stats");
#define ROW(label, key, field) add_text(latency, key, "%.0f us", (double)s->latency.field / 1000);
    RUN_LATENCIES(ROW)
#undef ROW
    return r;
}

/* Mean of a recorded request, ns. */
static double per_query(const RunStats *s, Ps sum)
{
    return s->result->nlatency > 0 ? (double)sum / 1000 / (double)s->result->nlatency : 0;
}

static cJSON *simulation_json(const RunStats *s)
{
    static const char *const engine[] = {"dma", "feed", "array", "vector", "retire"};
    static_assert(sizeof engine / sizeof *engine == ENGINE_COUNT, "a name for each engine");
    const SimResult *r = s->result;
    const struct {
        const char *key;
        double value;
    } row[] = {
#define ROW(key, value) {key, (double)(value)},
        RUN_FIGURES(ROW)};
    cJSON *o = cJSON_CreateObject();
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        cJSON_AddNumberToObject(o, row[i].key, row[i].value);
    cJSON *pe = cJSON_AddArrayToObject(o, "npu_busy_ns");
    for (uint32_t i = 0; i < r->nstream; i++)
        cJSON_AddItemToArray(pe, cJSON_CreateNumber((double)r->stream_busy[i] / 1000));
    cJSON *busy = cJSON_AddObjectToObject(o, "engine_busy_ns");
    for (int e = 0; e < ENGINE_COUNT; e++)
        cJSON_AddNumberToObject(busy, engine[e], (double)r->engine_busy[e] / 1000);
    return o;
}

Status run_stats_write_json(const RunStats *s, const char *path, Diag *diag)
{
    cJSON *root = cJSON_CreateObject(), *model = cJSON_AddObjectToObject(root, "model_data");
    cJSON_AddStringToObject(model, "path", s->model_name);
    cJSON_AddStringToObject(root, "compiler_version", "npu-advise " NPU_ADVISE_VERSION);
    cJSON_AddStringToObject(root, "target", s->plan->program->options.target);
    cJSON_AddStringToObject(root, "sdk", sdk_text(s->plan->program->options.sdk));
    cJSON_AddStringToObject(root, "host_times", s->plan->host_measured ? "measured" : "modelled");
    cJSON_AddItemToObject(root, "result", bench_result(s));
    cJSON_AddItemToObject(root, "simulation", simulation_json(s));
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    return file_out_write_text(path, text, diag);
}
