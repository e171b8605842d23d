/* Measures whether the host's operators slow each other down when requests overlap. */
#include "passes/pass.h"
#include "cost_model/match/span_match.h"
#include "cost_model/ranksum.h"
#include "graph/base/statistics.h"
#include "trace/stats/stats.h"

enum { SPANS_MAX = 1 << 20, MIN_SPANS = 20 };

/* A host operator in a warm inference. */
typedef struct {
    const OpSpan *span;
    const HostDetail *detail;
    uint32_t name;
    bool in_company; /* one of another request runs meanwhile */
} Run;

typedef struct {
    Run *run;
    size_t nrun;
    StrMap name;
} Runs;

ORDER_BY(compare_runs, Run, COMPARE(a->span->start_ns, b->span->start_ns),
         COMPARE(a->span, b->span))

static Runs collect_runs(Arena *a, const TraceStats *s)
{
    Runs r = {.run =
                  ARENA_ARRAY(a, Run, s->nhost_span < SPANS_MAX ? s->nhost_span + 1 : SPANS_MAX)};
    strmap_init(&r.name, a, 64);
    for (size_t i = 0; i < s->nhost_span && r.nrun + 1 < SPANS_MAX; i++) {
        const OpSpan *x = &s->host_span[i];
        if (x->kind != SPAN_HOST_OPERATOR || s->host_detail[i].nominal ||
            x->inference == INFERENCE_NONE || s->inference[x->inference].warm_up)
            continue;
        /* Operators of one name differ in size: the place in the model tells them apart. */
        const char *key =
            arena_printf(a, "%s#%d", match_host_name(x->name), (int)x->operator_index);
        uint32_t name = strmap_number(&r.name, key, r.name.count);
        r.run[r.nrun++] = (Run){x, &s->host_detail[i], name, false};
    }
    ORDER_LIST(r.run, r.nrun, compare_runs);
    return r;
}

static int64_t run_end_ns(const Run *x)
{
    return x->span->start_ns + x->span->dur_ns;
}

/* Forwards: the latest end of an earlier start, of this request and of others.  Backwards: the
 * next start of another request. */
static void mark_company(Runs *r)
{
    const Run *latest = NULL, *other = NULL; /* of different requests */
    for (size_t i = 0; i < r->nrun; i++) {
        Run *x = &r->run[i];
        const Run *rival = latest && latest->span->inference != x->span->inference ? latest : other;
        x->in_company = rival && run_end_ns(rival) > x->span->start_ns;
        if (!latest || run_end_ns(x) > run_end_ns(latest)) {
            other = latest && latest->span->inference != x->span->inference ? latest : other;
            latest = x;
        } else if (latest->span->inference != x->span->inference &&
                   (!other || run_end_ns(x) > run_end_ns(other))) {
            other = x;
        }
    }
    const Run *next = NULL;
    for (size_t i = r->nrun; i-- > 0;) {
        Run *x = &r->run[i];
        bool differs = i + 1 < r->nrun && r->run[i + 1].span->inference != x->span->inference;
        next = differs ? &r->run[i + 1] : next;
        if (next && next->span->inference != x->span->inference &&
            next->span->start_ns < run_end_ns(x))
            x->in_company = true;
    }
}

ORDER_BY_POINTED(by_thread, HostDetail, COMPARE(a->pid, b->pid), COMPARE(a->tid, b->tid))

static int64_t threads_of(Arena *a, const Runs *r)
{
    const HostDetail **d = ARENA_ARRAY(a, const HostDetail *, r->nrun + 1);
    for (size_t i = 0; i < r->nrun; i++)
        d[i] = r->run[i].detail;
    ORDER_LIST(d, r->nrun, by_thread);
    int64_t n = r->nrun > 0;
    for (size_t i = 1; i < r->nrun; i++)
        n += by_thread(&d[i - 1], &d[i]) != 0;
    return n;
}

/* Durations of one name: those alone first, then those in company. */
static size_t collect_durations(const Runs *r, uint32_t name, int64_t *ret, size_t *ret_alone)
{
    size_t n = 0;
    for (int company = 0; company < 2; company++) {
        for (size_t i = 0; i < r->nrun; i++)
            if (r->run[i].name == name && r->run[i].in_company == company)
                ret[n++] = r->run[i].span->dur_ns;
        if (!company)
            *ret_alone = n;
    }
    assert(*ret_alone <= n && n <= r->nrun);
    return n;
}

static double variation_coefficient(const int64_t *v, size_t n, double *ret_mean)
{
    assert(n > 0);
    double sum = 0, square = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)v[i];
    double mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        square += ((double)v[i] - mean) * ((double)v[i] - mean);
    *ret_mean = mean;
    return mean > 0 ? sqrt(square / (double)n) / mean : 0;
}

/* How much longer in company than alone; 1 where chance explains the difference. */
static double slower_in_company(Arena *a, int64_t *v, size_t alone, size_t n)
{
    if (ranksum_deviate(a, v, alone, n) < RANKSUM_SIGNIFICANT)
        return 1;
    double x = (double)measured_of(v, alone).median_ns;
    double y = (double)measured_of(v + alone, n - alone).median_ns;
    return x > 0 ? y / x : 1;
}

static void add_name(Arena *a, const Runs *r, uint32_t id, int64_t threads, int64_t in_flight,
                     double inferences, FindingList *out)
{
    int64_t *v = ARENA_ARRAY(a, int64_t, r->nrun + 1);
    size_t alone = 0, n = collect_durations(r, id, v, &alone);
    if (n < MIN_SPANS)
        return;
    const char *name = "";
    for (size_t i = 0; i < r->nrun && !*name; i++)
        name = r->run[i].name == id ? match_host_name(r->run[i].span->name) : "";
    double mean = 0, cv = variation_coefficient(v, n, &mean),
           slower = slower_in_company(a, v, alone, n);
    statistics_sort_ints(v, n);
    double fast = statistics_percentile(v, n, 100);
    Finding *f = finding_add(out, "host-spread");
    finding_text(out, f, "op", name);
    finding_int(out, f, "spans", (int64_t)n);
    finding_int(out, f, "threads", threads);
    finding_int(out, f, "in-flight", in_flight);
    finding_real(out, f, "variation", round(cv * 1000) / 1000);
    finding_int(out, f, "mean-ns", (int64_t)mean);
    finding_int(out, f, "fast-ns", (int64_t)fast);
    finding_int(out, f, "excess-ns", (int64_t)((mean - fast) * (double)n / inferences));
    finding_real(out, f, "slower-in-company", round(slower * 1000) / 1000);
}

enum { NAMES_MAX = 64 };

void pass_host_spread(const PassInput *in, FindingList *out)
{
    if (!in->rec || in->rec->stats->warm.count == 0)
        return;
    Arena *scratch = arena_new(0);
    Runs r = collect_runs(scratch, in->rec->stats);
    mark_company(&r);
    int64_t threads = threads_of(scratch, &r);
    for (uint32_t i = 0; i < r.name.count && i < NAMES_MAX; i++)
        add_name(scratch, &r, i, threads, (int64_t)in->rec->stats->lanes,
                 (double)in->rec->stats->warm.count, out);
    arena_free(scratch);
}
