/* Implements `npu-advise trace`, which prints the vendor's tables from any trace. */
#include "advisor/cli/trace_query.h"
#include "advisor/advise/advise.h"
#include "advisor/options/args.h"
#include "advisor/message/phrase.h"
#include "advisor/message/plain.h"
#include "advisor/advise/request.h"
#include "advisor/advise/traces.h"
#include "advisor/render/tables/trace_merge.h"
#include "advisor/render/tables/trace_out.h"
#include "advisor/render/tables/trace_tables.h"
#include "trace/readers/engine.h"
#include "trace/readers/trace_formats.h"
#include "trace/stats/database.h"
#include "trace/stats/path.h"
#include "trace/stats/stats.h"
#include "graph/options/option.h"

static Status window_from_args(const Args *args, TraceReadOptions *ret, Diag *diag)
{
    ret->from_ns = args_time_ns(args, OPTION_FROM, 0);
    ret->to_ns = args_time_ns(args, OPTION_TO, 0);
    return ret->to_ns > 0 && ret->to_ns <= ret->from_ns
               ? diag_set(diag, STATUS_USAGE, NULL, NULL, "--to must be later than --from")
               : STATUS_OK;
}

static Status options_from_args(const Args *args, TraceReadOptions *ret, TraceOutOptions *out,
                                Diag *diag)
{
    const char *table = args_text(args, OPTION_TABLE, NULL);
    *ret = (TraceReadOptions){.strict = args_flag(args, OPTION_STRICT), .no_hash = true};
    if (table && !(out->only = trace_table_named(table)))
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "--table '%s' is not %s", table,
                        option_row(OPTION_OF_ADVISE, OPTION_TABLE)->help);
    Status st = trace_format_from_args(args, &ret->format, diag);
    int64_t top = args_int(args, OPTION_TOP, -1);
    out->screen = top < 0 && !out->only && !args_flag(args, OPTION_VERBOSE);
    out->top = top < 0 ? 20 : (size_t)top;
    return st ? st : window_from_args(args, ret, diag);
}

static Status choose_form(const Args *args, const TraceOut **ret, Diag *diag)
{
    const char *name = args_text(args, OPTION_FORMAT, "text");
    for (const TraceOut *t = trace_out; t->name; t++)
        if (!strcmp(t->name, name)) {
            *ret = t;
            return STATUS_OK;
        }
    return diag_set(diag, STATUS_USAGE, NULL, NULL,
                    "--format '%s' is not one of text|json|csv|ndjson|sqlite", name);
}

static Status write_trace_form(Context *c, const TraceOut *form, const char *path,
                               const TraceView *v, const TraceOutOptions *o)
{
    OutFile f;
    if (!strcmp(path, "-")) {
        form->print(c->out, v, o);
        return STATUS_OK;
    }
    Status st = file_out_open(&f, path, c->diag);
    if (st)
        return st;
    form->print(f.stream, v, o);
    return file_out_commit(&f, c->diag);
}

/* --json FILE beside the form; where both would be on stdout, instead of it. */
static Status print_all(Context *c, const Args *args, const TraceOut *form, const TraceView *v,
                        const TraceOutOptions *o)
{
    const char *path = args_text(args, OPTION_OUTPUT, "-"),
               *json = args_text(args, OPTION_JSON, NULL);
    const TraceOut *as_json = trace_out;
    while (strcmp(as_json->name, "json") != 0)
        as_json++;
    bool instead = json && !strcmp(json, "-") && !strcmp(path, "-");
    Status st = instead ? STATUS_OK : write_trace_form(c, form, path, v, o);
    return st || !json ? st : write_trace_form(c, as_json, json, v, o);
}

/* Whether a file has trtexec's own figures; its build options alone do not count. */
static bool has_summary(const TraceStats *s)
{
    for (size_t i = 0; i < s->nfile; i++)
        for (int k = 0; s->file[i].engine && k < ENGINE_STAGE_COUNT; k++)
            if (s->file[i].engine->stage[k].known)
                return true;
    return false;
}

static void note_formats(Context *c, const TraceStats *s, bool verbose)
{
    for (size_t i = 0; i < s->nfile; i++) {
        const TraceInfo *f = &s->file[i];
        if (f->encoding)
            notes_add(c->notes, arena_printf(c->arena, "encoding-%zu", i),
                      phrase_arg(PHRASE_NOTE_ENCODING), arg_text(f->encoding));
        if (verbose)
            notes_add(c->notes, arena_printf(c->arena, "format-%zu", i),
                      phrase_arg(f->clues ? PHRASE_NOTE_FORMAT : PHRASE_NOTE_FORMAT_NO_CLUE),
                      arg_text(file_base_name(f->path)), arg_text(trace_format_name(f->format)),
                      arg_text(f->clues), arg_size(f->events_alike), arg_size(f->events_read));
    }
}

