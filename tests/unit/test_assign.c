/* Which inference a host span or a task belongs to, by hand. */
#include "tests/unit/check.h"
#include "trace/stats/gather.h"

#include <string.h>

enum { COUNT_MAX = 8, OTHER_LANE = 99 };
static InferenceRow inference[COUNT_MAX];
static TaskRow task[COUNT_MAX];
static const char *name[64];
static TraceStats stats;

static InferenceRow from_to(uint32_t lane, int64_t start, int64_t end, uint64_t trace,
                            uint64_t span)
{
    return (InferenceRow){
        .stat = {.start_ns = start, .dur_ns = end - start, .trace_id = trace, .span_id = span},
        .lane = lane};
}

typedef struct {
    uint32_t lane, name;
    int64_t start, dur;
    uint64_t trace, parent;
    uint32_t expected;
} Host;

/* Host operators; a name of WAITS is a wait for the task. */
enum { WAITS = 63 };

static size_t wrong(size_t ninference, size_t ntask, const Host *h, size_t n)
{
    Gather g = {.host = {.size = sizeof(HostRow)},
                .inference = inference,
                .ninference = ninference,
                .task = task,
                .ntask = ntask,
                .name = name};
    size_t ret = 0;
    stats = (TraceStats){0};
    for (size_t i = 0; i < 64; i++)
        name[i] = i == WAITS ? "WaitForCommit" : "Lower";
    for (size_t i = 0; i < ntask; i++)
        task[i].stat.inference = INFERENCE_NONE;
    for (size_t i = 0; i < n; i++)
        *(HostRow *)rows_push(&g.host) =
            (HostRow){.start_ns = h[i].start,
                      .dur_ns = h[i].dur,
                      .parent_id = h[i].parent,
                      .lane = h[i].lane,
                      .name = h[i].name,
                      .kind = h[i].name == WAITS ? SPAN_SUBMIT : SPAN_HOST_OPERATOR,
                      .inference = INFERENCE_NONE,
                      .detail = {.trace_id = h[i].trace}};
    gather_assign_inferences(&g, &stats);
    RowCursor c = rows_begin(&g.host);
    for (size_t i = 0; i < n; i++) {
        uint32_t found = ((HostRow *)rows_next(&g.host, &c))->inference;
        if (found != h[i].expected)
            printf("  %zu: found %d, expected %d\n", i, (int)found, (int)h[i].expected);
        ret += found != h[i].expected;
    }
    rows_free(&g.host);
    return ret;
}
#define WRONG(ninference, ntask, ...)                                                              \
    wrong(ninference, ntask, (const Host[]){__VA_ARGS__},                                          \
          sizeof((const Host[]){__VA_ARGS__}) / sizeof(Host))
#define NONE INFERENCE_NONE

/* ---- ids ---- */

static void id_checks(void)
{
    inference[0] = from_to(1, 100, 200, 7, 70);
    inference[1] = from_to(2, 300, 400, 8, 80);
    inference[2] = from_to(3, 500, 600, 8, 90);
    /* The trace before the parent; the first and the last id; one that two have tells nothing. */
    CHECK(WRONG(3, 0, {9, 0, 0, 0, 7, 0, 0}, {9, 0, 0, 0, 0, 70, 0}, {9, 0, 0, 0, 7, 80, 0},
                {9, 0, 0, 0, 8, 0, NONE}, {9, 0, 0, 0, 8, 80, 1}, {9, 0, 0, 0, 5, 90, 2},
                {9, 0, 0, 0, 90, 0, 2}, {9, 0, 0, 0, 6, 0, NONE}, {9, 0, 0, 0, 91, 99, NONE},
                {9, 0, 0, 0, 0, 0, NONE}, {9, 0, 550, 0, 8, 0, 2}) == 0);
    inference[0] = from_to(1, 100, 200, 9, 0);
    inference[1] = from_to(2, 300, 400, 9, 0);
    CHECK(WRONG(2, 0, {9, 0, 0, 0, 9, 0, NONE}, {9, 0, 0, 0, 0, 9, NONE}) == 0);
    inference[0].stat.trace_id = 5;
    CHECK(WRONG(2, 0, {9, 0, 0, 0, 9, 0, 1}, {9, 0, 0, 0, 5, 0, 0}) == 0);
    CHECK(WRONG(0, 0, {9, 0, 0, 0, 9, 9, NONE}) == 0);
}

