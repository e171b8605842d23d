/* Fuzzes reading of traces and the statistics over them.
 * What must hold for any bytes: spans are whole (name, kind, duration), statistics add up, and what
 * the strict reader accepts, cJSON accepts too and counts the same X events. */
#include "trace/stats/path.h"
#include "tests/fuzz/harness.h"

#include <cjson/cJSON.h>
#include <math.h>

static void demand(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "does not hold: %s\n", what);
    abort();
}

static void on_span(void *user, const Span *s)
{
    uint64_t *count = user;
    harness_print("%s %s kind %d %" PRId64 "+%" PRId64 " on %" PRId64 ":%" PRId64 "\n", s->name,
                  s->cat, (int)s->kind, s->start_ns, s->dur_ns, s->pid, s->tid);
    demand(s->name && *s->name && s->cat, "a span has a name and a category");
    demand(s->kind <= SPAN_COMPILE, "a span has a kind");
    demand(s->dur_ns >= 0 && s->start_ns <= INT64_MAX - s->dur_ns, "a span has an end");
    ++*count;
}

static void on_named(void *user, const TraceRow *row)
{
    (void)user;
    demand(row->name != NULL, "a process or thread has a name");
    harness_print("%" PRId64 ":%" PRId64 " is %s\n", row->pid, row->tid, row->name);
}

static void check_names(const NameStat *n, size_t count)
{
    for (size_t i = 0; i < count; i++)
        demand(n[i].is_mean || (n[i].count > 0 && n[i].min_ns <= n[i].median_ns &&
                                n[i].median_ns <= n[i].p90_ns && n[i].p90_ns <= n[i].p95_ns &&
                                n[i].p95_ns <= n[i].p99_ns && n[i].p99_ns <= n[i].max_ns),
               "percentiles of a name rise");
}

static void check_stats(const TraceStats *s)
{
    size_t tasks = 0, hosts = 0;
    for (size_t i = 0; i < s->ninference; i++) {
        tasks += s->inference[i].ntask;
        hosts += s->inference[i].nhost;
    }
    demand(tasks + s->orphan_tasks == s->nexecution, "every task is someone's or an orphan");
    demand(hosts <= s->nhost_span, "host spans belong to one inference");
    for (size_t i = 0; i < s->nexecution; i++) {
        const ExecutionStat *e = &s->execution[i];
        int64_t run = 0;
        for (uint32_t k = 0; k < e->nop; k++)
            if (s->op_span[e->first_op + k].kind == SPAN_NPU_OPERATOR)
                run += s->op_span[e->first_op + k].dur_ns;
        demand(!e->has_run || run == 0 || run == e->run_ns, "Run is the sum of the operators");
        demand(!e->has_run || e->io_wait_ns == e->total_ns - e->run_ns, "IoWait is Total - Run");
    }
    check_names(s->npu_name, s->nnpu_name);
    check_names(s->host_name, s->nhost_name);
    check_names(s->other_name, s->nother_name);
    demand(s->latency.count == s->ninference, "every inference counts");
    demand(s->latency.min <= s->latency.median && s->latency.median <= s->latency.p90 &&
               s->latency.p90 <= s->latency.p99_9 && s->latency.p99_9 <= s->latency.max,
           "percentiles rise");
}

static void say_names(const char *of, const NameStat *n, size_t count)
{
    for (size_t i = 0; i < count; i++)
        harness_print("%s %s: %" PRIu64 " of %.9g, %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
                      " %" PRId64 ", self %" PRId64 ", %s\n",
                      of, n[i].name, n[i].count, n[i].average_ns, n[i].min_ns, n[i].median_ns,
                      n[i].p90_ns, n[i].p99_ns, n[i].max_ns, n[i].self_ns, or_none(n[i].op));
}

