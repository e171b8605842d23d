/* Loads, compiles, runs and reports; no other file of npu-exec prints or exits.  The only file of
 * this program that prints or exits. */
#include "graph/base/data.h"
#include "graph/base/exit_cleanup.h"
#include "graph/base/limits.h"
#include "graph/base/sandbox.h"
#include "graph/base/xml.h"
#include "npu_exec/session/quantized_form.h"
#include "graph/onnx/onnx.h"
#include "graph/options/option.h"
#include "npu_exec/session/exec_options.h"
#include "npu_exec/session/find_ranges.h"
#include "npu_exec/session/exec_prepare.h"
#include "npu_exec/session/recorder.h"
#include "npu_exec/session/run_samples.h"
#include "npu_exec/sim/host.h"
#include "npu_exec/sim/silicon.h"
#include "npu_exec/sim/sim.h"
#include "npu_exec/sim/run_stats.h"
#include "npu_exec/values/execute.h"
#include "npu_exec/conv/onednn.h"
#include "npu_exec/values/value_ranges.h"

#include <cjson/cJSON.h>
#include <locale.h>

/* The vendor's way to switch the profiler on for a whole session. */
static const char *const profiler_variable = "FURIOSA_PROFILER_OUTPUT_PATH";

static void print_note(const char *text)
{
    fprintf(stderr, "npu-exec%s%s\n", wording_of(": note: "), text);
}

static void print_notes(const Notes *notes)
{
    for (size_t i = 0; i < notes->nnote; i++)
        print_note(message_format(notes->arena, language_spoken(), notes->note[i].said));
}

/* One label after the other: its requests run to the end before the next begins. */
static Status run_labels(const ExecOptions *o, Sim *sim, Recorder *recorder, Diag *diag)
{
    uint64_t before = o->sim.warmup;
    sim_submit(sim, before);
    Status st = sim_advance(sim, before, diag);
    for (size_t i = 0; i < o->nlabel && !st; i++) {
        const char *name = o->label[i].name;
        recorder_pause(recorder, !name);
        if (name)
            recorder_label_start(recorder, name, sim_now(sim));
        sim_submit(sim, o->label[i].runs);
        st = sim_advance(sim, before += o->label[i].runs, diag);
        if (name)
            recorder_label_end(recorder, sim_now(sim));
    }
    return st;
}

/* The simulation, recorded when there is a trace to write. */
static Status simulate_run(Arena *a, const ExecOptions *o, const RunPlan *plan, SimResult *ret,
                           Diag *diag)
{
    if (!o->record.trace && !o->record.csv && !o->record.memory_flow)
        return sim_run(a, plan, &o->sim, NULL, ret, diag);
    Recorder *recorder;
    Status st = recorder_open(a, &o->record, plan, &o->sim, &recorder, diag);
    if (st)
        return st;
    const SimSink sink = {recorder_job, recorder_application, recorder};
    if (o->nlabel == 0) {
        st = sim_run(a, plan, &o->sim, &sink, ret, diag);
    } else {
        Sim *sim;
        st = sim_create(a, plan, &o->sim, &sink, &sim, diag);
        st = st ? st : run_labels(o, sim, recorder, diag);
        if (!st)
            sim_result(sim, ret);
    }
    if (st) {
        recorder_abort(recorder);
        return st;
    }
    if (recorder_left_out(recorder) > 0)
        print_note(arena_printf(a, "--trace-limit left out %llu inferences",
                                (unsigned long long)recorder_left_out(recorder)));
    return recorder_close(recorder, diag);
}

/* The same program on every member of the ensemble. */
static Status simulate_members(Arena *a, const ExecOptions *o, const RunPlan *own, Notes *notes,
                               Diag *diag)
{
    Status st = STATUS_OK;
    for (uint32_t k = 1; k <= own->silicon->nmember && !st; k++) {
        ExecOptions one = *o;
        RunPlan *plan;
        SimResult result;
        one.record.trace = arena_printf(a, "%s.%u", o->record.trace, k);
        one.sim.seed = random_bits(o->sim.seed, HASH_SEED, k, 0); /* separate scatter */
        st = run_plan(a, silicon_member(a, own->silicon, k), own->program, o->devices, notes, &plan,
                      diag);
        st = st ? st : simulate_run(a, &one, plan, &result, diag);
    }
    return st;
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Values instead of times. */
static Status execute_values(const ExecOptions *o, const Model *m, Precision precision, Diag *diag)
{
    if (precision == PRECISION_ASSUMED_PTQ)
        print_note(wording_of("the model is not quantized: executed in float32, as no NPU would"));
    Status st = values_execute(m, o->input_dir, o->output_dir, diag);
    if (!st)
        printf("%zu nodes executed on values, %zu output%s in %s\n", m->graph->nnode,
               m->graph->noutput, m->graph->noutput == 1 ? "" : "s", o->output_dir);
    return st;
}

/* Shows the progress of a long run on a terminal. */
static void show_progress(double done)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, done < 1 ? "\rnpu-exec: %.0f %%" : "\r               \r", 100 * done);
}

