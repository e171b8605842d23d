/* Defines the tables of what surrounds the operators: transfers and runtime calls; compilation and
 * registration. */
#include "advisor/render/tables/trace_tables.h"

/* ---- transfers and runtime calls ------------------------------------------------------------- */

static bool stage_has(const TraceView *v, size_t row)
{
    SpanKind k = v->stats->host_name[row].kind;
    return k == SPAN_TRANSFER || k == SPAN_SUBMIT;
}

/* What both tables show. */
static void fill_totals(const NameStat *n, Cell *cell)
{
    cell[0] = cell_text(n->name);
    cell[1] = cell_int((int64_t)n->count);
    cell[2] = cell_figure((double)n->total_ns, figure_time);
    cell[3] = cell_figure(n->average_ns, figure_time);
}

static void fill_stage(const TraceView *v, size_t row, Cell *cell)
{
    const NameStat *n = &v->stats->host_name[row];
    fill_totals(n, cell);
    cell[4] = cell_figure((double)n->median_ns, figure_time);
    cell[5] = cell_figure((double)n->min_ns, figure_time);
    cell[6] = cell_figure((double)n->max_ns, figure_time);
}

TRACE_TABLE_OF(runtime_stages, "runtime_stages", STAGE_COLUMNS, v->stats->nhost_name, fill_stage,
               .is_extra = true, .has = stage_has);

/* ---- compile and register -------------------------------------------------------------------- */

static bool setup_has(const TraceView *v, size_t row)
{
    return v->stats->other_name[row].kind == SPAN_COMPILE;
}

static void fill_setup(const TraceView *v, size_t row, Cell *cell)
{
    fill_totals(&v->stats->other_name[row], cell);
}

TRACE_TABLE_OF(setup, "setup", SETUP_COLUMNS, v->stats->nother_name, fill_setup, .is_extra = true,
               .has = setup_has);
