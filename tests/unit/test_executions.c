/* Tasks and the operators in them, by hand. */
#include "tests/unit/check.h"
#include "trace/stats/gather.h"

enum { COUNT_MAX = 16 };
static TaskRow task[COUNT_MAX];

/* A task on a thread; `order` tells it apart once they are sorted. */
static TaskRow made(uint64_t order, uint32_t lane, int64_t start, int64_t end, uint64_t id)
{
    return (TaskRow){
        .stat = {.start_ns = start, .total_ns = end - start, .span_id = id, .inference = 0},
        .order = order,
        .lane = lane};
}

typedef struct {
    uint32_t lane;
    int64_t start;
    uint64_t parent, expected;
} Op;
enum { NONE = 99 };

/* How many operators, in this order, find another task than expected. */
static size_t wrong(size_t ntask, const Op *op, size_t nop)
{
    Gather g = {.op = {.size = sizeof(OpRow)}, .task = task, .ntask = ntask};
    size_t ret = 0, k = 0;
    for (size_t i = 0; i < nop; i++)
        *(OpRow *)rows_push(&g.op) =
            (OpRow){.start_ns = op[i].start, .lane = op[i].lane, .parent_id = op[i].parent};
    gather_assign_operators(&g);
    RowCursor c = rows_begin(&g.op);
    for (OpRow *o; (o = rows_next(&g.op, &c)); k++) {
        uint64_t found = o->lane == TASK_NONE ? NONE : g.task[o->lane].order;
        if (found != op[k].expected)
            printf("  %zu: found %d, expected %d\n", k, (int)found, (int)op[k].expected);
        ret += found != op[k].expected;
    }
    rows_free(&g.op);
    return ret + (k != nop);
}
#define WRONG(ntask, ...)                                                                          \
    wrong(ntask, (const Op[]){__VA_ARGS__}, sizeof((const Op[]){__VA_ARGS__}) / sizeof(Op))

/* ---- whose an operator is ---- */

static void id_checks(void)
{
    task[0] = made(0, 1, 100, 200, 5);
    task[1] = made(1, 1, 300, 400, 8);
    task[2] = made(2, 2, 100, 200, 6);
    task[3] = made(3, 2, 300, 400, 6);
    task[4] = made(4, 3, 100, 200, 0);
    /* By id wherever it lies, the first and the last of them; by thread where two have the id, or
     * none has. */
    CHECK(WRONG(5, {9, 0, 5, 0}, {9, 0, 8, 1}, {1, 150, 8, 1}, {9, 0, 6, NONE}, {2, 150, 6, 2},
                {2, 350, 6, 3}, {1, 150, 7, 0}, {3, 150, 4, 4}, {3, 150, 9, 4}, {9, 0, 9, NONE},
                {3, 150, 0, 4}) == 0);
    task[0] = made(0, 1, 100, 200, 6); /* only two, of one id */
    task[1] = made(1, 2, 100, 200, 6);
    CHECK(WRONG(2, {9, 0, 6, NONE}, {1, 150, 6, 0}, {2, 150, 6, 1}) == 0);
    task[0].stat.span_id = 0;
    CHECK(WRONG(1, {1, 150, 5, 0}) == 0); /* nobody has an id */
    task[0].stat.span_id = 5;
    CHECK(WRONG(1, {9, 0, 5, 0}, {9, 0, 6, NONE}, {9, 0, 4, NONE}) == 0);
    CHECK(WRONG(0, {1, 150, 5, NONE}, {0, 0, 0, NONE}) == 0);
}

