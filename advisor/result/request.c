/* Requests. */
#include "advisor/result/request.h"
#include "trace/readers/trace_formats.h"

#include "graph/base/notes.h"
#include "graph/onnx/onnx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MAX = 100000, FILL_MAX = 1 << 20 };

Status trace_format_from_args(const Args *g, TraceFormat *ret, Diag *diag)
{
    const char *name = args_text(g, "trace-format", NULL);
    char known[256] = "";
    if (!name)
        return STATUS_OK;
    TraceFormat found = trace_format_from_name(name);
    for (int f = TRACE_UNKNOWN + 1; f < TRACE_FORMAT_COUNT && !found; f++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s",
                 f > TRACE_UNKNOWN + 1 ? ", " : "", trace_format_name((TraceFormat)f));
    if (!found)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "--trace-format '%s' is not one of %s",
                        name, known);
    *ret = found;
    return STATUS_OK;
}

Status traces_are_no_models(const char *const *path, size_t n, Diag *diag)
{
    for (size_t i = 0; i < n; i++)
        if (onnx_begins(path[i]))
            return diag_set(
                diag, STATUS_USAGE, path[i], NULL,
                "is an ONNX model, not a trace; `npu-exec MODEL --trace FILE` writes one "
                "in simulation");
    return STATUS_OK;
}

static Status run_options(const Args *g, RunOptions *ret, Diag *diag)
{
    int64_t n = 1;
    Status st = args_int(g, "workers", 1, 1, 1024, &n, diag);
    if (st)
        return st;
    ret->workers = (int)n;
    ret->workers_given = args_text(g, "workers", NULL) != NULL;
    const struct {
        const char *name;
        int64_t most;
        int *field;
    } more[] = {{"devices", DEVICES_MAX, &ret->devices},
                {"queue-depth", WORKERS_MAX, &ret->queue_depth},
                {"io-threads", IO_THREADS_MAX, &ret->io_threads},
                {"fill", FILL_MAX, &ret->fill}};
    for (size_t i = 0; i < sizeof more / sizeof *more && !st; i++) {
        n = *more[i].field;
        st = args_int(g, more[i].name, n, 1, more[i].most, &n, diag);
        *more[i].field = (int)n;
    }
    ret->devices_given = args_text(g, "devices", NULL) != NULL;
    return st;
}

/* The goal that a gate asserts is also one to advise about; the gate reads and judges it. */
static double throughput_goal(Arena *a, const Args *g)
{
    static const char metric[] = "throughput_per_s=";
    size_t n = 0;
    const char *const *budget = args_all(a, g, "budget", &n);
    double goal = 0;
    for (size_t i = 0; i < n; i++)
        if (strncmp(budget[i], metric, sizeof metric - 1) == 0)
            goal = strtod(budget[i] + sizeof metric - 1, NULL);
    return goal > 0 && goal < 1e12 ? goal : 0;
}

static Status goals(const Args *g, AdviseRequest *q, Diag *diag)
{
    int choice = 0;
    Status st = args_choice(g, "objective", "latency|throughput", 0, &choice, diag);
    q->objective = choice == 0 ? OBJECTIVE_LATENCY : OBJECTIVE_THROUGHPUT;
    q->pictures = args_text(g, "json", NULL) || args_text(g, "html", NULL) ||
                  !strcmp(args_text(g, "format", "text"), "json");
    if (!st)
        st = args_time_ns(g, "latency-limit", 0, &q->latency_limit_ns, diag);
    if (!st)
        st = args_time_ns(g, "min-gain", q->min_gain_ns, &q->min_gain_ns, diag);
    double percent = q->min_share * 100;
    if (!st)
        st = args_real(g, "min-share", percent, 0, 100, &percent, diag);
    q->min_share = percent / 100;
    return st;
}

static Status verification(const Args *g, AdviseRequest *q, Diag *diag)
{
    int64_t seed = 1, runs = 0;
    Status st = args_int(g, "seed", 1, 0, INT64_MAX / 2, &seed, diag);
    if (!st)
        st = args_int(g, "runs", 0, 1, RUNS_MAX, &runs, diag);
    q->seed = (uint64_t)seed;
    q->runs = (int)runs;
    q->verify = args_flag(g, "verify");
    q->runner = args_text(g, "runner", NULL);
    return st;
}

Status request_from_args(Arena *a, const Args *g, Notes *notes, AdviseRequest *ret, Diag *diag)
{
    AdviseRequest q;
    advise_request_init(&q);
    Status st = args_positional(g, 1, 1, "MODEL", diag);
    if (st)
        return st;
    q.model_path = g->positional[0];
    q.trace = args_all(a, g, "trace", &q.ntrace);
    q.calibration = args_text(g, "calibration", NULL);
    q.rules_dir = args_all(a, g, "rules", &q.nrules_dir);
    q.baseline.compile = g->compile;
    q.goal_per_s = throughput_goal(a, g);
    q.notes = notes;
    st = traces_are_no_models(q.trace, q.ntrace, diag);
    if (!st)
        st = trace_format_from_args(g, &q.trace_options.format, diag);
    if (!st)
        st = run_options(g, &q.baseline.run, diag);
    if (!st)
        st = goals(g, &q, diag);
    if (!st)
        st = verification(g, &q, diag);
    if (!st)
        *ret = q;
    return st;
}
