/* The tables of `npu-advise trace`. */
#include "advisor/trace_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static Cell none(void)
{
    return (Cell){.kind = CELL_NONE};
}

static Cell whole(int64_t v)
{
    return (Cell){.kind = CELL_INT, .integer = v};
}

static Cell index_cell(int32_t v)
{
    return v == INDEX_NONE ? none() : whole(v);
}

static Cell real(double v)
{
    return (Cell){.kind = CELL_REAL, .real = v};
}

static Cell text(const char *s)
{
    return s ? (Cell){.kind = CELL_TEXT, .text = s} : none();
}

static Cell truth(bool v)
{
    return (Cell){.kind = CELL_BOOL, .integer = v};
}

static Cell hex(uint64_t high, uint64_t low, int digits)
{
    return high || low ? (Cell){.kind = CELL_HEX, .high = high, .low = low, .digits = digits}
                       : none();
}

static Cell inference_cell(uint32_t i)
{
    return i == INFERENCE_NONE ? none() : whole(i);
}

#define COUNT(a)       (sizeof(a) / sizeof *(a))
#define TABLE(columns) .column = columns, .ncolumn = COUNT(columns)

/* ---- summary ------------------------------------------------------------------------------- */

static const Column summary_column[] = {
    {"count", "Inference counts"},
    {"min", "Min latency (ns)"},
    {"max", "Max latency (ns)"},
    {"mean", "Mean latency (ns)"},
    {"median", "Median latency (ns)"},
    {"p90", "90.0 percentile latency (ns)"},
    {"p95", "95.0 percentile latency (ns)"},
    {"p97", "97.0 percentile latency (ns)"},
    {"p99", "99.0 percentile latency (ns)"},
    {"p99_9", "99.9 percentile latency (ns)"},
};

static size_t one(const TraceStats *s)
{
    (void)s;
    return 1;
}

static Cell summary_cell(const TraceStats *s, size_t row, size_t column)
{
    const Distribution *d = &s->latency;
    const int64_t value[] = {
        (int64_t)d->count, d->min, d->max, 0, d->median, d->p90, d->p95, d->p97, d->p99, d->p99_9};
    (void)row;
    if (column > 0 && d->count == 0)
        return none();
    return column == 3 ? real(d->mean) : whole(value[column]);
}

static const TraceTable summary = {
    .key = "summary",
    .heading = "Inference Results Summary",
    TABLE(summary_column),
    .is_object = true,
    .limit = one,
    .cell = summary_cell,
};

/* ---- inferences ---------------------------------------------------------------------------- */

static const Column inference_column[] = {
    {"trace_id", "trace_id"},   {"span_id", "span_id"}, {"thread_id", "thread.id"},
    {"dur_ns", "dur"},          {"start_ns", NULL},     {"label", "label"},
    {"warm_up", "warm_up"},     {"tasks", NULL},        {"npu_ns", "npu"},
    {"host_operator_ns", NULL},
};

static size_t inference_limit(const TraceStats *s)
{
    return s->ninference;
}

static int64_t npu_of(const TraceStats *s, const InferenceStat *f)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < f->ntask; i++)
        sum += s->execution[f->first_task + i].total_ns;
    return sum;
}

static int64_t host_of(const TraceStats *s, const InferenceStat *f)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < f->nhost; i++)
        if (s->host_span[f->first_host + i].kind == SPAN_HOST_OPERATOR)
            sum += s->host_span[f->first_host + i].dur_ns;
    return sum;
}

static Cell inference_row(const TraceStats *s, size_t row, size_t column)
{
    const InferenceStat *f = &s->inference[row];
    switch (column) {
    case 0:
        return hex(f->trace_id_high, f->trace_id, 32);
    case 1:
        return hex(0, f->span_id, 16);
    case 2:
        return whole(f->tid);
    case 3:
        return whole(f->dur_ns);
    case 4:
        return whole(f->start_ns);
    case 5:
        return text(f->label);
    case 6:
        return truth(f->warm_up);
    case 7:
        return whole(f->ntask);
    case 8:
        return whole(npu_of(s, f));
    default:
        return whole(host_of(s, f));
    }
}

static const TraceTable inferences = {
    .key = "inferences",
    .heading = "Inferences",
    TABLE(inference_column),
    .limit = inference_limit,
    .cell = inference_row,
};

/* ---- NPU executions ------------------------------------------------------------------------ */

