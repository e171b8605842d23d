/* Matching of spans and steps, and what the spans of a step add up to. */
#include "cost_model/match/span_match.h"
#include "cost_model/reconcile.h"
#include "tests/unit/check.h"

#include <string.h>

/* Conv2d, Reshape (a view), Pool, Conv2d. */
static const LowOp ops[] = {{.kind = LOWOP_CONV2D},
                            {.kind = LOWOP_RESHAPE, .zero_cost = true},
                            {.kind = LOWOP_POOL},
                            {.kind = LOWOP_CONV2D}};

/* Whether the spans, by name, are these ops; -1: none. */
static bool aligned(Arena *a, const char *const *name, const int *want, uint32_t n)
{
    Step step = {.kind = STEP_NPU, .nop = 4};
    Program p = {.op = (LowOp *)ops, .nop = 4, .step = &step, .nstep = 1};
    OpSpan *span = ARENA_ARRAY(a, OpSpan, n + 1);
    uint32_t *found = ARENA_ARRAY(a, uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        span[i] =
            (OpSpan){.name = name[i],
                     .kind = strncmp(name[i], "LowLevel", 8) ? SPAN_NPU_IO : SPAN_NPU_OPERATOR};
    match_task(a, &p, &step, NULL, span, n, found);
    bool ok = true;
    for (uint32_t i = 0; i < n; i++)
        ok = ok && found[i] == (want[i] < 0 ? MATCH_NONE : (uint32_t)want[i]);
    for (uint32_t i = 0; !ok && i < n; i++)
        printf("  %s: %d, expected %d\n", name[i], (int)found[i], want[i]);
    return ok;
}

#define CONV "LowLevelConv2d"
#define POOL "LowLevelPool"
#define VIEW "LowLevelReshape"

static void task_checks(Arena *a)
{
    CHECK(aligned(a, (const char *[]){CONV, VIEW, POOL, CONV}, (int[]){0, 1, 2, 3}, 4));
    /* The trace shows no view; one that it shows and we do not have costs nothing to skip. */
    CHECK(aligned(a, (const char *[]){CONV, POOL, CONV}, (int[]){0, 2, 3}, 3));
    CHECK(aligned(a, (const char *[]){"Load", CONV, POOL, "LowLevelSlice", CONV, "Store"},
                  (int[]){-1, 0, 2, -1, 3, -1}, 6));
    /* The Pool tells that it is the first Conv2d that is missing. */
    CHECK(aligned(a, (const char *[]){POOL, CONV}, (int[]){2, 3}, 2));
    CHECK(aligned(a, (const char *[]){CONV, POOL}, (int[]){0, 2}, 2));
    CHECK(aligned(a, (const char *[]){CONV, "LowLevelOdd", "LowLevelPad", POOL, CONV},
                  (int[]){0, -1, -1, 2, 3}, 5));
    CHECK(aligned(a, (const char *[]){CONV}, (int[]){0}, 1)); /* either: the first */
}

/* 2,049 ops and 2,049 spans are more than 2^22 cells: the k-th of a kind, where the counts agree.
 */
static void long_task_checks(Arena *a)
{
    enum { N = 2050 };
    LowOp *op = ARENA_ARRAY(a, LowOp, N);
    OpSpan *span = ARENA_ARRAY(a, OpSpan, N);
    uint32_t *found = ARENA_ARRAY(a, uint32_t, N);
    for (int i = 0; i < N; i++) {
        op[i].kind = i % 2 ? LOWOP_POOL : LOWOP_CONV2D;
        span[i] = (OpSpan){.name = i % 2 ? CONV : POOL,
                           .kind = SPAN_NPU_OPERATOR}; /* the other way about */
    }
    Step step = {.kind = STEP_NPU, .nop = N};
    Program p = {.op = op, .nop = N, .step = &step, .nstep = 1};
    match_task(a, &p, &step, NULL, span, N, found);
    CHECK(found[0] == 1 && found[1] == 0 && found[N - 2] == N - 1 && found[N - 1] == N - 2);
    span[0].name = CONV; /* one Conv2d more, one Pool less: nobody knows which is which */
    match_task(a, &p, &step, NULL, span, N, found);
    CHECK(found[0] == MATCH_NONE && found[1] == MATCH_NONE && found[N - 1] == MATCH_NONE);
}

/* 0 -> 1 -> 4 and 0 -> 2 -> 3 -> 4, all Conv2d, of 1, 100, 1, 10 and 1000 ns. */
static void check_order(Arena *a, const double *seen_ns, const uint32_t *want)
{
    static const LowOpId to[] = {0, 2, 1, 3};
    static const double op_ns[] = {1, 100, 1, 10, 1000};
    LowOp op[5] = {{.kind = LOWOP_CONV2D},
                   {.kind = LOWOP_CONV2D, .dep = to, .ndep = 1},
                   {.kind = LOWOP_CONV2D, .dep = to, .ndep = 1},
                   {.kind = LOWOP_CONV2D, .dep = to + 1, .ndep = 1},
                   {.kind = LOWOP_CONV2D, .dep = to + 2, .ndep = 2}};
    Step step = {.kind = STEP_NPU, .nop = 5};
    Program p = {.op = op, .nop = 5, .step = &step, .nstep = 1};
    OpSpan span[5];
    uint32_t found[5];
    for (int i = 0; i < 5; i++)
        span[i] = (OpSpan){.name = CONV, .kind = SPAN_NPU_OPERATOR, .dur_ns = (int64_t)seen_ns[i]};
    match_task(a, &p, &step, op_ns, span, 5, found);
    for (int i = 0; i < 5; i++)
        CHECK(found[i] == want[i]);
}

static void order_checks(Arena *a)
{
    /* In the program's order three are off by 100, 10 and 10 times, which count as 4 each, the most
     * that one counts; in the other none, for one turn to another branch (1.5): better by more than
     * 8. */
    check_order(a, (double[]){1, 1, 10, 100, 1000}, (uint32_t[]){0, 2, 3, 1, 4});
    /* A chip twice as slow throughout is another chip. */
    check_order(a, (double[]){2, 2, 20, 200, 2000}, (uint32_t[]){0, 2, 3, 1, 4});
    /* The program's own, and times that chance makes. */
    check_order(a, (double[]){1, 100, 1, 10, 1000}, (uint32_t[]){0, 1, 2, 3, 4});
    check_order(a, (double[]){2, 70, 2, 15, 900}, (uint32_t[]){0, 1, 2, 3, 4});
    /* The last first: nothing may run before what it reads. */
    check_order(a, (double[]){1000, 1, 1, 10, 100}, (uint32_t[]){0, 1, 2, 3, 4});
}

/* Lower, Dequantize twice, transfer in; spans by operator index, then by time. */
static void host_checks(Arena *a)
{
    Step step[] = {{.kind = STEP_HOST, .host_op = HOST_LOWER, .op = "Lower"},
                   {.kind = STEP_HOST, .host_op = HOST_DEQUANTIZE, .op = "Dequantize"},
                   {.kind = STEP_HOST, .host_op = HOST_DEQUANTIZE, .op = "Dequantize"},
                   {.kind = STEP_H2D, .op = "h2d"},
                   {.kind = STEP_NPU, .op = "npu"}};
    Program p = {.step = step, .nstep = 5};
    StrMap names = match_node_names(a, &p);
    OpSpan span[] = {
        {.name = "Dequantize", .kind = SPAN_HOST_OPERATOR, .operator_index = 7},
        {.name = "WriteToDram", .kind = SPAN_TRANSFER, .operator_index = INDEX_NONE},
        {.name = "TableLookup", .kind = SPAN_HOST_OPERATOR, .operator_index = 3},
        {.name = "SendOperandTriple", .kind = SPAN_SUBMIT, .operator_index = INDEX_NONE},
        {.name = "Lower", .kind = SPAN_HOST_OPERATOR, .operator_index = INDEX_NONE}};
    uint32_t found[5];
    match_host(a, &p, &names, span, 5, found);
    CHECK(found[0] == 2 && found[2] == 1); /* index 3 is before 7, whatever the time */
    CHECK(found[1] == 3 && found[3] == MATCH_NONE && found[4] == 0);
    match_host(a, &p, &names, span, 2, found); /* one Dequantize for two steps */
    CHECK(found[0] == MATCH_NONE && found[1] == 3);
    span[4].detail =
        &(const OpDetail){.op = "Unlower"}; /* the file says what it is, and it is none of ours */
    match_host(a, &p, &names, span, 5, found);
    CHECK(found[4] == MATCH_NONE && found[0] == 2);
}

int main(void)
{
    Arena *a = arena_new(0);
    task_checks(a);
    long_task_checks(a);
    order_checks(a);
    host_checks(a);
    arena_free(a);
    return check_failures() != 0;
}