/* A span that may be one, as a name that the vendor does not use. */
static void note_no_inference(Context *c, const TraceStats *s)
{
    size_t n = s->nother_name,
           i = LIST_INDEX(
               k, n, s->other_name[k].kind == SPAN_OTHER || s->other_name[k].kind == SPAN_LABEL);
    if (s->format == TRACE_FURIOSA && s->ninference == 0 && i < n)
        notes_add(c->notes, "no-inference", phrase_arg(PHRASE_NOTE_NO_INFERENCE),
                  arg_text(s->other_name[i].name));
}

static void note_findings(Context *c, const TraceStats *s)
{
    note_no_inference(c, s);
    const char *mended = trace_out_repairs(c->arena, c->language, s);
    if (mended)
        notes_add(c->notes, "mended", phrase_arg(PHRASE_NOTE_MENDED), arg_text(mended));
    if (s->model[1])
        notes_add(c->notes, "models", phrase_arg(PHRASE_NOTE_MODELS), arg_text(s->model[0]),
                  arg_text(s->model[1]));
    if (s->negative_io_wait)
        notes_add(c->notes, "negative-io-wait", phrase_arg(PHRASE_NOTE_IO_WAIT),
                  arg_size(s->negative_io_wait));
    if (s->ninference && (s->orphan_tasks || s->orphan_host))
        notes_add(c->notes, "orphans", phrase_arg(PHRASE_NOTE_ORPHANS), arg_size(s->orphan_tasks),
                  arg_size(s->orphan_host));
    if (s->nexecution && s->orphan_ops)
        notes_add(c->notes, "orphan-operators", phrase_arg(PHRASE_NOTE_ORPHAN_OPERATORS),
                  arg_size(s->orphan_ops));
    if (s->op_share < 1)
        notes_add(c->notes, "sampled", phrase_arg(PHRASE_NOTE_SAMPLED),
                  arg_count(llround(s->op_share * (double)s->nexecution)), arg_size(s->nexecution));
    if (s->dealt_in_order)
        notes_add(c->notes, "clocks", phrase_arg(PHRASE_NOTE_CLOCKS));
    if (s->spans == 0 && has_summary(s))
        notes_add(c->notes, "summary", phrase_arg(PHRASE_NOTE_SUMMARY));
    else if (s->spans == 0 && s->format == TRACE_TENSORRT && !s->file[0].engine)
        notes_add(c->notes, "no-spans", phrase_arg(PHRASE_NOTE_LAYERS_ONLY));
    else if (s->spans == 0)
        notes_add(c->notes, "no-spans", phrase_arg(PHRASE_NOTE_NO_SPANS));
}

/* The vendor prints operators by their mean. */
ORDER_BY(by_average, NameStat, COMPARE(b->average_ns, a->average_ns), strcmp(a->name, b->name))

/* `extras`: tables beside the guide's five will be looked at. */
static TraceView make_trace_view(Context *c, const TraceStats *s, const OperatorQuery *q,
                                 bool extras)
{
    TraceView v = {.stats = s};
    if (!extras)
        return v;
    v.usage = trace_usage(c->arena, s);
    v.operator_row = trace_operators(c->arena, s, q, &v.noperator_row);
    v.path = trace_path(c->arena, s, &v.npath, &v.path_latency_ns);
    v.label = trace_labels(c->arena, s, &v.nlabel);
    v.span_name = trace_span_names(c->arena, s, &v.nspan_name);
    return v;
}

static Status show_trace(Context *c, const Args *args, const TraceOut *form, TraceStats *s,
                         const TraceOutOptions *o, const OperatorQuery *q)
{
    ORDER_LIST(s->npu_name, s->nnpu_name, by_average);
    TraceView v = make_trace_view(c, s, q, o->only || !strcmp(form->name, "text"));
    return print_all(c, args, form, &v, o);
}

/* A long read says where it is, on a terminal only. */
static void show_progress(void *user, const char *path, uint64_t bytes)
{
    Plain p;
    fprintf(user, "\r%s: %llu MiB read", plain(&p, path, 60), (unsigned long long)(bytes >> 20));
    fflush(user);
}

/* ---- the command --------------------------------------------------------------------------- */

typedef struct {
    TraceReadOptions read;
    TraceOutOptions out;
    OperatorQuery query;
    const TraceOut *form;   /* NULL: SQLite */
    const char *database;   /* file to write then */
    const char *merge_into; /* or NULL */
} Request;

