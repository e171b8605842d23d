/* Defines the five tables of the vendor's guide: summary, inferences, NPU executions, NPU operators
 * and host operators. */
#include "advisor/render/tables/trace_tables.h"

static Cell index_cell(int32_t v)
{
    return v == INDEX_NONE ? cell_none() : cell_int(v);
}

static const Column summary_column[] = {SUMMARY_COLUMNS(TRACE_COLUMN)};

static size_t single_row(const TraceView *v)
{
    (void)v;
    return 1;
}

static void fill_summary(const TraceView *v, size_t row, Cell *cell)
{
    const Distribution *d = &v->stats->latency;
    const int64_t value[] = {d->min, d->max, 0,      d->median, d->p90,
                             d->p95, d->p97, d->p99, d->p99_9};
    (void)row;
    *cell++ = cell_int((int64_t)d->count);
    for (size_t i = 0; i < sizeof value / sizeof *value; i++)
        cell[i] = d->count ? cell_int(value[i]) : cell_none();
    cell[2] = d->count ? cell_real(d->mean) : cell_none();
}

const TraceTable trace_table_summary = {
    .key = "summary",
    TABLE_COLUMNS(summary_column),
    .is_object = true,
    .limit = single_row,
    .fill = fill_summary,
};

static const Column inference_column[] = {INFERENCE_COLUMNS(TRACE_COLUMN)};

TABLE_LIMIT(inference_limit, v->stats->ninference)

static int64_t host_of(const TraceStats *s, const InferenceStat *f)
{
    const OpSpan *x = &s->host_span[f->first_host];
    const HostDetail *d = &s->host_detail[f->first_host];
    return LIST_SUM(int64_t, i, f->nhost, x[i].kind == SPAN_HOST_OPERATOR ? d[i].self_ns : 0);
}

static void fill_inference(const TraceView *v, size_t row, Cell *cell)
{
    const TraceStats *s = v->stats;
    const InferenceStat *f = &s->inference[row];
    *cell++ = cell_hex(f->trace_id_high, f->trace_id, 32);
    *cell++ = cell_hex(0, f->span_id, 16);
    *cell++ = cell_int(f->tid);
    *cell++ = cell_int(f->dur_ns);
    *cell++ = cell_int(f->start_ns);
    *cell++ = cell_text(f->label);
    *cell++ = cell_bool(f->warm_up);
    *cell++ = cell_int(f->ntask);
    *cell++ = cell_int(LIST_SUM(int64_t, i, f->ntask, s->execution[f->first_task + i].total_ns));
    *cell = cell_int(host_of(s, f));
}

const TraceTable trace_table_inferences = {
    .key = "inferences",
    TABLE_COLUMNS(inference_column),
    .limit = inference_limit,
    .fill = fill_inference,
};

static const Column execution_column[] = {EXECUTION_COLUMNS(TRACE_COLUMN)};

TABLE_LIMIT(execution_limit, v->stats->nexecution)

static void fill_execution(const TraceView *v, size_t row, Cell *cell)
{
    const TraceStats *s = v->stats;
    const ExecutionStat *e = &s->execution[row];
    *cell++ = cell_hex(e->trace_id_high, e->trace_id, 32);
    *cell++ = cell_hex(0, e->span_id, 16);
    *cell++ = index_cell(e->pe_index);
    *cell++ = index_cell(e->execution_index);
    *cell++ = cell_int(e->total_ns);
    *cell++ = e->has_run ? cell_int(e->run_ns) : cell_none();
    *cell = e->has_run ? cell_int(e->io_wait_ns) : cell_none();
}

const TraceTable trace_table_npu_executions = {
    .key = "npu_executions",
    TABLE_COLUMNS(execution_column),
    .limit = execution_limit,
    .fill = fill_execution,
};

static const Column operator_column[] = {OPERATOR_COLUMNS(TRACE_COLUMN)};

TABLE_LIMIT(operator_limit, v->stats->nnpu_name)

static void fill_operator(const TraceView *v, size_t row, Cell *cell)
{
    const NameStat *n = &v->stats->npu_name[row];
    *cell++ = cell_text(n->name);
    *cell++ = cell_real(n->average_ns);
    *cell = trace_count_cell(n);
}

const TraceTable trace_table_npu_operators = {
    .key = "npu_operators",
    TABLE_COLUMNS(operator_column),
    .limit = operator_limit,
    .fill = fill_operator,
};

static const Column host_column[] = {HOST_COLUMNS(TRACE_COLUMN)};

TABLE_LIMIT(host_limit, v->stats->nhost_span)

static bool host_has(const TraceView *v, size_t row)
{
    return v->stats->host_span[row].kind == SPAN_HOST_OPERATOR;
}

static void fill_host(const TraceView *v, size_t row, Cell *cell)
{
    const TraceStats *s = v->stats;
    const OpSpan *h = &s->host_span[row];
    const HostDetail *d = &s->host_detail[row];
    *cell++ = cell_hex(d->trace_id_high, d->trace_id, 32);
    *cell++ = cell_hex(0, d->span_id, 16);
    *cell++ = cell_int(d->tid);
    *cell++ = cell_text(h->name);
    *cell++ = index_cell(h->operator_index);
    *cell++ = cell_int(h->dur_ns);
    *cell++ = cell_text(op_span_type(h));
    *cell = h->inference == INFERENCE_NONE ? cell_none() : cell_int(h->inference);
}

const TraceTable trace_table_host_operators = {
    .key = "host_operators",
    TABLE_COLUMNS(host_column),
    .limit = host_limit,
    .has = host_has,
    .fill = fill_host,
};
