/* npu-advise trace: the tables of the vendor's guide, from any trace. */
#include "advisor/command.h"
#include "advisor/trace_out.h"
#include "graph/base/file.h"

#include <stdlib.h>
#include <string.h>

static Status options_from_args(const Args *args, TraceReadOptions *ret, TraceOutOptions *out,
                                Diag *diag)
{
    const char *format = args_text(args, "trace-format", NULL);
    const char *table = args_text(args, "table", NULL);
    int64_t top;
    *ret = (TraceReadOptions){.strict = args_flag(args, "strict"), .no_hash = true};
    if (format && !(ret->format = trace_format_from_name(format)))
        return diag_set(
            diag, STATUS_USAGE, NULL, NULL,
            "--trace-format '%s' is none of furiosa, furiosa-csv, onnxruntime, tensorrt, "
            "pytorch, megengine, chrome",
            format);
    if (table && !(out->only = trace_table_named(table)))
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--table '%s' is none of summary, inferences, npu_executions, "
                        "npu_operators, host_operators",
                        table);
    Status st = args_int(args, "top", 20, 0, INT32_MAX, &top, diag);
    out->top = (size_t)top;
    return st;
}

static Status choose_form(const Args *args, const TraceOut **ret, Diag *diag)
{
    const char *name = args_text(args, "format", "text");
    for (const TraceOut *t = trace_out; t->name; t++)
        if (!strcmp(t->name, name)) {
            *ret = t;
            return STATUS_OK;
        }
    return diag_set(diag, STATUS_USAGE, NULL, NULL, "--format '%s' is none of text|json|csv|ndjson",
                    name);
}

/* --json FILE beside the form on stdout; with "-" instead of it. */
static Status print(Context *c, const Args *args, const TraceOut *form, const TraceStats *s,
                    const TraceOutOptions *o)
{
    const char *json = args_text(args, "json", NULL);
    const TraceOut *as_json = trace_out;
    while (strcmp(as_json->name, "json") != 0)
        as_json++;
    if (json && !strcmp(json, "-"))
        form = as_json;
    form->print(c->out, s, o);
    if (!json || !strcmp(json, "-"))
        return STATUS_OK;
    OutFile f;
    Status st = outfile_open(&f, json, c->diag);
    if (st)
        return st;
    as_json->print(f.stream, s, o);
    return outfile_commit(&f, c->diag);
}

static void note_findings(Context *c, const TraceStats *s)
{
    const char *mended = trace_mended(c->arena, s);
    if (mended)
        notes_add(c->notes, "mended", "mended or dropped: %s", mended);
    if (s->negative_io_wait)
        notes_add(c->notes, "negative-io-wait",
                  "%llu executions whose operators sum to more than NPU Total: their IoWait is "
                  "negative",
                  (unsigned long long)s->negative_io_wait);
    if (s->ninference && (s->orphan_tasks || s->orphan_host))
        notes_add(c->notes, "orphans", "%llu tasks and %llu host operators lie within no inference",
                  (unsigned long long)s->orphan_tasks, (unsigned long long)s->orphan_host);
    if (s->nexecution && s->orphan_ops)
        notes_add(c->notes, "orphan-operators",
                  "%llu NPU operators lie within no task: spans were lost",
                  (unsigned long long)s->orphan_ops);
    if (s->dealt_in_order)
        notes_add(c->notes, "clocks",
                  "the clocks of host and NPU disagree; tasks were matched by order");
    if (s->spans == 0 && s->format == TRACE_TENSORRT)
        notes_add(c->notes, "no-spans",
                  "0 spans: an engine's layers without times; give this file as the MODEL");
    else if (s->spans == 0)
        notes_add(c->notes, "no-spans", "0 spans: the file is valid and holds no trace");
}

/* The vendor prints operators by their mean. */
static int by_average(const void *pa, const void *pb)
{
    const NameStat *a = pa, *b = pb;
    if (a->average_ns != b->average_ns)
        return a->average_ns > b->average_ns ? -1 : 1;
    return strcmp(a->name, b->name);
}

static Status run(Context *c, const Args *args)
{
    TraceReadOptions read;
    TraceOutOptions out = {0};
    TraceStats *s = NULL;
    const TraceOut *form = trace_out;
    Status st = args_positional(args, 1, SIZE_MAX, "trace FILE", c->diag);
    if (!st)
        st = options_from_args(args, &read, &out, c->diag);
    if (!st)
        st = choose_form(args, &form, c->diag);
    if (!st)
        st = trace_stats(c->arena, args->positional, args->npositional, &read, &s, c->diag);
    if (st)
        return st;
    if (s->nnpu_name)
        qsort(s->npu_name, s->nnpu_name, sizeof *s->npu_name, by_average);
    if ((st = print(c, args, form, s, &out)))
        return st;
    note_findings(c, s);
    c->exit_code = s->spans ? 0 : status_exit_code(STATUS_UNDECIDED);
    return STATUS_OK;
}

const Command cmd_trace = {
    .name = "trace",
    .synopsis = "trace FILE… [--format text|json|csv|ndjson]",
    .help = "tables of a measured trace: latency, NPU executions, operators",
    .options =
        (const char *const[]){"format", "json", "table", "top", "trace-format", "strict", NULL},
    .run = run,
};
