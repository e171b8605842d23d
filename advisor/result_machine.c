/* The result document: the machine's limits, and the objective at other numbers of workers. */
#include "advisor/result.h"

enum { WORKERS_SHOWN = 8 };

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

void result_add_machine(cJSON *root, const AdviseRun *run)
{
    add_machine(root, run);
    add_workers(cJSON_AddObjectToObject(root, "curves"), run);
}
