/* Reads the vendor's DataFrame as CSV and the tables that its methods print. Columns are found
 * by their headings; times are nanoseconds. */
#include "trace/readers/readers.h"

static const Sign sign[] = {
    {"trace_id,", "span_id"},
    {"\"trace_id\",", "span_id"},
    {"name,average", ",count"},
    {NULL, NULL},
};

/* What a row says, with the heading of the column; -1 in `at` where the file has no such column. */
#include "trace/readers/furiosa_columns.def"
enum {
#define X(id, heading) id,
    COLUMNS(X)
#undef X
        NCOLUMN
};
static const char *const heading[] = {
#define X(id, heading) heading,
    COLUMNS(X)
#undef X
};
static_assert(sizeof heading / sizeof *heading == NCOLUMN, "a heading for each column");

enum {
    MAX_FIELDS = 64,
    MAX_RUNS = 1 << 20, /* that the rows of a table of operators may count in all */
};

typedef struct {
    TraceRead *r;
    int at[NCOLUMN]; /* field of each column */
    size_t nfield;   /* of the header */
    Text field[MAX_FIELDS];
    int64_t clock_ns; /* where rows without a start are put: one after the other */
    int64_t runs;     /* that the rows of a table of operators have counted */
} Csv;

/* Consumes one record; fields point into it, without quotes (doubled ones stay doubled). */
static Scan scan_record(Csv *c, size_t *ret_n)
{
    Source *s = &c->r->source;
    const char *p = s->p, *end = s->end;
    size_t n = 0;
    for (;;) {
        Text t = {.p = p};
        bool quoted = p < end && *p == '"';
        const char *q = quoted ? p + 1 : p;
        while (quoted && q < end && (*q != '"' || (q + 1 < end && q[1] == '"')))
            q += *q == '"' ? 2 : 1;
        const char *stop = q;
        while (stop < end && *stop != ',' && *stop != '\n')
            stop++;
        if (stop >= end && !s->eof)
            return SCAN_MORE;
        t.p = quoted ? p + 1 : p;
        t.n = (uint32_t)((quoted ? q < end ? q : end : stop) - t.p);
        t.escaped = quoted && memchr(t.p, '"', t.n);
        if (!quoted && t.n && t.p[t.n - 1] == '\r')
            t.n--;
        if (n < MAX_FIELDS)
            c->field[n] = t;
        n++;
        if (stop >= end || *stop == '\n') {
            *ret_n = n;
            s->p = stop < end ? stop + 1 : end;
            return SCAN_OK;
        }
        p = stop + 1;
    }
}

/* The next record in c->field; *ret_n 0 at the end of the file. */
static Status next_record(Csv *c, size_t *ret_n)
{
    Source *s = &c->r->source;
    for (;;) {
        while (s->p < s->end && (*s->p == '\n' || *s->p == '\r'))
            s->p++;
        if (s->p < s->end && scan_record(c, ret_n) == SCAN_OK)
            return STATUS_OK;
        if (s->eof) {
            *ret_n = 0;
            return STATUS_OK;
        }
        Status st = source_more(s, TRACE_MAX_TOKEN_BYTES, c->r->diag);
        if (st)
            return st;
    }
}

static Text column_text(const Csv *c, int column)
{
    return c->at[column] < 0 ? (Text){.p = ""} : c->field[c->at[column]];
}

static bool is_absent(const Text *t)
{
    static const char *const word[] = {"", "<NA>", "nan", "NaN", "None"};
    return LIST_ANY(i, sizeof word / sizeof *word, text_is(t, word[i]));
}

/* False when absent or no number; the latter is counted. */
static bool column_int(Csv *c, int column, int64_t *ret)
{
    Text t = column_text(c, column);
    bool wrapped = false;
    if (is_absent(&t))
        return false;
    bool ok = scan_decimal(t.p, t.n, 0, ret, &wrapped);
    c->r->info.repairs.bad_number += !ok;
    c->r->info.repairs.wrapped_counter += wrapped;
    return ok;
}

