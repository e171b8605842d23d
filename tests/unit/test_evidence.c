/* Evidence: each objection alone, against a trace that nothing is wrong with. */
#include "cost_model/reconcile.h"
#include "tests/unit/check.h"

#include <math.h>
#include <string.h>

enum { INFERENCES = 40 };

/* 40 inferences of 1 ms in one file of 1,000 events; 40 tasks; 900 us of each are accounted for. */
typedef struct {
    Arena *arena;
    InferenceStat inference[INFERENCES];
    TraceInfo file;
    TraceStats stats;
    Step step[2];
    Program program;
    Residual residual;
    Reconciliation r;
} Trace;

static Trace *sound(Arena *a)
{
    Trace *t = ARENA_NEW(a, Trace);
    t->arena = a;
    for (int i = 0; i < INFERENCES; i++)
        t->inference[i].dur_ns = 1000000;
    t->file.events = 1000;
    t->stats = (TraceStats){.file = &t->file,
                            .nfile = 1,
                            .inference = t->inference,
                            .ninference = INFERENCES,
                            .nexecution = INFERENCES,
                            .lanes = 1};
    t->step[0] = (Step){.kind = STEP_HOST, .op = "Quantize"};
    t->step[1] = (Step){.id = 1, .kind = STEP_NPU, .op = "npu"};
    t->program = (Program){.step = t->step, .nstep = 2};
    t->r = (Reconciliation){.stats = &t->stats,
                            .latency = {.median_ns = 1000000, .count = INFERENCES},
                            .unattributed_ns = 100000,
                            .matched_time_share = 1,
                            .matched_op_share = 1,
                            .inferences = INFERENCES,
                            .host_steps = 4,
                            .host_steps_measured = 4};
    return t;
}

/* Whether this is the grade, and this the only issue; "": there is none. */
static bool judged(Trace *t, char grade, const char *code, double observed, double threshold)
{
    evidence_grade(t->arena, &t->program, &t->r);
    const EvidenceIssue *x = t->r.issue;
    bool ok = t->r.grade == grade && t->r.nissue == (*code != 0);
    if (*code)
        ok = ok && !strcmp(x->code, code) && fabs(x->observed - observed) < 1e-6 &&
             fabs(x->threshold - threshold) < 1e-6;
    for (size_t i = 0; !ok && i < t->r.nissue; i++)
        printf("  %c %s %g %g: %s\n", t->r.grade, x[i].code, x[i].observed, x[i].threshold,
               message_format(t->arena, NULL, x[i].said));
    return ok;
}

static void check_counts(Arena *a)
{
    const struct {
        uint64_t n;
        char grade;
        const char *code;
        double widen;
    } row[] = {{30, 'A', "", 1},
               {29, 'B', "few-inferences", 1.25},
               {5, 'B', "few-inferences", 1.25},
               {4, 'C', "few-inferences", 1.6},
               {1, 'D', "one-inference", 2.5}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        Trace *t = sound(a);
        t->r.inferences = row[i].n;
        CHECK(judged(t, row[i].grade, row[i].code, (double)row[i].n, 30) &&
              t->r.widen == row[i].widen);
    }
    Trace *t = sound(a);
    t->r.inferences = t->stats.ninference = t->stats.nexecution = 0;
    CHECK(judged(t, 'D', "no-inference", 0, 30));
}

/* Twenty and twenty: the rank sum tells any difference that does not overlap. */
static void check_drift(Arena *a)
{
    Trace *t = sound(a);
    for (int i = INFERENCES / 2; i < INFERENCES; i++)
        t->inference[i].dur_ns = 1060000;
    CHECK(judged(t, 'C', "drift", 6, 5));
    for (int i = INFERENCES / 2; i < INFERENCES; i++)
        t->inference[i].dur_ns = 1040000;
    CHECK(judged(t, 'A', "", 0, 0));
    for (int i = 0; i < INFERENCES; i++) /* five of the later twenty are slow, and five are quick */
        t->inference[i].dur_ns = 1000000 + (i % 4 == 3 ? 400000 : 0) - (i % 4 == 1 ? 400000 : 0);
    CHECK(judged(t, 'A', "", 0, 0));
    for (int i = 0; i < INFERENCES / 2; i++) { /* warm-up does not count */
        t->inference[i].dur_ns = 9000000;
        t->inference[i].warm_up = true;
    }
    CHECK(judged(t, 'A', "", 0, 0));
}

static void check_identities(Arena *a)
{
    Trace *t = sound(a);
    t->stats.nexecution = 0;
    CHECK(judged(t, 'D', "no-npu-spans", 0, 1));
    t = sound(a);
    t->stats.sum_mismatch = 3;
    CHECK(judged(t, 'C', "sum-identity", 3, 0));
    t = sound(a);
    t->stats.negative_io_wait = 2;
    CHECK(judged(t, 'B', "negative-io-wait", 2, 0));
    t = sound(a);
    t->stats.dealt_in_order = true;
    CHECK(judged(t, 'B', "clocks-apart", INFERENCES, 0));
    t = sound(a);
    t->stats.orphan_tasks = 20; /* just half of them */
    CHECK(judged(t, 'B', "orphans", 20, 0));
    t->stats.orphan_tasks = 21;
    t->stats.orphan_host = 2;
    CHECK(judged(t, 'D', "orphans", 23, 0));
    t = sound(a);
    t->stats.orphan_host = 90;
    CHECK(judged(t, 'B', "orphans", 90, 0));
}

