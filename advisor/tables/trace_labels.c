/* Latency per user label (profiler.record). */
#include "advisor/tables/trace_tables.h"

#include <string.h>

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

/* A user writes a handful of labels; one per request would be no label. */
enum { MAX_LABELS = 256 };

static size_t find(LabelStat *l, size_t *n, const char *label)
{
    for (size_t i = 0; i < *n; i++)
        if (same(l[i].label, label))
            return i;
    if (*n == MAX_LABELS)
        return MAX_LABELS;
    l[*n].label = label;
    return (*n)++;
}

LabelStat *trace_labels(Arena *a, const TraceStats *s, size_t *ret_count)
{
    LabelStat *l = ARENA_ARRAY(a, LabelStat, MAX_LABELS);
    size_t *of = ARENA_ARRAY(a, size_t, s->ninference + 1), n = 0;
    int64_t *value = ARENA_ARRAY(a, int64_t, s->ninference + 1);
    bool any = false;
    for (size_t i = 0; i < s->ninference; i++) {
        of[i] = find(l, &n, s->inference[i].label);
        any |= s->inference[i].label != NULL;
    }
    for (size_t k = 0; k < n; k++) {
        size_t count = 0;
        for (size_t i = 0; i < s->ninference; i++) {
            const InferenceStat *f = &s->inference[i];
            if (of[i] != k)
                continue;
            value[count++] = f->dur_ns;
            for (uint32_t t = 0; t < f->ntask; t++)
                l[k].npu_ns += (double)s->execution[f->first_task + t].total_ns;
        }
        l[k].latency = distribution_of(value, count);
        l[k].npu_ns /= (double)count;
    }
    *ret_count = any ? n : 0;
    return l;
}

/* ---- the table ------------------------------------------------------------------------------- */

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
    return column == 0   ? cell_text(l->label)
           : column == 1 ? cell_int((int64_t)d->count)
                         : cell_figure(value[column - 2], figure_time);
}

const TraceTable trace_table_labels = {
    .key = "labels",
    .heading = "Latency by Label",
    TABLE_COLUMNS(label_column),
    .is_extra = true,
    .limit = label_limit,
    .cell = label_cell,
};
