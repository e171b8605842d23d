/* Builds the timeline of one inference now, and as predicted after the changes. */
#include "advisor/advise/result.h"

#include "advisor/advise/result_charts.h"
#include "advisor/candidate/search/plan.h"
#include "cost_model/predict.h"

/* The names of a trial's steps end with it, so each is copied. */
static ResultSpanList spans_of(Arena *a, const Timeline *t, bool has_steps)
{
    ResultSpan *list = ARENA_ARRAY(a, ResultSpan, t->nblock);
    for (size_t i = 0; i < t->nblock; i++) {
        const TimelineBlock *b = &t->block[i];
        list[i] = (ResultSpan){.lane = b->lane,
                               .index = b->index,
                               .count = b->count,
                               .step_id = result_int_if(has_steps && b->step != STEP_NONE, b->step),
                               .name = arena_strdup(a, b->name),
                               .start_ns = b->start_ns,
                               .end_ns = b->end_ns,
                               .own = b->own,
                               .critical = b->critical};
    }
    return (ResultSpanList){list, t->nblock};
}

static ResultGapList gaps_of(Arena *a, const Timeline *t)
{
    ResultGap *list = ARENA_ARRAY(a, ResultGap, t->ngap);
    for (size_t i = 0; i < t->ngap; i++) {
        list[i] = t->gap[i];
        list[i].name = arena_strdup(a, t->gap[i].name);
    }
    return (ResultGapList){list, t->ngap};
}

static ResultCauseList causes_of(Arena *a, const Timeline *t)
{
    ResultCause *list = ARENA_ARRAY(a, ResultCause, RESULT_GAP_CAUSE_COUNT);
    size_t n = 0;
    for (size_t i = 0; i < RESULT_GAP_CAUSE_COUNT; i++)
        if (t->cause[i].count)
            list[n++] = t->cause[i];
    return (ResultCauseList){list, n};
}

/* Of the critical chain, which adds up to the total: in the rest, no part of it runs. */
static ResultParts parts_of(const Timeline *t)
{
    int64_t host = 0, npu = 0, io = 0;
    for (size_t i = 0; i < t->nblock; i++) {
        const TimelineBlock *b = &t->block[i];
        int64_t *part = b->lane == RESULT_LANE_HOST ? &host
                        : b->lane == RESULT_LANE_PE ? &npu
                                                    : &io;
        *part += b->critical ? b->end_ns - b->start_ns : 0;
    }
    /* Work that the application saves shortens the whole, and no block. */
    int64_t rest = t->total_ns - host - npu - io, spared = rest < 0 && -rest < host ? -rest : 0;
    return (ResultParts){host - spared, npu, io, rest > 0 ? rest : 0};
}

/* `rule_ids`: the changes in it; NULL for NULL. */
static const ResultTimeline *timeline_of(Arena *a, Timeline *t, ResultTexts rule_ids,
                                         bool has_steps)
{
    if (!t)
        return NULL;
    ResultParts parts = parts_of(t); /* of all blocks, not only of those that are shown */
    timeline_limit(a, t);
    return RESULT_NEW(a, ResultTimeline,
                      {.source = t->source,
                       .rule_ids = rule_ids,
                       .total_ns = t->total_ns,
                       .parts = parts,
                       .spans = spans_of(a, t, has_steps),
                       .gaps = gaps_of(a, t),
                       .causes = causes_of(a, t),
                       .spans_omitted = (int64_t)t->omitted,
                       .gaps_omitted = (int64_t)t->gaps_omitted,
                       .spans_outside = (int64_t)t->outside});
}

static Timeline *make_timeline_now(const AdviseRun *run, Arena *a)
{
    const InferenceStat *typical =
        run->rec ? timeline_inference(run->rec->stats, run->rec->latency.median_ns) : NULL;
    return typical ? timeline_measured(a, run->program, run->prediction, run->rec->stats,
                                       run->costs, typical)
                   : timeline_predicted(a, run->program, run->time, run->costs);
}

/* The rules of the recommended plan. */
static ResultTexts advised_rules(Arena *a, const Plan *p)
{
    const char **list = ARENA_ARRAY(a, const char *, p->nrow + 1);
    size_t n = 0;
    for (size_t i = 0; i < p->nrow; i++)
        if (p->row[i].part)
            list[n++] = p->row[i].part->proposal->match->rule->id;
    return (ResultTexts){list, n};
}

/* The median inference of the measured run. */
static Timeline *verified_timeline(const AdviseRun *run, Arena *a)
{
    const Trial *t = &run->watched;
    const TraceStats *s = run->watched_stats;
    const InferenceStat *typical = timeline_inference(s, s->latency.median);
    if (!typical)
        return NULL;
    Prediction *pure = predict(a, t->program, run->costs, &t->variant.run);
    Timeline *seen = timeline_measured(a, t->program, pure, s, run->costs, typical);
    if (seen)
        seen->source = RESULT_SOURCE_SIMULATED;
    return seen;
}

/* The names of its blocks live as long as `trial`. */
static Timeline *make_timeline_after(const AdviseRun *run, Arena *a, Trial *trial)
{
    const Plan *p = plan_recommended(&run->plans);
    const Attempt *attempt = p ? &p->settings : NULL;
    Diag ignored = {0}; /* it has been tried before: it fits */
    Timeline *seen = attempt && run->watched_stats ? verified_timeline(run, a) : NULL;
    if (seen)
        return seen;
    if (!attempt || !attempt->nset ||
        whatif_try(&run->whatif, attempt->set, attempt->nset, trial, &ignored))
        return NULL;
    return timeline_predicted(a, trial->program, trial->time, run->costs);
}

void result_set_timeline(Result *ret, const AdviseRun *run)
{
    Arena *a = run->arena, *scratch = arena_new(0);
    Trial trial = {0};
    bool pictures = run->request->pictures;
    Timeline *now = make_timeline_now(run, scratch),
             *after = pictures ? make_timeline_after(run, scratch, &trial) : NULL;
    if (pictures)
        ret->pictures = result_charts(run, scratch, now, after);
    ret->timeline.now = timeline_of(a, now, (ResultTexts){0}, true);
    if (after)
        ret->timeline.after =
            timeline_of(a, after, advised_rules(a, plan_recommended(&run->plans)), false);
    trial_free(&trial);
    arena_free(scratch);
}
