/* Whose a task is by who waits for it, by hand. */
#include "tests/unit/check.h"
#include "trace/stats/gather.h"

enum { WAIT, LONGER, SHORTER, NAMES, COUNT_MAX = 70 };
static const char *name[NAMES] = {"WaitForCommit", "WaitForCommit #2", "WaitForCommi"};

typedef struct {
    int64_t start, end;
    uint32_t inference;
    uint32_t name;
    SpanKind kind; /* 0: a submit */
} Row;

/* Tells the tasks whose they are; they had been nobody's. */
static void follow(TaskRow *task, size_t ntask, const Row *row, size_t nrow)
{
    Gather g = {.host = {.size = sizeof(HostRow)}, .name = name, .task = task, .ntask = ntask};
    for (size_t i = 0; i < ntask; i++)
        task[i].stat.inference = INFERENCE_NONE;
    for (size_t i = 0; i < nrow; i++)
        *(HostRow *)rows_push(&g.host) = (HostRow){.start_ns = row[i].start,
                                                   .dur_ns = row[i].end - row[i].start,
                                                   .inference = row[i].inference,
                                                   .name = row[i].name,
                                                   .kind = row[i].kind ? row[i].kind : SPAN_SUBMIT};
    gather_follow_waits(&g);
    rows_free(&g.host);
}

/* Whose the task from 1000 to 1100 is: clocks may be 25 apart. */
static uint32_t follow_one(const Row *row, size_t nrow)
{
    TaskRow task = {.stat = {.start_ns = 1000, .total_ns = 100}};
    follow(&task, 1, row, nrow);
    return task.stat.inference;
}
#define OWNER(...)                                                                                 \
    follow_one((const Row[]){__VA_ARGS__}, sizeof((const Row[]){__VA_ARGS__}) / sizeof(Row))
#define W(from, to, of)                                                                            \
    {                                                                                              \
        from, to, of, WAIT, 0                                                                      \
    }

static void border_checks(void)
{
    CHECK(OWNER(W(1025, 1100, 7)) == 7 && OWNER(W(1026, 1100, 7)) == INFERENCE_NONE);
    CHECK(OWNER(W(1000, 1075, 7)) == 7 && OWNER(W(1000, 1074, 7)) == INFERENCE_NONE);
    CHECK(OWNER(W(1000, 1125, 7)) == 7 && OWNER(W(1000, 1126, 7)) == INFERENCE_NONE);
    CHECK(OWNER(W(0, 1100, 7)) == 7);
    CHECK(OWNER({1000, 1100, 7, LONGER, 0}) == 7);
    CHECK(OWNER({1000, 1100, 7, SHORTER, 0}) == INFERENCE_NONE);
    CHECK(OWNER({1000, 1100, 7, WAIT, SPAN_TRANSFER}) == INFERENCE_NONE);
    CHECK(OWNER(W(1000, 1100, INFERENCE_NONE), W(1000, 1090, 7)) == 7);
    TaskRow task = {.stat = {.start_ns = 0}}; /* of no length, and nobody waits */
    follow(&task, 1, NULL, 0);
    CHECK(task.stat.inference == INFERENCE_NONE);
}

/* The nearest end; of two equally near the earlier one; the later one that fits. */
static void nearest_checks(void)
{
    CHECK(OWNER(W(1000, 1105, 8), W(1000, 1090, 7)) == 8);
    CHECK(OWNER(W(1000, 1110, 8), W(1000, 1095, 7)) == 7);
    CHECK(OWNER(W(1000, 1110, 8), W(1000, 1090, 7)) == 7);
    CHECK(OWNER(W(1000, 1098, 8), W(1000, 1080, 7), W(1000, 1090, 9)) == 8);
    CHECK(OWNER(W(1026, 1100, 8), W(1000, 1080, 7)) == 7);
    CHECK(OWNER(W(1000, 1100, 8), W(1001, 1100, 7)) == 8); /* by start, then inference */
    CHECK(OWNER(W(1000, 1100, 8), W(1000, 1100, 7)) == 7);
    Row many[COUNT_MAX];
    for (size_t n = 63; n <= 64; n++) { /* so many that begin too late, and one behind them */
        for (size_t i = 0; i < n; i++)
            many[i] = (Row){1050, 1090, 3, WAIT, 0};
        many[n] = (Row){1000, 1100, 7, WAIT, 0};
        CHECK(follow_one(many, n + 1) == (n == 63 ? 7 : INFERENCE_NONE));
    }
}

/* A wait is for one task; where one task has none, all stay whose they were. */
static void taking_checks(void)
{
    TaskRow two[2] = {{.stat = {.start_ns = 1000, .total_ns = 100}},
                      {.stat = {.start_ns = 1000, .total_ns = 100}}};
    follow(two, 2, (const Row[]){{1000, 1100, 4, WAIT, 0}, {1000, 1101, 5, WAIT, 0}}, 2);
    CHECK(two[0].stat.inference == 4 && two[1].stat.inference == 5);
    follow(two, 2, (const Row[]){{1000, 1100, 4, WAIT, 0}}, 1);
    CHECK(two[0].stat.inference == INFERENCE_NONE && two[1].stat.inference == INFERENCE_NONE);
    follow(two, 2, (const Row[]){{1000, 1100, 4, WAIT, 0}, {1000, 1200, 5, WAIT, 0}}, 2);
    CHECK(two[0].stat.inference == INFERENCE_NONE && two[1].stat.inference == INFERENCE_NONE);
    two[0].stat.start_ns = 1100;
    follow(two, 2, (const Row[]){{1000, 1100, 4, WAIT, 0}, {1100, 1200, 5, WAIT, 0}}, 2);
    CHECK(two[0].stat.inference == 5 && two[1].stat.inference == 4);
}

int main(void)
{
    border_checks();
    nearest_checks();
    taking_checks();
    return check_failures() != 0;
}
