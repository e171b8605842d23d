/* A trace with predictions and recommendations in an extra process. */
#include "advisor/render/tables/trace_merge.h"

#include "advisor/message/figure.h"
#include "advisor/message/json.h"
#include "trace/readers/reader.h"
#include "trace/readers/span.h"
#include "trace/write/writer.h"
#include "graph/base/compare.h"

#include <stdlib.h>
#include <string.h>

/* Rows of our process. */
enum { TID_STEPS = 1, TID_FIRST_ADVICE = 2 };

typedef struct {
    Arena *arena;
    const TraceMerge *merge;
    TraceWriter *writer;
    int64_t most_pid;                 /* of the trace: ours is the next */
    int64_t start_ns, end_ns;         /* of the inference that ours is drawn beside */
    int64_t *step_start_ns, *step_ns; /* per step of the result */
    size_t nstep;
} Merge;

/* ---- what was measured --------------------------------------------------------------------- */

/* Times count from the first span: viewers that take seconds since 1970 as binary fractions lose
 * the nanoseconds. */
static int64_t from_first(const Merge *m, int64_t ns)
{
    return (int64_t)((uint64_t)ns - (uint64_t)m->merge->stats->first_ns);
}

static void copy_span(void *user, const Span *s)
{
    Merge *m = user;
    Span moved = *s;
    m->most_pid = s->pid > m->most_pid ? s->pid : m->most_pid;
    moved.start_ns = from_first(m, s->start_ns);
    trace_writer_span(m->writer, &moved);
}

static void copy_name(void *user, const TraceRow *row)
{
    Merge *m = user;
    m->most_pid = row->pid > m->most_pid ? row->pid : m->most_pid;
    if (row->is_thread)
        trace_writer_thread(m->writer, row->pid, row->tid, row->name);
    else
        trace_writer_process(m->writer, row->pid, row->name);
}

static Status copy_traces(Merge *m, Diag *diag)
{
    TraceReadOptions o = *m->merge->read;
    Status st = STATUS_OK;
    o.named = copy_name;
    o.named_user = m;
    o.also = NULL;
    for (size_t i = 0; i < m->merge->npath && !st; i++) {
        TraceInfo info;
        if (m->merge->stats->run[i].is_again)
            continue;
        st = trace_read(m->arena, m->merge->path[i], &o, copy_span, m, &info, diag);
    }
    return st;
}

/* ---- what is predicted --------------------------------------------------------------------- */

static int by_duration(const void *pa, const void *pb)
{
    const InferenceStat *const *a = pa, *const *b = pb;
    if ((*a)->warm_up != (*b)->warm_up)
        return (*a)->warm_up ? 1 : -1;
    if ((*a)->dur_ns != (*b)->dur_ns)
        return COMPARE((*a)->dur_ns, (*b)->dur_ns);
    return COMPARE((*a)->start_ns, (*b)->start_ns);
}

/* The median of those that are no warm-up; where the trace has none, ours begins at 0. */
static void choose_inference(Merge *m)
{
    const TraceStats *s = m->merge->stats;
    const InferenceStat **f = ARENA_ARRAY(m->arena, const InferenceStat *, s->ninference + 1);
    size_t n = s->nwarm_up < s->ninference ? s->ninference - s->nwarm_up : s->ninference;
    if (n == 0)
        return;
    for (size_t i = 0; i < s->ninference; i++)
        f[i] = &s->inference[i];
    qsort(f, s->ninference, sizeof *f, by_duration);
    m->start_ns = from_first(m, f[(n - 1) / 2]->start_ns);
    m->end_ns = m->start_ns + f[(n - 1) / 2]->dur_ns;
}

static void add_span(Merge *m, int64_t tid, const char *name, int64_t start_ns, int64_t dur_ns)
{
    Span s = span_empty();
    s.name = name;
    s.cat = TRACE_OWN_CATEGORY;
    s.pid = m->most_pid + 1;
    s.tid = tid;
    s.start_ns = start_ns;
    s.dur_ns = dur_ns;
    trace_writer_span(m->writer, &s);
}

static const char *name_of_step(Merge *m, const cJSON *step)
{
    Figure predicted, measured;
    double ns;
    const char *op = json_text(step, "op", json_text(step, "kind", "step"));
    const char *was =
        json_number(step, "measured_ns.median", &ns) ? figure_time(&measured, ns) : "nothing";
    return arena_printf(m->arena, "%s: predicted %s, measured %s", op,
                        figure_time(&predicted, json_number_or(step, "predicted_ns.mid", 0)), was);
}