static const Column execution_column[] = {
    {"trace_id", "trace_id"},     {"span_id", "span_id"},
    {"pe_index", "pe_index"},     {"execution_index", "execution_index"},
    {"total_ns", "NPU Total"},    {"run_ns", "NPU Run"},
    {"io_wait_ns", "NPU IoWait"},
};

static size_t execution_limit(const TraceStats *s)
{
    return s->nexecution;
}

static Cell execution_row(const TraceStats *s, size_t row, size_t column)
{
    const ExecutionStat *e = &s->execution[row];
    switch (column) {
    case 0:
        return hex(e->trace_id_high, e->trace_id, 32);
    case 1:
        return hex(0, e->span_id, 16);
    case 2:
        return index_cell(e->pe_index);
    case 3:
        return index_cell(e->execution_index);
    case 4:
        return whole(e->total_ns);
    case 5:
        return e->has_run ? whole(e->run_ns) : none();
    default:
        return e->has_run ? whole(e->io_wait_ns) : none();
    }
}

static const TraceTable executions = {
    .key = "npu_executions",
    .heading = "NPU Executions",
    TABLE(execution_column),
    .limit = execution_limit,
    .cell = execution_row,
};

/* ---- NPU operators ------------------------------------------------------------------------- */

static const Column operator_column[] = {
    {"name", "name"},
    {"average_ns", "average elapsed(ns)"},
    {"count", "count"},
};

static size_t operator_limit(const TraceStats *s)
{
    return s->nnpu_name;
}

static Cell operator_row(const TraceStats *s, size_t row, size_t column)
{
    const NameStat *n = &s->npu_name[row];
    return column == 0   ? text(n->name)
           : column == 1 ? real(n->average_ns)
                         : whole((int64_t)n->count);
}

static const TraceTable operators = {
    .key = "npu_operators",
    .heading = "NPU Operators",
    TABLE(operator_column),
    .limit = operator_limit,
    .cell = operator_row,
};

/* ---- host operators ------------------------------------------------------------------------ */

static const Column host_column[] = {
    {"trace_id", "trace_id"},
    {"span_id", "span_id"},
    {"thread_id", "thread.id"},
    {"name", "name"},
    {"operator_index", "operator_index"},
    {"dur_ns", "dur"},
    {"op", "op"},
    {"inference", NULL},
};

static size_t host_limit(const TraceStats *s)
{
    return s->nhost_span;
}

static bool host_has(const TraceStats *s, size_t row)
{
    return s->host_span[row].kind == SPAN_HOST_OPERATOR;
}

static Cell host_row(const TraceStats *s, size_t row, size_t column)
{
    const OpSpan *h = &s->host_span[row];
    const HostDetail *d = &s->host_detail[row];
    switch (column) {
    case 0:
        return hex(d->trace_id_high, d->trace_id, 32);
    case 1:
        return hex(0, d->span_id, 16);
    case 2:
        return whole(d->tid);
    case 3:
        return text(h->name);
    case 4:
        return index_cell(h->operator_index);
    case 5:
        return whole(h->dur_ns);
    case 6:
        return text(d->op);
    default:
        return inference_cell(h->inference);
    }
}

static const TraceTable hosts = {
    .key = "host_operators",
    .heading = "External Operators (CPU)",
    TABLE(host_column),
    .limit = host_limit,
    .has = host_has,
    .cell = host_row,
};

const TraceTable *const trace_table[] = {&summary,   &inferences, &executions,
                                         &operators, &hosts,      NULL};

const TraceTable *trace_table_named(const char *key)
{
    for (size_t i = 0; trace_table[i]; i++)
        if (!strcmp(trace_table[i]->key, key))
            return trace_table[i];
    return NULL;
}

const char *trace_cell_text(const Cell *c, char buf[CELL_TEXT_SIZE])
{
    buf[0] = '\0';
    if (c->kind == CELL_INT)
        snprintf(buf, CELL_TEXT_SIZE, "%" PRId64, c->integer);
    else if (c->kind == CELL_REAL)
        snprintf(buf, CELL_TEXT_SIZE, "%.6f", c->real);
    else if (c->kind == CELL_BOOL)
        snprintf(buf, CELL_TEXT_SIZE, "%s", c->integer ? "true" : "false");
    else if (c->kind == CELL_HEX && c->digits > 16)
        snprintf(buf, CELL_TEXT_SIZE, "%016" PRIx64 "%016" PRIx64, c->high, c->low);
    else if (c->kind == CELL_HEX)
        snprintf(buf, CELL_TEXT_SIZE, "%016" PRIx64, c->low);
    else if (c->kind == CELL_TEXT)
        return c->text;
    return buf;
}
