/* Defines the table of where the latency is spent. */
#include "advisor/render/tables/trace_tables.h"

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

TRACE_TABLE_OF(latency_path, "latency_path", PATH_COLUMNS, v->npath, fill_path_part,
               .is_extra = true, .screen_rows = 6);
