/* Spans of a run as columns of numbers: which are drawn, and what each is of. */
#include "advisor/advise/result_charts.h"
#include "tests/unit/check.h"

#include <string.h>

static Arena *arena;

/* A step of the host, a task of three operators and another step: elements 0, 1 to 3, and 4. */
static const ResultPictures *charts(const Timeline *now, const Timeline *after)
{
    static Step step[] = {{.nop = 0}, {.first_op = 5, .nop = 3}, {.nop = 0}};
    static Program program = {.step = step, .nstep = 3};
    static const AdviseRequest request; /* no page is asked for: no marks */
    AdviseRun run = {.arena = arena, .request = &request, .program = &program};
    return result_charts(&run, arena, now, after);
}

static TimelineBlock block(StepId step, const char *name, int64_t start, int64_t end)
{
    return (TimelineBlock){.lane = RESULT_LANE_HOST,
                           .count = 1,
                           .step = step,
                           .op = BLOCK_FULL,
                           .name = name,
                           .start_ns = start,
                           .end_ns = end,
                           .own = true};
}

static bool has_numbers(ResultInts found, const int64_t *expected, size_t n)
{
    bool same = found.count == n;
    for (size_t i = 0; same && i < n; i++)
        same = found.item[i] == expected[i];
    for (size_t i = 0; !same && i < found.count; i++)
        printf("%lld%s", (long long)found.item[i], (i + 1) % SPAN_NUMBERS ? "," : "\n");
    return same;
}
#define HAS_NUMBERS(found, ...)                                                                    \
    has_numbers(found, (const int64_t[]){__VA_ARGS__},                                             \
                sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static bool has_names(ResultTexts found, const char *const *expected, size_t n)
{
    bool same = found.count == n;
    for (size_t i = 0; same && i < n; i++)
        same = !strcmp(found.item[i], expected[i]);
    return same;
}

static bool is_lane(const ResultPicturesLane *x, ResultPicturesLaneLane lane, int index, int count)
{
    return x->lane == lane && x->index == index && x->count == count;
}

/* In units of 100 ns, to the nearest: 149 is 1, 150 is 2.  Of each: lane, depth, how much later
 * than the one before, length, name, element. */
static void check_spans(void)
{
    TimelineBlock list[] = {
        block(0, "a", 0, 149),     block(1, "task", 150, 1000),       block(2, "a", 1000, 1100),
        block(0, "b", 1000, 1200), block(STEP_NONE, "b", 1300, 1300), block(0, "c", 1400, 1500)};
    TimelineBlock inner[] = {block(1, "op", 150, 500), block(1, "op", 500, 1000),
                             block(1, "op", 500, 500)};
    inner[0].op = 5;
    inner[1].op = 7;
    inner[2].op = 6;
    list[1].lane = list[3].lane = inner[0].lane = inner[1].lane = inner[2].lane = RESULT_LANE_PE;
    list[1].count = inner[0].count = inner[1].count = inner[2].count = 2;
    list[3].own = false;
    list[5].lane = RESULT_LANE_RUNTIME;
    Timeline t = {.total_ns = 1449, .block = list, .nblock = 6, .inner = inner, .ninner = 3};
    const ResultPictures *p = charts(&t, NULL);
    const ResultDrawnRun *run = &p->runs.item[0];
    CHECK(p->runs.count == 1);
    CHECK(run->total == 14 && run->omitted == 0 && !run->inference.known);
    CHECK(has_names(p->names, (const char *const[]){"a", "task", "op", "b"}, 4));
    CHECK(p->lanes.count == 3 && is_lane(&p->lanes.item[0], RESULT_PICTURES_LANE_LANE_HOST, 0, 1) &&
          is_lane(&p->lanes.item[1], RESULT_PICTURES_LANE_LANE_PE, 0, 2) &&
          is_lane(&p->lanes.item[2], RESULT_PICTURES_LANE_LANE_PE, 0, 1));
    /* clang-format off */
    CHECK(HAS_NUMBERS(run->spans, 0, 0, 0, 1, 0, 0,
                                  1, 0, 2, 8, 1, -1,
                                  1, 1, 0, 3, 2, 1,
                                  1, 1, 3, 5, 2, 3,
                                  1, 1, 0, 0, 2, 2,
                                  0, 0, 5, 1, 0, 4,
                                  2, 0, 0, 2, 3, -2,
                                  0, 0, 3, 0, 3, -1));
    /* clang-format on */
}

/* What comes after is of another program: its steps are no elements of this one. */
static void check_after(void)
{
    TimelineBlock list[] = {block(0, "a", 0, 100)};
    Timeline t = {.source = RESULT_SOURCE_PREDICTED, .block = list, .nblock = 1};
    const ResultPictures *p = charts(&t, NULL);
    CHECK(!p->after);
    CHECK(p->runs.item[0].label == RESULT_LABEL_PREDICTED);
    p = charts(NULL, &t);
    CHECK(p->runs.count == 0 && p->after->label == RESULT_LABEL_PREDICTED);
    CHECK(HAS_NUMBERS(p->after->spans, 0, 0, 0, 1, 0, -1));
}

/* Of too many the shortest are left out, of those as short the last. */
static void check_most(void)
{
    static TimelineBlock list[CHART_SPANS + 2];
    const size_t last = CHART_SPANS + 1;
    for (size_t i = 0; i <= last; i++)
        list[i] = block(STEP_NONE, "a", 100 * (int64_t)i, 100 * (int64_t)i + 100);
    Timeline t = {.block = list, .nblock = CHART_SPANS};
    const ResultDrawnRun *run = &charts(&t, NULL)->runs.item[0];
    CHECK(run->omitted == 0);
    CHECK(run->spans.count == CHART_SPANS * SPAN_NUMBERS);
    list[last].end_ns += 100;
    list[7].end_ns -= 90;
    t.nblock = CHART_SPANS + 2;
    run = &charts(&t, NULL)->runs.item[0];
    const int64_t *number = run->spans.item;
    CHECK(run->omitted == 2);
    CHECK(run->spans.count == CHART_SPANS * SPAN_NUMBERS);
    /* Without the eighth, and without the last but one. */
    CHECK(number[7 * SPAN_NUMBERS + 2] == 2 && number[8 * SPAN_NUMBERS + 2] == 1);
    CHECK(number[(CHART_SPANS - 1) * SPAN_NUMBERS + 2] == 2 &&
          number[(CHART_SPANS - 2) * SPAN_NUMBERS + 2] == 1);
}

/* Lanes that differ in one of three things are others; beyond the limit they share the last. */
static void check_lanes(void)
{
    static TimelineBlock list[CHART_LANES + 2];
    for (int i = 0; i < CHART_LANES + 2; i++) {
        list[i] = block(STEP_NONE, "a", 100 * i, 100 * i);
        list[i].index = i / 2;
        list[i].count = 1 + i % 2;
    }
    Timeline t = {.block = list, .nblock = CHART_LANES + 2};
    const ResultPictures *p = charts(&t, NULL);
    CHECK(p->lanes.count == CHART_LANES);
    for (int i = 0; i < CHART_LANES + 2; i++)
        CHECK(p->runs.item[0].spans.item[i * SPAN_NUMBERS] ==
              (i < CHART_LANES ? i : CHART_LANES - 1));
}

int main(void)
{
    arena = arena_new(0);
    check_spans();
    check_after();
    check_most();
    check_lanes();
    arena_free(arena);
    return check_failures() != 0;
}
