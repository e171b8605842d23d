/* Defines the tables of user labels (profiler.record): spans, and the latency within. */
#include "advisor/render/tables/trace_tables.h"

/* A user writes a handful of labels; one per request would be no label. */
enum { MAX_LABELS = 256 };

static size_t find_label(LabelStat *l, size_t *n, const char *label)
{
    for (size_t i = 0; i < *n; i++)
        if (texts_equal(l[i].label, label))
            return i;
    if (*n == MAX_LABELS)
        return MAX_LABELS;
    l[*n].label = label;
    return (*n)++;
}

static void describe_label(LabelStat *l, const TraceStats *s, const size_t *of, size_t k,
                           int64_t *value)
{
    size_t count = 0;
    for (size_t i = 0; i < s->ninference; i++) {
        const InferenceStat *f = &s->inference[i];
        if (of[i] != k)
            continue;
        value[count++] = f->dur_ns;
        for (uint32_t t = 0; t < f->ntask; t++)
            l->npu_ns += (double)s->execution[f->first_task + t].total_ns;
    }
    l->latency = distribution_of(value, count);
    l->npu_ns /= (double)count;
}

/* The labels' own spans; `n` hold inferences. */
static size_t add_spans(LabelStat *l, size_t n, const TraceStats *s)
{
    for (size_t i = 0; i < s->nother_name; i++) {
        size_t at = n;
        if (s->other_name[i].kind == SPAN_LABEL)
            at = find_label(l, &n, s->other_name[i].name);
        if (s->other_name[i].kind == SPAN_LABEL && at < MAX_LABELS)
            l[at].span = &s->other_name[i];
    }
    return n;
}

LabelStat *trace_labels(Arena *a, const TraceStats *s, size_t *ret_count)
{
    LabelStat *l = ARENA_ARRAY(a, LabelStat, MAX_LABELS);
    size_t *of = ARENA_ARRAY(a, size_t, s->ninference + 1), n = 0;
    int64_t *value = ARENA_ARRAY(a, int64_t, s->ninference + 1);
    for (size_t i = 0; i < s->ninference; i++)
        of[i] = find_label(l, &n, s->inference[i].label);
    for (size_t k = 0; k < n; k++)
        describe_label(&l[k], s, of, k, value);
    n = add_spans(l, n, s);
    bool any = n > 1 || (n == 1 && l[0].label);
    *ret_count = any ? n : 0;
    return l;
}

/* ---- the table ------------------------------------------------------------------------------- */

static void fill_label(const TraceView *v, size_t row, Cell *cell)
{
    const LabelStat *l = &v->label[row];
    const Distribution *d = &l->latency;
    const NameStat *n = l->span;
    const double value[] = {(double)d->median, d->mean,        (double)d->p90, (double)d->p99,
                            (double)d->min,    (double)d->max, l->npu_ns};
    *cell++ = cell_text(l->label);
    *cell++ = cell_int((int64_t)d->count);
    for (size_t i = 0; i < sizeof value / sizeof *value; i++)
        *cell++ = d->count ? cell_figure(value[i], figure_time) : cell_none();
    *cell++ = n ? cell_int((int64_t)n->count) : cell_none();
    *cell++ = n ? cell_figure((double)n->median_ns, figure_time) : cell_none();
    *cell = n ? cell_figure((double)n->total_ns, figure_time) : cell_none();
}

TRACE_TABLE_OF(labels, "labels", LABEL_COLUMNS, v->nlabel, fill_label, .is_extra = true,
               .screen_rows = 4);
