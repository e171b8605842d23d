/* Reports the figures of a run as furiosa-bench prints them, and as JSON. */
#pragma once

#include "npu_exec/sim/sim.h"
#include "trace/stats/stats.h"

typedef struct {
    const RunPlan *plan;
    const SimOptions *options;
    const SimResult *result;
    const char *model_name; /* file name without folders */
    int64_t images;         /* asked for, per task */
    Distribution latency;   /* ns */
    double queries_per_s, images_per_s;
    double npu_utilisation; /* busy share of all PEs over the whole run, 0..1 */
    double in_flight;       /* mean number of requests in the system */
} RunStats;

/* `images` of each task are asked for; what else its batch holds is waste. */
void run_stats(Arena *a, const RunPlan *plan, const SimOptions *o, const SimResult *r,
               int64_t images, RunStats *ret);

void run_stats_print(const RunStats *s, FILE *out);

/* Keys of furiosa-bench, then "simulation" with plain numbers. */
Status run_stats_write_json(const RunStats *s, const char *path, Diag *diag);
