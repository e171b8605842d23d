/* Defines the table of where the latency is spent. */
#include "advisor/render/tables/trace_tables.h"

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
        return cell_text(p->name);
    case 1:
        return cell_text(p->kind == SPAN_OTHER ? "gap" : "span");
    case 2:
        return cell_figure((double)p->total_ns / (double)d->count, figure_time);
    case 3:
        return cell_figure((double)p->total_ns / (double)v->path_latency_ns, figure_share);
    default:
        return cell_int((int64_t)p->count);
    }
}

const TraceTable trace_table_latency_path = {
    .key = "latency_path",
    .heading = "Where the Latency Goes (per inference; A … B is the gap between the two)",
    TABLE_COLUMNS(path_column),
    .is_extra = true,
    .limit = path_limit,
    .cell = path_cell,
};
