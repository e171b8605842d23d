/* Spans of a run as columns of numbers: which are drawn, and what each is of. */
#include "advisor/advise/result_charts.h"
#include "tests/unit/check.h"

#include <string.h>

/* A step of the host, a task of three operators and another step: elements 0, 1 to 3, and 4. */
static const AdviseRun *run_of_three(void)
{
    static Step step[] = {{.nop = 0}, {.first_op = 5, .nop = 3}, {.nop = 0}};
    static Program program = {.step = step, .nstep = 3};
    static AdviseRun run = {.program = &program};
    return &run;
}

static TimelineBlock block(StepId step, const char *name, int64_t start, int64_t end)
{
    return (TimelineBlock){.lane = LANE_HOST,
                           .count = 1,
                           .step = step,
                           .op = BLOCK_FULL,
                           .name = name,
                           .start_ns = start,
                           .end_ns = end,
                           .own = true};
}

static bool is_json(const cJSON *o, const char *expected)
{
    char *text = cJSON_PrintUnformatted(o);
    bool same = text && !strcmp(text, expected);
    if (!same)
        printf("  %s\n", text);
    cJSON_free(text);
    return same;
}

static const cJSON *at(const cJSON *o, const char *key)
{
    return cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(o, "runs"), 0), key);
}

/* In units of 100 ns, to the nearest: 149 is 1, 150 is 2.  Of each: lane, depth, how much later
 * than the one before, length, name, element. */
static void check_spans(Arena *a)
{
    TimelineBlock list[] = {
        block(0, "a", 0, 149),     block(1, "task", 150, 1000),       block(2, "a", 1000, 1100),
        block(0, "b", 1000, 1200), block(STEP_NONE, "b", 1300, 1300), block(0, "c", 1400, 1500)};
    TimelineBlock inner[] = {block(1, "op", 150, 500), block(1, "op", 500, 1000),
                             block(1, "op", 500, 500)};
    inner[0].op = 5;
    inner[1].op = 7;
    inner[2].op = 6;
    list[1].lane = list[3].lane = inner[0].lane = inner[1].lane = inner[2].lane = LANE_PE;
    list[1].count = inner[0].count = inner[1].count = inner[2].count = 2;
    list[3].own = false;
    list[5].lane = LANE_RUNTIME;
    Timeline t = {.total_ns = 1449, .block = list, .nblock = 6, .inner = inner, .ninner = 3};
    cJSON *o = result_charts(run_of_three(), a, &t, NULL);
    CHECK(is_json(at(o, "total"), "14") && is_json(at(o, "omitted"), "0") &&
          is_json(at(o, "inference"), "null"));
    CHECK(is_json(cJSON_GetObjectItem(o, "names"), "[\"a\",\"task\",\"op\",\"b\"]"));
    CHECK(is_json(cJSON_GetObjectItem(o, "lanes"),
                  "[{\"lane\":\"host\",\"index\":0,\"count\":1},{\"lane\":\"pe\",\"index\":0,"
                  "\"count\":2},{\"lane\":\"pe\",\"index\":0,\"count\":1}]"));
    CHECK(is_json(at(o, "spans"), "[0,0,0,1,0,0,"
                                  "1,0,2,8,1,-1,"
                                  "1,1,0,3,2,1,"
                                  "1,1,3,5,2,3,"
                                  "1,1,0,0,2,2,"
                                  "0,0,5,1,0,4,"
                                  "2,0,0,2,3,-2,"
                                  "0,0,3,0,3,-1]"));
    cJSON_Delete(o);
}

/* What comes after is of another program: its steps are no elements of this one. */
static void check_after(Arena *a)
{
    TimelineBlock list[] = {block(0, "a", 0, 100)};
    Timeline t = {.block = list, .nblock = 1};
    cJSON *o = result_charts(run_of_three(), a, &t, NULL);
    CHECK(is_json(cJSON_GetObjectItem(o, "after"), "null"));
    CHECK(is_json(at(o, "label"), "\"predicted\""));
    cJSON_Delete(o);
    o = result_charts(run_of_three(), a, NULL, &t);
    CHECK(is_json(cJSON_GetObjectItem(o, "runs"), "[]"));
    CHECK(is_json(cJSON_GetObjectItem(cJSON_GetObjectItem(o, "after"), "spans"), "[0,0,0,1,0,-1]"));
    cJSON_Delete(o);
}

/* Of too many the shortest are left out, of those as short the last. */
static void check_most(Arena *a)
{
    static TimelineBlock list[CHART_SPANS + 2];
    const size_t last = CHART_SPANS + 1;
    for (size_t i = 0; i <= last; i++)
        list[i] = block(STEP_NONE, "a", 100 * (int64_t)i, 100 * (int64_t)i + 100);
    Timeline t = {.block = list, .nblock = CHART_SPANS};
    cJSON *o = result_charts(run_of_three(), a, &t, NULL);
    CHECK(is_json(at(o, "omitted"), "0"));
    CHECK(cJSON_GetArraySize(at(o, "spans")) == CHART_SPANS * SPAN_NUMBERS);
    cJSON_Delete(o);
    list[last].end_ns += 100;
    list[7].end_ns -= 90;
    t.nblock = CHART_SPANS + 2;
    o = result_charts(run_of_three(), a, &t, NULL);
    const cJSON *spans = at(o, "spans");
    CHECK(is_json(at(o, "omitted"), "2"));
    CHECK(cJSON_GetArraySize(spans) == CHART_SPANS * SPAN_NUMBERS);
    /* Without the eighth, and without the last but one. */
    CHECK(is_json(cJSON_GetArrayItem(spans, 7 * SPAN_NUMBERS + 2), "2") &&
          is_json(cJSON_GetArrayItem(spans, 8 * SPAN_NUMBERS + 2), "1"));
    CHECK(is_json(cJSON_GetArrayItem(spans, (CHART_SPANS - 1) * SPAN_NUMBERS + 2), "2") &&
          is_json(cJSON_GetArrayItem(spans, (CHART_SPANS - 2) * SPAN_NUMBERS + 2), "1"));
    cJSON_Delete(o);
}

/* Lanes that differ in one of three things are others; beyond the limit they share the last. */
static void check_lanes(Arena *a)
{
    static TimelineBlock list[CHART_LANES + 2];
    for (int i = 0; i < CHART_LANES + 2; i++) {
        list[i] = block(STEP_NONE, "a", 100 * i, 100 * i);
        list[i].index = i / 2;
        list[i].count = 1 + i % 2;
    }
    Timeline t = {.block = list, .nblock = CHART_LANES + 2};
    cJSON *o = result_charts(run_of_three(), a, &t, NULL);
    CHECK(cJSON_GetArraySize(cJSON_GetObjectItem(o, "lanes")) == CHART_LANES);
    for (int i = 0; i < CHART_LANES + 2; i++)
        CHECK(cJSON_GetArrayItem(at(o, "spans"), i * SPAN_NUMBERS)->valueint ==
              (i < CHART_LANES ? i : CHART_LANES - 1));
    cJSON_Delete(o);
}

int main(void)
{
    Arena *a = arena_new(0);
    check_spans(a);
    check_after(a);
    check_most(a);
    check_lanes(a);
    arena_free(a);
    return check_failures() != 0;
}