/* What is written needs the model, and reads the traces twice. */
static Status check_merge(const Args *args, Request *q, Diag *diag)
{
    q->merge_into = args_text(args, OPTION_MERGE_INTO, NULL);
    if (!q->merge_into)
        return STATUS_OK;
    if (!q->query.model)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "--merge-into needs --model");
    for (size_t i = 0; i < args->npositional; i++)
        if (!strcmp(args->positional[i], "-"))
            return diag_set(diag, STATUS_USAGE, NULL, NULL,
                            "--merge-into reads the trace twice: give a file instead of '-'");
    return STATUS_OK;
}

static Status request_from(Context *c, const Args *args, Request *q)
{
    Status st = args_positional(args, 1, SIZE_MAX, "FILE", c->diag);
    st = st ? st : options_from_args(args, &q->read, &q->out, c->diag);
    st = st ? st : trace_query_from_args(c, args, &q->query);
    st = st ? st : check_merge(args, q, c->diag);
    if (st)
        return st;
    if (strcmp(args_text(args, OPTION_FORMAT, ""), "sqlite") != 0)
        return choose_form(args, &q->form, c->diag);
    if (q->read.from_ns > 0 || q->read.to_ns > 0)
        return diag_set(
            c->diag, STATUS_USAGE, NULL, NULL,
            "--format sqlite has all spans: select by start_ns instead of --from and --to");
    q->database = args_text(args, OPTION_OUTPUT, NULL);
    if (!q->database || !strcmp(q->database, "-"))
        return diag_set(c->diag, STATUS_USAGE, NULL, NULL,
                        "--format sqlite needs a file to write to: --output FILE");
    return STATUS_OK;
}

static Status merge_advice(Context *c, const Args *args, const Request *q, const TraceStats *s)
{
    AdviseRequest r;
    const Result *result = NULL;
    advise_request_init(&r);
    r.model_path = args_text(args, OPTION_MODEL, NULL);
    r.trace = args->positional;
    r.ntrace = args->npositional;
    r.trace_options = q->read;
    r.trace_options.also = NULL;
    r.baseline.compile = args->compile;
    r.notes = c->notes;
    Status st = advise(c->arena, &r, &result, c->diag);
    if (!result)
        return st;
    TraceMerge m = {args->positional, args->npositional, &q->read, s, result, q->merge_into};
    return trace_merge(c->arena, &m, c->diag);
}

static Status read_alike(Context *c, const Args *args, Request *q, TraceStats **ret)
{
    Status st = traces_read(c->arena, args->positional, args->npositional, &q->read, c->notes, ret,
                            c->diag);
    return st ? st : traces_match(c->arena, *ret, &q->read, NULL, c->diag);
}

static Status read_to_database(Context *c, const Args *args, Request *q, TraceStats **ret)
{
    TraceDatabase *d;
    Status st = trace_database_open(c->arena, q->database, &d, c->diag);
    if (st)
        return st;
    q->read.also = trace_database_span;
    q->read.file_end = trace_database_file;
    q->read.also_user = d;
    st = read_alike(c, args, q, ret);
    if (!st)
        return trace_database_close(d, *ret, c->diag);
    trace_database_abort(d);
    return st;
}

static Status read_and_show(Context *c, const Args *args, Request *q)
{
    TraceStats *s = NULL;
    if (isatty(fileno(c->err))) {
        q->read.progress = show_progress;
        q->read.progress_user = c->err;
    }
    Status st = q->database ? read_to_database(c, args, q, &s) : read_alike(c, args, q, &s);
    if (isatty(fileno(c->err)))
        fputs("\r\033[K", c->err);
    if (!st && q->query.model)
        trace_query_compile(c, args, s, &q->query);
    if (!st && q->merge_into)
        st = merge_advice(c, args, q, s);
    if (!st && q->form)
        st = show_trace(c, args, q->form, s, &q->out, &q->query);
    if (st)
        return st;
    note_formats(c, s, args_flag(args, OPTION_VERBOSE));
    note_findings(c, s);
    c->exit_code = s->spans || has_summary(s) ? 0 : status_exit_code(STATUS_UNDECIDED);
    return STATUS_OK;
}

Status cmd_trace(Context *c, const Args *args)
{
    Request q = {.out = {.lang = c->language}};
    Status st = request_check_traces(args->positional, args->npositional, c->diag);
    st = st ? st : request_from(c, args, &q);
    st = st ? st : read_and_show(c, args, &q);
    if (q.query.name)
        regfree((regex_t *)(uintptr_t)q.query.name);
    return st;
}
