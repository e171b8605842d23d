/* The best of a space of settings and changes by trying every one of them, to hold `npu-advise
 * tune` against:
 *
 *   tune_brute MODEL TUNED.json BATCHES WORKERS DEPTHS LIMIT_NS
 *
 * The changes are those of the result TUNED.json; every set of them is compiled in every PE mode
 * with every power of two up to BATCHES as batch, and predicted anew with every number of workers
 * from 1 to WORKERS and every queue of 1 to DEPTHS requests (0: as many as workers).  No build is
 * left out, known from another one, or reduced to its demands; nothing of advisor/candidate/search
 * is used. Prints the number of points, the least latency, the most throughput, and the most at a
 * latency of at most LIMIT_NS.
 */
#include "advisor/message/json.h"
#include "advisor/candidate/whatif.h"
#include "cost_model/costs.h"
#include "cost_model/predict.h"
#include "graph/base/notes.h"
#include "graph/base/xml.h"
#include "graph/compile/compile.h"
#include "graph/compile/machine.h"
#include "graph/compile/options.h"
#include "graph/tflite/tflite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGES_MOST = 16, LEVERS_MOST = 4096 };

typedef struct {
    long batches, workers, depths;
    double limit_ns;
    long points;
    double latency, throughput, limited; /* best so far; < 0: none */
    char best[256];
} Brute;

static void weigh(Brute *b, const WhatIf *w, Trial *t, int workers, int depth)
{
    t->variant.run.workers = workers;
    t->variant.run.queue_depth = depth;
    predict_totals(t->program, w->costs, &t->variant.run, t->time);
    int n = depth > 0 && depth < workers ? depth : workers;
    double per_s = t->time->throughput_per_s.mid, alone = t->time->latency_ns.mid;
    double busy = n * 1e9 / (per_s / predict_images(t->program, &t->variant.run));
    double latency = n > 1 ? fmax(alone, busy) : alone;
    b->points++;
    /* Fewer requests in flight are no gain in latency: they stay as they are. */
    if (workers == 1 && (b->latency < 0 || latency < b->latency))
        b->latency = latency;
    if (per_s > b->throughput) {
        b->throughput = per_s;
        snprintf(b->best, sizeof b->best, "pe %d batch %lld workers %d edits %zu",
                 t->variant.compile.pe, (long long)t->variant.compile.batch, workers,
                 t->variant.compile.nedit);
    }
    if (latency <= b->limit_ns && per_s > b->limited)
        b->limited = per_s;
}

static void try_one(Brute *b, const WhatIf *w, const LeverSetting *set, size_t n)
{
    Trial t;
    Diag why;
    if (whatif_try(w, set, n, &t, &why))
        return;
    if (t.time->nunknown <= w->baseline.time->nunknown)
        for (int k = 1; k <= b->workers; k++)
            for (int d = 0; d <= b->depths; d++)
                weigh(b, w, &t, k, d);
    trial_free(&t);
}

/* PE mode, batch and the settings of the run are tried one by one, whatever the plans set. */
static bool is_tried_anyway(LeverId lever)
{
    return lever == LEVER_TARGET || lever == LEVER_BATCH || lever == LEVER_WORKERS ||
           lever == LEVER_QUEUE_DEPTH || lever == LEVER_DEVICES;
}

static size_t settings_of_change(Arena *a, const cJSON *change, LeverSetting *set, size_t room)
{
    const cJSON *x;
    size_t n = 0;
    cJSON_ArrayForEach(x, json_at(change, "levers"))
    {
        LeverId lever = lever_find(json_text(x, "lever", ""));
        if (n < room && !is_tried_anyway(lever))
            set[n++] =
                lever_setting(a, lever, json_text(x, "index", ""), json_text(x, "value", ""));
    }
    return n;
}

/* The changes that set something of the model; at most CHANGES_MOST + 1. */
static size_t list_changes(Arena *a, const cJSON *result, const cJSON **ret)
{
    const cJSON *change;
    LeverSetting set[1];
    size_t n = 0;
    cJSON_ArrayForEach(change, json_at(result, "changes"))
    {
        if (n <= CHANGES_MOST && settings_of_change(a, change, set, 1))
            ret[n++] = change;
    }
    return n;
}

/* Sets of changes as bits. */
static void try_all(Brute *b, Arena *a, const WhatIf *w, const cJSON *const *change, size_t nchange)
{
    static LeverSetting set[LEVERS_MOST + 2];
    const CompileOptions *o = &w->baseline.variant.compile;
    for (size_t chosen = 0; chosen < (size_t)1 << nchange; chosen++) {
        size_t n = 0;
        for (size_t i = 0; i < nchange; i++)
            if (chosen >> i & 1)
                n += settings_of_change(a, change[i], set + n, LEVERS_MOST - n);
        for (int pe = 1; pe <= w->machine->pe_count; pe++)
            for (long batch = 1; batch <= b->batches; batch *= 2) {
                set[n] = (LeverSetting){.lever = LEVER_TARGET,
                                        .value = {TERM_TARGET, o->target_name, .pe = pe}};
                set[n + 1] = (LeverSetting){.lever = LEVER_BATCH, .value = lever_number(batch)};
                try_one(b, w, set, n + 2);
            }
    }
}

int main(int argc, char **argv)
{
    Arena *a = arena_new(0);
    Notes notes;
    Diag diag = {0};
    Model *model;
    Machine *machine;
    Costs *costs;
    Program *program;
    cJSON *tuned;
    Variant v = {.run = {.workers = 1, .devices = 1}};
    if (argc != 7)
        return 2;
    Brute b = {strtol(argv[3], NULL, 10),
               strtol(argv[4], NULL, 10),
               strtol(argv[5], NULL, 10),
               strtod(argv[6], NULL),
               0,
               -1,
               -1,
               -1,
               ""};
    notes_init(&notes, a);
    xml_startup();
    compile_options_init(&v.compile);
    if (json_load(argv[2], &tuned, &diag) || model_load(a, argv[1], &notes, &model, &diag) ||
        machine_load(a, v.compile.target_name, &machine, &diag) ||
        costs_load(a, v.compile.target_name, NULL, &costs, &diag) ||
        compile_model(a, model, machine, &v.compile, &notes, &program, &diag)) {
        fprintf(stderr, "%s\n", diag.text);
        return 2;
    }
    const cJSON *change[CHANGES_MOST + 1];
    size_t nchange = list_changes(a, tuned, change);
    if (nchange > CHANGES_MOST)
        return 3;
    WhatIf w = {.model = model, .machine = machine, .costs = costs, .objective = OBJECTIVE_LATENCY};
    whatif_open(&w, &v, program, predict(a, program, costs, &v.run));
    try_all(&b, a, &w, change, nchange);
    printf("{\"points\": %ld, \"latency\": %.9g, \"throughput\": %.9g, \"limited\": %.9g, "
           "\"best\": \"%s\"}\n",
           b.points, b.latency, b.throughput, b.limited, b.best);
    return 0;
}