static void check_repairs(Arena *a)
{
    Trace *t = sound(a);
    t->file.repairs.wrapped_counter = 4;
    CHECK(judged(t, 'B', "wrapped-counter", 4, 0));
    t = sound(a);
    t->file.repairs.unmatched_begin = 7;
    t->file.repairs.bad_event = 3; /* ten of a thousand */
    CHECK(judged(t, 'B', "repaired", 10, 0));
    t->file.repairs.bad_number = 1;
    CHECK(judged(t, 'C', "repaired", 11, 0));
    t = sound(a);
    t->file.repairs.doubled = 5; /* the vendor's way: nothing was mended */
    CHECK(judged(t, 'A', "", 0, 0));
}

static void check_match(Arena *a)
{
    const struct {
        double share;
        char grade;
    } row[] = {{0.94, 'B'}, {0.80, 'B'}, {0.79, 'C'}, {0.50, 'C'}, {0.49, 'D'}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        Trace *t = sound(a);
        t->r.matched_time_share = row[i].share;
        CHECK(judged(t, row[i].grade, "low-match", 100 * row[i].share, 95));
        CHECK(evidence_is_foreign(&t->r) == (row[i].share < 0.5) && !evidence_lacks_npu(&t->r));
        t = sound(a);
        t->r.matched_op_share = row[i].share;
        CHECK(judged(t, row[i].grade, "other-operators", 100 * row[i].share, 95));
        CHECK(evidence_is_foreign(&t->r) == (row[i].share < 0.5));
        t->stats.nexecution = 0;
        CHECK(evidence_lacks_npu(&t->r) == (row[i].share < 0.5));
    }
    Trace *t = sound(a);
    t->r.matched_time_share = t->r.matched_op_share = 0.95;
    CHECK(judged(t, 'A', "", 0, 0));
    t->r.host_steps_measured = 2; /* of four: half of them */
    CHECK(judged(t, 'B', "no-host-spans", 2, 0));
    t->r.host_steps_measured = 1;
    CHECK(judged(t, 'C', "no-host-spans", 3, 0));
}

static void check_attribution(Arena *a)
{
    Trace *t = sound(a);
    t->r.unattributed_ns = 300000; /* three tenths are usual */
    CHECK(judged(t, 'A', "", 0, 0));
    t->r.unattributed_ns = 310000;
    CHECK(judged(t, 'B', "unattributed", 31, 30));
    CHECK(strstr(message_format(a, NULL, t->r.issue->said), "31 % of an inference (310 µs)"));
    t = sound(a);
    t->stats.lanes = 4;
    CHECK(judged(t, 'B', "concurrent", 4, 1));
}

/* One in ten is expected outside; more than a quarter, and at least three, is not. */
static void check_agreement(Arena *a)
{
    Trace *t = sound(a);
    t->r.compared = 12;
    t->r.outside = 3;
    CHECK(judged(t, 'A', "", 0, 0));
    t->r.compared = 10;
    CHECK(judged(t, 'B', "outside", 30, 25));
    CHECK(strstr(message_format(a, NULL, t->r.issue->said), "3 of 10 steps"));
    t->r.compared = 4;
    t->r.outside = 2;
    CHECK(judged(t, 'A', "", 0, 0));
}

/* A model that is off by a tenth of an inference says nothing about the trace; that the step takes
 * as long as on other types does. */
static void check_residuals(Arena *a)
{
    Trace *t = sound(a);
    t->residual = (Residual){
        .measured_ns = 150000, .predicted_ns = {40000, 50000, 60000}, .cause = CAUSE_HOST};
    t->r.residual = &t->residual;
    t->r.nresidual = 1;
    CHECK(judged(t, 'A', "host", 10, 2) && t->r.issue->about == ABOUT_MODEL);
    CHECK(
        strstr(message_format(a, NULL, t->r.issue->said),
               "Quantize took 150 µs, predicted 50.0 µs [40.0 µs, 60.0 µs]: this host is slower"));
    t->residual.cause = CAUSE_OTHER_TYPE;
    CHECK(judged(t, 'C', "other-type", 10, 2) && t->r.issue->about == ABOUT_MATCH);
    t->r.matched_op_share = 0.4; /* of another model: how far it is off says nothing */
    CHECK(judged(t, 'D', "other-operators", 40, 95));
}

int main(void)
{
    Arena *a = arena_new(0);
    CHECK(judged(sound(a), 'A', "", 0, 0));
    check_counts(a);
    check_drift(a);
    check_identities(a);
    check_repairs(a);
    check_match(a);
    check_attribution(a);
    check_agreement(a);
    check_residuals(a);
    arena_free(a);
    return check_failures() != 0;
}
