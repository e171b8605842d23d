/* Writes the limits of the machine, and the objective at other workers and batches. */
#include "advisor/advise/result.h"

#include "advisor/candidate/search/builds.h"

#include "cost_model/replay/replay.h"

#include <stdio.h>

enum { WORKERS_SHOWN = 8, BATCH_SHOWN = 128, BATCH_OPERATORS = 4096 };

/* The same peak that utilisation is counted against (cost_model/predict.c). */
static double peak_macs_per_s(const AdviseRun *run)
{
    const Machine *m = run->machine;
    return (double)m->slices_per_pe * m->mac_width * m->mac_height * run->program->options.pe *
           run->costs->clock_hz.mid;
}

static void add_machine(cJSON *root, const AdviseRun *run)
{
    cJSON *o = cJSON_AddObjectToObject(root, "machine");
    cJSON_AddNumberToObject(o, "pe_count", run->program->options.pe);
    cJSON_AddItemToObject(o, "peak_macs_per_s", result_real(peak_macs_per_s(run)));
    cJSON_AddItemToObject(o, "clock_hz", result_real(run->costs->clock_hz.mid));
    cJSON_AddItemToObject(o, "dram_bytes_per_s",
                          result_real(1e9 / run->costs->spill_ns_per_byte.mid));
    cJSON_AddItemToObject(o, "sram_bytes", result_ns((double)run->program->summary.sram_bytes));
}

/* Throughput with 1 to WORKERS_SHOWN workers; measured steps keep their measured time. */
static void add_workers(cJSON *curves, const AdviseRun *run)
{
    cJSON *list = cJSON_AddArrayToObject(curves, "workers");
    Arena *a = arena_new(0);
    for (int n = 1; n <= WORKERS_SHOWN; n++) {
        RunOptions options = run->variant.run;
        options.workers = n;
        Prediction *p = replay(a, run->program, run->rec, run->program, run->costs, &options);
        cJSON *o = cJSON_CreateObject();
        cJSON_AddNumberToObject(o, "workers", n);
        cJSON_AddItemToObject(o, "throughput_per_s",
                              p->nunknown ? cJSON_CreateNull()
                                          : result_interval(p->throughput_per_s));
        cJSON_AddItemToArray(list, o);
    }
    arena_free(a);
}

/* One batch factor tried; null where the model does not take it or a step's cost is unknown. */
static cJSON *json_batch(const AdviseRun *run, int factor)
{
    char value[16];
    snprintf(value, sizeof value, "%d", factor);
    LeverSetting set = {"batch", "", value, false};
    Diag ignored = {0};
    Trial t;
    bool tried = !whatif_try(&run->whatif, &set, 1, &t, &ignored);
    bool known = tried && t.time->nunknown == 0;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, "batch", factor);
    cJSON_AddItemToObject(o, "latency_ns",
                          known ? result_interval_ns(t.time->latency_ns) : cJSON_CreateNull());
    cJSON_AddItemToObject(o, "throughput_per_s",
                          known ? result_interval(t.time->throughput_per_s) : cJSON_CreateNull());
    if (tried)
        trial_free(&t);
    return o;
}

static cJSON *json_batch_of(const Build *x)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToObject(o, "batch", result_ns((double)x->batch));
    cJSON_AddItemToObject(o, "latency_ns", result_interval_ns(x->latency));
    cJSON_AddItemToObject(o, "throughput_per_s", result_interval(x->per_s));
    return o;
}

/* Of the search, which has gone through all batches without a change. */
static bool add_searched_batches(cJSON *list, const AdviseRun *run)
{
    const PartSet none = {{0}};
    const Tune *t = run->best;
    if (!run->request->front || !t || !t->space->open[AXIS_BATCH])
        return false;
    for (size_t i = 0; i < t->space->nbatch; i++) {
        const Build *x =
            builds_known(t->search->builds, &none, run->variant.compile.pe, t->space->batch[i]);
        if (x && x->fits)
            cJSON_AddItemToArray(list, json_batch_of(x));
    }
    return true;
}

/* Latency of a task and throughput at other batch factors. */
static void add_batches(cJSON *curves, const AdviseRun *run)
{
    cJSON *list = cJSON_AddArrayToObject(curves, "batch");
    if (add_searched_batches(list, run) || !run->request->pictures ||
        run->program->nop > BATCH_OPERATORS)
        return;
    for (int n = 1; n <= BATCH_SHOWN; n *= 2)
        cJSON_AddItemToArray(list, json_batch(run, n));
}

void result_add_machine(cJSON *root, const AdviseRun *run)
{
    add_machine(root, run);
    cJSON *curves = cJSON_AddObjectToObject(root, "curves");
    add_workers(curves, run);
    add_batches(curves, run);
}
