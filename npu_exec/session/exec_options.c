/* Reads the command line by the table of run options. */
#include "npu_exec/data/samples.h"
#include "graph/base/wrap.h"
#include "npu_exec/session/option_values.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { IO_THREADS_MAX = 64, TRACE_LIMIT_MB = 1 << 20, BATCH_MAX = 1 << 20 };

typedef enum { TAKES_U64, TAKES_U32, TAKES_TEXT, SETS, CLEARS, CALLS } ValueUse;

/* Where a number or text goes, or which function reads it. */
typedef struct {
    const char *name, *argument, *help;
    ValueUse kind;
    size_t offset;
    uint64_t lo, hi;
    OptionReader *set;
} RunOption;

#define AT(field)                       .offset = offsetof(ExecOptions, field)
#define WHOLE(type, field, least, most) .kind = TAKES_##type, AT(field), .lo = least, .hi = most
#define TEXT(field)                     .kind = TAKES_TEXT, AT(field)
#define FLAG(how, field)                .kind = how, AT(field)
#define BY(reader)                      .kind = CALLS, .set = reader
static const RunOption run_option[] = {
    {"runs", "N", "inferences to record (default 1); also --queries",
     WHOLE(U64, sim.runs, 1, SIM_MAX_RUNS)},
    {"queries", "N", NULL, WHOLE(U64, sim.runs, 1, SIM_MAX_RUNS)},
    {"duration", "S", "instead: seconds of simulated time", BY(option_set_duration)},
    {"workload", "L|T", "latency (default): one request per worker; throughput: all at once",
     BY(option_set_workload)},
    {"warmup", "K", "inferences before them, outside trace and statistics (default 0)",
     WHOLE(U64, sim.warmup, 0, SIM_MAX_RUNS)},
#define RUN_OPTION(field, name, most, preset, what, help) RUN_##field(name, help)
#define RUN_workers(name, help)                           {name, "N", help, WHOLE(U32, sim.workers, 1, SIM_MAX_WORKERS)},
#define RUN_devices(name, help)                           /* a list of them, below */
#define RUN_queue_depth(name, help)                       {name, "N", help, WHOLE(U32, queue_depth, 1, QUEUE_MAX)},
#define RUN_io_threads(name, help)                        {name, "N", help, WHOLE(U32, sim.io_threads, 1, IO_THREADS_MAX)},
#define RUN_fill(name, help)                              {name, "N", help, WHOLE(U64, fill, 1, BATCH_MAX)},
#include "graph/compile/run_options.def"
    {"api", "A", "how the application calls: queue (default) or sync, blocking in run()",
     BY(option_set_api)},
    {"trace", "FILE", "write a Chrome trace as the SDK's runtime does; turns the profiler on",
     TEXT(record.trace)},
    {"csv", "FILE", "write the spans as the rows of the SDK's DataFrame", TEXT(record.csv)},
    {"profile", "P", "what the profiler sees: cpu, npu or all (default)", BY(option_set_profile)},
    {"verbosity", "V", "none: inferences and tasks; layer (default): operators; detailed: counters",
     BY(option_set_verbosity)},
    {"record", "NAME:N", "label the next N inferences in the trace; several; instead of --runs",
     BY(option_add_label)},
    {"pause", "N", "after or before a --record: N inferences while the profiler is paused",
     BY(option_add_pause)},
    {"trace-overhead", "P",
     "percent by which the profiler stretches what the host does (default 8)",
     BY(option_set_overhead)},
    {"sample", "K", "operators of every K-th inference only; the others leave their outline",
     WHOLE(U64, record.sample, 1, SIM_MAX_RUNS)},
    {"trace-limit", "MB", "record no further inference that might make the trace longer",
     WHOLE(U64, record.limit_mb, 1, TRACE_LIMIT_MB)},
    {"memory-flow", "FILE", "draw the SRAM of the first inference, time by address (SVG)",
     TEXT(record.memory_flow)},
    {"json", "FILE", "write the statistics as JSON", TEXT(json)},
    {"seed", "N", "of the noise (default 1); the same seed gives the same bytes",
     BY(option_set_seed)},
    {"silicon", "FILE", "constants of the simulated chip and host", TEXT(silicon)},
    {"perturb", "SEED", "multiply every constant by a number in [0.7, 1.4)",
     BY(option_set_perturb)},
    {"member", "K", "of the silicon's ensemble: 0 (default) its own constants, 1 ... its members",
     WHOLE(U32, member, 0, MEMBERS_MAX)},
    {"members", NULL,
     "run on every member, each with scatter of its own; the trace of member K is FILE.K",
     FLAG(SETS, members)},
    {"rate", "R", "open loop: R requests per second, exponential gaps; fixed:R equal gaps",
     BY(option_set_rate)},
    {"input-queue", "N", "requests that may wait for a worker (default: as many as workers)",
     WHOLE(U32, sim.input_queue, 1, QUEUE_MAX)},
    {"output-queue", "N", "results that may wait for the application (default: as many as workers)",
     WHOLE(U32, sim.output_queue, 1, QUEUE_MAX)},
    {"submit-time", "US",
     "closed loop: the application's time before each request, label \"pre\" (default 0)",
     BY(option_set_submit)},
    {"receive-time", "US",
     "its time per result, label \"post\" (default 0: it keeps no worker waiting)",
     BY(option_set_receive)},
    {"devices", "LIST",
     "cards (default 1), or " TARGET_DEFAULT "(1)*2, " TARGET_DEFAULT "(2)*1, npu:0:0-1 ...",
     TEXT(devices)},
    {"host", "H", "modelled (default), or real: conversions run on this machine, and are measured",
     BY(option_set_host)},
    {"values", NULL, "execute the model on values instead, int8 as the NPU does: needs the folders",
     FLAG(SETS, values)},
    {"input-dir", "DIR", "of input_0.npy or input_0.pb, input_1 ... in the graph's order",
     TEXT(input_dir)},
    {"output-dir", "DIR", "for output_0.npy, output_1.npy ...", TEXT(output_dir)},
    {"data", "DIR", "instead of --input-dir: pictures (.png .jpg) or arrays (.npy .npz .pb)",
     TEXT(data)},
    {"preprocess", "RECIPE", "of pictures: imagenet, yolo, yolox, ssd, unit, pixels[,mean=X ...]",
     BY(option_set_recipe)},
    {"images", "N", "at most N of them, evenly spread (default: all)",
     WHOLE(U64, images, 1, SAMPLES_MAX_FILES)},
    {"slice", "FROM:COUNT", "of the runs that these fill COUNT, the FROM-th (from 0) first",
     BY(option_set_slice)},
    {"ranges", "FILE", "write the range that each value is to have in eight bits, as JSON",
     TEXT(ranges)},
    {"layers", "FILE", "write what quantizing takes from each tensor, the most first, as JSON",
     TEXT(layers)},
    {"method", "M", "min-max (default), percentile, entropy or mse", BY(option_set_method)},
    {"kernels", "K",
     "auto (default): oneDNN for large convolutions where it is there; plain; onednn",
     BY(option_set_kernels)},
    {"symmetric", NULL, "ranges with opposite ends", FLAG(SETS, symmetric)},
    {"no-noise", NULL, "every draw at its median", FLAG(CLEARS, sim.noise)},
    {"fast", NULL, "tasks by recurrence: the same times, without contention for DRAM",
     FLAG(SETS, sim.recurrence)},
    {"memory", "SIZE", "at most so much anonymous memory (default 1GiB; with --values 4GiB)",
     BY(option_set_memory)},
    {"time", "TIME", "at most so much time of the processor (default: none)", BY(option_set_time)},
    {"doctor", "FILE", "write what values run through on this machine, as JSON, and run nothing",
     TEXT(doctor)},
    {"help", NULL, "print this", FLAG(SETS, help)},
};
#undef AT
#undef WHOLE
#undef TEXT
#undef FLAG
#undef BY
#undef RUN_OPTION
enum { NRUN_OPTION = sizeof run_option / sizeof run_option[0], HELP_LEFT = 26 };

