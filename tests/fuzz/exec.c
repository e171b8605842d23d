/* Fuzzes the executor: whatever model loads must run, or be refused; options that the bytes choose.
 */
#include "graph/base/strmap.h"
#include "graph/base/xml.h"
#include "graph/onnx/onnx.h"
#include "npu_exec/session/exec_prepare.h"
#include "npu_exec/session/recorder.h"
#include "npu_exec/sim/run_stats.h"
#include "tests/fuzz/harness.h"

/* What is written to stdout from here on goes to a file of its own, which is told afterwards. */
static int divert(int *ret_stdout)
{
    int fd = memfd_create("trace", MFD_CLOEXEC);
    fflush(stdout);
    *ret_stdout = dup(STDOUT_FILENO);
    if (fd < 0 || *ret_stdout < 0 || dup2(fd, STDOUT_FILENO) < 0)
        abort();
    return fd;
}

static void tell_diverted(int fd, int before)
{
    static char buffer[1 << 16];
    ssize_t n;
    fflush(stdout);
    for (off_t at = 0; (n = pread(fd, buffer, sizeof buffer, at)) > 0; at += n)
        fwrite(buffer, 1, (size_t)n, harness_said);
    dup2(before, STDOUT_FILENO);
    close(before);
    close(fd);
}

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

/* Each where its bit of the input's hash is set; what cannot go together is refused. */
static const char *const chosen[] = {"--workers=3", "--target=warboy", "--batch=5", "--perturb=7",
                                     "--fast"};
/* One of each, or none. */
static const char *const sets[][4] = {
    {"--rate=100", "--submit-time=50", "--receive-time=100", "--queue-depth=3"},
    {"--sdk=0.9"},
    {"--verbosity=none", "--verbosity=detailed"},
    {"--profile=npu", "--profile=cpu"},
    {"--sample=2", "--trace-overhead=20"},
    {"--warmup=2", "--seed=9"},
    {"--io-threads=4", "--member=1"},
    {"--permute-input=[[0,2,3,1]]", "--input-dtype=uint8", "--output-dtype=int8"},
    {"--host-cores=2", "--fill=1", "--no-noise", "--compiler-config=remove_unlower=true"},
    {"--workload=T", "--devices=2", "--api=sync"},
};

static void fuzz(Arena *a, const uint8_t *data, size_t size)
{
    static bool started;
    uint64_t bits = strmap_hash_bytes(HASH_SEED, data, size);
    const char *argv[64] = {"npu-exec", harness_file(data, size), "--runs", "3", "--trace", "-"};
    int n = 6;
    Diag diag;
    ExecOptions o;
    Notes notes;
    const RunPlan *plan;
    Model *model;
    if (!started)
        xml_startup();
    started = true;
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++)
        if (bits >> i & 1)
            argv[n++] = chosen[i];
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        const char *one = sets[i][bits >> (16 + 2 * i) & 3];
        if (one)
            argv[n++] = one;
    }
    notes_init(&notes, a);
    if (exec_options_parse(a, n, (char **)argv, &o, &diag)) {
        harness_print("%s\n", diag.text);
        return;
    }
    o.sim.profiling = true;
    if (exec_prepare(a, a, &o, &notes, &plan, &model, &diag)) {
        harness_print("%s\n", diag.text);
        return;
    }
    int before, fd = divert(&before);
    simulate(a, &o, plan);
    tell_diverted(fd, before);
    model_close(model);
}
