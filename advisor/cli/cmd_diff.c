/* Implements `npu-advise diff A B`, which compares two results (JSON written with --json), two
 * traces, or two fleets (--sqlite). */
#include "advisor/act/diff/diff.h"
#include "advisor/cli/output.h"
#include "advisor/fleet/fleet_diff.h"
#include "advisor/fleet/fleet_file.h"
#include "advisor/fleet/fleet_gate.h"
#include "graph/onnx/onnx.h"
#include "trace/stats/stats.h"

static Status compare_results(Context *c, const char *a, const char *b, cJSON **ret)
{
    const Result *old, *new;
    Status st = result_load(c->arena, a, &old, c->diag);
    st = st ? st : result_load(c->arena, b, &new, c->diag);
    if (!st)
        *ret = diff_results(old, new, file_base_name(a), file_base_name(b));
    return st;
}

static Status compare_traces(Context *c, const char *a, const char *b, cJSON **ret)
{
    TraceReadOptions options = {0};
    TraceStats *old, *new;
    Status st = trace_stats(c->arena, &a, 1, &options, &old, c->diag);
    st = st ? st : trace_stats(c->arena, &b, 1, &options, &new, c->diag);
    if (!st && (old->spans == 0 || new->spans == 0))
        st = diag_set(c->diag, STATUS_UNDECIDED, old->spans ? b : a, NULL,
                      "is neither a result nor a trace with spans");
    if (!st)
        *ret = diff_traces(c->arena, old, new, file_base_name(a), file_base_name(b));
    return st;
}

/* What is no result is for the trace reader to judge. */
static Status compare_files(Context *c, const char *a, const char *b, cJSON **ret)
{
    if (onnx_begins(a) || onnx_begins(b))
        return diag_set(
            c->diag, STATUS_USAGE, onnx_begins(a) ? a : b, NULL,
            "is an ONNX model; `npu-advise MODEL --json FILE` writes a result to compare");
    return json_recognise_result(a) ? compare_results(c, a, b, ret) : compare_traces(c, a, b, ret);
}

/* Two fleets: a gate may be put on how many models have changed. */
static Status compare_fleets(Context *c, const Args *args, cJSON **ret)
{
    size_t n;
    const char **budget = args_all(c->arena, args, OPTION_BUDGET, &n);
    if (args_text(args, OPTION_HTML, NULL))
        return diag_set(c->diag, STATUS_USAGE, NULL, NULL,
                        "two fleets are compared as text or JSON, not --html");
    Status st = fleet_diff(c->arena, args->positional[0], args->positional[1], ret, c->diag);
    return st ? st : fleet_gate(*ret, budget, n, &c->exit_code, c->diag);
}

static Status compare_two(Context *c, const Args *args, cJSON **ret)
{
    if (args_text(args, OPTION_BUDGET, NULL))
        return diag_set(c->diag, STATUS_USAGE, NULL, NULL,
                        "--budget counts the models of two fleets (--sqlite), such as slower=0; "
                        "for one model: npu-advise MODEL --baseline FILE");
    return compare_files(c, args->positional[0], args->positional[1], ret);
}

static Status show_diff(Context *c, const Args *args, const cJSON *tree, bool fleets)
{
    View view = view_from_args(c, args);
    OutFile html;
    bool page = false, json = false;
    Status st = output_page_open(c, args, &html, &page);
    if (!st && html.stream)
        st = output_page_close(c, args, &html, html_diff(html.stream, tree, &view));
    st = st ? st : output_json(c, args, tree, &json);
    if (!st && !page && !json)
        (fleets ? text_fleet_diff : text_diff)(c->out, tree, &view);
    return st;
}

Status cmd_diff(Context *c, const Args *args)
{
    cJSON *tree = NULL;
    Status st = args_positional(args, 2, 2, "two results, two traces or two fleets", c->diag);
    if (!st && !strcmp(args->positional[0], "-"))
        st = diag_set(c->diag, STATUS_USAGE, "-", NULL,
                      "the first of two cannot be stdin: it is looked at twice");
    if (st)
        return st;
    bool fleets =
        fleet_file_recognise(args->positional[0]) || fleet_file_recognise(args->positional[1]);
    st = fleets ? compare_fleets(c, args, &tree) : compare_two(c, args, &tree);
    st = st ? st : show_diff(c, args, tree, fleets);
    cJSON_Delete(tree);
    return st;
}