static void print_values(Arena *a, const ExecOptions *o, const Model *m, const DataUsed *used)
{
    const char *plural = used->images == 1 ? "" : "s";
    if (used->from)
        print_note(arena_printf(a, "arrays of %s were converted to the %s of the input", used->from,
                                used->to));
    if (o->ranges)
        printf("ranges by %s on %zu image%s in %s\n", range_method_name(o->method), used->images,
               plural, o->ranges);
    else if (o->layers)
        printf("quantization errors on %zu image%s in %s\n", used->images, plural, o->layers);
    else
        printf("%zu image%s, %zu output%s in %s\n", used->images, plural, m->graph->noutput,
               m->graph->noutput == 1 ? "" : "s", o->output_dir);
}

/* The program has said which model runs, and goes before it does. */
static Status run_values(Arena *a, Arena *of_plan, const ExecOptions *o, const Program *p,
                         Diag *diag)
{
    Model *quantized;
    Status st = STATUS_OK;
    const Model *m = p->model;
    Precision precision = p->precision;
    if (precision == PRECISION_CALIBRATED) {
        st = program_quantized_form(a, p, &quantized, diag);
        m = quantized;
    } else {
        arena_free(of_plan);
    }
    if (st)
        return st;
    if (!o->ranges && !o->layers && !o->data)
        return execute_values(o, m, precision, diag);
    DataUsed used;
    st = (o->ranges   ? find_ranges
          : o->layers ? find_losses
                      : run_samples)(a, o, m, show_progress, &used, diag);
    if (!st)
        print_values(a, o, m, &used);
    return st;
}

static Status run_exec(Arena *a, const ExecOptions *o, Diag *diag)
{
    Notes notes;
    notes_init(&notes, a);
    const RunPlan *plan;
    Model *model;
    Arena *of_plan = o->values ? arena_new(0) : a;
    Status st = exec_prepare(a, of_plan, o, &notes, &plan, &model, diag);
    if (st) {
        if (o->values)
            arena_free(of_plan);
        return st;
    }
    print_notes(&notes);
    if (o->values) {
        st = run_values(a, of_plan, o, plan->program, diag);
        model_close(model);
        return st;
    }
    int64_t images = plan->program->images;
    if (o->fill > (uint64_t)images)
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--fill %llu: a task holds %lld image%s; see --batch",
                        (unsigned long long)o->fill, (long long)images, images == 1 ? "" : "s");
    SimResult result;
    st = simulate_run(a, o, plan, &result, diag);
    if (!st && o->members)
        st = simulate_members(a, o, plan, &notes, diag);
    if (!st) {
        RunStats stats;
        run_stats(a, plan, &o->sim, &result, o->fill ? (int64_t)o->fill : images, &stats);
        run_stats_print(&stats,
                        is_stdout(o->record.trace) || is_stdout(o->record.csv) || is_stdout(o->json)
                            ? stderr
                            : stdout);
        if (o->json)
            st = run_stats_write_json(&stats, o->json, diag);
    }
    model_close(model);
    return st;
}

/* Values are as large as the model's tensors. */
static void set_limits(const ExecOptions *o)
{
    size_t mib = MEMORY_DEFAULT_MIB * (o->values ? 4 : 1);
    limits_set_memory(o->memory_bytes ? o->memory_bytes : mib << 20);
    limits_set_time(o->time_s);
}

enum { OUTPUT_FILES = 6 };

typedef struct {
    const char *file[OUTPUT_FILES]; /* NULL: not asked for */
} Outputs;

static Outputs outputs_of(const ExecOptions *o)
{
    return (Outputs){
        {o->record.trace, o->record.csv, o->record.memory_flow, o->json, o->ranges, o->layers}};
}

