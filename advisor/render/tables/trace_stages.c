/* Defines the tables of what surrounds the operators: transfers and runtime calls; compilation and
 * registration. */
#include "advisor/render/tables/trace_tables.h"

#include <assert.h>

/* ---- transfers and runtime calls ------------------------------------------------------------- */

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
    static_assert(2 + sizeof value / sizeof *value == sizeof stage_column / sizeof *stage_column,
                  "name, count, and a value for each other column");
    return column == 0   ? cell_text(n->name)
           : column == 1 ? cell_int((int64_t)n->count)
                         : cell_figure(value[column - 2], figure_time);
}

static Cell stage_cell(const TraceView *v, size_t row, size_t column)
{
    return stage_column_of(&v->stats->host_name[row], column);
}

const TraceTable trace_table_runtime_stages = {
    .key = "runtime_stages",
    .heading = "Transfers and Runtime Calls",
    TABLE_COLUMNS(stage_column),
    .is_extra = true,
    .limit = stage_limit,
    .has = stage_has,
    .cell = stage_cell,
};

/* ---- compile and register -------------------------------------------------------------------- */

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

const TraceTable trace_table_setup = {
    .key = "setup",
    .heading = "Compile and Register (in no other figure)",
    TABLE_COLUMNS(setup_column),
    .is_extra = true,
    .limit = setup_limit,
    .has = setup_has,
    .cell = setup_cell,
};
