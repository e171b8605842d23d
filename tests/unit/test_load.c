/* Load: how busy lanes, link and host are, and who waits for whom, by hand. */
#include "trace/stats/load.h"
#include "tests/unit/check.h"

/* Inferences that begin at 100 and end at 300 at the latest: 200 ns of wall. */
enum { WALL = 200 };

#define STATS(inferences, executions, spans)                                                       \
    (TraceStats)                                                                                   \
    {                                                                                              \
        .inference = (inferences), .ninference = sizeof(inferences) / sizeof *(inferences),        \
        .execution = (executions), .nexecution = sizeof(executions) / sizeof *(executions),        \
        .host_span = (spans), .nhost_span = sizeof(spans) / sizeof *(spans)                        \
    }

/* ---- wall time ---- */

static void wall_checks(void)
{
    TraceStats s = {0};
    TraceLoad l = trace_load(&s);
    CHECK(l.wall_ns == 0 && l.per_s == 0 && l.concurrency == 0 && l.nlane == 0);
    InferenceStat one[] = {{.start_ns = 100}};
    s = (TraceStats){.inference = one, .ninference = 1};
    l = trace_load(&s);
    CHECK(l.wall_ns == 0 && l.per_s == 0 && l.concurrency == 0 && l.link == 0);
    one[0].dur_ns = 1;
    l = trace_load(&s);
    CHECK(l.wall_ns == 1 && l.per_s == 1e9 && l.concurrency == 1 && l.link == 0 && l.host == 0 &&
          l.nlane == 0 && l.waiting_ns == 0);
    OpSpan transfer = {.kind = SPAN_TRANSFER, .start_ns = 100, .dur_ns = 1};
    s.host_span = &transfer;
    s.nhost_span = 1;
    CHECK(trace_load(&s).link == 1);
    /* The first to begin is not the last to end: 150 + 60 + 200 ns of 200. */
    InferenceStat three[] = {{.start_ns = 150, .dur_ns = 150},
                             {.start_ns = 100, .dur_ns = 60},
                             {.start_ns = 100, .dur_ns = 200}};
    s = (TraceStats){.inference = three, .ninference = 3};
    l = trace_load(&s);
    CHECK(l.wall_ns == WALL);
    CHECK_NEAR(l.per_s, 3 / 200e-9, 1e-12);
    CHECK_NEAR(l.concurrency, 410 / 200., 1e-12);
}

/* ---- link and host ---- */

static void host_checks(void)
{
    InferenceStat f[] = {{.start_ns = 100, .dur_ns = WALL}};
    ExecutionStat none[] = {{.inference = INFERENCE_NONE}};
    /* Transfers of 10, 10 more of the 20 that overlap it, nothing of what lies within, 5 behind a
     * pause and 5 at their end: 30.  Operators of 7 and 8, at once; what is nobody's or a submit
     * counts not. */
    OpSpan span[] = {
        {.kind = SPAN_TRANSFER, .start_ns = 140, .dur_ns = 5},
        {.kind = SPAN_TRANSFER, .start_ns = 110, .dur_ns = 20},
        {.kind = SPAN_TRANSFER, .start_ns = 112, .dur_ns = 3},
        {.kind = SPAN_TRANSFER, .start_ns = 100, .dur_ns = 20},
        {.kind = SPAN_TRANSFER, .start_ns = 145, .dur_ns = 5},
        {.kind = SPAN_HOST_OPERATOR, .start_ns = 100, .dur_ns = 7},
        {.kind = SPAN_HOST_OPERATOR, .start_ns = 100, .dur_ns = 8},
        {.kind = SPAN_SUBMIT, .start_ns = 100, .dur_ns = 50},
        {.kind = SPAN_TRANSFER, .start_ns = 200, .dur_ns = 50, .inference = INFERENCE_NONE},
        {.kind = SPAN_HOST_OPERATOR, .start_ns = 200, .dur_ns = 50, .inference = INFERENCE_NONE}};
    TraceStats s = STATS(f, none, span);
    TraceLoad l = trace_load(&s);
    CHECK_NEAR(l.link, 40 / (double)WALL, 1e-12);
    CHECK_NEAR(l.host, 15 / (double)WALL, 1e-12);
    CHECK(l.nlane == 0 && l.waiting_ns == 0);
}

