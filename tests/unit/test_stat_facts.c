/* What small traces say of inferences, tasks and operators: all of it, by hand. */
#include "tests/unit/check.h"
#include "trace/stats/load.h"
#include "trace/stats/path.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT_MAX = 16384 };
static char said[COUNT_MAX], json[COUNT_MAX];

static void __attribute__((format(printf, 2, 3))) put(char *to, const char *form, ...)
{
    va_list list;
    size_t n = strlen(to);
    va_start(list, form);
    vsnprintf(to + n, COUNT_MAX - n, form, list);
    va_end(list);
}

/* "N Task 10+5 @3 t1 s2 p4 i0": category (Npu, Runtime), name, microseconds, thread, trace, span
 * and parent id, index; one event a line. */
static void write_json(const char *scene)
{
    char line[256];
    json[0] = '\0';
    put(json,
        "[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":9,\"args\":{\"name\":\"npu:0:0-1\"}}");
    while (*scene) {
        size_t n = strcspn(scene, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, scene);
        scene += n + (scene[n] == '\n');
        char cat = line[0], name[64] = "";
        int ts = 0, dur = 0, used = 0, tid = 0, index = -1;
        unsigned trace = 0, span = 0, parent = 0;
        sscanf(line + 2, "%63s %d+%d%n", name, &ts, &dur, &used);
        for (char *w = strtok(line + 2 + used, " "); w; w = strtok(NULL, " ")) {
            unsigned v = (unsigned)strtoul(w + 1, NULL, 16);
            *(*w == 't'   ? &trace
              : *w == 's' ? &span
              : *w == 'p' ? &parent
                          : (unsigned *)(*w == '@' ? &tid : &index)) = v;
        }
        put(json,
            ",{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"ts\":%d,\"dur\":%d,\"pid\":%d,\"tid\":"
            "%d,\"args\":{",
            cat == 'N' ? "NPU" : "Runtime", name, ts, dur, cat == 'N' ? 9 : 1, tid);
        put(json, "\"trace_id\":\"%x\",\"span_id\":\"%x\",\"parent_span_id\":\"%x\"", trace, span,
            parent);
        if (index >= 0)
            put(json, ",\"%s\":%d", cat == 'N' ? "instruction_index" : "operator_index", index);
        put(json, "}}");
    }
    put(json, "]");
}

static void say_names(const char *of, const NameStat *n, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put(said, "%s %s: %" PRIu64 " of %.9g, %" PRId64 " to %" PRId64 ", self %" PRId64 "\n", of,
            n[i].name, n[i].count, n[i].average_ns / 1000, n[i].min_ns / 1000, n[i].max_ns / 1000,
            n[i].self_ns / 1000);
}

/* Whose: "0", or "-" for nobody's. */
static const char *whose(uint32_t inference)
{
    static char text[16];
    snprintf(text, sizeof text, "%u", inference);
    return inference == INFERENCE_NONE ? "-" : text;
}