static void say_stats(const TraceStats *s)
{
    for (size_t i = 0; i < s->ninference; i++) {
        const InferenceStat *f = &s->inference[i];
        harness_print("inference %" PRId64 "+%" PRId64 " %s%s, %u tasks, %u host\n", f->start_ns,
                      f->dur_ns, or_none(f->label), f->warm_up ? " warms up" : "", f->ntask,
                      f->nhost);
    }
    for (size_t i = 0; i < s->nexecution; i++) {
        const ExecutionStat *e = &s->execution[i];
        harness_print("task of %u: %d %d lane %u %" PRId64 "+%" PRId64 " %" PRId64 " %" PRId64
                      ", %u ops\n",
                      e->inference, e->pe_index, e->execution_index, e->lane, e->start_ns,
                      e->total_ns, e->run_ns, e->io_wait_ns, e->nop);
    }
    for (size_t i = 0; i < s->nhost_span; i++)
        harness_print("host of %u: %s %" PRId64 "\n", s->host_span[i].inference,
                      s->host_span[i].name, s->host_detail[i].self_ns);
    say_names("npu", s->npu_name, s->nnpu_name);
    say_names("host", s->host_name, s->nhost_name);
    say_names("other", s->other_name, s->nother_name);
    harness_print("%" PRIu64 " lanes, labels %s %u, share %.9g, compiled %" PRId64 " %" PRId64
                  ", %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "%s\n",
                  s->lanes, or_none(s->application.label), s->application.threads, s->op_share,
                  s->compile_ns, s->service_compile_ns, s->sum_mismatch, s->negative_io_wait,
                  s->orphan_tasks, s->orphan_host, s->orphan_ops,
                  s->dealt_in_order ? ", in order" : "");
    harness_print("warm %" PRIu64 ": %" PRId64 " %" PRId64 " %" PRId64 " %.9g\n", s->warm.count,
                  s->warm.min, s->warm.median, s->warm.max, s->warm.mean);
}

static void check_path(Arena *a, const TraceStats *s)
{
    size_t n;
    int64_t latency, sum = 0;
    PathPart *part = trace_path(a, s, &n, &latency);
    for (size_t i = 0; i < n; i++) {
        harness_print("path %s %" PRId64 "\n", part[i].name, part[i].total_ns);
        sum += part[i].total_ns;
    }
    demand(sum == latency, "the parts of the path sum to the latency");
}

/* X events as a tree would count them; -1 when cJSON takes it for no JSON. */
static int64_t count_by_tree(const char *bytes, size_t size)
{
    cJSON *root = cJSON_ParseWithLength(bytes, size);
    if (!root)
        return -1;
    const cJSON *list = root, *e;
    if (cJSON_IsObject(root))
        list = cJSON_GetObjectItemCaseSensitive(root, "traceEvents");
    int64_t n = 0;
    cJSON_ArrayForEach(e, list)
    {
        const cJSON *phase = cJSON_GetObjectItemCaseSensitive(e, "ph");
        const cJSON *ts = cJSON_GetObjectItemCaseSensitive(e, "ts");
        n += cJSON_IsString(phase) && !strcmp(phase->valuestring, "X") && cJSON_IsNumber(ts);
    }
    cJSON_Delete(root);
    return n;
}

static bool is_plain(const char *bytes, size_t size)
{
    return size > 0 && !memchr(bytes, '\\', size) && !memchr(bytes, 0, size) &&
           (bytes[0] == '[' || bytes[0] == '{') && memmem(bytes, size, "\"ph\"", 4);
}

static void fuzz(Arena *a, const uint8_t *data, size_t size)
{
    const char *bytes = size ? (const char *)data : "", *const path[] = {"fuzz"};
    Diag diag;
    TraceInfo info;
    TraceStats *stats;
    uint64_t handed_out = 0, strictly = 0;
    TraceReadOptions tolerant = {.bytes = bytes, .nbyte = size}, strict = tolerant;
    TraceReadOptions window = tolerant;
    strict.strict = true;
    window.from_ns = 1000;
    window.to_ns = 1000000;
    if (!trace_read(a, "fuzz", &tolerant, on_span, &handed_out, &info, &diag))
        demand(handed_out + info.repairs.doubled == info.spans, "spans are counted");
    else
        harness_print("%s\n", diag.text);
    if (!trace_stats(a, path, 1, &tolerant, &stats, &diag)) {
        say_stats(stats);
        check_stats(stats);
        check_path(a, stats);
    }
    if (!trace_stats(a, path, 1, &window, &stats, &diag)) {
        check_stats(stats);
        check_path(a, stats);
    }
    if (!trace_read(a, "fuzz", &strict, on_span, &strictly, &info, &diag) &&
        is_plain(bytes, size) && info.format == TRACE_CHROME) {
        int64_t tree = count_by_tree(bytes, size);
        demand(tree >= 0, "what strict accepts is JSON");
        demand(info.spans >= (uint64_t)tree, "no X event is lost");
    }
    for (int f = 1; f < TRACE_FORMAT_COUNT; f++) {
        TraceReadOptions forced = tolerant;
        forced.format = (TraceFormat)f;
        forced.named = on_named;
        uint64_t n = 0;
        if (trace_read(a, "fuzz", &forced, on_span, &n, &info, &diag))
            harness_print("%s\n", diag.text);
    }
}