/* ---- lanes ---- */

#define TASK(pe, row, of, start, dur)                                                              \
    {                                                                                              \
        .pe_index = (pe), .lane = (row), .inference = (of), .start_ns = (start), .total_ns = (dur) \
    }

static void lane_checks(void)
{
    InferenceStat f[] = {{.start_ns = 100, .dur_ns = WALL}};
    OpSpan span[] = {{.kind = SPAN_SUBMIT}};
    /* PEs in their order, and within one the rows; PE 1 has a row of the number of one of PE 0.
     * A task that tells no PE is of the first. */
    ExecutionStat t[] = {TASK(1, 5, 0, 100, 20),          TASK(0, 9, 0, 100, 30),
                         TASK(0, 5, 0, 110, 40),          TASK(0, 5, 0, 130, 40),
                         TASK(INDEX_NONE, 8, 0, 100, 50), TASK(0, 8, 0, 150, 50),
                         TASK(300, 1, 0, 200, 30),        TASK(300, 1, 0, 230, 30),
                         TASK(0, 5, INFERENCE_NONE, 0, 9)};
    TraceStats s = STATS(f, t, span);
    TraceLoad l = trace_load(&s);
    CHECK(l.nlane == 5);
    const double busy[] = {60, 100, 30, 20, 60};
    for (size_t i = 0; i < 5; i++)
        CHECK_NEAR(l.lane[i], busy[i] / WALL, 1e-12);
    /* No more than there is room for. */
    ExecutionStat many[LOAD_LANES_MAX + 1];
    for (uint32_t i = 0; i <= LOAD_LANES_MAX; i++)
        many[i] = (ExecutionStat)TASK(0, i, 0, 100, i + 1);
    s = STATS(f, many, span);
    l = trace_load(&s);
    CHECK(l.nlane == LOAD_LANES_MAX);
    CHECK_NEAR(l.lane[LOAD_LANES_MAX - 1], LOAD_LANES_MAX / (double)WALL, 1e-12);
    s.nexecution = LOAD_LANES_MAX;
    CHECK(trace_load(&s).nlane == LOAD_LANES_MAX);
    s.nexecution = 1; /* a row whose number is zero */
    CHECK(trace_load(&s).nlane == 1);
}

/* ---- waiting ---- */

/* Of two the longer one: what inference 1 waited, where 0 waited for nothing. */
static int64_t waited(const TraceStats *s)
{
    return trace_load(s).waiting_ns;
}

