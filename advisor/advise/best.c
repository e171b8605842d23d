/* Repeats the search until the accuracy of its choice is acceptable, then runs its points. */
#include "advisor/advise/best.h"

#include "advisor/advise/measure_advice.h"
#include "advisor/message/phrase.h"

#include <math.h>

static TuneRequest tune_ask(const AdviseRun *run, Applicability effort)
{
    const AdviseRequest *q = run->request;
    return (TuneRequest){.w = &run->whatif,
                         .book = &run->rules.book,
                         .proposal = run->proposal,
                         .nproposal = run->nproposal,
                         .list = &run->ranking.combined,
                         .said = &q->baseline,
                         .effort = effort,
                         .goal = {q->objective, (double)q->latency_limit_ns}};
}

static void note_not_run(AdviseRun *run, size_t point, const Message *why)
{
    if (why)
        notes_add(run->notes, arena_printf(run->arena, "not-verifiable-%zu", point),
                  phrase_arg(PHRASE_NOTE_POINT_NOT_RUN), arg_count((int64_t)point),
                  arg_message(why));
}

/* Blocks changes that lose too much accuracy, alone or together. `b` may be NULL. */
static void search_within_loss(AdviseRun *run, const TuneRequest *ask, AccuracyBench *b, Tune *ret)
{
    measure_all(run, b, ask->effort);
    for (size_t round = 0; round <= run->nproposal; round++) {
        tune_run(ret, run->arena, ask);
        bool found = ret->chosen < ret->nfront;
        if (!found || !measure_point(run, b, &ret->front[ret->chosen]) ||
            !measure_block_worst(run, &ret->front[ret->chosen]))
            break;
    }
}

void best_from_advice(AdviseRun *run, AccuracyBench *b)
{
    const AdviseRequest *q = run->request;
    if (!q->best || !run->ranking.nrec)
        return;
    TuneRequest ask = tune_ask(run, APPLY_CHECK);
    ask.reach = SEARCH_NEAR;
    ask.front = q->front;
    run->best = ARENA_NEW(run->arena, Tune);
    search_within_loss(run, &ask, b, run->best);
}

void best_verify(AdviseRun *run, Verifier *v)
{
    const Message *why = NULL;
    Tune *t = run->best;
    if (!t || t->chosen == t->nfront)
        return;
    tune_verify(run->arena, &t->front[t->chosen], v, &why);
    note_not_run(run, t->chosen + 1, why);
}

/* Runs each point of the front against the baseline, and recommends the best. */
static void verify_front(AdviseRun *run, Tune *t, Verifier *v)
{
    for (size_t i = 0; i < t->nfront && !tune_ends_before(t, i); i++) {
        const Message *why = NULL;
        tune_verify(run->arena, &t->front[i], v, &why);
        note_not_run(run, i + 1, why);
    }
    tune_choose_by_runs(t);
}

static CapacityGoal rate_of(const AdviseRequest *q, const TuneQuestion *asked)
{
    double limit = q->latency_limit_ns > 0 ? (double)q->latency_limit_ns : INFINITY;
    return (CapacityGoal){asked->images_per_s, asked->equal_gaps, asked->quantile, limit};
}

void best_search(AdviseRun *run, const TuneQuestion *asked, Verifier *v, Tune *ret)
{
    const AdviseRequest *q = run->request;
    TuneRequest ask = tune_ask(run, asked->effort);
    ask.rate = rate_of(q, asked);
    ask.front = true;
    ask.watch = (TuneWatch){asked->tell, asked->user};
    ask.verifier = v;
    AccuracyBench *b = q->data ? measure_open_bench(run) : NULL;
    search_within_loss(run, &ask, b, ret);
    if (v)
        verify_front(run, ret, v);
    accuracy_close(b);
}
