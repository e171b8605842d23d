/* Copies the spans of a trace through our own writer, and adds the extra process. */
#include "advisor/render/tables/trace_merge.h"

#include "advisor/message/figure.h"
#include "advisor/report/finding.h"
#include "trace/readers/reader.h"
#include "trace/readers/span.h"
#include "trace/write/writer.h"

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

ORDER_BY_POINTED(by_duration, InferenceStat, COMPARE(a->warm_up, b->warm_up),
                 COMPARE(a->dur_ns, b->dur_ns), COMPARE(a->start_ns, b->start_ns))

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
    ORDER_LIST(f, s->ninference, by_duration);
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

static int64_t predicted_ns(const ResultStep *step)
{
    return step->predicted_ns ? step->predicted_ns->mid : 0;
}

static const char *name_of_step(Merge *m, const ResultStep *step)
{
    Figure predicted, measured;
    const char *was =
        step->measured_ns ? figure_time(&measured, (double)step->measured_ns->median) : "nothing";
    return arena_printf(m->arena, "%s: predicted %s, measured %s",
                        step->op ? step->op : result_step_kind_words[step->kind],
                        figure_time(&predicted, (double)predicted_ns(step)), was);
}

static void add_steps(Merge *m)
{
    const ResultStepList *list = &m->merge->result->steps;
    int64_t at = m->start_ns;
    m->nstep = list->count;
    m->step_start_ns = ARENA_ARRAY(m->arena, int64_t, m->nstep + 1);
    m->step_ns = ARENA_ARRAY(m->arena, int64_t, m->nstep + 1);
    for (size_t i = 0; i < list->count; i++) {
        const ResultStep *step = &list->item[i];
        m->step_start_ns[i] = at;
        m->step_ns[i] = predicted_ns(step);
        if (m->step_ns[i] > 0)
            add_span(m, TID_STEPS, name_of_step(m, step), at, m->step_ns[i]);
        at += m->step_ns[i];
    }
    m->end_ns = m->end_ns > at ? m->end_ns : at;
}

/* Low-level operators within their step, as far as there is room. */
static void add_operators(Merge *m)
{
    const ResultOperatorList *list = &m->merge->result->operators;
    int64_t *used = ARENA_ARRAY(m->arena, int64_t, m->nstep + 1);
    for (size_t i = 0; i < list->count; i++) {
        const ResultOperator *op = &list->item[i];
        size_t k = (size_t)op->step_id;
        int64_t ns = op->predicted_ns.mid;
        if (op->step_id < 0 || k >= m->nstep || ns <= 0)
            continue;
        ns = ns < m->step_ns[k] - used[k] ? ns : m->step_ns[k] - used[k];
        if (ns > 0)
            add_span(m, TID_STEPS, arena_printf(m->arena, "%s (predicted)", op->kind),
                     m->step_start_ns[k] + used[k], ns);
        used[k] += ns;
    }
}

/* The step that a recommendation is about: of its operator and node, else of its node; nstep where
 * it is about no single one. */
static size_t step_of(const Merge *m, const ResultWhere *where)
{
    size_t found = m->nstep;
    for (size_t i = 0; where->node && i < m->nstep; i++) {
        const ResultStep *step = &m->merge->result->steps.item[i];
        if (!LIST_ANY(k, step->onnx_nodes.count, !strcmp(step->onnx_nodes.item[k], where->node)))
            continue;
        if (step->op && where->op && !strcmp(step->op, where->op))
            return i;
        found = found < m->nstep ? found : i;
    }
    return found;
}

static const char *name_of_finding(Merge *m, const ReportedFinding *x)
{
    FindingSaving s;
    Figure f;
    const char *text = arena_printf(m->arena, "%s %s", x->rule_id, x->title);
    if (!finding_saving(m->merge->result, x, &s) || strcmp(s.unit, "ns") != 0)
        return text;
    return arena_printf(m->arena, s.up_to ? "%s: saves up to %s" : "%s: saves %s", text,
                        figure_time(&f, s.up_to ? s.value.hi : s.value.mid));
}

static void add_advice(Merge *m)
{
    const Result *r = m->merge->result;
    for (size_t i = 0; i < r->changes.count + r->by_hand.count; i++) {
        ReportedFinding x = finding_at(r, i);
        size_t k = step_of(m, x.where);
        bool somewhere = k < m->nstep && m->step_ns[k] > 0;
        int64_t tid = TID_FIRST_ADVICE + (int64_t)i;
        trace_writer_thread(m->writer, m->most_pid + 1, tid,
                            arena_printf(m->arena, "change %zu", i + 1));
        add_span(m, tid, name_of_finding(m, &x), somewhere ? m->step_start_ns[k] : m->start_ns,
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