static void time_checks(void)
{
    task[0] = made(0, 1, 100, 200, 0);
    task[1] = made(1, 1, 300, 400, 0);
    task[2] = made(2, 2, 150, 350, 0);
    CHECK(WRONG(3, {1, 99, 0, NONE}, {1, 100, 0, 0}, {1, 200, 0, 0}, {1, 201, 0, NONE},
                {1, 299, 0, NONE}, {1, 300, 0, 1}, {1, 400, 0, 1}, {1, 401, 0, NONE},
                {2, 149, 0, NONE}, {2, 150, 0, 2}, {2, 350, 0, 2}, {2, 351, 0, NONE},
                {3, 200, 0, NONE}, {0, 200, 0, NONE}, {1, 150, 0, 0}, {2, 250, 0, 2}) == 0);
    /* Of those that hold it the one that began last, whichever was found before. */
    task[0] = made(0, 1, 100, 900, 0);
    task[1] = made(1, 1, 200, 400, 0);
    task[2] = made(2, 1, 200, 500, 0);
    task[3] = made(3, 2, 200, 500, 0);
    CHECK(WRONG(4, {1, 150, 0, 0}, {1, 200, 0, 2}, {1, 150, 0, 0}, {1, 250, 0, 2}, {1, 450, 0, 2},
                {1, 600, 0, 0}, {1, 300, 0, 2}, {2, 300, 0, 3}, {1, 300, 0, 2}) == 0);
    task[0] = made(0, 1, 100, 900, 0);
    task[1] = made(1, 1, 200, 400, 0);
    CHECK(WRONG(2, {1, 150, 0, 0}, {1, 250, 0, 1}) == 0);
    /* So many are looked at. */
    for (int far = 0; far < 2; far++) {
        size_t others = far ? 8 : 7;
        task[0] = made(0, 1, 100, 900, 0);
        for (size_t i = 1; i <= others; i++)
            task[i] = made(i, 1, 100 + (int64_t)i, 150, 0);
        CHECK(WRONG(others + 1, {1, 500, 0, far ? NONE : 0}) == 0);
    }
}

/* Tasks of two inferences, dealt in any order: by inference, then start, then as they came. */
static void order_checks(void)
{
    task[0] = made(0, 1, 300, 400, 0);
    task[1] = made(1, 1, 100, 200, 0);
    task[2] = made(3, 1, 500, 600, 0);
    task[3] = made(2, 2, 500, 600, 0);
    task[0].stat.inference = 1;
    CHECK(WRONG(4, {1, 350, 0, 0}, {1, 150, 0, 1}, {1, 550, 0, 3}, {2, 550, 0, 2}) == 0);
    const uint64_t order[] = {1, 2, 3, 0};
    for (size_t i = 0; i < 4; i++)
        CHECK(task[i].order == order[i]);
}

/* ---- what they sum to ---- */

static const char *name[] = {"b", "a"};

typedef struct {
    uint32_t task; /* where it lies among them */
    int64_t start, dur;
    int32_t index;
    uint32_t name;
    SpanKind kind;
} Part;

static void collect(TraceStats *s, size_t ntask, const Part *part, size_t n)
{
    Gather g = {.op = {.size = sizeof(OpRow)}, .task = task, .ntask = ntask, .name = name};
    for (size_t i = 0; i < n; i++)
        *(OpRow *)rows_push(&g.op) = (OpRow){.start_ns = part[i].start,
                                             .dur_ns = part[i].dur,
                                             .lane = part[i].task,
                                             .name = part[i].name,
                                             .instruction_index = part[i].index,
                                             .kind = part[i].kind};
    gather_collect_executions(&g, s);
    rows_free(&g.op);
}
#define COLLECT(s, ntask, ...)                                                                     \
    collect(s, ntask, (const Part[]){__VA_ARGS__},                                                 \
            sizeof((const Part[]){__VA_ARGS__}) / sizeof(Part))

