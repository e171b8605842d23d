/* Parses the text after each option of npu-exec. */
#include "npu_exec/session/option_values.h"
#include "graph/base/limits.h"
#include "npu_exec/data/samples.h"
#include "npu_exec/sim/silicon.h"

enum { RATE_SCALE = 1000000, PERCENT_MAX = 1000 };

/* A whole number that is a part of an option's value. */
static Status read_part(OptionId id, const char *text, uint64_t lo, uint64_t hi, uint64_t *ret,
                        Diag *diag)
{
    const OptionRow part = {
        .id = id, .program = OPTION_OF_EXEC, .kind = OPTION_KIND_WHOLE, .lo = lo, .hi = hi};
    return option_read_whole(&part, text, ret) ? STATUS_OK : option_check(&part, text, diag);
}

/* "500" or "fixed:500" requests per second; the plain number means exponential gaps. */
Status option_set_rate(ExecOptions *o, Arena *a, const char *value, Diag *diag)
{
    (void)a;
    const char *number = strncmp(value, "fixed:", 6) == 0 ? value + 6 : value;
    int64_t micro_per_s = 0;
    if (!silicon_scaled_decimal(number, RATE_SCALE, &micro_per_s) || micro_per_s < 1)
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--rate '%s': expected requests per second, such as 500 or fixed:500",
                        value);
    o->sim.arrivals = number == value ? ARRIVALS_POISSON : ARRIVALS_FIXED;
    o->sim.interval = i64_mul_div(PS_PER_S, RATE_SCALE, micro_per_s);
    return STATUS_OK;
}

/* NAME:RUNS; the name may hold colons. */
Status option_add_label(ExecOptions *o, Arena *a, const char *value, Diag *diag)
{
    const char *colon = strrchr(value, ':');
    if (!colon || colon == value)
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--record '%s': expected NAME:RUNS, such as \"warm up\":2", value);
    uint64_t runs = 0;
    Status st = read_part(OPTION_RECORD, colon + 1, 1, SIM_MAX_RUNS, &runs, diag);
    if (!st)
        *VEC_PUSH(a, o->label, o->nlabel, o->label_cap) =
            (Label){.name = arena_strndup(a, value, (size_t)(colon - value)), .runs = runs};
    return st;
}

/* Seconds of simulated time, as many requests as fit. */
Status option_set_duration(ExecOptions *o, Arena *a, const char *value, Diag *diag)
{
    (void)a;
    if (!silicon_scaled_decimal(value, PS_PER_S, &o->sim.duration) || o->sim.duration <= 0 ||
        o->sim.duration > PS_END)
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--duration '%s': expected seconds of simulated time, such as 2.5", value);
    return STATUS_OK;
}

/* furiosa-bench: L keeps every worker busy with one request, T hands all over at once. */
Status option_set_workload(ExecOptions *o, Arena *a, const char *value, Diag *diag)
{
    (void)a, (void)diag;
    o->sim.arrivals = *value == 'T' ? ARRIVALS_FIXED : ARRIVALS_CLOSED;
    o->sim.interval = 0;
    if (o->sim.input_queue == 0)
        o->sim.input_queue = *value == 'T' ? QUEUE_MAX : 0;
    return STATUS_OK;
}

Status option_set_profile(ExecOptions *o, Arena *a, const char *value, Diag *diag)
{
    (void)a, (void)diag;
    o->record.without_npu = !strcmp(value, "cpu");
    o->record.without_host = !strcmp(value, "npu");
    return STATUS_OK;
}

Status option_add_pause(ExecOptions *o, Arena *a, const char *value, Diag *diag)
{
    uint64_t runs = 0;
    Status st = read_part(OPTION_PAUSE, value, 1, SIM_MAX_RUNS, &runs, diag);
    if (!st)
        *VEC_PUSH(a, o->label, o->nlabel, o->label_cap) = (Label){.runs = runs};
    return st;
}

/* Percent by which the profiler stretches what the host does. */
Status option_set_overhead(ExecOptions *o, Arena *a, const char *value, Diag *diag)
{
    (void)a;
    if (!silicon_scaled_decimal(value, 10, &o->sim.overhead_permille) ||
        o->sim.overhead_permille < 0 || o->sim.overhead_permille > 10 * PERCENT_MAX)
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--trace-overhead '%s': expected percent of the host's time, such as 8",
                        value);
    return STATUS_OK;
}

static Status set_time(OptionId option, const char *value, const char *of, Ps *ret, Diag *diag)
{
    if (!silicon_scaled_decimal(value, PS_PER_US, ret) || *ret < 0 || *ret > PS_SERVICE_MAX)
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "%s '%s': expected microseconds per %s, such as 150", option_flag(option),
                        value, of);
    return STATUS_OK;
}

Status option_set_submit(ExecOptions *o, Arena *a, const char *value, Diag *diag)
{
    (void)a;
    return set_time(OPTION_SUBMIT_TIME, value, "request", &o->sim.submit, diag);
}

Status option_set_receive(ExecOptions *o, Arena *a, const char *value, Diag *diag)
{
    (void)a;
    return set_time(OPTION_RECEIVE_TIME, value, "result", &o->sim.receive, diag);
}

Status option_set_memory(ExecOptions *o, Arena *a, const char *value, Diag *diag)
{
    (void)a;
    if (!limits_read_memory(value, &o->memory_bytes))
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--memory '%s' is not a size of 16 MiB or more, such as 2GiB", value);
    return STATUS_OK;
}

Status option_set_time(ExecOptions *o, Arena *a, const char *value, Diag *diag)
{
    (void)a;
    if (!limits_read_time(value, &o->time_s))
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--time '%s' is not a time with a unit (ms, s, min, h), such as 30s",
                        value);
    return STATUS_OK;
}

Status option_set_recipe(ExecOptions *o, Arena *a, const char *value, Diag *diag)
{
    (void)a;
    return recipe_parse(value, &o->recipe, diag);
}

Status option_set_slice(ExecOptions *o, Arena *a, const char *value, Diag *diag)
{
    const char *colon = strchr(value, ':');
    if (!colon)
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--slice '%s': expected FROM:COUNT, such as 64:32", value);
    const char *from = arena_strndup(a, value, (size_t)(colon - value));
    Status st = read_part(OPTION_SLICE, colon + 1, 1, SAMPLES_MAX_FILES, &o->slice_count, diag);
    return st ? st : read_part(OPTION_SLICE, from, 0, SAMPLES_MAX_FILES, &o->slice_from, diag);
}