static void say_all(Arena *a, const TraceStats *s)
{
    for (size_t i = 0; i < s->ninference; i++) {
        const InferenceStat *f = &s->inference[i];
        put(said, "inference %" PRId64 "+%" PRId64 "%s%s%s\n", f->start_ns / 1000, f->dur_ns / 1000,
            f->label ? " in " : "", f->label ? f->label : "", f->warm_up ? " warms up" : "");
    }
    for (size_t i = 0; i < s->nexecution; i++) {
        const ExecutionStat *e = &s->execution[i];
        put(said, "task of %s: %" PRId64 "+%" PRId64, whose(e->inference), e->start_ns / 1000,
            e->total_ns / 1000);
        if (e->has_run)
            put(said, " run %" PRId64 " wait %" PRId64, e->run_ns / 1000, e->io_wait_ns / 1000);
        for (uint32_t k = 0; k < e->nop; k++)
            put(said, "%s%s", k ? " " : ": ", s->op_span[e->first_op + k].name);
        put(said, "\n");
    }
    for (size_t i = 0; i < s->nhost_span; i++)
        put(said, "%s of %s: %" PRId64 " self %" PRId64 "\n", s->host_span[i].name,
            whose(s->host_span[i].inference), s->host_span[i].dur_ns / 1000,
            s->host_detail[i].self_ns / 1000);
    say_names("npu", s->npu_name, s->nnpu_name);
    put(said, "lanes %" PRIu64 " share %.9g", s->lanes, s->op_share);
    if (s->application.label)
        put(said, " label %s %.9g on %u%s", s->application.label, s->application.work_ns / 1000,
            s->application.threads, s->application.blocks ? " blocks" : "");
    if (s->ncompile)
        put(said, " compiled %" PRIu64 " %" PRId64 " in service %" PRIu64 " %" PRId64, s->ncompile,
            s->compile_ns / 1000, s->nservice_compile, s->service_compile_ns / 1000);
    if (s->orphan_tasks || s->orphan_host || s->orphan_ops)
        put(said, " orphans %" PRIu64 " %" PRIu64 " %" PRIu64, s->orphan_tasks, s->orphan_host,
            s->orphan_ops);
    if (s->negative_io_wait)
        put(said, " negative %" PRIu64, s->negative_io_wait);
    put(said, "%s\n", s->dealt_in_order ? " in order" : "");
    size_t n;
    int64_t latency;
    PathPart *part = trace_path(a, s, &n, &latency);
    for (size_t i = 0; i < n; i++)
        put(said, "%s%s %" PRIu64 " %" PRId64, i ? ", " : "path ", part[i].name, part[i].count,
            part[i].total_ns / 1000);
    TraceLoad l = trace_load(s);
    put(said, "%sload %.9g us, %.9g at once, link %.9g, host %.9g, waiting %" PRId64, n ? "\n" : "",
        l.wall_ns / 1000, l.concurrency, l.link, l.host, l.waiting_ns / 1000);
    for (size_t i = 0; i < l.nlane; i++)
        put(said, ", lane %.9g", l.lane[i]);
    put(said, "\n");
}

static void tells(const char *scene, int64_t from_us, int64_t to_us, const char *expected, int line)
{
    Arena *a = arena_new(0);
    Diag diag = {0};
    TraceStats *s;
    write_json(scene);
    TraceReadOptions o = {
        .bytes = json, .nbyte = strlen(json), .from_ns = from_us * 1000, .to_ns = to_us * 1000};
    said[0] = '\0';
    if (trace_stats(a, (const char *[]){"t"}, 1, &o, &s, &diag))
        put(said, "%s\n", diag.text);
    else
        say_all(a, s);
    bool same = !strcmp(said, expected);
    if (!same)
        printf("line %d:\n%s---- and expected was\n%s", line, said, expected);
    CHECK(same);
    arena_free(a);
}
#define TELLS(scene, expected) tells(scene, 0, 0, expected, __LINE__)

/* Spans that are no operators: by name, the longest first. */
static void other_checks(void)
{
    Arena *a = arena_new(0);
    Diag diag = {0};
    TraceStats *s = NULL;
    write_json("R Inference 0+10 @1\nR Compile 30+4 @1\nR Compile 40+8 @1\nR mine 50+1 @1\nN Task "
               "2+5 @2 s1\nN Load 2+2 @2 p1 i0\nN Conv 4+3 @2 p1 i1\n");
    TraceReadOptions o = {.bytes = json, .nbyte = strlen(json)};
    CHECK(!trace_stats(a, (const char *[]){"t"}, 1, &o, &s, &diag));
    said[0] = '\0';
    say_names("other", s->other_name, s->nother_name);
    CHECK(!strcmp(
        said,
        "other Compile: 2 of 6, 4 to 8, self 12\nother Inference: 1 of 10, 10 to 10, self 10\n"
        "other Task: 1 of 5, 5 to 5, self 5\nother Load: 1 of 2, 2 to 2, self 2\nother mine: 1 of "
        "1, 1 to 1, self 1\n"));
    CHECK(s->ndevice_lane == 1 && s->device_lane[0].card == 0 && s->device_lane[0].first_pe == 0 &&
          s->device_lane[0].last_pe == 1);
    CHECK(s->first_ns == 0 && s->spans == 7 && s->sdk == 10 && s->nfile == 1);
    CHECK(s->latency.count == 1 && s->latency.median == 10000 && s->warm.count == 1);
    arena_free(a);
}

