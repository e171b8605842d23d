/* Layers and the records of a profile, joined by name; the grade of what was joined; shapes that an
 * engine was built for. */
#include "advisor/advise/compiled/engine_shapes.h"
#include "advisor/advise/compiled/layer_times.h"
#include "tests/unit/check.h"
#include "tests/unit/layer_chain.h"

#include <string.h>

static Arena *arena;

static Made *named(const char *a, const char *b, const char *c)
{
    Made *m = chain(arena, 3, DT_FLOAT16);
    m->op[0].name = a;
    m->op[1].name = b;
    m->op[2].name = c;
    return m;
}

static LayerTimes *joined(Made *m, EngineRow *row, size_t n)
{
    m->times.row = row;
    m->times.nrow = n;
    return layer_times_join(arena, &m->graph, &m->times);
}

static const char *issues(const LayerTimes *t)
{
    const char *all = arena_printf(arena, "%c", t->grade);
    for (size_t i = 0; i < t->nissue; i++)
        all = arena_printf(arena, "%s %s", all, t->issue[i].code);
    return arena_printf(arena, "%s%s", all, t->gains ? "" : ", no gains");
}

static void joins(void)
{
    /* Records of one name go to layers of that name in their order; the rest are strays. */
    EngineRow row[] = {{"y", 5, 4}, {"x", 1, -1}, {"x", 2, 0},
                       {"a", 7, 7}, {"b", 9, 9},  {"c", 7, 7}};
    LayerTimes *t = joined(named("x", "y", "x"), row, 6);
    CHECK(t->ns[0] == 1 && t->ns[1] == 5 && t->ns[2] == 2);
    CHECK(t->median_ns[0] == LAYER_UNTIMED && t->median_ns[1] == 4 && t->median_ns[2] == 0);
    CHECK(t->joined == 3 && t->timed == 3 && t->sum_ns == 31 && t->joined_ns == 8);
    CHECK(t->stray == 3 && same_text(t->stray_row[0]->name, "b") &&
          same_text(t->stray_row[1]->name, "a") && same_text(t->stray_row[2]->name, "c"));
    /* In one order, each to its own. */
    EngineRow like[] = {{"x", 1, 1}, {"y", 0, 0}, {"x", 3, 3}};
    t = joined(named("x", "y", "x"), like, 3);
    CHECK(t->ns[0] == 1 && t->ns[1] == 0 && t->ns[2] == 3 && t->timed == 2 && t->stray == 0);
    /* A layer without a record, and more layers of a name than records. */
    t = joined(named("x", "z", "x"), row + 1, 1);
    CHECK(t->ns[0] == 1 && t->ns[1] == LAYER_UNTIMED && t->ns[2] == LAYER_UNTIMED);
    CHECK(t->median_ns[1] == LAYER_UNTIMED && t->joined == 1 && t->timed == 1 && t->stray == 0);
}

/* 60 of layers where 54 are computed: 6 more over three layers that ran. */
static void events(void)
{
    EngineRow row[] = {{"x", 10, -1}, {"y", 20, -1}, {"z", 30, -1}};
    Made *m = named("x", "y", "z");
    m->times.stage[ENGINE_COMPUTE] = (EngineStage){.known = true, .mean = 54, .cv = -1};
    LayerTimes *t = joined(m, row, 3);
    CHECK(t->event_ns == 2);
    m->times.stage[ENGINE_COMPUTE].mean = 59.5; /* half a nanosecond over three layers */
    CHECK(joined(m, row, 3)->event_ns == 0.5 / 3);
    CHECK(layer_without_event(t, 5) == 3 && layer_without_event(t, 2) == 0 &&
          layer_without_event(t, 1) == 0);
    m->times.stage[ENGINE_COMPUTE].mean = 60;
    CHECK(joined(m, row, 3)->event_ns == 0);
    m->times.stage[ENGINE_COMPUTE].mean = 61;
    CHECK(joined(m, row, 3)->event_ns == 0);
    m->times.stage[ENGINE_COMPUTE] = (EngineStage){.mean = 54};
    CHECK(joined(m, row, 3)->event_ns == 0);
    row[0].average_ns = 0; /* 50 of two that ran */
    m->times.stage[ENGINE_COMPUTE] = (EngineStage){.known = true, .mean = 46};
    CHECK(joined(m, row, 3)->event_ns == 2);
}