static void add_steps(Merge *m)
{
    const cJSON *list = json_at(m->merge->result, "steps"), *step;
    int64_t at = m->start_ns;
    size_t i = 0;
    m->nstep = json_count(m->merge->result, "steps");
    m->step_start_ns = ARENA_ARRAY(m->arena, int64_t, m->nstep + 1);
    m->step_ns = ARENA_ARRAY(m->arena, int64_t, m->nstep + 1);
    cJSON_ArrayForEach(step, list)
    {
        m->step_start_ns[i] = at;
        m->step_ns[i] = (int64_t)json_number_or(step, "predicted_ns.mid", 0);
        if (m->step_ns[i] > 0)
            add_span(m, TID_STEPS, name_of_step(m, step), at, m->step_ns[i]);
        at += m->step_ns[i++];
    }
    m->end_ns = m->end_ns > at ? m->end_ns : at;
}

/* Low-level operators within their step, as far as there is room. */
static void add_operators(Merge *m)
{
    const cJSON *list = json_at(m->merge->result, "operators"), *op;
    int64_t *used = ARENA_ARRAY(m->arena, int64_t, m->nstep + 1);
    cJSON_ArrayForEach(op, list)
    {
        double step = json_number_or(op, "step_id", -1);
        int64_t ns = (int64_t)json_number_or(op, "predicted_ns.mid", 0);
        if (step < 0 || step >= (double)m->nstep || ns <= 0)
            continue;
        size_t k = (size_t)step;
        ns = ns < m->step_ns[k] - used[k] ? ns : m->step_ns[k] - used[k];
        if (ns > 0)
            add_span(m, TID_STEPS,
                     arena_printf(m->arena, "%s (predicted)", json_text(op, "kind", "operator")),
                     m->step_start_ns[k] + used[k], ns);
        used[k] += ns;
    }
}

/* ---- what is recommended ------------------------------------------------------------------- */

static bool has_node(const cJSON *step, const char *node)
{
    const cJSON *n;
    cJSON_ArrayForEach(n,
                       json_at(step, "onnx_nodes")) if (cJSON_IsString(n) &&
                                                        !strcmp(n->valuestring, node)) return true;
    return false;
}

/* The step that a recommendation is about: of its operator and node, else of its node; nstep where
 * it is about no single one. */
static size_t step_of(const Merge *m, const cJSON *advice)
{
    const char *node = json_text(advice, "where.node", NULL),
               *op = json_text(advice, "where.op", "");
    const cJSON *step;
    size_t i = 0, found = m->nstep;
    cJSON_ArrayForEach(step, json_at(m->merge->result, "steps"))
    {
        if (node && has_node(step, node)) {
            if (!strcmp(json_text(step, "op", ""), op))
                return i;
            found = found < m->nstep ? found : i;
        }
        i++;
    }
    return found;
}

static const char *name_of_advice(Merge *m, const cJSON *advice)
{
    Figure f;
    double gain;
    const char *text = arena_printf(m->arena, "%s %s", json_text(advice, "rule_id", "?"),
                                    json_text(advice, "title", ""));
    if (!json_number(advice, "gain.predicted.mid", &gain) ||
        strcmp(json_text(advice, "gain.unit", ""), "ns") != 0)
        return text;
    return arena_printf(m->arena, "%s: gains %s", text, figure_time(&f, gain));
}

static void add_advice(Merge *m)
{
    int64_t tid = TID_FIRST_ADVICE;
    const cJSON *advice;
    cJSON_ArrayForEach(advice, json_at(m->merge->result, "recommendations"))
    {
        size_t k = step_of(m, advice);
        bool somewhere = k < m->nstep && m->step_ns[k] > 0;
        trace_writer_thread(
            m->writer, m->most_pid + 1, tid,
            arena_printf(m->arena, "recommendation %lld", (long long)(tid - TID_FIRST_ADVICE + 1)));
        add_span(m, tid++, name_of_advice(m, advice), somewhere ? m->step_start_ns[k] : m->start_ns,
                 somewhere ? m->step_ns[k] : m->end_ns - m->start_ns);
    }
}

Status trace_merge(Arena *a, const TraceMerge *merge, Diag *diag)
{
    Merge m = {.arena = a, .merge = merge};
    int style = merge->stats->sdk == 9 ? 9 : 10;
    Status st = trace_writer_open(a, merge->output, style, &m.writer, diag);
    if (st)
        return st;
    if ((st = copy_traces(&m, diag))) {
        trace_writer_abort(m.writer);
        return st;
    }
    if (m.most_pid >= INT32_MAX)
        m.most_pid = -2; /* viewers take small numbers; traces have no negative ones */
    trace_writer_process(m.writer, m.most_pid + 1, "npu-advise");
    trace_writer_thread(m.writer, m.most_pid + 1, TID_STEPS, "predicted");
    choose_inference(&m);
    add_steps(&m);
    add_operators(&m);
    add_advice(&m);
    return trace_writer_close(m.writer, diag);
}