/* By trace id and by parent, whatever the times are; operators by parent and by thread; Load is
 * not Run. */
static void assigned_by_id(void)
{
    TELLS("R Inference 0+100 @1 t1 sa\nR Inference 200+100 @1 t2 sb\nR Quantize 10+10 @1 t1\nR "
          "Lower 12+4 @1 t1\nR Pad 210+5 @1 t1\n"
          "R Slice 500+5 @1 pb\nN Task 30+40 @2 t2 sc\nN Task 230+40 @2 t1 sd\nN Conv 31+10 @2 pc "
          "i0\nN Load 41+5 @2 pc i1\nN Relu 46+24 @2 i2\n"
          "N Conv 400+1 @2 i0\nN Conv 235+3 @3 pd i0\n",
          "inference 0+100\n"
          "inference 200+100\n"
          "task of 0: 230+40 run 3 wait 37: Conv\n"
          "task of 1: 30+40 run 34 wait 6: Conv Load Relu\n"
          "Quantize of 0: 10 self 6\n"
          "Lower of 0: 4 self 4\n"
          "Pad of 0: 5 self 5\n"
          "Slice of 1: 5 self 5\n"
          "npu Relu: 1 of 24, 24 to 24, self 24\n"
          "npu Conv: 3 of 4.66666667, 1 to 10, self 14\n"
          "lanes 1 share 1 orphans 0 0 1\n"
          "path begin … end 1 100, Quantize … end 1 80, begin … Quantize 1 10, Quantize 1 6, Lower "
          "1 4\n"
          "load 300 us, 0.666666667 at once, link 0, host 0.08, waiting 0, lane 0.266666667\n");
}

/* Without ids: in the middle of the span, of those open the one on its thread, else the one
 * that has got fewest of the name, the earliest first. */
static void assigned_by_time(void)
{
    TELLS("R Inference 0+100 @1\nR Inference 10+100 @2\nR Pad 20+10 @2\nR Pad 20+10 @3\nR Pad "
          "22+10 @3\nR Pad 24+10 @3\nR Pad 99+4 @3\nR Pad 109+2 @3\nR Pad 110+2 @3\n"
          "N Task 30+10 @5\nN Task 40+10 @5\nN Task 60+10 @5\n",
          "inference 0+100\n"
          "inference 10+100\n"
          "task of 0: 30+10\n"
          "task of 0: 60+10\n"
          "task of 1: 40+10\n"
          "Pad of 0: 10 self 10\n"
          "Pad of 0: 10 self 10\n"
          "Pad of 1: 10 self 10\n"
          "Pad of 1: 10 self 10\n"
          "Pad of 1: 4 self 4\n"
          "Pad of 1: 2 self 2\n"
          "Pad of -: 2 self 2\n"
          "lanes 2 share 1 orphans 0 1 0\n"
          "path NPU … Pad 1 49, NPU … end 1 30, begin … Pad 2 30, NPU 2 30, Pad 2 29, NPU … NPU 1 "
          "20, Pad … NPU 1 6, Pad … Pad 1 6\n"
          "load 110 us, 1.81818182 at once, link 0, host 0.418181818, waiting 10, lane "
          "0.272727273\n");
}

