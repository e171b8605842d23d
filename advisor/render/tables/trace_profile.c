/* Defines the table of operators by time, with the work that each does. */
#include "advisor/render/tables/trace_tables.h"

static const Column profile_column[] = {
    {"name", "operator"},
    {"type", "type"},
    {"time_ns", "time"},
    {"share", "share"},
    {"cumulative", "cumulative"},
    {"count", "count"},
    {"launch_ns", "launch"},
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
        return cell_text(r->name);
    case 1:
        return cell_text(r->op);
    case 2:
        return cell_figure(r->time_ns, figure_time);
    case 3:
        return cell_figure(r->share, figure_share);
    case 4:
        return cell_figure(r->cumulative, figure_share);
    case 5:
        return r->is_mean && !r->count ? cell_none() : cell_int((int64_t)r->count);
    case 6:
        return cell_known(r->launch_ns, figure_time);
    case 7:
        return cell_known(r->flop, figure_count);
    case 8:
        return cell_known(trace_operator_flops(r), figure_count);
    case 9:
        return cell_known(r->memory_bytes, figure_bytes);
    case 10:
        return cell_known(trace_operator_bandwidth(r), figure_bytes);
    case 11:
        return cell_text(r->in_shapes);
    case 12:
        return cell_text(r->out_shapes);
    case 13:
        return cell_text(r->node);
    default:
        return cell_text(r->kind == SPAN_HOST_OPERATOR ? "host" : "device");
    }
}

const TraceTable trace_table_operators = {
    .key = "operators",
    .heading = "Operators by Time (self time per inference)",
    .heading_in_all = "Operators by Time (self time in all)",
    TABLE_COLUMNS(profile_column),
    .is_extra = true,
    .limit = profile_limit,
    .cell = profile_cell,
};