static void grades(void)
{
    EngineRow row[] = {{"x", 10, -1}, {"y", 20, -1}, {"z", 30, -1}, {"w", 1, -1}};
    Made *m = named("x", "y", "z");
    m->times.iterations = 30;
    m->times.stage[ENGINE_COMPUTE] = (EngineStage){.known = true, .mean = 60, .cv = 0.025};
    CHECK(same_text(issues(joined(m, row, 3)), "A"));
    m->times.iterations = 29;
    CHECK(same_text(issues(joined(m, row, 3)), "B few-runs"));
    m->times.bad_rows = 1;
    CHECK(same_text(issues(joined(m, row, 3)), "C bad-records few-runs"));
    m->times.stage[ENGINE_COMPUTE].cv = 0.026;
    CHECK(same_text(issues(joined(m, row, 3)), "D bad-records few-runs unstable"));
    CHECK(same_text(issues(joined(m, row, 4)), "D pair-mismatch bad-records few-runs unstable"));
    m->times.bad_rows = 0;
    m->times.iterations = 30;
    m->times.stage[ENGINE_COMPUTE].cv = -1;
    CHECK(same_text(issues(joined(m, row, 4)), "B pair-mismatch"));
    /* Nobody knows what a query takes; its latency tells as well. */
    m->times.stage[ENGINE_COMPUTE] = (EngineStage){.cv = 1};
    CHECK(same_text(issues(joined(m, row, 3)), "B"));
    m->times.stage[ENGINE_LATENCY].known = true;
    CHECK(same_text(issues(joined(m, row, 3)), "A"));
    /* 95 of 100 belong to it, and less. */
    EngineRow most[] = {{"x", 15, -1}, {"y", 30, -1}, {"z", 50, -1}, {"w", 5, -1}};
    CHECK(same_text(issues(joined(m, most, 4)), "B pair-mismatch"));
    most[3].average_ns = 5.1;
    CHECK(same_text(issues(joined(m, most, 4)), "D pair-mismatch, no gains"));
    EngineRow none[] = {{"x", 0, -1}, {"y", 0, -1}, {"z", 0, -1}};
    CHECK(same_text(issues(joined(m, none, 3)), "D, no gains"));
    CHECK(same_text(issues(joined(m, row, 0)), "D no-layer-times, no gains"));
}

/* What the sentences count. */
static void said(void)
{
    EngineRow row[] = {{"x", 10, -1}, {"w", 1, -1}};
    Made *m = named("x", "y", "z");
    m->times.iterations = 1;
    LayerTimes *t = joined(m, row, 2);
    CHECK(same_text(t->issue[0].code, "pair-mismatch") && same_text(t->issue[1].code, "few-runs"));
    const char *mismatch = message_format(arena, NULL, t->issue[0].said),
               *one = message_format(arena, NULL, t->issue[1].said);
    CHECK(strstr(mismatch, "2 of 3") && strstr(mismatch, "1 of 2") && strstr(mismatch, "1 ns") &&
          strstr(mismatch, "11 ns"));
    CHECK(!strstr(one, "2"));
    m->times.iterations = 2;
    m->times.stage[ENGINE_COMPUTE] = (EngineStage){.known = true, .mean = 11, .cv = 0.0312};
    t = joined(m, row, 2);
    CHECK(strstr(message_format(arena, NULL, t->issue[1].said), "2"));
    CHECK(strstr(message_format(arena, NULL, t->issue[2].said), "3.1"));
    m->times.stage[ENGINE_COMPUTE].known = false;
    m->times.nrow = 0;
    CHECK(strstr(message_format(arena, NULL, joined(m, row, 0)->issue[0].said), "--exportProfile"));
    m->graph.kind = IMPORT_LOWERED;
    CHECK(
        !strstr(message_format(arena, NULL, joined(m, row, 0)->issue[0].said), "--exportProfile"));
}

