/* Collects the names of all spans from the three lists of the statistics. */
#include "advisor/render/tables/trace_tables.h"

#include "trace/readers/span.h"

ORDER_BY_POINTED(by_total, NameStat, COMPARE(b->total_ns, a->total_ns), strcmp(a->name, b->name),
                 COMPARE(a->kind, b->kind))

const NameStat **trace_span_names(Arena *a, const TraceStats *s, size_t *ret_count)
{
    const struct {
        const NameStat *name;
        size_t n;
    } list[] = {{s->npu_name, s->nnpu_name},
                {s->host_name, s->nhost_name},
                {s->other_name, s->nother_name}};
    const NameStat **all =
        ARENA_ARRAY(a, const NameStat *, s->nnpu_name + s->nhost_name + s->nother_name + 1);
    size_t n = 0;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        for (size_t i = 0; i < list[k].n; i++)
            all[n++] = &list[k].name[i];
    ORDER_LIST(all, n, by_total);
    *ret_count = n;
    return all;
}

/* ---- the table ------------------------------------------------------------------------------- */

static void fill_span(const TraceView *v, size_t row, Cell *cell)
{
    const NameStat *n = v->span_name[row];
    const double value[] = {(double)n->total_ns,  n->average_ns,     (double)n->min_ns,
                            (double)n->median_ns, (double)n->p90_ns, (double)n->p95_ns,
                            (double)n->p99_ns,    (double)n->max_ns};
    *cell++ = cell_text(n->name);
    *cell++ = cell_word(span_kind_name(n->kind));
    *cell++ = trace_count_cell(n);
    for (size_t i = 0; i < sizeof value / sizeof *value; i++)
        *cell++ = value[i] < 0 ? cell_none() : cell_figure(value[i], figure_time);
}

/* where no other table has rows */
TRACE_TABLE_OF(span_names, "span_names", SPAN_COLUMNS, v->nspan_name, fill_span, .is_extra = true,
               .screen_rows = 10);
