/* Requests. */
#include "advisor/result/request.h"
#include "trace/readers/trace_formats.h"

#include "graph/base/notes.h"
#include "graph/onnx/onnx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void run_options(const Args *g, RunOptions *ret)
{
#define RUN_OPTION(field, name, most, preset, what, help)                                          \
    ret->field = (int)args_int(g, name, ret->field ? ret->field : preset);
#include "graph/compile/run_options.def"
#undef RUN_OPTION
    ret->workers_given = args_flag(g, "workers");
    ret->devices_given = args_flag(g, "devices");
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

static void goals(const Args *g, AdviseRequest *q)
{
    q->objective = args_word(g, "objective", 0) ? OBJECTIVE_THROUGHPUT : OBJECTIVE_LATENCY;
    q->pictures = args_text(g, "json", NULL) || args_text(g, "html", NULL) ||
                  !strcmp(args_text(g, "format", "text"), "json");
    q->best = true;
    q->front = args_text(g, "html", NULL) && !g->of_set; /* whose page has no models of its own */
    q->latency_limit_ns = args_time_ns(g, "latency-limit", 0);
    q->min_gain_ns = args_time_ns(g, "min-gain", q->min_gain_ns);
    q->min_share = args_real(g, "min-share", q->min_share * 100) / 100;
}

static void verification(const Args *g, AdviseRequest *q)
{
    q->seed = (uint64_t)args_int(g, "seed", 1);
    q->runs = (int)args_int(g, "runs", 0);
    q->verify = args_flag(g, "verify");
    q->runner = args_text(g, "runner", NULL);
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
    run_options(g, &q.baseline.run);
    goals(g, &q);
    verification(g, &q);
    if (!st)
        *ret = q;
    return st;
}