/* ---- time ---- */

static void time_checks(void)
{
    inference[0] = from_to(1, 100, 200, 0, 0);
    inference[1] = from_to(2, 300, 300, 0, 0);
    /* With both ends; of a span its middle. */
    CHECK(WRONG(2, 0, {9, 0, 99, 0, 0, 0, NONE}, {9, 0, 100, 0, 0, 0, 0}, {9, 0, 200, 0, 0, 0, 0},
                {9, 0, 201, 0, 0, 0, NONE}, {9, 0, 299, 0, 0, 0, NONE}, {9, 0, 300, 0, 0, 0, 1},
                {9, 0, 301, 0, 0, 0, NONE}) == 0);
    CHECK(WRONG(2, 0, {9, 0, 200, 0, 0, 0, 0}) == 0); /* seen first at its end */
    CHECK(WRONG(2, 0, {9, 0, 150, 102, 0, 0, NONE}, {9, 0, 150, 100, 0, 0, 0},
                {9, 0, 40, 118, 0, 0, NONE}, {9, 0, 40, 120, 0, 0, 0}) == 0);
    task[0] = (TaskRow){.stat = {.start_ns = 150, .total_ns = 100}};
    task[1] = (TaskRow){.stat = {.start_ns = 40, .total_ns = 120}};
    CHECK(WRONG(2, 2, {9, 0, 0, 0, 0, 0, NONE}) == 0 && task[0].stat.inference == 0 &&
          task[1].stat.inference == 0);
    /* Its thread decides, and of two on that the later one; then whoever has fewest of the name. */
    inference[0] = from_to(1, 100, 200, 0, 0);
    inference[1] = from_to(1, 110, 200, 0, 0);
    inference[2] = from_to(2, 120, 200, 0, 0);
    CHECK(WRONG(3, 0, {1, 0, 105, 0, 0, 0, 0}, {1, 0, 130, 0, 0, 0, 1}, {2, 0, 130, 0, 0, 0, 2},
                {9, 0, 131, 0, 0, 0, 0}, {9, 0, 132, 0, 0, 0, 1}) == 0);
    inference[1].lane = 3;
    CHECK(WRONG(3, 0, {9, 0, 130, 0, 0, 0, 0}, {1, 0, 131, 0, 0, 0, 0}, {1, 0, 132, 0, 0, 0, 0},
                {9, 0, 133, 0, 0, 0, 1}, {9, 0, 134, 0, 0, 0, 2}, {9, 0, 135, 0, 0, 0, 1}) == 0);
}

/* ---- how many of a name ---- */

