/* Reading the command line. */
#include "npu_exec/options.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATE_SCALE = 1000000, QUEUE_MAX = 1 << 20, IO_THREADS_MAX = 64 };

static Status whole(const char *name, const char *text, uint64_t lo, uint64_t hi, uint64_t *ret,
                    Diag *diag)
{
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || v < lo || v > hi)
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--%s '%s': expected a whole number from %llu to %llu", name, text,
                        (unsigned long long)lo, (unsigned long long)hi);
    *ret = v;
    return STATUS_OK;
}

/* "500" or "fixed:500" requests per second; the plain number means exponential gaps. */
static Status set_rate(ExecOptions *o, Arena *a, const char *value, Diag *diag)
{
    (void)a;
    const char *number = strncmp(value, "fixed:", 6) == 0 ? value + 6 : value;
    int64_t micro_per_s = 0;
    if (!decimal_scaled(number, RATE_SCALE, &micro_per_s) || micro_per_s < 1)
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--rate '%s': expected requests per second, such as 500 or fixed:500",
                        value);
    o->sim.arrivals = number == value ? ARRIVALS_POISSON : ARRIVALS_FIXED;
    o->sim.interval = i64_mul_div(PS_PER_S, RATE_SCALE, micro_per_s);
    return STATUS_OK;
}

/* NAME:RUNS; the name may hold colons. */
static Status add_label(ExecOptions *o, Arena *a, const char *value, Diag *diag)
{
    const char *colon = strrchr(value, ':');
    if (!colon || colon == value)
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--record '%s': expected NAME:RUNS, such as \"warm up\":2", value);
    uint64_t runs = 0;
    Status st = whole("record", colon + 1, 1, SIM_MAX_RUNS, &runs, diag);
    if (!st)
        *VEC_PUSH(a, o->label, o->nlabel, o->label_cap) =
            (Label){.name = arena_strndup(a, value, (size_t)(colon - value)), .runs = runs};
    return st;
}

/* Seconds of simulated time, as many requests as fit. */
static Status set_duration(ExecOptions *o, Arena *a, const char *value, Diag *diag)
{
    (void)a;
    if (!decimal_scaled(value, PS_PER_S, &o->sim.duration) || o->sim.duration <= 0 ||
        o->sim.duration > PS_END)
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--duration '%s': expected seconds of simulated time, such as 2.5", value);
    return STATUS_OK;
}

/* furiosa-bench: L keeps every worker busy with one request, T hands all over at once. */
static Status set_workload(ExecOptions *o, Arena *a, const char *value, Diag *diag)
{
    (void)a;
    if (strcmp(value, "L") != 0 && strcmp(value, "T") != 0)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "--workload '%s': expected L or T", value);
    o->sim.arrivals = *value == 'T' ? ARRIVALS_FIXED : ARRIVALS_CLOSED;
    o->sim.interval = 0;
    if (o->sim.input_queue == 0)
        o->sim.input_queue = *value == 'T' ? QUEUE_MAX : 0;
    return STATUS_OK;
}

static Status one_of(const char *option, const char *value, const char *const *words, size_t n,
                     int *ret, Diag *diag)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(value, words[i]) == 0) {
            *ret = (int)i;
            return STATUS_OK;
        }
    return diag_set(diag, STATUS_USAGE, NULL, NULL, "--%s '%s': expected %s, %s or %s", option,
                    value, words[0], words[1], words[2]);
}

static Status set_profile(ExecOptions *o, Arena *a, const char *value, Diag *diag)
{
    static const char *const word[] = {"all", "cpu", "npu"};
    int which = 0;
    (void)a;
    Status st = one_of("profile", value, word, 3, &which, diag);
    o->record.without_npu = which == 1;
    o->record.without_host = which == 2;
    return st;
}

