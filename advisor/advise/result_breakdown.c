/* Divides now by kind of step and operator, and names the cause of most of it. */
#include "advisor/advise/result.h"

#include "advisor/candidate/search/plan.h"

enum { KINDS_MAX = 64, KINDS_SHOWN = 5 };

typedef struct {
    const char *kind;
    double ns;
    int64_t *step;
    size_t nstep;
} Kind;

typedef struct {
    const AdviseRun *run;
    Kind kind[KINDS_MAX];
    size_t n;
} Breakdown;

static Kind *kind_named(Breakdown *b, const char *name)
{
    size_t i = LIST_INDEX(k, b->n, strcmp(b->kind[k].kind, name) == 0);
    if (i == KINDS_MAX)
        i--;
    if (i == b->n)
        b->kind[b->n++] =
            (Kind){name, 0, ARENA_ARRAY(b->run->arena, int64_t, b->run->program->nstep), 0};
    return &b->kind[i];
}

static const char *kind_of_step(const Step *s)
{
    return s->kind == STEP_NPU ? "npu" : s->kind == STEP_HOST ? s->op : "transfer";
}

/* Time that is in no step, operator, transfer or queue. */
static double unattributed_of(const AdviseRun *run)
{
    const Prediction *t = run->time;
    double rest = fmax(0, t->unattributed_ns.mid - fmax(0, t->waiting_ns));
    return run->rec ? fmin(rest, (double)run->rec->unattributed_ns) : rest;
}

/* The scatter of host operators belongs to them: the median of a sum exceeds the sum of medians. */
static void add_steps(Breakdown *b)
{
    const Program *p = b->run->program;
    const Prediction *t = b->run->time;
    double scatter = t->unattributed_ns.mid - fmax(0, t->waiting_ns) - unattributed_of(b->run);
    double host = t->host_ns.mid > 0 ? 1 + fmax(0, scatter) / t->host_ns.mid : 1;
    for (size_t i = 0; i < p->nstep; i++) {
        Kind *k = kind_named(b, kind_of_step(&p->step[i]));
        k->ns += t->step[i].total_ns.mid * (p->step[i].kind == STEP_HOST ? host : 1);
        k->step[k->nstep++] = (int64_t)i;
    }
}

ORDER_BY(by_time, Kind, COMPARE(b->ns, a->ns), strcmp(a->kind, b->kind))

/* Keeps the largest, and adds the rest up. */
static void merge_small(Breakdown *b)
{
    ORDER_LIST(b->kind, b->n, by_time);
    if (b->n <= KINDS_SHOWN + 1)
        return;
    Kind other = {"other", 0, ARENA_ARRAY(b->run->arena, int64_t, b->run->program->nstep), 0};
    for (size_t i = KINDS_SHOWN; i < b->n; i++) {
        other.ns += b->kind[i].ns;
        for (size_t k = 0; k < b->kind[i].nstep; k++)
            other.step[other.nstep++] = b->kind[i].step[k];
    }
    b->kind[KINDS_SHOWN] = other;
    b->n = KINDS_SHOWN + 1;
}

static void add_kind(Breakdown *b, const char *kind, double ns)
{
    if (ns > 0)
        b->kind[b->n++] = (Kind){kind, ns, NULL, 0};
}

static ResultBreakdownList breakdown_of(const AdviseRun *run)
{
    Breakdown b = {.run = run};
    const Prediction *t = run->time;
    double waiting = fmax(0, t->waiting_ns), sum = 0, now = run->plans.now.latency_ns;
    add_steps(&b);
    add_kind(&b, "runtime", t->gap_ns.mid);
    merge_small(&b);
    add_kind(&b, "queueing", waiting);
    add_kind(&b, "unattributed", unattributed_of(run));
    for (size_t i = 0; i < b.n; i++)
        sum += b.kind[i].ns;
    ResultBreakdown *list = ARENA_ARRAY(run->arena, ResultBreakdown, b.n);
    size_t n = 0;
    for (size_t i = 0; i < b.n && sum > 0; i++)
        if (b.kind[i].ns > 0)
            list[n++] = (ResultBreakdown){b.kind[i].kind,
                                          result_real(b.kind[i].ns / sum),
                                          result_ns(now * b.kind[i].ns / sum),
                                          {b.kind[i].step, b.kind[i].nstep}};
    return (ResultBreakdownList){list, n};
}

/* ---- the cause ---- */

/* The share of now that a row's steps and operators take. */
static double share_of_effect(const AdviseRun *run, const Effect *e)
{
    double ns = 0, all = run->time->latency_ns.mid;
    for (size_t i = 0; i < e->nstep; i++)
        ns += run->time->step[e->step[i]].total_ns.mid;
    return all > 0 ? ns / all : 0;
}

#define CAUSE_SHARE     0.5
#define ELSEWHERE_SHARE 0.1

/* The place, and how long the same kind of work takes in other steps, if that is worth a word. */
static const char *cause_text(const AdviseRun *run, const Occurrence *place, const Effect *e)
{
    const Program *p = run->program;
    double ns = LIST_SUM(double, i, p->nstep,
                         place->op && !strcmp(kind_of_step(&p->step[i]), place->op) &&
                                 !LIST_ANY(k, e->nstep, e->step[k] == i)
                             ? run->time->step[i].total_ns.mid
                             : 0);
    return ns < ELSEWHERE_SHARE * run->time->latency_ns.mid
               ? place->text
               : RESULT_SENTENCE(run,
                                 MESSAGE(run->arena, phrase_arg(PHRASE_CAUSE_ELSEWHERE),
                                         arg_text(place->text), arg_text(place->op), arg_time(ns)));
}

/* The first change of the recommended plan, if it is at one place and that place is most of now. */
static const ResultCauses *cause_of(const AdviseRun *run)
{
    const Plan *p = plan_recommended(&run->plans);
    const PlanRow *x = p && p->nrow ? &p->row[0] : NULL;
    if (!x || !x->part || x->part->proposal->match->nplace != 1)
        return NULL;
    double share = share_of_effect(run, &x->effect);
    if (share <= CAUSE_SHARE)
        return NULL;
    return RESULT_NEW(run->arena, ResultCauses,
                      {.text = cause_text(run, x->part->proposal->match->place, &x->effect),
                       .steps = result_ids(run->arena, x->effect.step, x->effect.nstep),
                       .share = result_real(fmin(1, share))});
}

void result_set_breakdown(Result *ret, const AdviseRun *run)
{
    ret->breakdown = breakdown_of(run);
    ret->cause = cause_of(run);
    ret->unsuitable = RESULT_SENTENCE(run, run->unsuitable);
    ret->widened = run->widened ? phrase_text(run->request->lang, PHRASE_WIDENED) : NULL;
    if (run->cpu_ns.mid > 0)
        ret->cpu_alone_ns =
            RESULT_NEW(run->arena, ResultIntervalNs, result_interval_ns(run->cpu_ns));
}