/* Stores what the option takes; flags take "". */
static Status store_option(const RunOption *r, Arena *a, ExecOptions *o, const char *value,
                           Diag *diag)
{
    char *field = (char *)o + r->offset;
    uint64_t number = 0;
    Status st = STATUS_OK;
    if (r->kind == CALLS)
        return r->set(o, a, value, diag);
    if (r->kind == TAKES_U64 || r->kind == TAKES_U32)
        st = option_whole(r->name, value, r->lo, r->hi, &number, diag);
    if (st)
        return st;
    if (r->kind == TAKES_U64)
        memcpy(field, &number, sizeof number);
    else if (r->kind == TAKES_U32)
        memcpy(field, &(uint32_t){(uint32_t)number}, sizeof(uint32_t));
    else if (r->kind == TAKES_TEXT)
        memcpy(field, &value, sizeof value);
    else
        memcpy(field, &(bool){r->kind == SETS}, sizeof(bool));
    return STATUS_OK;
}

static void help_row(const Wrap *w, FILE *out, const char *name, const char *argument,
                     const char *help)
{
    int at = fprintf(out, "  --%s%s%s", name, argument ? " " : "", argument ? argument : "");
    wrap_words(w, out, HELP_LEFT, at, help);
}

void exec_options_help(FILE *out)
{
    size_t ncompile = 0;
    const OptionRow *compile = compile_option_table(&ncompile);
    Wrap w = wrap_for(out);
    fputs("usage: npu-exec MODEL [options]\n\n", out);
    wrap_words(&w, out, 0, 0,
               "Runs a compiled model on a simulated NPU: transaction-level timing, not "
               "cycle-accurate, no hardware involved. Statistics go to stdout.");
    fputs("\nRun:\n", out);
    for (size_t i = 0; i < NRUN_OPTION; i++)
        if (run_option[i].help)
            help_row(&w, out, run_option[i].name, run_option[i].argument, run_option[i].help);
    fputs("\nCompile:\n", out);
    for (size_t i = 0; i < ncompile; i++)
        help_row(&w, out, compile[i].name, compile[i].argument, compile[i].help);
}

