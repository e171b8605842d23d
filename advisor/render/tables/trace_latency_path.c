/* Defines the table of where the latency is spent. */
#include "advisor/render/tables/trace_tables.h"

static const Column path_column[] = {PATH_COLUMNS(TRACE_COLUMN)};

TABLE_LIMIT(path_limit, v->npath)

static void fill_path_part(const TraceView *v, size_t row, Cell *cell)
{
    const PathPart *p = &v->path[row];
    const Distribution *d = v->stats->warm.count ? &v->stats->warm : &v->stats->latency;
    *cell++ = cell_text(p->name);
    *cell++ = cell_text(p->kind == SPAN_OTHER ? "gap" : "span");
    *cell++ = cell_figure((double)p->total_ns / (double)d->count, figure_time);
    *cell++ = cell_figure((double)p->total_ns / (double)v->path_latency_ns, figure_share);
    *cell = cell_int((int64_t)p->count);
}

const TraceTable trace_table_latency_path = {
    .key = "latency_path",
    TABLE_COLUMNS(path_column),
    .is_extra = true,
    .screen_rows = 6,
    .limit = path_limit,
    .fill = fill_path_part,
};