/* More than half of the tasks between inferences: dealt out in order; half of them: not. */
static void assigned_in_order(void)
{
    TELLS("R Inference 0+10 @1\nR Inference 20+10 @1\nN Task 112+6 @5\nN Task 132+6 @5\n",
          "inference 0+10\n"
          "inference 20+10\n"
          "task of 0: 112+6\n"
          "task of 1: 132+6\n"
          "lanes 1 share 1 in order\n"
          "path begin … end 2 20\n"
          "load 30 us, 0.666666667 at once, link 0, host 0, waiting 0, lane 0.4\n");
    TELLS("R Inference 0+10 @1\nR Inference 20+10 @1\nN Task 2+6 @5\nN Task 132+6 @5\n",
          "inference 0+10\n"
          "inference 20+10\n"
          "task of 0: 2+6\n"
          "task of -: 132+6\n"
          "lanes 1 share 1 orphans 1 0 0\n"
          "path begin … end 1 10, NPU 1 6, NPU … end 1 2, begin … NPU 1 2\n"
          "load 30 us, 0.666666667 at once, link 0, host 0, waiting 0, lane 0.2\n");
    TELLS("R Inference 0+10 @1\nR Inference 20+10 @1\nN Task 112+6 @5\nN Task 132+6 @5\nN Task "
          "152+6 @5\n",
          "inference 0+10\n"
          "inference 20+10\n"
          "task of -: 112+6\n"
          "task of -: 132+6\n"
          "task of -: 152+6\n"
          "lanes 1 share 1 orphans 3 0 0\n"
          "path begin … end 2 20\n"
          "load 30 us, 0.666666667 at once, link 0, host 0, waiting 0\n");
}

/* Labels: the innermost around, on the thread; ends and beginnings may coincide. */
static void labels(void)
{
    TELLS("R outer 0+100 @1\nR Warm-up 10+20 @1\nR Inference 10+20 @1\nR Inference 40+10 @1\nR "
          "Inference 95+10 @1\nR other 90+20 @2\nR warp 200+10 @1\nR Inference 201+5 @1\n",
          "inference 10+20 in Warm-up warms up\n"
          "inference 40+10 in outer\n"
          "inference 95+10\n"
          "inference 201+5 in warp\n"
          "lanes 1 share 1\n"
          "path begin … end 3 25\n"
          "load 196 us, 0.229591837 at once, link 0, host 0, waiting 0\n");
}

/* The application's own work for each inference. */
static void application(void)
{
    TELLS("R prepare 0+30 @1\nR Inference 5+10 @1\nR prepare 40+30 @1\nR Inference 45+10 @1\nR "
          "prepare 80+30 @1\nR Inference 85+10 @1\n",
          "inference 5+10 in prepare\n"
          "inference 45+10 in prepare\n"
          "inference 85+10 in prepare\n"
          "lanes 1 share 1 label prepare 20 on 1 blocks\n"
          "path begin … end 3 30\n"
          "load 90 us, 0.333333333 at once, link 0, host 0, waiting 0\n");
    TELLS("R prepare 0+10 @1\nR prepare 20+10 @1\nR prepare 40+10 @1\nR draw 5+20 @2\nR draw 30+20 "
          "@2\nR draw 60+20 @2\nR Inference 0+10 @3\nR Inference 20+10 @3\nR Inference 40+10 @3\n",
          "inference 0+10\n"
          "inference 20+10\n"
          "inference 40+10\n"
          "lanes 1 share 1 label draw 15 on 1\n"
          "path begin … end 3 30\n"
          "load 50 us, 0.6 at once, link 0, host 0, waiting 0\n");
}

/* Compiled before the first inference and after; what lies in another counts once. */
static void compiled(void)
{
    TELLS("R Compile 0+10 @1\nR Inference 20+10 @1\nR Compile 20+4 @1\nR Register 21+2 @1\nR "
          "AllocateDram 22+5 @1\nR Compile 40+3 @1\n",
          "inference 20+10\n"
          "lanes 1 share 1 compiled 5 24 in service 2 10\n"
          "path begin … end 1 10\n"
          "load 10 us, 1 at once, link 0, host 0, waiting 0\n");
}