static const RunOption *run_option_named(const char *name)
{
    for (int i = 0; i < NRUN_OPTION; i++)
        if (strcmp(run_option[i].name, name) == 0)
            return &run_option[i];
    return NULL;
}

static bool is_compile_option(const char *name)
{
    size_t n = 0;
    const OptionRow *table = compile_option_table(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(table[i].name, name) == 0)
            return true;
    return false;
}

/* Sets --name.  `value` is what follows it or is glued to it by "="; *ret_used when it was taken.
 */
static Status set_option(Arena *a, ExecOptions *o, const char *name, const char *value,
                         bool *ret_used, Diag *diag)
{
    const RunOption *r = run_option_named(name);
    *ret_used = !r || r->argument;
    if (!r && !is_compile_option(name))
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "no option --%s; see npu-exec --help",
                        name);
    if (*ret_used && !value)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "--%s needs a value", name);
    if (r)
        return store_option(r, a, o, *ret_used ? value : "", diag);
    bool known = false;
    return compile_option_set(&o->compile, a, name, value, &known, diag);
}

static Status set_positional(ExecOptions *o, const char *word, Diag *diag)
{
    if (o->model)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "one model at a time: '%s' follows '%s'",
                        word, o->model);
    o->model = word;
    return STATUS_OK;
}