/* Every word that names something which is there may be read, beside where it is and where it
 * leads; the outputs' folders may be written.  Where the kernel has no sandbox the run goes on
 * without. */
static void enter_sandbox(Arena *a, const ExecOptions *o, int argc, char **argv)
{
    SandboxPaths *p = ARENA_NEW(a, SandboxPaths);
    for (int i = 1; i < argc; i++) {
        const char *value = argv[i][0] == '-' ? strchr(argv[i], '=') : argv[i];
        if (value && value[0] && value[*value == '='])
            sandbox_may_read_word(p, a, value + (*value == '='));
    }
    sandbox_may_read(p, data_path(a, ""));
    sandbox_may_read(p, data_silicon_path(a, ""));
    sandbox_may_read(p, "/sys/devices/system/cpu");
    sandbox_may_read(p, "/proc/self");
    sandbox_may_write(p, "/dev/null");
    const Outputs out = outputs_of(o);
    for (size_t i = 0; i < OUTPUT_FILES; i++)
        if (out.file[i] && !is_stdout(out.file[i]))
            sandbox_may_write_output(p, a, out.file[i]);
    if (o->output_dir)
        sandbox_may_write_output(p, a, o->output_dir);
    sandbox_enter(p);
}

/* Before the work is done. */
static Status check_outputs(const ExecOptions *o, Diag *diag)
{
    const Outputs out = outputs_of(o);
    Status st = STATUS_OK;
    for (size_t i = 0; i < OUTPUT_FILES && !st; i++)
        if (out.file[i])
            st = file_out_check(out.file[i], diag);
    return st;
}

/* While the library can still be read. */
static Status load_kernels(const ExecOptions *o, Diag *diag)
{
    const char *name = NULL;
    if (o->kernels != KERNELS_PLAIN)
        name = onednn_load(o->kernels == KERNELS_ONEDNN ? ONEDNN_ALWAYS : ONEDNN_LARGE);
    if (o->kernels == KERNELS_ONEDNN && !name)
        return diag_set(
            diag, STATUS_INPUT, NULL, NULL,
            "--kernels onednn: the library is not there, or was not when this program was "
            "built (libdnnl-dev)");
    return STATUS_OK;
}

/* What `npu-advise doctor` asks for. */
static Status write_doctor_report(Arena *a, const char *path, Diag *diag)
{
    bool fast;
    const char *fact = onednn_about(a, &fast);
    cJSON *one = cJSON_CreateObject();
    cJSON_AddStringToObject(one, "name", "oneDNN");
    cJSON_AddBoolToObject(one, "fast", fast);
    cJSON_AddStringToObject(one, "fact", wording_of(fact));
    char *text = cJSON_PrintUnformatted(one);
    cJSON_Delete(one);
    return file_out_write_text(path, text, diag);
}

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "C");
    exit_cleanup_startup("npu-exec");
    limits_startup();
    cJSON_InitHooks(&(cJSON_Hooks){limits_alloc, free});
    xml_startup();
    Arena *a = arena_new(0);
    Diag diag = {{0}};
    ExecOptions o;
    Status st = language_choose(a, argc, argv, option_flag(OPTION_LANG), &diag);
    st = st ? st : exec_options_parse(a, argc, argv, &o, &diag);
    if (!st && o.help) {
        exec_options_help(stdout);
    } else if (!st && o.doctor) {
        st = write_doctor_report(a, o.doctor, &diag);
    } else if (!st) {
        if (!o.record.trace)
            o.record.trace = getenv(profiler_variable);
        o.sim.profiling = o.record.trace || o.record.csv;
        set_limits(&o);
        st = data_check(data_silicon_path(a, "silicon.rng"), &diag);
        if (!st && o.values)
            st = load_kernels(&o, &diag);
        if (!st) {
            enter_sandbox(a, &o, argc, argv);
            st = check_outputs(&o, &diag);
        }
        st = st ? st : run_exec(a, &o, &diag);
    }
    if ((fflush(stdout) != 0 || ferror(stdout)) && !st)
        st = diag_set(&diag, STATUS_INPUT, "stdout", NULL, "cannot write: %s", strerror(errno));
    if (st)
        fprintf(stderr, "npu-exec: %s\n", diag.text);
    arena_free(a);
    return status_exit_code(st);
}
