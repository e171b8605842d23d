/* Defines the five tables of the vendor's guide: summary, inferences, NPU executions, NPU operators
 * and host operators. */
#include "advisor/render/tables/trace_tables.h"

static Cell index_cell(int32_t v)
{
    return v == INDEX_NONE ? cell_none() : cell_int(v);
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

TRACE_TABLE_OF(summary, "summary", SUMMARY_COLUMNS, 1, fill_summary, .is_object = true);

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

TRACE_TABLE_OF(inferences, "inferences", INFERENCE_COLUMNS, v->stats->ninference, fill_inference,
               .is_extra = false);

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

TRACE_TABLE_OF(npu_executions, "npu_executions", EXECUTION_COLUMNS, v->stats->nexecution,
               fill_execution, .is_extra = false);

static void fill_operator(const TraceView *v, size_t row, Cell *cell)
{
    const NameStat *n = &v->stats->npu_name[row];
    *cell++ = cell_text(n->name);
    *cell++ = cell_real(n->average_ns);
    *cell = trace_count_cell(n);
}

TRACE_TABLE_OF(npu_operators, "npu_operators", OPERATOR_COLUMNS, v->stats->nnpu_name, fill_operator,
               .is_extra = false);

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

TRACE_TABLE_OF(host_operators, "host_operators", HOST_COLUMNS, v->stats->nhost_span, fill_host,
               .has = host_has);
