/* Defines the table of how busy the NPU was. */
#include "advisor/render/tables/trace_tables.h"

typedef struct {
    int64_t start_ns, end_ns;
} Busy;

ORDER_BY(compare_busy_by_start, Busy, COMPARE(a->start_ns, b->start_ns),
         COMPARE(a->end_ns, b->end_ns))

/* Length of the union; sorts. */
static int64_t covered_ns(Busy *b, size_t n)
{
    int64_t sum = 0, until = INT64_MIN;
    ORDER_LIST(b, n, compare_busy_by_start);
    for (size_t i = 0; i < n; i++) {
        int64_t from = b[i].start_ns > until ? b[i].start_ns : until;
        if (b[i].end_ns > from) {
            sum += b[i].end_ns - from;
            until = b[i].end_ns;
        }
    }
    return sum;
}

/* From the first inference (or task, where the file has no inferences) to the end of the last. */
static int64_t window_of(const TraceStats *s, const Busy *task, size_t n)
{
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (size_t i = 0; i < s->ninference; i++) {
        const InferenceStat *f = &s->inference[i];
        first = f->start_ns < first ? f->start_ns : first;
        last = f->start_ns + f->dur_ns > last ? f->start_ns + f->dur_ns : last;
    }
    for (size_t i = 0; i < n && (s->ninference == 0 || s->dealt_in_order); i++) {
        first = task[i].start_ns < first ? task[i].start_ns : first;
        last = task[i].end_ns > last ? task[i].end_ns : last;
    }
    return last > first ? last - first : 0;
}

NpuUsage trace_usage(Arena *a, const TraceStats *s)
{
    NpuUsage u = {0};
    Busy *task = ARENA_ARRAY(a, Busy, s->nexecution + 1);
    for (size_t i = 0; i < s->nexecution; i++) {
        const ExecutionStat *e = &s->execution[i];
        task[i] = (Busy){e->start_ns, e->start_ns + e->total_ns};
        if (!e->has_run)
            continue;
        u.total_ns += e->total_ns;
        u.run_ns += e->run_ns;
    }
    u.busy_ns = covered_ns(task, s->nexecution);
    u.window_ns = window_of(s, task, s->nexecution);
    return u;
}

static const char *figure_percent(Figure *f, double v)
{
    return figure_share(f, v / 100);
}

static Cell percent_cell(int64_t part, int64_t all)
{
    return all > 0 ? cell_figure(100.0 * (double)part / (double)all, figure_percent) : cell_none();
}

static void fill_usage(const TraceView *v, size_t row, Cell *cell)
{
    const NpuUsage *u = &v->usage;
    (void)row;
    *cell++ = cell_figure((double)u->window_ns, figure_time);
    *cell++ = cell_figure((double)u->busy_ns, figure_time);
    *cell++ = percent_cell(u->busy_ns, u->window_ns);
    *cell++ = percent_cell(u->run_ns, u->total_ns);
    *cell = percent_cell(u->total_ns - u->run_ns, u->total_ns);
}

TRACE_TABLE_OF(npu_usage, "npu_usage", USAGE_COLUMNS, v->stats->nexecution > 0, fill_usage,
               .is_object = true, .is_extra = true, .screen_rows = 1);
