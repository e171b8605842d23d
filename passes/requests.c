/* Reports how the application calls, and how the times of its requests are distributed. */
#include "passes/pass.h"

/* Of the inferences after warm-up. */
typedef struct {
    size_t count;
    int64_t first_ns, last_ns;
    double open_ns, npu_ns;
    int64_t *start_to_start;
    size_t nstart;
} Calls;

static Calls calls_of(Arena *a, const TraceStats *s)
{
    Calls c = {.start_to_start = ARENA_ARRAY(a, int64_t, s->ninference + 1)};
    int64_t before = 0;
    for (size_t i = 0; i < s->ninference; i++) {
        const InferenceStat *x = &s->inference[i];
        if (x->warm_up)
            continue;
        int64_t end = x->start_ns + x->dur_ns;
        if (c.count)
            c.start_to_start[c.nstart++] = x->start_ns - before;
        else
            c.first_ns = x->start_ns;
        c.last_ns = c.count == 0 || end > c.last_ns ? end : c.last_ns;
        c.open_ns += (double)x->dur_ns;
        for (uint32_t k = 0; k < x->ntask; k++)
            c.npu_ns += (double)s->execution[x->first_task + k].total_ns;
        before = x->start_ns;
        c.count++;
    }
    assert(c.nstart + 1 == c.count || c.count == 0);
    return c;
}

void pass_requests(const PassInput *in, FindingList *out)
{
    const Reconciliation *r = in->rec;
    if (!r || r->stats->warm.count == 0)
        return;
    const TraceStats *s = r->stats;
    Arena *scratch = arena_new(0);
    Calls c = calls_of(scratch, s);
    double wall = (double)(c.last_ns - c.first_ns);
    Finding *f = finding_add(out, "requests");
    finding_int(out, f, "inferences", (int64_t)c.count);
    finding_int(out, f, "in-flight", (int64_t)s->lanes);
    finding_real(out, f, "in-flight-mean", wall > 0 ? c.open_ns / wall : 0);
    finding_real(out, f, "npu-busy", wall > 0 ? c.npu_ns / wall : 0);
    finding_int(out, f, "period-ns", measured_of(c.start_to_start, c.nstart).median_ns);
    finding_int(out, f, "p50-ns", s->warm.median);
    finding_int(out, f, "p90-ns", s->warm.p90);
    finding_int(out, f, "p99-ns", s->warm.p99);
    finding_int(out, f, "max-ns", s->warm.max);
    finding_real(out, f, "tail",
                 s->warm.median > 0 ? (double)s->warm.p99 / (double)s->warm.median : 0);
    arena_free(scratch);
}