static int32_t index_of(Csv *c, int column)
{
    int64_t value;
    bool ok = column_int(c, column, &value) && value >= 0 && value <= INT32_MAX;
    return ok ? (int32_t)value : INDEX_NONE;
}

static const char *read_column_text(Csv *c, int column)
{
    char plain[256];
    Text t = column_text(c, column);
    if (!t.escaped)
        return t.n ? reader_name(c->r, t.p, t.n) : "";
    size_t n = 0;
    for (uint32_t i = 0; i < t.n && n < sizeof plain; i++) {
        plain[n++] = t.p[i];
        i += t.p[i] == '"';
    }
    return reader_name(c->r, plain, n);
}

/* Tables that are cut out of the frame have lost their name and category columns. */
static void classify_row(const Csv *c, Span *s)
{
    if (c->at[TOTAL] >= 0) {
        s->name = "Execution";
        s->kind = SPAN_TASK;
    } else if (c->at[NAME] < 0) {
        s->name = "Inference";
        s->kind = SPAN_INFERENCE;
    } else if (c->at[CAT] < 0) {
        s->kind = SPAN_HOST_OPERATOR;
    } else {
        bool npu = strcmp(s->cat, "NPU") == 0;
        s->kind = npu && s->instruction_index == INDEX_NONE ? SPAN_TASK
                                                            : reader_furiosa.kind(s->cat, s->name);
        if (!npu && s->operator_index != INDEX_NONE)
            s->kind = SPAN_HOST_OPERATOR;
        int sdk = reader_furiosa.sdk(s->cat);
        if (sdk > c->r->info.sdk)
            c->r->info.sdk = sdk;
    }
}

/* Start and duration from whichever columns there are. */
static bool set_span_time(Csv *c, Span *s)
{
    int64_t end, dur;
    bool has_start = column_int(c, START, &s->start_ns), has_end = column_int(c, END, &end);
    bool has_dur = column_int(c, c->at[TOTAL] >= 0 ? TOTAL : DUR, &dur);
    if (!has_dur && !(has_start && has_end))
        return false;
    if (!has_start)
        s->start_ns = c->clock_ns;
    if (s->start_ns < 0 || s->start_ns > INT64_MAX / 4 ||
        (has_end && (end < 0 || end > INT64_MAX / 2)))
        return false;
    s->dur_ns = has_start && has_end ? end - s->start_ns : dur;
    if (s->dur_ns < 0) {
        c->r->info.repairs.negative_duration++;
        s->dur_ns = 0;
    }
    if (s->dur_ns > INT64_MAX / 4)
        return false;
    if (!has_start)
        c->clock_ns += s->dur_ns;
    return c->clock_ns < INT64_MAX / 4;
}

static void take_ids(Csv *c, Span *s)
{
    Text trace = column_text(c, TRACE_ID), span = column_text(c, SPAN_ID),
         parent = column_text(c, PARENT_ID);
    bool ok = scan_hex_pair(trace.p, trace.n, &s->trace_id_high, &s->trace_id);
    ok &= scan_hex(span.p, span.n, &s->span_id);
    if (c->at[PARENT_ID] >= 0)
        ok &= scan_hex(parent.p, parent.n, &s->parent_id);
    c->r->info.repairs.bad_number += !ok;
}

static void on_row(Csv *c)
{
    Span s = span_empty();
    int64_t thread = 0, unused;
    c->r->has_event = true;
    s.pe_index = index_of(c, PE);
    s.execution_index = index_of(c, EXECUTION);
    s.instruction_index = index_of(c, INSTRUCTION);
    s.operator_index = index_of(c, OPERATOR);
    s.cat = read_column_text(c, CAT);
    s.name = read_column_text(c, NAME);
    take_ids(c, &s);
    column_int(c, THREAD, &thread);
    classify_row(c, &s);
    if (!set_span_time(c, &s)) {
        c->r->info.repairs.bad_event++;
        return;
    }
    column_int(c, RUN, &s.run_ns);
    column_int(c, IO_WAIT, &unused); /* Total - Run says it better; a wrapped one is counted */
    bool npu = s.kind == SPAN_TASK || s.kind == SPAN_NPU_OPERATOR || s.kind == SPAN_NPU_IO;
    s.tid = npu && s.pe_index != INDEX_NONE ? 10000000 + s.pe_index : thread;
    s.order = c->r->order++;
    reader_emit(c->r, &s, false);
}

