/* Times of the steps of a program from the spans of its inferences: the k-th of a name is the k-th
 * step of it, and where their numbers differ nobody can say which is which. */
#include "advisor/advise/compiled/program_times.h"
#include "tests/unit/check.h"

#include <string.h>

static Arena *arena;

/* A quantization, a task and two transfers by one name. */
static Imported program(ImportKind kind)
{
    static ImportOp op[] = {{.name = "first", .type = "Quantize"},
                            {.name = "npu"},
                            {.name = "in", .type = "h2d"},
                            {.name = "out", .type = "h2d"}};
    return (Imported){.kind = kind, .op = op, .nop = 4};
}

#define HOST(label, ns)                                                                            \
    {                                                                                              \
        .kind = SPAN_HOST_OPERATOR, .name = label, .dur_ns = ns                                    \
    }
#define MOVE(label, ns)                                                                            \
    {                                                                                              \
        .kind = SPAN_TRANSFER, .name = label, .dur_ns = ns                                         \
    }

static const char *told(const EngineTimes *t)
{
    const char *all = "";
    for (size_t i = 0; i < t->nrow; i++)
        all = arena_printf(arena, "%s%s%s %g %g", all, i ? "; " : "", t->row[i].name,
                           t->row[i].average_ns, t->row[i].median_ns);
    return all;
}

static EngineTimes times_of(ImportKind kind, const TraceStats *s)
{
    EngineTimes t;
    Imported g = program(kind);
    engine_times_init(&t, arena);
    program_times(&t, &g, s);
    return t;
}

/* Three inferences, the first of them warm-up; in the last a transfer is missing, so the one that
 * is there may be either: 90 over two inferences.  The other steps have their two values. */
static void matched(void)
{
    OpSpan span[] = {
        HOST("Quantize", 900), MOVE("h2d", 900),       MOVE("h2d", 900),
        HOST("Quantize", 10),  MOVE("WriteToDram", 4), MOVE("h2d", 6),
        HOST("Quantize", 30),  MOVE("h2d", 90),        {.kind = SPAN_SUBMIT, .name = "h2d"},
        HOST("Softmax", 8)};
    ExecutionStat task[] = {{.total_ns = 900}, {.total_ns = 50}, {.total_ns = 70}};
    InferenceStat f[] = {
        {.first_host = 0, .nhost = 3, .first_task = 0, .ntask = 1, .warm_up = true},
        {.first_host = 3, .nhost = 3, .first_task = 1, .ntask = 1},
        {.first_host = 6, .nhost = 4, .first_task = 2, .ntask = 1}};
    TraceStats s = {
        .inference = f,
        .ninference = 3,
        .nwarm_up = 1,
        .execution = task,
        .nexecution = 3,
        .host_span = span,
        .nhost_span = 10,
        .warm = {.count = 2, .min = 1, .mean = 2, .median = 3, .max = 4, .p90 = 5, .p99 = 6},
        .latency = {.count = 3, .min = 9, .mean = 9, .median = 9, .max = 9, .p90 = 9, .p99 = 9}};
    EngineTimes t = times_of(IMPORT_LOWERED, &s);
    CHECK(same_text(told(&t), "first 20 20; npu 60 60; in 4 4; out 6 6; h2d 45 -1; Softmax 4 -1"));
    CHECK(t.iterations == 2);
    const EngineStage *l = &t.stage[ENGINE_LATENCY];
    CHECK(l->known && l->from_queries && l->n == 2 && l->min == 1 && l->mean == 2 &&
          l->median == 3 && l->max == 4 && l->p90 == 5 && l->p99 == 6 && l->cv == -1);
    /* Of the drawn graph of a task the operators speak, of which there are none here. */
    t = times_of(IMPORT_DOT, &s);
    CHECK(same_text(told(&t), "first 20 20; in 4 4; out 6 6; h2d 45 -1; Softmax 4 -1"));
    /* Nothing but warm-up counts as well as anything. */
    s.ninference = 1;
    s.warm.count = 0;
    t = times_of(IMPORT_LOWERED, &s);
    CHECK(same_text(told(&t), "first 900 900; npu 900 900; in 900 900; out 900 900"));
    CHECK(t.iterations == 1 && t.stage[ENGINE_LATENCY].n == 3 && t.stage[ENGINE_LATENCY].min == 9);
    s.ninference = 0;
    s.nwarm_up = 0;
    t = times_of(IMPORT_LOWERED, &s);
    CHECK(t.nrow == 0 && t.iterations == 0 && !t.stage[ENGINE_LATENCY].known);
}

/* Operators of a task by their names in the vendor's graph. */
static void operators(void)
{
    static ImportOp op[] = {{.name = "a", .type = "Conv2d"}, {.name = "b", .type = "Conv2d"}};
    Imported g = {.kind = IMPORT_DOT, .op = op, .nop = 2};
    OpSpan in[] = {{.name = "LowLevelConv2d", .dur_ns = 5}, {.name = "Conv2d", .dur_ns = 7}};
    ExecutionStat task[] = {{.total_ns = 50, .first_op = 0, .nop = 2}};
    InferenceStat f[] = {{.first_task = 0, .ntask = 1}};
    TraceStats s = {.inference = f,
                    .ninference = 1,
                    .execution = task,
                    .nexecution = 1,
                    .op_span = in,
                    .nop_span = 2};
    EngineTimes t;
    engine_times_init(&t, arena);
    program_times(&t, &g, &s);
    CHECK(same_text(told(&t), "a 5 5; b 7 7"));
    CHECK(!t.stage[ENGINE_LATENCY].known);
    g.kind = IMPORT_TENSORRT;
    engine_times_init(&t, arena);
    program_times(&t, &g, &s);
    CHECK(same_text(told(&t), ""));
}

int main(void)
{
    arena = arena_new(0);
    matched();
    operators();
    arena_free(arena);
    return check_failures() != 0;
}
