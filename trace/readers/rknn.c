/* Reads the layer table of RKNN's runtime as a trace of one inference: rows of the CPU are host
 * operators, each run of other rows is a task. */
#include "trace/readers/rknn.h"
#include "trace/readers/readers.h"

#include "graph/import/rknn_table.h"

static const Sign sign[] = {
    {"InputShape", "RW(KB)"},
    {NULL, NULL},
};

static const char *shapes_of(Arena *a, const Imported *g, const uint32_t *id, size_t n)
{
    const char *text = NULL;
    for (size_t i = 0; i < n; i++) {
        const ImportTensor *t = &g->tensor[id[i]];
        text = text ? arena_printf(a, "%s ", text) : "";
        for (int k = 0; k < t->rank; k++)
            text = arena_printf(a, "%s%s%" PRId64, text, k ? "x" : "", t->dim[k]);
    }
    return text;
}

static int64_t row_ns(const Imported *g, size_t i)
{
    return llround(fmin(fmax(g->rknn->row[i].time_us, 0), 1e9) * 1e3);
}

/* Rows run one after the other: the table has no beginnings. */
static void emit_span(TraceRead *r, SpanKind kind, const char *name, int64_t ns,
                      const OpDetail *detail)
{
    Span s = span_empty();
    s.name = reader_name(r, name, strlen(name));
    s.kind = kind;
    s.pid = kind == SPAN_TASK || kind == SPAN_NPU_OPERATOR;
    s.start_ns = r->clock_ns;
    s.dur_ns = ns;
    s.detail = detail;
    s.op = detail ? detail->op : NULL;
    s.order = r->order++;
    reader_emit(r, &s, false);
}

static bool is_host_row(const Imported *g, size_t i)
{
    return g->rknn->row[i].target == RKNN_CPU;
}

/* The task that begins at the row, and has all rows up to the next of the CPU. */
static void emit_task(TraceRead *r, const Imported *g, size_t first)
{
    int64_t ns = 0;
    for (size_t i = first; i < g->nop && !is_host_row(g, i); i++)
        ns += row_ns(g, i);
    emit_span(r, SPAN_TASK, "Task", ns, NULL);
}

const OpDetail *rknn_row_detail(Arena *a, const Imported *g, size_t i)
{
    const ImportOp *op = &g->op[i];
    OpDetail *d = ARENA_NEW(a, OpDetail);
    *d = (OpDetail){.op = op->type,
                    .in_shapes = shapes_of(a, g, op->input, op->ninput),
                    .out_shapes = shapes_of(a, g, op->output, op->noutput),
                    .median_ns = -1};
    return d;
}

static Status read_rows(TraceRead *r)
{
    const char *text;
    size_t len;
    Imported *g;
    Status st = source_all(&r->source, (size_t)IMPORT_LIMIT_MIB << 20, &text, &len, r->diag);
    InFile file = {.path = r->info.path, .data = (const void *)text, .size = len};
    st = st ? st : imported_read(r->arena, file, &g, r->diag);
    if (st)
        return st;
    if (!g->rknn)
        return diag_set(r->diag, STATUS_INPUT, r->info.path, NULL,
                        "begins as a table of RKNN, but has none");
    if (!g->rknn->timed)
        return diag_set(r->diag, STATUS_INPUT, r->info.path, NULL,
                        "is the compiler's table, without times: give it as the MODEL");
    r->has_event = true;
    r->info.repairs.bad_event += g->rknn->bad_rows;
    emit_span(r, SPAN_INFERENCE, "Inference", LIST_SUM(int64_t, i, g->nop, row_ns(g, i)), NULL);
    for (size_t i = 0; i < g->nop; i++) {
        if (!is_host_row(g, i) && (i == 0 || is_host_row(g, i - 1)))
            emit_task(r, g, i);
        emit_span(r, is_host_row(g, i) ? SPAN_HOST_OPERATOR : SPAN_NPU_OPERATOR, g->op[i].name,
                  row_ns(g, i), rknn_row_detail(r->arena, g, i));
        r->clock_ns += row_ns(g, i);
    }
    return STATUS_OK;
}

const TraceReader reader_rknn = {
    .format = TRACE_RKNN,
    .name = "rknn",
    .sign = sign,
    .whole = read_rows,
};