static void place_checks(Arena *a)
{
    InferenceStat inference[2] = {{0}};
    TraceStats s = {.arena = a, .inference = inference, .ninference = 2};
    for (uint32_t i = 0; i < 4; i++) {
        task[i] = made(i, 1, 100 * i, 100 * i + 50, 0);
        task[i].stat.inference = i < 1 ? 0 : i < 3 ? 1 : INFERENCE_NONE;
    }
    COLLECT(&s, 4, {2, 205, 7, 1, 0, SPAN_NPU_OPERATOR}, {TASK_NONE, 9, 1, 0, 1, SPAN_NPU_IO},
            {0, 4, 3, 0, 0, SPAN_NPU_OPERATOR}, {2, 205, 6, 1, 0, SPAN_NPU_OPERATOR},
            {2, 205, 6, 1, 1, SPAN_NPU_OPERATOR}, {2, 205, 9, 0, 0, SPAN_NPU_IO},
            {2, 201, 5, 3, 0, SPAN_NPU_OPERATOR}, {TASK_NONE, 8, 1, 0, 0, SPAN_NPU_OPERATOR});
    CHECK(s.nexecution == 4 && s.nop_span == 8 && s.orphan_ops == 2 && s.orphan_tasks == 1);
    CHECK(inference[0].first_task == 0 && inference[0].ntask == 1 && inference[1].first_task == 1 &&
          inference[1].ntask == 2);
    CHECK(s.execution[0].first_op == 0 && s.execution[0].nop == 1 && s.execution[1].nop == 0 &&
          s.execution[2].first_op == 1 && s.execution[2].nop == 5 && s.execution[3].nop == 0);
    /* By start, then index, then the shorter, then name; orphans as they came. */
    const int64_t dur[] = {3, 5, 9, 6, 6, 7, 1, 1};
    for (size_t i = 0; i < 8; i++)
        CHECK(s.op_span[i].dur_ns == dur[i] &&
              s.op_span[i].inference == (i < 1   ? 0
                                         : i < 6 ? 1
                                                 : INFERENCE_NONE));
    CHECK(s.op_span[3].name == name[1] && s.op_span[4].name == name[0]);
    CHECK(s.op_span[6].start_ns == 9 && s.op_span[6].kind == SPAN_NPU_IO &&
          s.op_span[1].operator_index == 3 && s.op_span[7].start_ns == 8);
    CHECK(s.execution[0].has_run && s.execution[0].run_ns == 3 && s.execution[0].io_wait_ns == 47);
    CHECK(s.execution[2].has_run && s.execution[2].run_ns == 24 &&
          s.execution[2].io_wait_ns == 26); /* without what loads and stores */
    CHECK(!s.execution[1].has_run && s.execution[1].run_ns == 0 && s.execution[1].io_wait_ns == 0);
    CHECK(s.op_share == 0.5 && s.sum_mismatch == 0 && s.negative_io_wait == 0);
}

/* What the file states of a task of 1000, and what its operators sum to. */
static TraceStats stated(Arena *a, bool states, int64_t run, int64_t sum, SpanKind kind)
{
    TraceStats s = {.arena = a};
    task[0] = made(0, 1, 0, 1000, 0);
    task[0].stat.inference = INFERENCE_NONE;
    task[0].stat.run_ns = run;
    task[0].stated_run = states;
    COLLECT(&s, 1, {0, 0, sum, 0, 0, kind});
    return s;
}

static void sum_checks(Arena *a)
{
    TraceStats s = stated(a, true, 500, 505, SPAN_NPU_OPERATOR); /* 1 % off is not off */
    CHECK(s.sum_mismatch == 0 && s.execution->run_ns == 505 && s.execution->io_wait_ns == 495);
    CHECK(stated(a, true, 500, 495, SPAN_NPU_OPERATOR).sum_mismatch == 0);
    CHECK(stated(a, true, 500, 506, SPAN_NPU_OPERATOR).sum_mismatch == 1);
    CHECK(stated(a, true, 500, 494, SPAN_NPU_OPERATOR).sum_mismatch == 1);
    s = stated(a, true, 500, 1, SPAN_NPU_IO); /* nothing to hold it against */
    CHECK(s.sum_mismatch == 0 && s.execution->has_run && s.execution->run_ns == 500 &&
          s.execution->io_wait_ns == 500 && s.op_share == 1);
    s = stated(a, false, 0, 400, SPAN_NPU_OPERATOR);
    CHECK(s.sum_mismatch == 0 && s.execution->has_run && s.execution->run_ns == 400);
    s = stated(a, false, 0, 400, SPAN_NPU_IO);
    CHECK(!s.execution->has_run && s.execution->io_wait_ns == 0);
    CHECK(stated(a, false, 0, 1000, SPAN_NPU_OPERATOR).negative_io_wait == 0);
    CHECK(stated(a, false, 0, 1001, SPAN_NPU_OPERATOR).negative_io_wait == 1);
    s = (TraceStats){.arena = a};
    COLLECT(&s, 0, {TASK_NONE, 0, 1, 0, 0, SPAN_NPU_OPERATOR});
    CHECK(s.op_share == 1 && s.nexecution == 0 && s.orphan_ops == 1);
}

int main(void)
{
    Arena *a = arena_new(0);
    id_checks();
    time_checks();
    order_checks();
    place_checks(a);
    sum_checks(a);
    arena_free(a);
    return check_failures() != 0;
}