static Status set_verbosity(ExecOptions *o, Arena *a, const char *value, Diag *diag)
{
    static const char *const word[] = {"none", "layer", "detailed"};
    int which = RECORD_LAYER;
    (void)a;
    Status st = one_of("verbosity", value, word, 3, &which, diag);
    o->record.verbosity = (RecordVerbosity)which;
    return st;
}

static Status set_api(ExecOptions *o, Arena *a, const char *value, Diag *diag)
{
    (void)a;
    o->sim.blocking = strcmp(value, "sync") == 0;
    if (!o->sim.blocking && strcmp(value, "queue") != 0)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "--api '%s': expected queue or sync",
                        value);
    return STATUS_OK;
}

static Status set_perturb(ExecOptions *o, Arena *a, const char *value, Diag *diag)
{
    (void)a;
    o->perturb = true;
    return whole("perturb", value, 0, UINT64_MAX, &o->perturb_seed, diag);
}

typedef enum { TAKES_U64, TAKES_U32, TAKES_TEXT, SETS, CLEARS, CALLS } OptionKind;

/* Where a number or text goes, or which function reads it. */
typedef struct {
    const char *name, *argument, *help;
    OptionKind kind;
    size_t offset;
    uint64_t lo, hi;
    Status (*set)(ExecOptions *o, Arena *a, const char *value, Diag *diag);
} RunOption;

#define AT(field) offsetof(ExecOptions, field)
static const RunOption run_option[] = {
    {"runs", "N", "inferences to record (default 1); also --queries", TAKES_U64, AT(sim.runs), 1,
     SIM_MAX_RUNS, NULL},
    {"queries", "N", NULL, TAKES_U64, AT(sim.runs), 1, SIM_MAX_RUNS, NULL},
    {"duration", "S", "instead: seconds of simulated time", CALLS, 0, 0, 0, set_duration},
    {"workload", "L|T", "latency (default): one request per worker; throughput: all at once", CALLS,
     0, 0, 0, set_workload},
    {"warmup", "K", "inferences before them, outside trace and statistics (default 0)", TAKES_U64,
     AT(sim.warmup), 0, SIM_MAX_RUNS, NULL},
    {"workers", "N", "requests processed at the same time (default 1)", TAKES_U32, AT(sim.workers),
     1, SIM_MAX_WORKERS, NULL},
    {"api", "A", "how the application calls: queue (default) or sync, blocking in run()", CALLS, 0,
     0, 0, set_api},
    {"trace", "FILE", "write a Chrome trace as the SDK's runtime does; turns the profiler on",
     TAKES_TEXT, AT(record.trace), 0, 0, NULL},
    {"csv", "FILE", "write the spans as the rows of the SDK's DataFrame", TAKES_TEXT,
     AT(record.csv), 0, 0, NULL},
    {"profile", "P", "what the profiler sees: cpu, npu or all (default)", CALLS, 0, 0, 0,
     set_profile},
    {"verbosity", "V", "none: inferences and tasks; layer (default): operators; detailed: counters",
     CALLS, 0, 0, 0, set_verbosity},
    {"record", "NAME:N", "label the next N inferences in the trace; several; instead of --runs",
     CALLS, 0, 0, 0, add_label},
    {"json", "FILE", "write the statistics as JSON", TAKES_TEXT, AT(json), 0, 0, NULL},
    {"seed", "N", "of the noise (default 1); the same seed gives the same bytes", TAKES_U64,
     AT(sim.seed), 0, UINT64_MAX, NULL},
    {"silicon", "FILE", "constants of the simulated chip and host", TAKES_TEXT, AT(silicon), 0, 0,
     NULL},
    {"perturb", "SEED", "multiply every constant by a number in [0.7, 1.4)", CALLS, 0, 0, 0,
     set_perturb},
    {"rate", "R", "open loop: R requests per second, exponential gaps; fixed:R equal gaps", CALLS,
     0, 0, 0, set_rate},
    {"input-queue", "N", "requests that may wait for a worker (default: as many as workers)",
     TAKES_U32, AT(sim.input_queue), 1, QUEUE_MAX, NULL},
    {"io-threads", "N", "per device (default 2)", TAKES_U32, AT(sim.io_threads), 1, IO_THREADS_MAX,
     NULL},
    {"devices", "LIST", "cards (default 1), or warboy(1)*2, warboy(2)*1, npu:0:0-1 ...", TAKES_TEXT,
     AT(devices), 0, 0, NULL},
    {"no-noise", NULL, "every draw at its median", CLEARS, AT(sim.noise), 0, 0, NULL},
    {"fast", NULL, "tasks by recurrence: the same times, without contention for DRAM", SETS,
     AT(sim.recurrence), 0, 0, NULL},
    {"help", NULL, "print this", SETS, AT(help), 0, 0, NULL},
};
#undef AT
enum { NRUN_OPTION = sizeof run_option / sizeof run_option[0] };