/* ---- shapes ---- */

static const char *shapes_of(const EngineOption *option, size_t n)
{
    EngineTimes t = {.option = (EngineOption *)option, .noption = n};
    size_t count;
    const EngineShape *s = engine_shapes(arena, &t, &count);
    const char *all = "";
    for (size_t i = 0; i < count; i++)
        all = arena_printf(arena, "%s%s%s %s %s %s %s%s%s", all, *all ? "; " : "", s[i].name,
                           s[i].min, s[i].opt, s[i].max, s[i].run ? s[i].run : "-",
                           s[i].off_opt ? " off" : "", s[i].wide ? " wide" : "");
    return all;
}

static void shapes(void)
{
    static const struct {
        EngineOption option[3];
        const char *expected;
    } check[] = {
        {{{"build", "input-build-shape-1", "x=1x3+2x3+7x3"}}, "x 1x3 2x3 7x3 -"},
        {{{"build", "input-build-shape-1", "x=1x3+2x3+8x3"}}, "x 1x3 2x3 8x3 - wide"},
        {{{"build", "input-build-shape-1", "x=2x3+2x3+15x3"}}, "x 2x3 2x3 15x3 -"},
        {{{"build", "input-build-shape-1", "x=1x10+2x10+1x80,y=1"}}, "x 1x10 2x10 1x80 - wide"},
        {{{"build", "input-build-shape-1", "x=0x1+1x1+9x1"}}, "x 0x1 1x1 9x1 -"},
        {{{"build", "input-build-shape-1", "x=a+b+c"}}, "x a b c -"},
        {{{"build", "input-build-shape-1", "x=1x1+2+1"}}, "x 1x1 2 1 -"},
        {{{"build", "input-build-shape-1", "x=1x3+2x3"}}, ""},
        {{{"build", "input-build-shape-1", "x"}}, ""},
        {{{"build", "input", "x=1x3+2x3+7x3"}}, ""},
        {{{"inference", "input-build-shape-1", "x=1x3+2x3+7x3"}}, ""},
        /* Run at the shape that it was tuned for, at another, and told of another input. */
        {{{"build", "input-build-shape-1", "x=1x3+2x3+7x3"},
          {"inference", "input-inference-shapes", "y=9,x=2x3"}},
         "x 1x3 2x3 7x3 2x3"},
        {{{"build", "input-build-shape-1", "x=1x3+2x3+7x3"},
          {"inference", "input-inference-shapes", "x=1x3,y=2"}},
         "x 1x3 2x3 7x3 1x3 off"},
        {{{"build", "input-build-shape-1", "x=1x3+2x3+7x3"},
          {"inference", "input-inference-shapes", "xx=1x3"}},
         "x 1x3 2x3 7x3 -"},
        {{{"build", "input-build-shape-1", "x=1x3+2x3+7x3"},
          {"build", "input-inference-shapes", "x=1x3"},
          {"inference", "output", "x=1x3"}},
         "x 1x3 2x3 7x3 -"},
        {{{"build", "input-build-shape-1", "x=1+2+3"}, {"build", "input-build-shape-2", "y=1+1+1"}},
         "x 1 2 3 -; y 1 1 1 -"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        size_t n = 0;
        while (n < 3 && check[i].option[n].key)
            n++;
        CHECK(same_text(shapes_of(check[i].option, n), check[i].expected));
    }
}

int main(void)
{
    arena = arena_new(0);
    joins();
    events();
    grades();
    said();
    shapes();
    arena_free(arena);
    return check_failures() != 0;
}
