/* Sums the time of compiling before and after the service began. */
#include "trace/stats/gather.h"

ORDER_BY(compare_compiles, CompileRow, COMPARE(a->start_ns, b->start_ns),
         COMPARE(b->dur_ns, a->dur_ns))

void gather_collect_compiles(Gather *g, TraceStats *s)
{
    rows_sort(g->compile, g->ncompile, sizeof *g->compile, compare_compiles);
    int64_t covered = INT64_MIN;
    for (size_t i = 0; i < g->ncompile; i++) {
        const CompileRow *c = &g->compile[i];
        s->compile_ns += c->dur_ns;
        s->ncompile++;
        int64_t end = c->start_ns + c->dur_ns;
        if (s->ninference == 0 || c->start_ns < s->inference[0].start_ns || end <= covered)
            continue;
        s->service_compile_ns += end - (c->start_ns > covered ? c->start_ns : covered);
        s->nservice_compile += c->start_ns >= covered;
        covered = end;
    }
}