static void count_checks(void)
{
    /* One ends, another begins: what the others have got stays theirs, and the new one has none. */
    inference[0] = from_to(1, 0, 100, 0, 0);
    inference[1] = from_to(2, 0, 1000, 0, 0);
    inference[2] = from_to(3, 0, 1000, 0, 0);
    inference[3] = from_to(4, 300, 1000, 0, 0);
    inference[1].order = 1;
    inference[2].order = 2;
    CHECK(WRONG(4, 0, {9, 0, 10, 0, 0, 0, 0}, {9, 0, 20, 0, 0, 0, 1}, {9, 0, 30, 0, 0, 0, 2},
                {9, 0, 40, 0, 0, 0, 0}, {9, 0, 200, 0, 0, 0, 1}, {9, 0, 210, 0, 0, 0, 2},
                {9, 0, 310, 0, 0, 0, 3}, {9, 0, 320, 0, 0, 0, 3}, {9, 0, 330, 0, 0, 0, 1}) == 0);
    /* 31 names are told apart, and tasks from all of them; the others are one. */
    inference[0] = from_to(1, 0, 1000, 0, 0);
    CHECK(WRONG(2, 0, {9, 30, 1, 0, 0, 0, 0}, {9, 31, 2, 0, 0, 0, 1}, {9, 40, 3, 0, 0, 0, 0},
                {9, 29, 4, 0, 0, 0, 0}, {9, 0, 5, 0, 0, 0, 0}, {9, 1, 6, 0, 0, 0, 0}) == 0);
    CHECK(WRONG(2, 0, {9, 0, 1, 0, 0, 0, 0}, {9, 32, 2, 0, 0, 0, 0}) == 0);
    task[0] = (TaskRow){.stat = {.start_ns = 1}, .lane = 9};
    CHECK(WRONG(2, 1, {9, 0, 2, 0, 0, 0, 0}, {9, 1, 3, 0, 0, 0, 0}) == 0 &&
          task[0].stat.inference == 0);
}

/* Inferences that begin together are sorted as they came. */
static void order_checks(void)
{
    inference[0] = from_to(1, 200, 1000, 0, 0);
    inference[1] = from_to(2, 100, 1000, 0, 0);
    inference[2] = from_to(3, 100, 1000, 0, 0);
    inference[1].order = 5;
    CHECK(WRONG(3, 0, {1, 0, 300, 0, 0, 0, 2}, {2, 0, 300, 0, 0, 0, 1}, {3, 0, 300, 0, 0, 0, 0}) ==
          0);
}

/* ---- waits, and order ---- */

static void task_checks(void)
{
    inference[0] = from_to(1, 0, 1000, 7, 0);
    inference[1] = from_to(2, 0, 1000, 8, 0);
    inference[1].order = 1;
    /* Who waits for it, unless an id tells of any task whose it is. */
    task[0] = (TaskRow){.stat = {.start_ns = 100, .total_ns = 100}, .lane = 9};
    CHECK(WRONG(2, 1, {2, WAITS, 100, 100, 0, 0, 1}) == 0 && task[0].stat.inference == 1);
    task[0].stat.trace_id = 7;
    CHECK(WRONG(2, 1, {2, WAITS, 100, 100, 0, 0, 1}) == 0 && task[0].stat.inference == 0);
    task[0].stat.trace_id = 0;
    task[0].parent_id = 7;
    CHECK(WRONG(2, 1, {2, WAITS, 100, 100, 0, 0, 1}) == 0 && task[0].stat.inference == 0);
    /* Tasks that lie outside are dealt as they begin, then as they came, if more than half do. */
    for (int inside = 1; inside <= 2; inside++) {
        static const int64_t start[] = {4000, 2000, 3000, 2000};
        for (uint64_t i = 0; i < 4; i++)
            task[i] = (TaskRow){.stat = {.start_ns = start[i]}, .order = 9 - i, .lane = 9};
        for (int i = 0; i < inside; i++)
            task[i].stat.start_ns = 500 + i;
        CHECK(WRONG(2, 4, {9, 0, 5000, 0, 0, 0, NONE}) == 0);
        CHECK(stats.dealt_in_order == (inside == 1));
        if (inside > 1) {
            CHECK(task[0].stat.inference == 0 && task[1].stat.inference == 1 &&
                  task[2].stat.inference == NONE && task[3].stat.inference == NONE);
            continue;
        }
        const uint64_t order[] = {9, 6, 8, 7};
        for (uint32_t i = 0; i < 4; i++)
            CHECK(task[i].order == order[i] && task[i].stat.inference == i / 2);
    }
    CHECK(WRONG(2, 3, {9, 0, 5000, 0, 0, 0, NONE}) == 0 && !stats.dealt_in_order);
    for (uint64_t i = 0; i < 2; i++)
        task[i] = (TaskRow){.stat = {.start_ns = 3000}, .lane = 9};
    CHECK(WRONG(1, 2, {9, 0, 5000, 0, 0, 0, NONE}) == 0 && stats.dealt_in_order &&
          task[0].stat.inference == 0 && task[1].stat.inference == 0);
    CHECK(WRONG(0, 2, {9, 0, 5000, 0, 0, 0, NONE}) == 0 && !stats.dealt_in_order);
    /* Both are of the first: nothing is dealt. */
    task[0].stat.start_ns = task[1].stat.start_ns = 500;
    task[0].stat.trace_id = task[1].stat.trace_id = 7;
    CHECK(WRONG(2, 2, {9, 0, 5000, 0, 0, 0, NONE}) == 0 && task[1].stat.inference == 0);
}

