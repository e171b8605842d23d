/* Defines the table of operators by time, with the work that each does. */
#include "advisor/render/tables/trace_tables.h"

static void fill_profile(const TraceView *v, size_t row, Cell *cell)
{
    const OperatorRow *r = &v->operator_row[row];
    *cell++ = cell_text(r->name);
    *cell++ = cell_text(r->op);
    *cell++ = cell_figure(r->time_ns, figure_time);
    *cell++ = cell_figure(r->share, figure_share);
    *cell++ = cell_figure(r->cumulative, figure_share);
    *cell++ = r->is_mean && !r->count ? cell_none() : cell_int((int64_t)r->count);
    *cell++ = cell_known(r->launch_ns, figure_time);
    *cell++ = cell_known(r->flop, figure_count);
    *cell++ = cell_known(trace_operator_flops(r), figure_count);
    *cell++ = cell_known(r->memory_bytes, figure_bytes);
    *cell++ = cell_known(trace_operator_bandwidth(r), figure_bytes);
    *cell++ = cell_text(r->in_shapes);
    *cell++ = cell_text(r->out_shapes);
    *cell++ = cell_text(r->node);
    *cell = cell_word(r->kind == SPAN_HOST_OPERATOR ? "host" : "device");
}

TRACE_TABLE_OF(operators, "operators", PROFILE_COLUMNS, v->noperator_row, fill_profile,
               .key_in_all = "operators in all", .is_extra = true, .screen_rows = 10);