static void waiting_checks(void)
{
    InferenceStat f[] = {
        {.start_ns = 100, .dur_ns = 100, .first_host = 0, .nhost = 1, .first_task = 0, .ntask = 1},
        {.start_ns = 110, .dur_ns = 190, .first_host = 1, .nhost = 2, .first_task = 1, .ntask = 2}};
    OpSpan span[] = {{.kind = SPAN_HOST_OPERATOR, .start_ns = 100, .dur_ns = 5},
                     {.kind = SPAN_HOST_OPERATOR, .start_ns = 110, .dur_ns = 20, .inference = 1},
                     {.kind = SPAN_HOST_OPERATOR, .start_ns = 260, .dur_ns = 9, .inference = 1},
                     {.kind = SPAN_HOST_OPERATOR, .start_ns = 140, .dur_ns = 5, .inference = 0}};
    /* 0 has the lane from 120 to 180; 1 is ready at 130 and begins at 180: it waits for 50. */
    ExecutionStat t[] = {TASK(0, 1, 0, 120, 60), TASK(0, 1, 1, 180, 70), TASK(0, 1, 1, 290, 10),
                         TASK(0, 1, INFERENCE_NONE, 181, 4)};
    TraceStats s = STATS(f, t, span);
    CHECK(waited(&s) == 50);
    span[1].dur_ns = 70; /* ready as the task begins */
    CHECK(waited(&s) == 0);
    span[1].dur_ns = 71; /* what ends later does not make it ready */
    CHECK(waited(&s) == 180 - 120);
    span[1].dur_ns = 20;
    t[1].lane = 2; /* another lane: it did not wait for that */
    CHECK(waited(&s) == 0);
    t[1].lane = 1;
    t[1].pe_index = 1;
    CHECK(waited(&s) == 0);
    t[1].pe_index = 0;
    s.dealt_in_order = true; /* whose a task is is a guess */
    CHECK(waited(&s) == 0);
    s.dealt_in_order = false;
    /* Its second task waits as well where it is ready sooner: from 250 on, 275 to 290 for 0's. */
    t[0] = (ExecutionStat)TASK(0, 1, 0, 275, 15);
    span[0].dur_ns = 175; /* 0 is ready as it begins */
    f[1].nhost = 1;
    CHECK(waited(&s) == 15);
    f[1].ntask = 0; /* its tasks are not known: ready since 130, behind 180 to 250 and that */
    CHECK(waited(&s) == 85);
    f[1].ntask = 2; /* the first ends as the second begins: it is ready then, and waits for none */
    t[0] = (ExecutionStat)TASK(0, 1, 0, 240, 10);
    t[1].lane = 2;
    t[2].start_ns = 250;
    CHECK(waited(&s) == 0);
}

/* Tasks that begin together wait in the order of their ends; the middle one of what is warm. */
static void median_checks(void)
{
    InferenceStat f[] = {{.start_ns = 100, .dur_ns = 10},
                         {.start_ns = 100, .dur_ns = 20},
                         {.start_ns = 100, .dur_ns = 30},
                         {.start_ns = 100, .dur_ns = 200}};
    OpSpan span[] = {{.kind = SPAN_SUBMIT}};
    ExecutionStat t[] = {TASK(0, 1, 0, 100, 30), TASK(0, 1, 1, 100, 20), TASK(0, 1, 2, 100, 10),
                         TASK(0, 1, 3, 130, 10)};
    TraceStats s = STATS(f, t, span);
    /* 2 waits for nothing, 1 10, 0 20 + 10, 3 30 + 20 + 10; they overlap, and add up. */
    CHECK(waited(&s) == 30);
    f[3].warm_up = true;
    s.nwarm_up = 1;
    CHECK(waited(&s) == 10);
    f[0].warm_up = true;
    s.nwarm_up = 2;
    CHECK(waited(&s) == 10);
    f[1].warm_up = f[2].warm_up = true; /* nothing else than warm-up */
    s.nwarm_up = 4;
    CHECK(waited(&s) == 30);
    /* The first that is over when one is ready ends the looking back. */
    ExecutionStat nested[] = {TASK(0, 1, 0, 100, 90), TASK(0, 1, 0, 110, 10),
                              TASK(0, 1, 3, 190, 10)};
    InferenceStat two[] = {{.start_ns = 100, .dur_ns = 90},
                           {.start_ns = 100, .dur_ns = 90},
                           {.start_ns = 100, .dur_ns = 90},
                           {.start_ns = 120, .dur_ns = 180}};
    s = STATS(two, nested, span);
    s.nwarm_up = 3;
    two[0].warm_up = two[1].warm_up = two[2].warm_up = true;
    CHECK(waited(&s) == 0);
    two[3].start_ns = 119;
    CHECK(waited(&s) == 1 + 190 - 119);
}

int main(void)
{
    wall_checks();
    host_checks();
    lane_checks();
    waiting_checks();
    median_checks();
    return check_failures() != 0;
}