/* Warm-up by drift: of eight the first two, a quarter at most; fewer say nothing. */
static void warm_up(void)
{
    TELLS("R Inference 0+90 @1\nR Inference 100+80 @1\nR Inference 200+50 @1\nR Inference 300+51 "
          "@1\nR Inference 400+50 @1\nR Inference 500+49 @1\nR Inference 600+50 @1\nR Inference "
          "700+50 @1\n",
          "inference 0+90 warms up\n"
          "inference 100+80 warms up\n"
          "inference 200+50\n"
          "inference 300+51\n"
          "inference 400+50\n"
          "inference 500+49\n"
          "inference 600+50\n"
          "inference 700+50\n"
          "lanes 1 share 1\n"
          "path begin … end 6 300\n"
          "load 750 us, 0.626666667 at once, link 0, host 0, waiting 0\n");
    TELLS("R Inference 0+90 @1\nR Inference 100+50 @1\nR Inference 200+50 @1\nR Inference 300+51 "
          "@1\nR Inference 400+50 @1\nR Inference 500+49 @1\nR Inference 600+50 @1\n",
          "inference 0+90\n"
          "inference 100+50\n"
          "inference 200+50\n"
          "inference 300+51\n"
          "inference 400+50\n"
          "inference 500+49\n"
          "inference 600+50\n"
          "lanes 1 share 1\n"
          "path begin … end 7 390\n"
          "load 650 us, 0.6 at once, link 0, host 0, waiting 0\n");
}

/* Transfers, tasks that wait for each other's lane, gaps of the path. */
static void transfers_and_gaps(void)
{
    TELLS("R Inference 0+100 @1 t1\nR WriteToDram 10+10 @1 t1\nN Task 20+40 @2 t1\nR ReadFromDram "
          "60+10 @1 t1\nR Unlower 80+20 @1 t1\nR Enqueue 5+60 @1 t1\n"
          "R Inference 10+130 @3 t2\nR WriteToDram 15+10 @3 t2\nN Task 60+40 @2 t2\nR ReadFromDram "
          "100+10 @3 t2\nR Dequantize 120+10 @3 t2\n",
          "inference 0+100\n"
          "inference 10+130\n"
          "task of 0: 20+40\n"
          "task of 1: 60+40\n"
          "Enqueue of 0: 60 self 50\n"
          "WriteToDram of 0: 10 self 10\n"
          "ReadFromDram of 0: 10 self 10\n"
          "Unlower of 0: 20 self 20\n"
          "WriteToDram of 1: 10 self 10\n"
          "ReadFromDram of 1: 10 self 10\n"
          "Dequantize of 1: 10 self 10\n"
          "lanes 2 share 1\n"
          "path NPU 2 80, WriteToDram … NPU 1 35, Unlower 1 20, ReadFromDram 2 20, WriteToDram 2 "
          "20, Dequantize … end 1 10, ReadFromDram … Dequantize 1 10, ReadFromDram … Unlower 1 10, "
          "Dequantize 1 10, begin … Enqueue 1 5, begin … WriteToDram 1 5, Enqueue 1 5\n"
          "load 140 us, 1.64285714 at once, link 0.25, host 0.214285714, waiting 35, lane "
          "0.571428571\n");
}

/* Operators that take longer than their task. */
static void longer_than_their_task(void)
{
    TELLS("R Inference 0+100 @1\nN Task 10+10 @2 i9\nN Execution 30+10 @2\nN Conv 30+8 @2 i0\nN "
          "Conv 38+4 @2 i1\nN Load 40+2 @2 i2\n",
          "inference 0+100\n"
          "task of 0: 10+10\n"
          "task of 0: 30+10 run 12 wait -2: Conv Conv Load\n"
          "npu Conv: 2 of 6, 4 to 8, self 12\n"
          "lanes 1 share 0.5 negative 1\n"
          "path NPU … end 1 60, NPU 1 20, NPU … NPU 1 10, begin … NPU 1 10\n"
          "load 100 us, 1 at once, link 0, host 0, waiting 0, lane 0.2\n");
}

