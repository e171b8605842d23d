/* Evidence: what a trace can prove, from how much it measured and how well it holds together. */
#include "cost_model/ranksum.h"
#include "cost_model/reconcile.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Factor on intervals per grade: half of a normal deviation more for each step down, assumed. */
static const double widen_table[] = {['A'] = 1.0, ['B'] = 1.25, ['C'] = 1.6, ['D'] = 2.5};

enum { ISSUES_MAX = 24, RESIDUALS_SHOWN = 3, FEW = 30, TOO_FEW = 5 };
#define DRIFT_MOST  0.05
#define MATCH_LEAST 0.95
#define REST_MOST   0.3
#define FOREIGN     0.5

typedef struct {
    Arena *arena;
    const Program *program;
    Reconciliation *r;
} Judge;

/* Adds the issue and holds the grade at `worst` or below.  `x` lacks the text. */
static void object(Judge *j, char worst, EvidenceIssue x, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

static void object(Judge *j, char worst, EvidenceIssue x, const char *fmt, ...)
{
    Reconciliation *r = j->r;
    assert(r->nissue < ISSUES_MAX);
    va_list ap;
    va_start(ap, fmt);
    x.text = arena_vprintf(j->arena, fmt, ap);
    va_end(ap);
    r->issue[r->nissue++] = x;
    if (worst > r->grade)
        r->grade = worst;
}

/* Too few of something; too much of it. */
static EvidenceIssue few(const char *code, EvidenceAbout about, double observed, double threshold,
                         const char *unit)
{
    return (EvidenceIssue){code, about, observed, threshold, true, unit, NULL};
}

static EvidenceIssue much(const char *code, EvidenceAbout about, double observed, double threshold,
                          const char *unit)
{
    return (EvidenceIssue){code, about, observed, threshold, false, unit, NULL};
}

const char *evidence_about_name(EvidenceAbout about)
{
    static const char *const name[] = {
#define X(id, text) [ABOUT_##id] = text,
        EVIDENCE_ABOUTS(X)
#undef X
    };
    return name[about];
}

static void judge_count(Judge *j)
{
    unsigned long long n = j->r->inferences;
    const char *code = n == 0 ? "no-inference" : n == 1 ? "one-inference" : "few-inferences";
    EvidenceIssue x = few(code, ABOUT_SAMPLE, (double)n, FEW, "inferences");
    if (n == 0)
        object(j, 'D', x, "the trace has no inference");
    else if (n == 1)
        object(j, 'D', x, "one inference says nothing about spread: record at least 30");
    else if (n < TOO_FEW)
        object(j, 'C', x, "%llu inferences after warm-up: record at least 30", n);
    else if (n < FEW)
        object(j, 'B', x, "%llu inferences after warm-up: 30 give narrower intervals", n);
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
    if (fabs(drift) > DRIFT_MOST && fabs(deviate) > RANKSUM_SIGNIFICANT)
        object(j, 'C', much("drift", ABOUT_SAMPLE, 100 * fabs(drift), 100 * DRIFT_MOST, "%"),
               "the second half of the inferences is %+.0f %% off the first", 100 * drift);
}

static void judge_identities(Judge *j)
{
    const TraceStats *s = j->r->stats;
    unsigned long long n = s->nexecution, sums = s->sum_mismatch, waits = s->negative_io_wait,
                       tasks = s->orphan_tasks, hosts = s->orphan_host;
    if (n == 0 && j->r->inferences)
        object(j, 'D', few("no-npu-spans", ABOUT_ATTRIBUTION, 0, 1, "tasks"),
               "no NPU task in the trace: enable the NPU category");
    if (sums)
        object(j, 'C', much("sum-identity", ABOUT_IDENTITY, (double)sums, 0, "tasks"),
               "operators do not add up to NPU Run in %llu of %llu tasks", sums, n);
    if (waits)
        object(j, 'B', much("negative-io-wait", ABOUT_IDENTITY, (double)waits, 0, "tasks"),
               "NPU Run exceeds NPU Total in %llu of %llu tasks", waits, n);
    if (s->dealt_in_order)
        object(j, 'B', much("clocks-apart", ABOUT_IDENTITY, (double)n, 0, "tasks"),
               "host and NPU clocks disagree: tasks were given to inferences in order");
    if (tasks || hosts)
        object(j, tasks * 2 > n ? 'D' : 'B',
               much("orphans", ABOUT_IDENTITY, (double)(tasks + hosts), 0, "spans"),
               "%llu NPU tasks and %llu host spans lie in no inference", tasks, hosts);
}

static void judge_repairs(Judge *j)
{
    const TraceStats *s = j->r->stats;
    unsigned long long wrapped = 0, events = 0, mended = 0;
    for (size_t i = 0; i < s->nfile; i++) {
        const TraceRepairs *f = &s->file[i].repairs;
        wrapped += f->wrapped_counter;
        events += s->file[i].events;
        mended += f->unterminated + f->unmatched_end + f->unmatched_begin + f->negative_duration +
                  f->bad_number + f->bad_event + f->trailing_bytes;
    }
    if (wrapped)
        object(j, 'B', much("wrapped-counter", ABOUT_IDENTITY, (double)wrapped, 0, "counters"),
               "%llu unsigned counters ran below zero and were read as negative numbers", wrapped);
    if (mended)
        object(j, mended * 100 > events ? 'C' : 'B',
               much("repaired", ABOUT_IDENTITY, (double)mended, 0, "events"),
               "%llu of %llu events were mended", mended, events);
}

static char grade_of_share(double share)
{
    return share < FOREIGN ? 'D' : share < 0.8 ? 'C' : 'B';
}

bool evidence_is_foreign(const Reconciliation *r)
{
    return r->inferences && fmin(r->matched_time_share, r->matched_op_share) < FOREIGN;
}

bool evidence_lacks_npu(const Reconciliation *r)
{
    return evidence_is_foreign(r) && r->stats->nexecution == 0;
}

static void judge_match(Judge *j)
{
    const Reconciliation *r = j->r;
    double share = r->matched_time_share, ops = r->matched_op_share;
    if (r->inferences && share < MATCH_LEAST)
        object(j, grade_of_share(share),
               few("low-match", ABOUT_MATCH, 100 * share, 100 * MATCH_LEAST, "%"),
               "%.0f %% of the operator time belongs to steps of this model: is it the same model, "
               "with the same options?",
               100 * share);
    if (r->inferences && ops < MATCH_LEAST)
        object(j, grade_of_share(ops),
               few("other-operators", ABOUT_MATCH, 100 * ops, 100 * MATCH_LEAST, "%"),
               "%.0f %% of the NPU's operators, by time, are both in the trace and in this model",
               100 * ops);
    size_t unseen = r->host_steps - r->host_steps_measured;
    if (r->inferences && unseen)
        object(j, 2 * unseen > r->host_steps ? 'C' : 'B',
               much("no-host-spans", ABOUT_ATTRIBUTION, (double)unseen, 0, "host operators"),
               "%zu of %zu host operators of the model have no span of their own: their times stay "
               "predicted",
               unseen, r->host_steps);
}

static void judge_attribution(Judge *j)
{
    const Reconciliation *r = j->r;
    double rest =
        r->latency.median_ns > 0 ? (double)r->unattributed_ns / (double)r->latency.median_ns : 0;
    if (rest > REST_MOST)
        object(j, 'B', much("unattributed", ABOUT_ATTRIBUTION, 100 * rest, 100 * REST_MOST, "%"),
               "%.0f %% of an inference (%.3f ms) belongs to no operator, transfer or NPU task",
               100 * rest, (double)r->unattributed_ns * 1e-6);
    unsigned long long lanes = r->stats->lanes;
    if (lanes > 1)
        object(j, 'B',
               much("concurrent", ABOUT_CONCURRENCY, (double)lanes, 1, "inferences at once"),
               "up to %llu inferences at once: their latency holds queueing", lanes);
}

/* A model that is off is no fault of the trace; a trace of another build is none of this model; and
 * how far the times of something else are off says nothing. */
static void judge_residuals(Judge *j)
{
    const Reconciliation *r = j->r;
    double all = (double)r->latency.median_ns;
    if (evidence_is_foreign(r))
        return;
    for (size_t i = 0; i < r->nresidual && i < RESIDUALS_SHOWN; i++) {
        const Residual *x = &r->residual[i];
        bool other = x->cause == CAUSE_OTHER_TYPE;
        double off = 100 * fabs(x->measured_ns - x->predicted_ns.mid) / all;
        object(j, other ? 'C' : 'A',
               much(residual_cause_key(x->cause), other ? ABOUT_MATCH : ABOUT_MODEL, off,
                    100 * RESIDUAL_SHARE, "% of an inference"),
               "%s", residual_text(j->arena, j->program, x));
    }
}

void evidence_grade(Arena *a, const Program *p, Reconciliation *r)
{
    r->issue = ARENA_ARRAY(a, EvidenceIssue, ISSUES_MAX);
    r->nissue = 0;
    r->grade = 'A';
    Judge j = {a, p, r};
    judge_count(&j);
    judge_drift(&j);
    judge_identities(&j);
    judge_repairs(&j);
    judge_match(&j);
    judge_attribution(&j);
    judge_residuals(&j);
    r->widen = widen_table[(unsigned char)r->grade];
}
