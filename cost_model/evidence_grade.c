/* Grades a trace by how much it measured and how well its figures agree. */
#include "cost_model/messages.h"
#include "cost_model/ranksum.h"
#include "cost_model/reconcile.h"

/* Factor on intervals per grade: half of a normal deviation more for each step down, assumed. */
static const double widen_table[] = {['A'] = 1.0, ['B'] = 1.25, ['C'] = 1.6, ['D'] = 2.5};
static_assert(sizeof widen_table / sizeof *widen_table == 'D' + 1, "a factor for each grade");

enum { ISSUES_MAX = 32, RESIDUALS_SHOWN = 3, FEW = 30, TOO_FEW = 5, OUTSIDE_FEW = 3 };
enum { OTHER_ISSUES = 15 }; /* calls of `object` that one trace can reach */
static_assert(OTHER_ISSUES + SUSPECTS_MAX + RESIDUALS_SHOWN <= ISSUES_MAX, "the list has room");
#define DRIFT_MAX   0.05
#define MATCH_MIN   0.95
#define REST_MAX    0.3
#define FOREIGN     0.5
#define OUTSIDE_MAX 0.25

typedef struct {
    Arena *arena;
    const Program *program;
    Reconciliation *r;
} Judge;

/* Adds the issue and holds the grade at `worst` or below.  `x` lacks what is said. */
static void add_issue(Judge *j, char worst, EvidenceIssue x, const Message *said)
{
    Reconciliation *r = j->r;
    assert(r->nissue < ISSUES_MAX && worst >= 'A' && worst <= 'D');
    x.said = said;
    r->issue[r->nissue++] = x;
    if (worst > r->grade)
        r->grade = worst;
}
#define object(j, worst, x, ...) add_issue((j), (worst), (x), MESSAGE((j)->arena, __VA_ARGS__))

