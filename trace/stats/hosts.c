/* Groups host spans by inference. */
#include "trace/stats/gather.h"

ORDER_BY_POINTED(by_inference, HostRow, COMPARE(a->inference, b->inference),
                 COMPARE(a->start_ns, b->start_ns), COMPARE(a->operator_index, b->operator_index),
                 COMPARE(b->dur_ns, a->dur_ns), COMPARE(a->name, b->name),
                 COMPARE(a->detail.span_id, b->detail.span_id))

/* Threads one after the other, parents before their children. */
ORDER_BY_POINTED(by_nesting, HostRow, COMPARE(a->lane, b->lane), COMPARE(a->start_ns, b->start_ns),
                 COMPARE(b->dur_ns, a->dur_ns), COMPARE(a->order, b->order), by_inference(pa, pb))

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
    HostRow **nested = ARENA_ARRAY(scratch, HostRow *, n);
    rows_sort(row, n, sizeof *row, by_inference);
    memcpy(nested, row, n * sizeof *row);
    find_self_times(nested, n, scratch);
    stats->host_span = ARENA_ARRAY(stats->arena, OpSpan, n);
    stats->host_detail = ARENA_ARRAY(stats->arena, HostDetail, n);
    stats->nhost_span = n;
    for (size_t i = 0; i < n; i++)
        place_host_span(g, stats, row[i], i);
    arena_free(scratch);
}