/* Stores what the option takes; flags take "". */
static Status store(const RunOption *r, Arena *a, ExecOptions *o, const char *value, Diag *diag)
{
    char *field = (char *)o + r->offset;
    uint64_t number = 0;
    Status st = STATUS_OK;
    if (r->kind == CALLS)
        return r->set(o, a, value, diag);
    if (r->kind == TAKES_U64 || r->kind == TAKES_U32)
        st = whole(r->name, value, r->lo, r->hi, &number, diag);
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

void exec_options_help(FILE *out)
{
    size_t ncompile = 0;
    const OptionText *compile = compile_option_table(&ncompile);
    fputs(
        "usage: npu-exec MODEL [options]\n\n"
        "Runs a compiled model on a simulated NPU: transaction-level timing, not cycle-accurate,\n"
        "no hardware involved.  Statistics go to stdout.\n\nrun:\n",
        out);
    for (size_t i = 0; i < NRUN_OPTION; i++)
        if (run_option[i].help)
            fprintf(out, "  --%-12s %-11s %s\n", run_option[i].name,
                    run_option[i].argument ? run_option[i].argument : "", run_option[i].help);
    fputs("\ncompile:\n", out);
    for (size_t i = 0; i < ncompile; i++)
        fprintf(out, "  --%-16s %-11s %s\n", compile[i].name, compile[i].argument, compile[i].help);
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
    const OptionText *table = compile_option_table(&n);
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
        return store(r, a, o, *ret_used ? value : "", diag);
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

/* Labelled inferences are all there are. */
static Status count_labels(ExecOptions *o, Diag *diag)
{
    if (o->sim.arrivals != ARRIVALS_CLOSED)
        return diag_set(
            diag, STATUS_USAGE, NULL, NULL,
            "--record labels spans of a trace in a closed loop: give --trace, no --rate");
    o->sim.runs = 0;
    for (size_t i = 0; i < o->nlabel; i++)
        o->sim.runs += o->label[i].runs;
    return STATUS_OK;
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
    if (!st && !o.help && !o.model)
        st = diag_set(diag, STATUS_USAGE, NULL, NULL,
                      "which model? usage: npu-exec MODEL [options]; see npu-exec --help");
    if (!st && o.nlabel > 0)
        st = count_labels(&o, diag);
    if (!st && o.sim.duration > 0 && o.sim.warmup < SIM_MAX_RUNS)
        o.sim.runs = SIM_MAX_RUNS - o.sim.warmup;
    if (!st && o.sim.duration > 0 && o.sim.arrivals != ARRIVALS_CLOSED)
        st =
            diag_set(diag, STATUS_USAGE, NULL, NULL,
                     "--duration counts in a closed loop: give --runs with --rate or --workload T");
    if (!st && o.sim.runs + o.sim.warmup > SIM_MAX_RUNS)
        st = diag_set(diag, STATUS_USAGE, NULL, NULL, "at most %d inferences, warm-up included",
                      SIM_MAX_RUNS);
    if (!st)
        *ret = o;
    return st;
}