/* What can be told of the options only together. */
static Status check_together(const ExecOptions *o, Diag *diag)
{
    bool closed = o->sim.arrivals == ARRIVALS_CLOSED;
    bool folders = o->input_dir && o->output_dir,
         data = o->data && (o->ranges || o->layers || o->output_dir);
    const struct {
        bool wrong;
        const char *text;
    } rule[] = {
        {!o->model && !o->doctor,
         "which model? usage: npu-exec MODEL [options]; see npu-exec --help"},
        {o->nlabel > 0 && !closed,
         "--record labels spans of a trace in a closed loop: give --trace, no --rate"},
        {o->members && (!o->record.trace || o->member > 0 || o->nlabel > 0),
         "--members writes a --trace of each: no --member, no --record"},
        {o->sim.duration > 0 && !closed,
         "--duration counts in a closed loop: give --runs with --rate or --workload T"},
        {o->sim.submit > 0 && !closed,
         "--submit-time is of the closed loop: --rate says when requests come"},
        {o->queue_depth > 0 && !closed,
         "--queue-depth is of the closed loop: give --input-queue with --rate"},
        {o->sim.runs + o->sim.warmup > SIM_MAX_RUNS,
         "at most 10000000 inferences, warm-up included"},
        {o->host_real && o->seeded,
         "--host real measures this machine: no --seed makes its times the same again"},
        {o->values && !folders && !data,
         "--values needs --input-dir or --data, and --output-dir, or --data and --ranges or "
         "--layers"},
        {!o->values && (o->input_dir || o->output_dir || o->data || o->ranges || o->layers),
         "--input-dir, --output-dir, --data, --ranges and --layers belong to --values"},
        {o->input_dir && o->data, "--input-dir or --data, not both"},
        {!!o->output_dir + !!o->ranges + !!o->layers > 1,
         "one of --output-dir, --ranges and --layers, not several"},
        {o->slice_count && !(o->data && o->output_dir),
         "--slice is of the images of --data whose --output-dir is wanted"},
    };
    for (size_t i = 0; i < sizeof rule / sizeof rule[0]; i++)
        if (rule[i].wrong)
            return diag_set(diag, STATUS_USAGE, NULL, NULL, "%s", rule[i].text);
    return STATUS_OK;
}

/* Labelled inferences, and those in a pause, are all there are; a duration fits as many as it can.
 */
static void count_runs(ExecOptions *o)
{
    if (o->nlabel > 0)
        o->sim.runs = 0;
    for (size_t i = 0; i < o->nlabel; i++)
        o->sim.runs += o->label[i].runs;
    if (o->sim.duration > 0)
        o->sim.runs = SIM_MAX_RUNS - o->sim.warmup;
}

Status exec_options_parse(Arena *a, int argc, char **argv, ExecOptions *ret, Diag *diag)
{
    ExecOptions o = {0};
    compile_options_init(&o.compile);
    sim_options_init(&o.sim);
    o.record.verbosity = RECORD_LAYER;
    Status st = STATUS_OK;
    for (int i = 1; i < argc && !st; i++) {
        const char *word = argv[i];
        if (strncmp(word, "--", 2) != 0) {
            st = set_positional(&o, word, diag);
            continue;
        }
        const char *eq = strchr(word, '=');
        const char *name = eq ? arena_strndup(a, word + 2, (size_t)(eq - word - 2)) : word + 2;
        const char *value = eq ? eq + 1 : i + 1 < argc ? argv[i + 1] : NULL;
        bool used = false;
        st = set_option(a, &o, name, value, &used, diag);
        if (!st && eq && !used)
            st = diag_set(diag, STATUS_USAGE, NULL, NULL, "--%s takes no value", name);
        i += used && !eq;
    }
    count_runs(&o);
    if (!st && !o.help)
        st = check_together(&o, diag);
    if (!st && o.queue_depth > 0 && o.queue_depth < o.sim.workers)
        o.sim.workers = o.queue_depth; /* those that nothing is given to are as good as none */
    if (!st)
        *ret = o;
    return st;
}
