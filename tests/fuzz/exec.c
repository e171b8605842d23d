/* Fuzzes the executor: whatever model loads must run, or be refused; options that the bytes choose.
 */
#include "graph/base/strmap.h"
#include "graph/base/xml.h"
#include "graph/onnx/onnx.h"
#include "npu_exec/session/prepare.h"
#include "npu_exec/session/recorder.h"
#include "npu_exec/sim/run_stats.h"
#include "tests/fuzz/harness.h"

static void simulate(Arena *a, const ExecOptions *o, const RunPlan *plan)
{
    Recorder *recorder;
    SimResult result;
    RunStats stats;
    Diag diag;
    if (recorder_open(a, &o->record, plan, &o->sim, &recorder, &diag))
        return;
    const SimSink sink = {recorder_job, recorder_application, recorder};
    if (sim_run(a, plan, &o->sim, &sink, &result, &diag)) {
        recorder_abort(recorder);
        return;
    }
    recorder_close(recorder, &diag);
    run_stats(a, plan, &o->sim, &result, plan->program->images, &stats);
    run_stats_print(&stats, harness_said);
}

static void fuzz(Arena *a, const uint8_t *data, size_t size)
{
    static bool started;
    uint64_t bits = hash_bytes(HASH_SEED, data, size);
    const char *argv[16] = {"npu-exec", harness_file(data, size), "--runs", "3", "--trace",
                            "/dev/null"};
    int n = 6;
    Diag diag;
    ExecOptions o;
    Notes notes;
    const RunPlan *plan;
    Model *model;
    if (!started)
        xml_startup();
    started = true;
    if (bits & 1)
        argv[n++] = "--workers=3";
    if (bits & 2)
        argv[n++] = "--target=warboy";
    if (bits & 4)
        argv[n++] = "--batch=5";
    if (bits & 8)
        argv[n++] = "--perturb=7";
    if (bits & 16)
        argv[n++] = "--fast";
    if (bits & 32)
        argv[n++] = "--rate=100";
    notes_init(&notes, a);
    if (exec_options_parse(a, n, (char **)argv, &o, &diag))
        return;
    o.sim.profiling = true;
    if (exec_prepare(a, a, &o, &notes, &plan, &model, &diag)) {
        say("%s\n", diag.text);
        return;
    }
    simulate(a, &o, plan);
    model_close(model);
}