/* ---- the table of operators ------------------------------------------------------------------ */

/* "5327.8" in thousandths of a nanosecond. */
static bool read_thousandths(Csv *c, int column, int64_t *ret)
{
    Text t = column_text(c, column);
    bool wrapped = false;
    return scan_decimal(t.p, t.n, 3, ret, &wrapped) && *ret >= 0 &&
           *ret / 1000 < INT64_MAX / 8 / MAX_RUNS;
}

/* A row is so many runs; their sum is that of the mean, to the nanosecond. */
static Status on_operator(Csv *c)
{
    Span s = span_empty();
    int64_t mean, count, before = 0;
    c->r->has_event = true;
    s.name = read_column_text(c, NAME);
    s.cat = "NPU";
    s.kind = SPAN_NPU_OPERATOR;
    if (!read_thousandths(c, AVERAGE, &mean) || !column_int(c, COUNT, &count) || count < 0) {
        c->r->info.repairs.bad_event++;
        return STATUS_OK;
    }
    if (count > MAX_RUNS - c->runs)
        return diag_set(c->r->diag, STATUS_INPUT, c->r->info.path, NULL,
                        "counts more than %d runs of operators; give the profiler's whole frame",
                        MAX_RUNS);
    c->runs += count;
    for (int64_t k = 1; k <= count; k++) {
        int64_t so_far = mean / 1000 * k + (mean % 1000 * k + 500) / 1000;
        s.start_ns = c->clock_ns;
        s.dur_ns = so_far - before;
        s.order = c->r->order++;
        before = so_far;
        c->clock_ns += s.dur_ns;
        reader_emit(c->r, &s, false);
    }
    return STATUS_OK;
}

/* ---- the file -------------------------------------------------------------------------------- */

static void read_header(Csv *c, size_t n)
{
    c->nfield = n;
    for (int k = 0; k < NCOLUMN; k++) {
        c->at[k] = -1;
        for (size_t i = 0; i < n && i < MAX_FIELDS; i++)
            if (text_is(&c->field[i], heading[k]))
                c->at[k] = (int)i;
    }
}

static Status read_csv(TraceRead *r)
{
    Csv *c = ARENA_NEW(r->arena, Csv);
    size_t n;
    c->r = r;
    Status st = next_record(c, &n);
    if (st)
        return st;
    read_header(c, n);
    bool is_table = c->at[NAME] >= 0 && c->at[AVERAGE] >= 0 && c->at[COUNT] >= 0;
    if (!is_table && c->at[DUR] < 0 && c->at[TOTAL] < 0 && (c->at[START] < 0 || c->at[END] < 0))
        return diag_set(r->diag, STATUS_INPUT, r->info.path, "line 1",
                        "has no column 'dur', 'NPU Total', 'average_elapsed_ns' with 'count', or "
                        "'start' and 'end'");
    for (;;) {
        if ((st = next_record(c, &n)) || n == 0)
            return st;
        r->info.events++;
        if (n != c->nfield || n > MAX_FIELDS)
            r->info.repairs.bad_event++;
        else if (!is_table)
            on_row(c);
        else if ((st = on_operator(c)))
            return st;
    }
}

static size_t strip_as_furiosa(const char *name, size_t len)
{
    return reader_furiosa.strip(name, len);
}

const TraceReader reader_furiosa_csv = {
    .format = TRACE_FURIOSA_CSV,
    .name = "furiosa-csv",
    .sign = sign,
    .strip = strip_as_furiosa,
    .whole = read_csv,
};
