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

static Cell figure(double v, const char *(*show)(Figure *, double))
{
    return (Cell){.kind = CELL_REAL, .real = v, .figure = show};
}

/* 0 means that nobody knows. */
static Cell known(double v, const char *(*show)(Figure *, double))
{
    return v > 0 ? figure(v, show) : none();
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

static size_t one(const TraceView *v)
{
    (void)v;
    return 1;
}

static Cell summary_cell(const TraceView *v, size_t row, size_t column)
{
    const TraceStats *s = v->stats;
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

static size_t inference_limit(const TraceView *v)
{
    return v->stats->ninference;
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

static Cell inference_row(const TraceView *v, size_t row, size_t column)
{
    const TraceStats *s = v->stats;
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

static size_t execution_limit(const TraceView *v)
{
    return v->stats->nexecution;
}

static Cell execution_row(const TraceView *v, size_t row, size_t column)
{
    const TraceStats *s = v->stats;
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

static size_t operator_limit(const TraceView *v)
{
    return v->stats->nnpu_name;
}

static Cell operator_row(const TraceView *v, size_t row, size_t column)
{
    const TraceStats *s = v->stats;
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

static size_t host_limit(const TraceView *v)
{
    return v->stats->nhost_span;
}

static bool host_has(const TraceView *v, size_t row)
{
    return v->stats->host_span[row].kind == SPAN_HOST_OPERATOR;
}

static Cell host_row(const TraceView *v, size_t row, size_t column)
{
    const TraceStats *s = v->stats;
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

/* ---- NPU usage ----------------------------------------------------------------------------- */

static const Column usage_column[] = {
    {"window_ns", "window"},     {"busy_ns", "NPU in use"}, {"npu_percent", "NPU(%)"},
    {"comp_percent", "Comp(%)"}, {"io_percent", "I/O(%)"},
};

static const char *figure_percent(Figure *f, double v)
{
    return figure_share(f, v / 100);
}

static Cell percent(int64_t part, int64_t all)
{
    return all > 0 ? figure(100.0 * (double)part / (double)all, figure_percent) : none();
}

static Cell usage_cell(const TraceView *v, size_t row, size_t column)
{
    const NpuUsage *u = &v->usage;
    (void)row;
    switch (column) {
    case 0:
        return figure((double)u->window_ns, figure_time);
    case 1:
        return figure((double)u->busy_ns, figure_time);
    case 2:
        return percent(u->busy_ns, u->window_ns);
    case 3:
        return percent(u->run_ns, u->total_ns);
    default:
        return percent(u->total_ns - u->run_ns, u->total_ns);
    }
}

static size_t usage_limit(const TraceView *v)
{
    return v->stats->nexecution > 0;
}

static const TraceTable usage = {
    .key = "npu_usage",
    .heading = "NPU Usage",
    TABLE(usage_column),
    .is_object = true,
    .is_extra = true,
    .limit = usage_limit,
    .cell = usage_cell,
};

/* ---- operators ----------------------------------------------------------------------------- */

static const Column profile_column[] = {
    {"name", "operator"},
    {"type", "type"},
    {"time_ns", "time"},
    {"share", "share"},
    {"cumulative", "cumulative"},
    {"count", "count"},
    {"computation", "computation"},
    {"flops", "FLOPS"},
    {"memory_bytes", "memory"},
    {"bandwidth", "bandwidth/s"},
    {"in_shapes", "in shapes"},
    {"out_shapes", "out shapes"},
    {"node", "node"},
    {"side", "side"},
};

static size_t profile_limit(const TraceView *v)
{
    return v->noperator_row;
}

static Cell profile_cell(const TraceView *v, size_t row, size_t column)
{
    const OperatorRow *r = &v->operator_row[row];
    switch (column) {
    case 0:
        return text(r->name);
    case 1:
        return text(r->op);
    case 2:
        return figure(r->time_ns, figure_time);
    case 3:
        return figure(r->share, figure_share);
    case 4:
        return figure(r->cumulative, figure_share);
    case 5:
        return whole((int64_t)r->count);
    case 6:
        return known(r->flop, figure_count);
    case 7:
        return known(operator_flops(r), figure_count);
    case 8:
        return known(r->memory_bytes, figure_bytes);
    case 9:
        return known(operator_bandwidth(r), figure_bytes);
    case 10:
        return text(r->in_shapes);
    case 11:
        return text(r->out_shapes);
    case 12:
        return text(r->node);
    default:
        return text(r->kind == SPAN_HOST_OPERATOR ? "host" : "device");
    }
}

static const TraceTable profile = {
    .key = "operators",
    .heading = "Operators by Time (self time per inference)",
    TABLE(profile_column),
    .is_extra = true,
    .limit = profile_limit,
    .cell = profile_cell,
};

/* ---- host names ---------------------------------------------------------------------------- */

static const Column stage_column[] = {
    {"name", "name"},        {"count", "count"}, {"total_ns", "total"}, {"average_ns", "average"},
    {"median_ns", "median"}, {"min_ns", "min"},  {"max_ns", "max"},
};

static size_t stage_limit(const TraceView *v)
{
    return v->stats->nhost_name;
}

static bool stage_has(const TraceView *v, size_t row)
{
    SpanKind k = v->stats->host_name[row].kind;
    return k == SPAN_TRANSFER || k == SPAN_SUBMIT;
}

static Cell stage_column_of(const NameStat *n, size_t column)
{
    const double value[] = {(double)n->total_ns, n->average_ns, (double)n->median_ns,
                            (double)n->min_ns, (double)n->max_ns};
    return column == 0   ? text(n->name)
           : column == 1 ? whole((int64_t)n->count)
                         : figure(value[column - 2], figure_time);
}

static Cell stage_cell(const TraceView *v, size_t row, size_t column)
{
    return stage_column_of(&v->stats->host_name[row], column);
}

static const TraceTable stages = {
    .key = "runtime_stages",
    .heading = "Transfers and Runtime Calls",
    TABLE(stage_column),
    .is_extra = true,
    .limit = stage_limit,
    .has = stage_has,
    .cell = stage_cell,
};

/* ---- where the latency goes ---------------------------------------------------------------- */

static const Column path_column[] = {
    {"name", "what"},
    {"kind", NULL},
    {"time_ns", "time"},
    {"share", "share"},
    {"inferences", "inferences"},
};

static size_t path_limit(const TraceView *v)
{
    return v->npath;
}

static Cell path_cell(const TraceView *v, size_t row, size_t column)
{
    const PathPart *p = &v->path[row];
    const Distribution *d = v->stats->warm.count ? &v->stats->warm : &v->stats->latency;
    switch (column) {
    case 0:
        return text(p->name);
    case 1:
        return text(p->kind == SPAN_OTHER ? "gap" : "span");
    case 2:
        return figure((double)p->total_ns / (double)d->count, figure_time);
    case 3:
        return figure((double)p->total_ns / (double)v->path_latency_ns, figure_share);
    default:
        return whole((int64_t)p->count);
    }
}

static const TraceTable path = {
    .key = "latency_path",
    .heading = "Where the Latency Goes (per inference; A … B is the gap between the two)",
    TABLE(path_column),
    .is_extra = true,
    .limit = path_limit,
    .cell = path_cell,
};

/* ---- labels -------------------------------------------------------------------------------- */

static const Column label_column[] = {
    {"label", "label"},  {"count", "inferences"}, {"median_ns", "median"},
    {"mean_ns", "mean"}, {"p90_ns", "p90"},       {"p99_ns", "p99"},
    {"min_ns", "min"},   {"max_ns", "max"},       {"npu_ns", "NPU"},
};

static size_t label_limit(const TraceView *v)
{
    return v->nlabel;
}

static Cell label_cell(const TraceView *v, size_t row, size_t column)
{
    const LabelStat *l = &v->label[row];
    const Distribution *d = &l->latency;
    const double value[] = {(double)d->median, d->mean,        (double)d->p90, (double)d->p99,
                            (double)d->min,    (double)d->max, l->npu_ns};
    return column == 0   ? text(l->label)
           : column == 1 ? whole((int64_t)d->count)
                         : figure(value[column - 2], figure_time);
}

static const TraceTable labels = {
    .key = "labels",
    .heading = "Latency by Label",
    TABLE(label_column),
    .is_extra = true,
    .limit = label_limit,
    .cell = label_cell,
};

/* ---- compile and register ------------------------------------------------------------------ */

static const Column setup_column[] = {
    {"name", "name"},
    {"count", "count"},
    {"total_ns", "total"},
    {"average_ns", "average"},
};

static size_t setup_limit(const TraceView *v)
{
    return v->stats->nother_name;
}

static bool setup_has(const TraceView *v, size_t row)
{
    return v->stats->other_name[row].kind == SPAN_COMPILE;
}

static Cell setup_cell(const TraceView *v, size_t row, size_t column)
{
    return stage_column_of(&v->stats->other_name[row], column);
}

static const TraceTable setup = {
    .key = "setup",
    .heading = "Compile and Register (in no other figure)",
    TABLE(setup_column),
    .is_extra = true,
    .limit = setup_limit,
    .has = setup_has,
    .cell = setup_cell,
};

/* ---- every name ---------------------------------------------------------------------------- */

static const Column span_column[] = {
    {"name", "name"},       {"kind", "kind"},  {"count", "count"},      {"total_ns", "total"},
    {"average_ns", "mean"}, {"min_ns", "min"}, {"median_ns", "median"}, {"p90_ns", "p90"},
    {"p95_ns", "p95"},      {"p99_ns", "p99"}, {"max_ns", "max"},
};

static size_t span_limit(const TraceView *v)
{
    return v->nspan_name;
}

static Cell span_cell(const TraceView *v, size_t row, size_t column)
{
    const NameStat *n = v->span_name[row];
    const double value[] = {(double)n->total_ns,  n->average_ns,     (double)n->min_ns,
                            (double)n->median_ns, (double)n->p90_ns, (double)n->p95_ns,
                            (double)n->p99_ns,    (double)n->max_ns};
    return column == 0   ? text(n->name)
           : column == 1 ? text(span_kind_name(n->kind))
           : column == 2 ? whole((int64_t)n->count)
                         : figure(value[column - 3], figure_time);
}

static const TraceTable span_names = {
    .key = "span_names",
    .heading = "Spans by Name",
    TABLE(span_column),
    .is_extra = true,
    .limit = span_limit,
    .cell = span_cell,
};

const TraceTable *const trace_table[] = {&summary, &inferences, &executions, &operators, &hosts,
                                         &usage,   &stages,     &setup,      &path,      &labels,
                                         &profile, &span_names, NULL};

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