/* An issue because something is below its threshold, or above. */
#define BELOW(code, about, observed, threshold, unit)                                              \
    ((EvidenceIssue){code, ABOUT_##about, observed, threshold, true, &message_UNIT_##unit, NULL})
#define ABOVE(code, about, observed, threshold, unit)                                              \
    ((EvidenceIssue){code, ABOUT_##about, observed, threshold, false, &message_UNIT_##unit, NULL})

#define X(id, key) [REFUTED_##id] = key,
ENUM_WORDS(refutation_key, Refutation, REFUTED_SIZE + 1, REFUTATIONS(X))
#undef X

#define X(id, text) [ABOUT_##id] = text,
ENUM_WORDS(evidence_about_name, EvidenceAbout, ABOUT_MODEL + 1, EVIDENCE_ABOUTS(X))
#undef X

/* What to ask the runtime for: enough, and those that warm it up besides, in full tens. */
static int64_t inferences_to_record(const TraceStats *s)
{
    enum { STEP = 10 };
    size_t warm_up = LIST_SUM(size_t, i, s->ninference, s->inference[i].warm_up);
    return ((int64_t)(FEW + (warm_up < FEW ? warm_up : FEW)) + STEP) / STEP * STEP;
}

static void grade_sample_count(Judge *j)
{
    MessageArg record = arg_count(inferences_to_record(j->r->stats));
    unsigned long long n = j->r->inferences;
    const char *code = n == 0 ? "no-inference" : n == 1 ? "one-inference" : "few-inferences";
    EvidenceIssue x = BELOW(code, SAMPLE, (double)n, FEW, INFERENCES);
    if (n && j->r->stats->format == TRACE_RKNN)
        return; /* rows of equal shapes tell how far one run is to be trusted */
    if (n == 0)
        object(j, 'D', x, MESSAGE_ID(NO_INFERENCE));
    else if (n == 1)
        object(j, 'D', x, MESSAGE_ID(ONE_INFERENCE), record);
    else if (n < TOO_FEW)
        object(j, 'C', x, MESSAGE_ID(TOO_FEW_INFERENCES), arg_size(n), record);
    else if (n < FEW)
        object(j, 'B', x, MESSAGE_ID(FEW_INFERENCES), arg_size(n), record);
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
static void grade_drift(Judge *j)
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
    if (fabs(drift) > DRIFT_MAX && fabs(deviate) > RANKSUM_SIGNIFICANT)
        object(j, 'C', ABOVE("drift", SAMPLE, 100 * fabs(drift), 100 * DRIFT_MAX, PERCENT),
               MESSAGE_ID(DRIFT), arg_signed(100 * drift));
}

static void grade_identities(Judge *j)
{
    const TraceStats *s = j->r->stats;
    if (s->model[1])
        object(j, 'D', ABOVE("several-models", SAMPLE, 2, 1, MODELS), MESSAGE_ID(SEVERAL_MODELS),
               arg_text(s->model[0]), arg_text(s->model[1]));
    unsigned long long n = s->nexecution, sums = s->sum_mismatch, waits = s->negative_io_wait,
                       tasks = s->orphan_tasks, hosts = s->orphan_host;
    if (n == 0 && j->r->inferences)
        object(j, 'D', BELOW("no-npu-spans", ATTRIBUTION, 0, 1, TASKS), MESSAGE_ID(NO_NPU_TASK));
    if (sums)
        object(j, 'C', ABOVE("sum-identity", IDENTITY, (double)sums, 0, TASKS),
               MESSAGE_ID(SUM_IDENTITY), arg_size(sums), arg_size(n));
    if (waits)
        object(j, 'B', ABOVE("negative-io-wait", IDENTITY, (double)waits, 0, TASKS),
               MESSAGE_ID(NEGATIVE_IO_WAIT), arg_size(waits), arg_size(n));
    if (s->dealt_in_order)
        object(j, 'B', ABOVE("clocks-apart", IDENTITY, (double)n, 0, TASKS),
               MESSAGE_ID(CLOCKS_APART));
    if (tasks || hosts)
        object(j, tasks * 2 > n ? 'D' : 'B',
               ABOVE("orphans", IDENTITY, (double)(tasks + hosts), 0, SPANS), MESSAGE_ID(ORPHANS),
               arg_size(tasks), arg_size(hosts));
}

static void grade_repairs(Judge *j)
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
        object(j, 'B', ABOVE("wrapped-counter", IDENTITY, (double)wrapped, 0, COUNTERS),
               MESSAGE_ID(WRAPPED_COUNTER), arg_size(wrapped));
    if (mended)
        object(j, mended * 100 > events ? 'C' : 'B',
               ABOVE("repaired", IDENTITY, (double)mended, 0, EVENTS), MESSAGE_ID(MENDED),
               arg_size(mended), arg_size(events));
}

static char grade_of_share(double share)
{
    return share < FOREIGN ? 'D' : share < 0.8 ? 'C' : 'B';
}

bool evidence_is_foreign(const Reconciliation *r)
{
    return r->refuted ||
           (r->inferences && fmin(r->matched_time_share, r->matched_op_share) < FOREIGN);
}

bool evidence_lacks_npu(const Reconciliation *r)
{
    return evidence_is_foreign(r) && r->stats->nexecution == 0;
}

static void grade_match(Judge *j)
{
    const Reconciliation *r = j->r;
    double share = r->matched_time_share, ops = r->matched_op_share;
    if (r->inferences && share < MATCH_MIN)
        object(j, grade_of_share(share),
               BELOW("low-match", MATCH, 100 * share, 100 * MATCH_MIN, PERCENT),
               MESSAGE_ID(LOW_MATCH), arg_fixed(100 * (1 - share), 0));
    if (r->inferences && ops < MATCH_MIN)
        object(j, grade_of_share(ops),
               BELOW("other-operators", MATCH, 100 * ops, 100 * MATCH_MIN, PERCENT),
               MESSAGE_ID(OTHER_OPERATORS), arg_fixed(100 * ops, 0));
    size_t unseen = r->host_steps - r->host_steps_measured;
    if (r->inferences && unseen)
        object(j, 2 * unseen > r->host_steps ? 'C' : 'B',
               ABOVE("no-host-spans", ATTRIBUTION, (double)unseen, 0, HOST_OPERATORS),
               MESSAGE_ID(NO_HOST_SPANS), arg_size(unseen), arg_size(r->host_steps));
}

static void grade_attribution(Judge *j)
{
    const Reconciliation *r = j->r;
    double rest =
        r->latency.median_ns > 0 ? (double)r->unattributed_ns / (double)r->latency.median_ns : 0;
    if (rest > REST_MAX)
        object(j, 'B', ABOVE("unattributed", ATTRIBUTION, 100 * rest, 100 * REST_MAX, PERCENT),
               MESSAGE_ID(UNATTRIBUTED), arg_fixed(100 * rest, 0),
               arg_time((double)r->unattributed_ns));
    unsigned long long lanes = r->stats->lanes;
    if (lanes > 1)
        object(j, 'B', ABOVE("concurrent", CONCURRENCY, (double)lanes, 1, AT_ONCE),
               MESSAGE_ID(CONCURRENT), arg_size(lanes));
}

/* A model that is off is no fault of the trace; a trace of another build is none of this model; and
 * how far the times of something else are off says nothing. */
static void grade_residuals(Judge *j)
{
    const Reconciliation *r = j->r;
    double all = (double)r->latency.median_ns;
    if (evidence_is_foreign(r))
        return;
    for (size_t i = 0; i < r->nresidual && i < RESIDUALS_SHOWN; i++) {
        const Residual *x = &r->residual[i];
        bool other = x->cause == CAUSE_OTHER_TYPE;
        double off = 100 * fabs(x->measured_ns - x->predicted_ns.mid) / all;
        EvidenceIssue issue = ABOVE(residual_cause_key(x->cause), MODEL, off, 100 * RESIDUAL_SHARE,
                                    PERCENT_OF_INFERENCE);
        issue.about = other ? ABOUT_MATCH : ABOUT_MODEL;
        add_issue(j, other ? 'C' : 'A', issue, residual_message(j->arena, j->program, x));
    }
}

/* A total that the model does not explain puts what it predicts beside in doubt. */
static void grade_suspects(Judge *j)
{
    const Reconciliation *r = j->r;
    for (size_t i = 0; i < r->nsuspect && !evidence_is_foreign(r); i++) {
        double off = 100 * r->suspect[i].off_ns / (double)r->latency.median_ns;
        add_issue(j, 'B',
                  ABOVE(r->suspect[i].code, MODEL, off, 100 * RESIDUAL_SHARE, PERCENT_OF_INFERENCE),
                  r->suspect[i].said);
    }
}

/* Of 90 % intervals one in ten misses. */
static void grade_agreement(Judge *j)
{
    const Reconciliation *r = j->r;
    double share = r->compared ? (double)r->outside / (double)r->compared : 0;
    if (r->outside >= OUTSIDE_FEW && share > OUTSIDE_MAX && !evidence_is_foreign(r))
        object(j, 'B', ABOVE("outside", MODEL, 100 * share, 100 * OUTSIDE_MAX, PERCENT),
               MESSAGE_ID(STEPS_OUTSIDE), arg_size(r->outside), arg_size(r->compared));
}

void evidence_grade(Arena *a, const Program *p, Reconciliation *r)
{
    r->issue = ARENA_ARRAY(a, EvidenceIssue, ISSUES_MAX);
    r->nissue = 0;
    r->grade = 'A';
    Judge j = {a, p, r};
    grade_sample_count(&j);
    grade_drift(&j);
    grade_identities(&j);
    grade_repairs(&j);
    grade_match(&j);
    grade_attribution(&j);
    grade_suspects(&j);
    grade_agreement(&j);
    grade_residuals(&j);
    assert(r->grade >= 'A' && r->grade <= 'D');
    r->widen = widen_table[(unsigned char)r->grade];
}

void evidence_object(Reconciliation *r, char worst, EvidenceIssue x)
{
    assert(worst >= 'A' && worst <= 'D');
    if (r->nissue == ISSUES_MAX)
        return;
    memmove(r->issue + 1, r->issue, r->nissue * sizeof *r->issue);
    r->issue[0] = x;
    r->nissue++;
    if (worst > r->grade)
        r->grade = worst;
    r->widen = widen_table[(unsigned char)r->grade];
}
