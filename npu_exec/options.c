/* Reading the command line. */
#include "npu_exec/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATE_SCALE = 1000000 };

typedef Status (*Setter)(ExecOptions *o, const char *value, Diag *diag);

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

static Status whole_32(const char *name, const char *text, uint32_t lo, uint32_t hi, uint32_t *ret,
                       Diag *diag)
{
    uint64_t v = *ret;
    Status st = whole(name, text, lo, hi, &v, diag);
    *ret = (uint32_t)v;
    return st;
}

static Status set_runs(ExecOptions *o, const char *value, Diag *diag)
{
    return whole("runs", value, 1, SIM_MAX_RUNS, &o->sim.runs, diag);
}

static Status set_warmup(ExecOptions *o, const char *value, Diag *diag)
{
    return whole("warmup", value, 0, SIM_MAX_RUNS, &o->sim.warmup, diag);
}

static Status set_workers(ExecOptions *o, const char *value, Diag *diag)
{
    return whole_32("workers", value, 1, SIM_MAX_WORKERS, &o->sim.workers, diag);
}

static Status set_devices(ExecOptions *o, const char *value, Diag *diag)
{
    return whole_32("devices", value, 1, SIM_MAX_DEVICES, &o->sim.devices, diag);
}

static Status set_io_threads(ExecOptions *o, const char *value, Diag *diag)
{
    return whole_32("io-threads", value, 1, 64, &o->sim.io_threads, diag);
}

static Status set_input_queue(ExecOptions *o, const char *value, Diag *diag)
{
    return whole_32("input-queue", value, 1, 1 << 20, &o->sim.input_queue, diag);
}

static Status set_seed(ExecOptions *o, const char *value, Diag *diag)
{
    return whole("seed", value, 0, UINT64_MAX, &o->sim.seed, diag);
}

static Status set_perturb(ExecOptions *o, const char *value, Diag *diag)
{
    o->perturb = true;
    return whole("perturb", value, 0, UINT64_MAX, &o->perturb_seed, diag);
}

/* "500" or "fixed:500" requests per second; the plain number means exponential gaps. */
static Status set_rate(ExecOptions *o, const char *value, Diag *diag)
{
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

static Status set_trace(ExecOptions *o, const char *value, Diag *diag)
{
    (void)diag;
    o->trace = value;
    return STATUS_OK;
}

static Status set_json(ExecOptions *o, const char *value, Diag *diag)
{
    (void)diag;
    o->json = value;
    return STATUS_OK;
}

static Status set_silicon(ExecOptions *o, const char *value, Diag *diag)
{
    (void)diag;
    o->silicon = value;
    return STATUS_OK;
}

static Status set_no_noise(ExecOptions *o, const char *value, Diag *diag)
{
    (void)value;
    (void)diag;
    o->sim.noise = false;
    return STATUS_OK;
}

static Status set_fast(ExecOptions *o, const char *value, Diag *diag)
{
    (void)value;
    (void)diag;
    o->sim.recurrence = true;
    return STATUS_OK;
}

static Status set_help(ExecOptions *o, const char *value, Diag *diag)
{
    (void)value;
    (void)diag;
    o->help = true;
    return STATUS_OK;
}

static const struct {
    const char *name, *argument, *help;
    Setter set;
} run_option[] = {
    {"runs", "N", "inferences to record (default 1); also --queries", set_runs},
    {"queries", "N", NULL, set_runs},
    {"warmup", "K", "inferences before them, outside trace and statistics (default 0)", set_warmup},
    {"workers", "N", "requests processed at the same time (default 1)", set_workers},
    {"trace", "FILE", "write a Chrome trace as the SDK's runtime does; turns the profiler on",
     set_trace},
    {"json", "FILE", "write the statistics as JSON", set_json},
    {"seed", "N", "of the noise (default 1); the same seed gives the same bytes", set_seed},
    {"silicon", "FILE", "constants of the simulated chip and host", set_silicon},
    {"perturb", "SEED", "multiply every constant by a number in [0.7, 1.4)", set_perturb},
    {"rate", "R", "open loop: R requests per second, exponential gaps; fixed:R equal gaps",
     set_rate},
    {"input-queue", "N", "requests that may wait for a worker (default: as many as workers)",
     set_input_queue},
    {"io-threads", "N", "per device (default 2)", set_io_threads},
    {"devices", "N", "cards (default 1)", set_devices},
    {"no-noise", NULL, "every draw at its median", set_no_noise},
    {"fast", NULL, "tasks by recurrence: the same times, without contention for DRAM", set_fast},
    {"help", NULL, "print this", set_help},
};
enum { NRUN_OPTION = sizeof run_option / sizeof run_option[0] };

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

static int run_option_named(const char *name)
{
    for (int i = 0; i < NRUN_OPTION; i++)
        if (strcmp(run_option[i].name, name) == 0)
            return i;
    return -1;
}

/* Sets --name; `value` is what follows it, "=VALUE" already split off; *ret_used when it was one.
 */
static Status set_option(Arena *a, ExecOptions *o, const char *name, const char *value,
                         bool *ret_used, Diag *diag)
{
    int i = run_option_named(name);
    bool takes_value = i < 0 || run_option[i].argument;
    if (i >= 0 && !takes_value) {
        *ret_used = false;
        return run_option[i].set(o, "", diag);
    }
    bool known = i >= 0;
    Status st = STATUS_OK;
    if (value && i < 0)
        st = compile_option_set(&o->compile, a, name, value, &known, diag);
    else if (value)
        st = run_option[i].set(o, value, diag);
    if (i < 0 && !value) { /* known or not, it cannot stand alone */
        bool exists = false;
        size_t n = 0;
        const OptionText *compile = compile_option_table(&n);
        for (size_t k = 0; k < n; k++)
            exists |= strcmp(compile[k].name, name) == 0;
        known = exists;
    }
    if (!known)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "no option --%s; see npu-exec --help",
                        name);
    if (!value)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "--%s needs a value", name);
    *ret_used = true;
    return st;
}

static Status set_positional(ExecOptions *o, const char *word, Diag *diag)
{
    if (o->model)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "one model at a time: '%s' follows '%s'",
                        word, o->model);
    o->model = word;
    return STATUS_OK;
}

Status exec_options_parse(Arena *a, int argc, char **argv, ExecOptions *ret, Diag *diag)
{
    ExecOptions o = {0};
    compile_options_init(&o.compile);
    sim_options_init(&o.sim);
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
    if (!st && o.sim.runs + o.sim.warmup > SIM_MAX_RUNS)
        st = diag_set(diag, STATUS_USAGE, NULL, NULL, "at most %d inferences, warm-up included",
                      SIM_MAX_RUNS);
    if (!st)
        *ret = o;
    return st;
}