/* A window: what belongs to an inference goes with it, what begins at its end is out. */
static void window(void)
{
    const char *scene = "R Inference 0+10 @1 t1\nR Inference 20+10 @1 t2\nR Inference 40+10 @1 "
                        "t3\nR Pad 22+4 @1 t1\nR Pad 2+4 @1 t2\nR Pad 20+4 @7\n"
                        "R Pad 15+2 @7\nN Task 41+4 @2 t2\nN Task 21+4 @2 t3\nN Task 70+4 @2\nN "
                        "Conv 42+1 @2 i0\nN Conv 22+1 @2 i0\nN Conv 90+1 @2 i0\n";
    tells(scene, 0, 20,
          "inference 0+10\n"
          "Pad of 0: 4 self 4\n"
          "Pad of -: 2 self 2\n"
          "lanes 1 share 1 orphans 0 1 0\n"
          "path begin … end 1 10\n"
          "load 10 us, 1 at once, link 0, host 0.4, waiting 0\n",
          __LINE__);
    tells(scene, 20, 40,
          "inference 20+10\n"
          "task of 0: 41+4 run 1 wait 3: Conv\n"
          "Pad of 0: 4 self 4\n"
          "Pad of 0: 4 self 4\n"
          "npu Conv: 1 of 1, 1 to 1, self 1\n"
          "lanes 1 share 1\n"
          "path Pad … end 1 6, Pad 1 4\n"
          "load 10 us, 1 at once, link 0, host 0.8, waiting 0, lane 0.4\n",
          __LINE__);
    tells(scene, 21, 91,
          "inference 40+10\n"
          "task of 0: 21+4 run 1 wait 3: Conv\n"
          "task of -: 70+4\n"
          "npu Conv: 2 of 1, 1 to 1, self 2\n"
          "lanes 1 share 0.5 orphans 1 0 1\n"
          "path begin … end 1 10\n"
          "load 10 us, 1 at once, link 0, host 0, waiting 0, lane 0.4\n",
          __LINE__);
}

/* In whatever order the file has them. */
static void any_order(void)
{
    TELLS("R Compile 40+3 @1\nR AllocateDram 22+5 @1\nR Register 21+2 @1\nR Compile 20+4 @1\nR "
          "Inference 20+10 @1\nR Compile 0+10 @1\n",
          "inference 20+10\nlanes 1 share 1 compiled 5 24 in service 2 10\npath begin … end 1 10\n"
          "load 10 us, 1 at once, link 0, host 0, waiting 0\n");
    TELLS("N Task 132+6 @5\nN Task 112+6 @5\nR Inference 20+10 @1\nR Inference 0+10 @1\n",
          "inference 0+10\ninference 20+10\ntask of 0: 112+6\ntask of 1: 132+6\nlanes 1 share 1 in "
          "order\npath begin … end 2 20\n"
          "load 30 us, 0.666666667 at once, link 0, host 0, waiting 0, lane 0.4\n");
}

/* Operators as they began, wherever they stand; an id that two inferences share tells nothing.
 */
static void shared_ids(void)
{
    TELLS("R Inference 0+50 @1 t1\nR Inference 60+50 @1 t1\nR Inference 120+50 @1 t9\nR Pad 70+10 "
          "@3 t1\nR Pad 80+10 @3 t9\nR Pad 10+10 @3 t8\n"
          "N Relu 30+4 @2 i2\nN Conv 20+6 @2 i0\nN Load 27+2 @2 i1\nN Task 20+20 @2\n",
          "inference 0+50\n"
          "inference 60+50\n"
          "inference 120+50\n"
          "task of 0: 20+20 run 10 wait 10: Conv Load Relu\n"
          "Pad of 0: 10 self 10\n"
          "Pad of 1: 10 self 10\n"
          "Pad of 2: 10 self 10\n"
          "npu Conv: 1 of 6, 6 to 6, self 6\n"
          "npu Relu: 1 of 4, 4 to 4, self 4\n"
          "lanes 1 share 1\n"
          "path begin … end 1 50, Pad … end 1 30, begin … Pad 2 20, Pad 2 20, NPU 1 20, NPU … end "
          "1 10\n"
          "load 170 us, 0.882352941 at once, link 0, host 0.176470588, waiting 0, lane "
          "0.117647059\n");
}

int main(void)
{
    assigned_by_id();
    assigned_by_time();
    assigned_in_order();
    labels();
    application();
    compiled();
    warm_up();
    transfers_and_gaps();
    longer_than_their_task();
    window();
    any_order();
    shared_ids();
    other_checks();
    return check_failures() != 0;
}
