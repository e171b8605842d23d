/* Evidence: what a trace can prove, from how much it measured and how well it holds together. */
#include "cost_model/ranksum.h"
#include "cost_model/reconcile.h"

#include <math.h>
#include <string.h>

/* Factor on intervals per grade: half of a normal deviation more for each step down, assumed. */
static const double widen_table[] = {['A'] = 1.0, ['B'] = 1.25, ['C'] = 1.6, ['D'] = 2.5};

enum { ISSUES_MAX = 24, FEW = 30, TOO_FEW = 5 };

typedef struct {
    Arena *arena;
    Reconciliation *r;
} Judge;

/* Adds the issue and holds the grade at `worst` or below. */
static void object(Judge *j, char worst, const char *code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

static void object(Judge *j, char worst, const char *code, const char *fmt, ...)
{
    Reconciliation *r = j->r;
    if (r->nissue == ISSUES_MAX)
        return;
    va_list ap;
    va_start(ap, fmt);
    r->issue[r->nissue++] = (EvidenceIssue){code, arena_vprintf(j->arena, fmt, ap)};
    va_end(ap);
    if (worst > r->grade)
        r->grade = worst;
}

static void judge_count(Judge *j)
{
    unsigned long long n = j->r->inferences;
    if (n == 0)
        object(j, 'D', "no-inference", "the trace has no inference");
    else if (n == 1)
        object(j, 'D', "one-inference",
               "one inference says nothing about spread: record at least 30");
    else if (n < TOO_FEW)
        object(j, 'C', "few-inferences", "%llu inferences after warm-up: record at least 30", n);
    else if (n < FEW)
        object(j, 'B', "few-inferences",
               "%llu inferences after warm-up: 30 give narrower intervals", n);
}

/* Latencies of the warm inferences in the trace's order. */
static size_t warm_latencies(const TraceStats *s, int64_t *v)
{
    size_t n = 0;
    for (size_t i = 0; i < s->ninference; i++)
        if (!s->inference[i].warm_up)
            v[n++] = s->inference[i].dur_ns;
    return n;
}

/* The noise of a host alone can put the medians of two halves of 15 a third apart: only what chance
 * does not explain is a drift. */
static void judge_drift(Judge *j)
{
    const TraceStats *s = j->r->stats;
    Arena *scratch = arena_new(0);
    int64_t *v = ARENA_ARRAY(scratch, int64_t, s->ninference + 1);
    size_t n = warm_latencies(s, v);
    double deviate = ranksum_deviate(scratch, v, n / 2, n);
    double first = (double)measured_of(v, n / 2).median_ns;
    double second = (double)measured_of(v + n / 2, n - n / 2).median_ns;
    arena_free(scratch);
    double drift = first > 0 ? second / first - 1 : 0;
    if (fabs(drift) > 0.05 && fabs(deviate) > RANKSUM_SIGNIFICANT)
        object(j, 'C', "drift", "the second half of the inferences is %+.0f %% off the first",
               100 * drift);
}

static void judge_identities(Judge *j)
{
    const TraceStats *s = j->r->stats;
    unsigned long long n = s->nexecution;
    if (n == 0 && j->r->inferences)
        object(j, 'D', "no-npu-spans", "no NPU task in the trace: enable the NPU category");
    if (s->sum_mismatch)
        object(j, 'C', "sum-identity", "operators do not add up to NPU Run in %llu of %llu tasks",
               (unsigned long long)s->sum_mismatch, n);
    if (s->negative_io_wait)
        object(j, 'B', "negative-io-wait", "NPU Run exceeds NPU Total in %llu of %llu tasks",
               (unsigned long long)s->negative_io_wait, n);
    if (s->dealt_in_order)
        object(j, 'B', "clocks-apart",
               "host and NPU clocks disagree: tasks were given to inferences in order");
    if (s->orphan_tasks || s->orphan_host)
        object(j, s->orphan_tasks * 2 > s->nexecution ? 'D' : 'B', "orphans",
               "%llu NPU tasks and %llu host spans lie in no inference",
               (unsigned long long)s->orphan_tasks, (unsigned long long)s->orphan_host);
}

static void judge_repairs(Judge *j)
{
    const TraceStats *s = j->r->stats;
    uint64_t wrapped = 0, events = 0, mended = 0;
    for (size_t i = 0; i < s->nfile; i++) {
        const TraceRepairs *f = &s->file[i].repairs;
        wrapped += f->wrapped_counter;
        events += s->file[i].events;
        mended += f->unterminated + f->unmatched_end + f->unmatched_begin + f->negative_duration +
                  f->bad_number + f->bad_event + f->trailing_bytes;
    }
    if (wrapped)
        object(j, 'B', "wrapped-counter",
               "%llu unsigned counters ran below zero and were read as negative numbers",
               (unsigned long long)wrapped);
    if (mended)
        object(j, mended * 100 > events ? 'C' : 'B', "repaired", "%llu of %llu events were mended",
               (unsigned long long)mended, (unsigned long long)events);
}

static char grade_of_share(double share)
{
    return share < 0.5 ? 'D' : share < 0.8 ? 'C' : 'B';
}

static void judge_match(Judge *j)
{
    const Reconciliation *r = j->r;
    double share = r->matched_time_share;
    if (r->inferences && share < 0.95)
        object(j, grade_of_share(share), "low-match",
               "%.0f %% of the operator time belongs to steps of this model: is it the same model, "
               "with the same options?",
               100 * share);
    size_t unseen = r->host_steps - r->host_steps_measured;
    if (r->inferences && unseen)
        object(j, 2 * unseen > r->host_steps ? 'C' : 'B', "no-host-spans",
               "%zu of %zu host operators of the model have no span of their own: their times stay "
               "predicted",
               unseen, r->host_steps);
    double rest =
        r->latency.median_ns > 0 ? (double)r->unattributed_ns / (double)r->latency.median_ns : 0;
    if (rest > 0.3)
        object(j, 'B', "unattributed",
               "%.0f %% of an inference (%.3f ms) belongs to no operator, transfer or NPU task",
               100 * rest, (double)r->unattributed_ns * 1e-6);
    if (r->stats->lanes > 1)
        object(j, 'B', "concurrent", "up to %llu inferences at once: their latency holds queueing",
               (unsigned long long)r->stats->lanes);
}

void evidence_grade(Arena *a, Reconciliation *r)
{
    r->issue = ARENA_ARRAY(a, EvidenceIssue, ISSUES_MAX);
    r->nissue = 0;
    r->grade = 'A';
    Judge j = {a, r};
    judge_count(&j);
    judge_drift(&j);
    judge_identities(&j);
    judge_repairs(&j);
    judge_match(&j);
    r->widen = widen_table[(unsigned char)r->grade];
}