/* ---- labels and lanes ---- */

static const char *labelled(LabelRow *label, size_t n)
{
    inference[0] = from_to(5, 100, 200, 0, 0);
    Gather g = {.host = {.size = sizeof(HostRow)},
                .inference = inference,
                .ninference = 1,
                .label = label,
                .nlabel = n};
    gather_assign_inferences(&g, &stats);
    return inference[0].stat.label ? inference[0].stat.label : "";
}
#define LABELLED(...)                                                                              \
    labelled((LabelRow[]){__VA_ARGS__}, sizeof((LabelRow[]){__VA_ARGS__}) / sizeof(LabelRow))

static void label_checks(void)
{
    CHECK(!*labelled(NULL, 0));
    CHECK(!strcmp(LABELLED({100, 200, "a", 5, 0, 0}), "a"));
    CHECK(!*LABELLED({101, 200, "a", 5, 0, 0}) && !*LABELLED({100, 199, "a", 5, 0, 0}));
    CHECK(!*LABELLED({0, 900, "a", 4, 0, 0}) && !*LABELLED({0, 900, "a", 6, 0, 0}));
    CHECK(!strcmp(LABELLED({0, 900, "a", 4, 0, 0}, {0, 900, "b", 5, 0, 0}, {0, 900, "c", 6, 0, 0}),
                  "b"));
    /* The one that began last, of those the shorter one, of those the last by name. */
    CHECK(!strcmp(LABELLED({50, 300, "a", 5, 0, 0}, {0, 900, "b", 5, 0, 0}), "a"));
    CHECK(!strcmp(LABELLED({50, 900, "b", 5, 0, 0}, {50, 300, "a", 5, 0, 0}), "a"));
    CHECK(!strcmp(LABELLED({50, 300, "b", 5, 0, 0}, {50, 300, "a", 5, 0, 0}), "b"));
    CHECK(!strcmp(LABELLED({50, 150, "a", 5, 0, 0}, {0, 900, "b", 5, 0, 0}),
                  "b")); /* over before it ends */
}

static uint64_t lanes(size_t n)
{
    return gather_count_lanes(&(Gather){.inference = inference, .ninference = n});
}

static void lane_checks(void)
{
    CHECK(lanes(0) == 0);
    inference[0] = from_to(1, 100, 200, 0, 0);
    CHECK(lanes(1) == 1);
    inference[1] = from_to(1, 200, 300, 0, 0); /* one ends as the other begins */
    CHECK(lanes(2) == 1);
    inference[1].stat.start_ns = 199;
    CHECK(lanes(2) == 2);
    inference[2] = from_to(1, 250, 300, 0, 0);
    CHECK(lanes(3) == 2);
    inference[0].stat.dur_ns = 151;
    CHECK(lanes(3) == 3);
}

int main(void)
{
    id_checks();
    time_checks();
    count_checks();
    order_checks();
    task_checks();
    label_checks();
    lane_checks();
    return check_failures() != 0;
}
