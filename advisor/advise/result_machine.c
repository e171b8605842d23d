/* Builds the limits of the machine, and the objective at other workers and batches. */
#include "advisor/advise/result.h"

#include "advisor/candidate/load_form.h"
#include "advisor/rules/lever.h"

#include "cost_model/replay/replay.h"
#include "cost_model/costs.h"

enum { WORKERS_SHOWN = 8, BATCH_SHOWN = 128, BATCH_OPERATORS = 4096 };

/* The same peak that utilisation is counted against (cost_model/predict.c). */
static double peak_macs_per_s(const AdviseRun *run)
{
    const Machine *m = run->machine;
    return (double)m->slices_per_pe * m->mac_width * m->mac_height * run->program->options.pe *
           run->costs->clock_hz.mid;
}

static const ResultMachine *machine_of(const AdviseRun *run)
{
    double spill = costs_form_figure(run->costs, TERM_SPILL).mid;
    double ns_per_byte = spill > 0 ? spill : costs_form_figure(run->costs, TERM_READ).mid;
    return RESULT_NEW(run->arena, ResultMachine,
                      {.pe_count = run->program->options.pe,
                       .peak_macs_per_s = result_real(peak_macs_per_s(run)),
                       .clock_hz = result_real(run->costs->clock_hz.mid),
                       .dram_bytes_per_s = result_real(ns_per_byte > 0 ? 1e9 / ns_per_byte : 0),
                       .sram_bytes = run->program->summary.sram_bytes,
                       .record = run->machine->record});
}

/* With what other assumptions on shared resources make of the difference from now. */
static const ResultInterval *rate_of(const AdviseRun *run, const Trial *t)
{
    const Trial *now = &run->whatif.baseline;
    Interval x = t->time->throughput_per_s,
             form = load_form_error(now, t, run->costs, x.mid - now->time->throughput_per_s.mid);
    double down = hypot(x.mid - x.lo, form.lo), up = hypot(x.hi - x.mid, form.hi);
    return RESULT_NEW(run->arena, ResultInterval,
                      result_interval((Interval){fmax(0, x.mid - down), x.mid, x.mid + up}));
}

/* Throughput with 1 to WORKERS_SHOWN workers; measured steps keep their measured time. */
static ResultWorkerList worker_curve(const AdviseRun *run)
{
    ResultWorker *list = ARENA_ARRAY(run->arena, ResultWorker, WORKERS_SHOWN);
    Arena *a = arena_new(0);
    for (int n = 1; n <= WORKERS_SHOWN; n++) {
        Trial t = run->whatif.baseline;
        RunOptions *options = &t.variant.run;
        options->workers = n;
        t.time = replay(a, run->program, run->rec, run->program, run->costs, options);
        list[n - 1] = (ResultWorker){n, t.time->nunknown ? NULL : rate_of(run, &t)};
    }
    arena_free(a);
    return (ResultWorkerList){list, WORKERS_SHOWN};
}

/* One batch factor tried; without figures where the model does not take it or a step's cost is
 * unknown. */
static ResultBatch try_batch(const AdviseRun *run, int factor)
{
    LeverSetting set = {.lever = LEVER_BATCH, .value = lever_number(factor)};
    ResultBatch x = {.batch = factor};
    Diag ignored = {0};
    Trial t;
    if (whatif_try(&run->whatif, &set, 1, &t, &ignored))
        return x;
    if (t.time->nunknown == 0)
        x = (ResultBatch){
            factor,
            RESULT_NEW(run->arena, ResultIntervalNs, result_interval_ns(t.time->latency_ns)),
            rate_of(run, &t)};
    trial_free(&t);
    return x;
}

/* Latency of a task and throughput at other batch factors. */
static ResultBatchList batch_curve(const AdviseRun *run)
{
    if (!run->request->pictures || run->program->nop > BATCH_OPERATORS)
        return (ResultBatchList){0};
    ResultBatch *list = ARENA_ARRAY(run->arena, ResultBatch, BATCH_SHOWN);
    size_t n = 0;
    for (int factor = 1; factor <= BATCH_SHOWN; factor *= 2)
        list[n++] = try_batch(run, factor);
    return (ResultBatchList){list, n};
}

void result_set_machine(Result *ret, const AdviseRun *run)
{
    ret->machine = machine_of(run);
    ret->curves = (ResultCurves){worker_curve(run), batch_curve(run)};
}
