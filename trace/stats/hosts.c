/* Groups host spans by inference. */
#include "trace/stats/gather.h"

#include "graph/base/compare.h"

static int by_inference(const void *pa, const void *pb)
{
    const HostRow *const *a = pa, *const *b = pb;
    const HostRow *x = *a, *y = *b;
    int order = COMPARE(x->inference, y->inference);
    order = order ? order : COMPARE(x->start_ns, y->start_ns);
    order = order ? order : COMPARE(x->operator_index, y->operator_index);
    order = order ? order : COMPARE(y->dur_ns, x->dur_ns);
    order = order ? order : COMPARE(x->name, y->name);
    return order ? order : COMPARE(x->detail.span_id, y->detail.span_id);
}

/* Threads one after the other, parents before their children. */
static int by_nesting(const void *pa, const void *pb)
{
    const HostRow *const *a = pa, *const *b = pb;
    const HostRow *x = *a, *y = *b;
    int order = COMPARE(x->lane, y->lane);
    order = order ? order : COMPARE(x->start_ns, y->start_ns);
    order = order ? order : COMPARE(y->dur_ns, x->dur_ns);
    order = order ? order : COMPARE(x->order, y->order);
    return order ? order : by_inference(pa, pb);
}

/* Subtracts every span's time from the innermost one around it.  An overlap is no nesting. */
static void find_self_times(HostRow **row, size_t n, Arena *scratch)
{
    HostRow **open = ARENA_ARRAY(scratch, HostRow *, n);
    size_t nopen = 0;
    rows_sort(row, n, sizeof *row, by_nesting);
    for (size_t i = 0; i < n; i++) {
        HostRow *h = row[i];
        h->detail.self_ns = h->dur_ns;
        while (nopen > 0 &&
               (open[nopen - 1]->lane != h->lane ||
                open[nopen - 1]->start_ns + open[nopen - 1]->dur_ns < h->start_ns + h->dur_ns))
            nopen--;
        if (nopen > 0)
            open[nopen - 1]->detail.self_ns -= h->dur_ns;
        open[nopen++] = h;
    }
    for (size_t i = 0; i < n; i++) /* children that overlap each other take off more than all */
        row[i]->detail.self_ns = row[i]->detail.self_ns > 0 ? row[i]->detail.self_ns : 0;
}

static void place_host_span(const Gather *g, TraceStats *stats, const HostRow *h, size_t at)
{
    stats->host_span[at] = (OpSpan){.name = g->name[h->name],
                                    .kind = h->kind,
                                    .start_ns = h->start_ns,
                                    .dur_ns = h->dur_ns,
                                    .operator_index = h->operator_index,
                                    .inference = h->inference,
                                    .detail = h->op_detail};
    stats->host_detail[at] = h->detail;
    if (h->inference == INFERENCE_NONE) {
        stats->orphan_host += h->kind == SPAN_HOST_OPERATOR;
        return;
    }
    InferenceStat *f = &stats->inference[h->inference];
    if (f->nhost++ == 0)
        f->first_host = (uint32_t)at;
}

void gather_collect_hosts(Gather *g, TraceStats *stats)
{
    size_t n = 0;
    Arena *scratch = arena_new(SIZE_MAX);
    HostRow **row = ARENA_ARRAY(scratch, HostRow *, g->host.count);
    RowCursor c = rows_begin(&g->host);
    for (HostRow *h; (h = rows_next(&g->host, &c));)
        row[n++] = h;
    find_self_times(row, n, scratch);
    rows_sort(row, n, sizeof *row, by_inference);
    stats->host_span = ARENA_ARRAY(stats->arena, OpSpan, n);
    stats->host_detail = ARENA_ARRAY(stats->arena, HostDetail, n);
    stats->nhost_span = n;
    for (size_t i = 0; i < n; i++)
        place_host_span(g, stats, row[i], i);
    arena_free(scratch);
}
