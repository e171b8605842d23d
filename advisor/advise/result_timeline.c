/* Writes the timeline of one inference now, and as predicted after the recommended changes. */
#include "advisor/advise/result.h"

#include "advisor/advise/result_charts.h"
#include "advisor/advise/timeline.h"
#include "cost_model/predict.h"
#include "advisor/candidate/proposal.h"

static cJSON *json_block(const TimelineBlock *b, bool has_steps)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "lane", timeline_lane_key(b->lane));
    cJSON_AddNumberToObject(o, "index", b->index);
    cJSON_AddNumberToObject(o, "count", b->count);
    cJSON_AddItemToObject(o, "step_id",
                          result_ns_if(has_steps && b->step != STEP_NONE, (double)b->step));
    cJSON_AddStringToObject(o, "name", b->name);
    cJSON_AddItemToObject(o, "start_ns", result_ns((double)b->start_ns));
    cJSON_AddItemToObject(o, "end_ns", result_ns((double)b->end_ns));
    cJSON_AddBoolToObject(o, "own", b->own);
    cJSON_AddBoolToObject(o, "critical", b->critical);
    return o;
}

static cJSON *json_gap(const Gap *g)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToObject(o, "start_ns", result_ns((double)g->start_ns));
    cJSON_AddItemToObject(o, "end_ns", result_ns((double)g->end_ns));
    cJSON_AddStringToObject(o, "cause", timeline_gap_key(g->cause));
    cJSON_AddItemToObject(o, "name", result_text(g->name));
    return o;
}

static void add_causes(cJSON *o, const Timeline *t)
{
    cJSON *list = cJSON_AddArrayToObject(o, "causes");
    for (int i = 0; i < GAP_COUNT; i++) {
        if (t->cause_count[i] == 0)
            continue;
        cJSON *c = cJSON_CreateObject();
        cJSON_AddStringToObject(c, "cause", timeline_gap_key((GapCause)i));
        cJSON_AddItemToObject(c, "ns", result_ns((double)t->cause_ns[i]));
        cJSON_AddItemToObject(c, "count", result_ns((double)t->cause_count[i]));
        cJSON_AddItemToArray(list, c);
    }
}

/* Of the critical chain, which adds up to the total: the rest is what nothing of it runs in. */
static void add_parts(cJSON *o, const Timeline *t)
{
    int64_t host = 0, npu = 0, io = 0;
    for (size_t i = 0; i < t->nblock; i++) {
        const TimelineBlock *b = &t->block[i];
        int64_t *part = b->lane == LANE_HOST ? &host : b->lane == LANE_PE ? &npu : &io;
        *part += b->critical ? b->end_ns - b->start_ns : 0;
    }
    /* Work that the application saves shortens the whole, and no block. */
    int64_t rest = t->total_ns - host - npu - io, spared = rest < 0 && -rest < host ? -rest : 0;
    cJSON *parts = cJSON_AddObjectToObject(o, "parts");
    cJSON_AddItemToObject(parts, "host_ns", result_ns((double)(host - spared)));
    cJSON_AddItemToObject(parts, "npu_ns", result_ns((double)npu));
    cJSON_AddItemToObject(parts, "io_ns", result_ns((double)io));
    cJSON_AddItemToObject(parts, "rest_ns", result_ns(rest > 0 ? (double)rest : 0));
}

/* `rule_ids`: the changes in it; owned by the tree from here on. */
static cJSON *json_timeline(Arena *a, Timeline *t, cJSON *rule_ids, bool has_steps)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "source", timeline_source(t));
    cJSON_AddItemToObject(o, "rule_ids", rule_ids);
    cJSON_AddItemToObject(o, "total_ns", result_ns((double)t->total_ns));
    add_parts(o, t);
    timeline_limit(a, t);
    cJSON *spans = cJSON_AddArrayToObject(o, "spans");
    for (size_t i = 0; i < t->nblock; i++)
        cJSON_AddItemToArray(spans, json_block(&t->block[i], has_steps));
    cJSON *gaps = cJSON_AddArrayToObject(o, "gaps");
    for (size_t i = 0; i < t->ngap; i++)
        cJSON_AddItemToArray(gaps, json_gap(&t->gap[i]));
    add_causes(o, t);
    cJSON_AddItemToObject(o, "spans_omitted", result_ns((double)t->omitted));
    cJSON_AddItemToObject(o, "gaps_omitted", result_ns((double)t->gaps_omitted));
    cJSON_AddItemToObject(o, "spans_outside", result_ns((double)t->outside));
    return o;
}

static Timeline *make_timeline_now(const AdviseRun *run, Arena *a)
{
    const InferenceStat *typical =
        run->rec ? timeline_inference(run->rec->stats, run->rec->latency.median_ns) : NULL;
    return typical ? timeline_measured(a, run->program, run->prediction, run->rec->stats,
                                       run->costs, typical)
                   : timeline_predicted(a, run->program, run->time, run->costs);
}

/* Settings of all that is recommended together, or of the first; NULL when nothing helps. */
static const Attempt *advised_attempt(const Ranking *r, cJSON *ids)
{
    if (r->combined.npart >= 2) {
        for (size_t i = 0; i < r->combined.npart; i++)
            cJSON_AddItemToArray(ids, cJSON_CreateString(r->combined.part[i]->match->rule->id));
        return &r->combined.attempt;
    }
    if (r->nrec == 0 || !proposal_has_gain(r->rec[0]) || proposal_mid(r->rec[0]) <= 0)
        return NULL;
    cJSON_AddItemToArray(ids, cJSON_CreateString(r->rec[0]->match->rule->id));
    return proposal_attempt(r->rec[0]);
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
        seen->simulated = true;
    return seen;
}

/* Adds the rules of the changes to `ids`. The names of its blocks live as long as `trial`. */
static Timeline *make_timeline_after(const AdviseRun *run, Arena *a, cJSON *ids, Trial *trial)
{
    const Attempt *attempt = advised_attempt(&run->ranking, ids);
    Diag ignored = {0}; /* it has been tried before: it fits */
    Timeline *seen = attempt && run->watched_stats ? verified_timeline(run, a) : NULL;
    if (seen)
        return seen;
    if (!attempt || !attempt->nset ||
        whatif_try(&run->whatif, attempt->set, attempt->nset, trial, &ignored))
        return NULL;
    return timeline_predicted(a, trial->program, trial->time, run->costs);
}

static cJSON *timeline_or_null(Arena *a, Timeline *t, cJSON *ids, bool has_steps)
{
    if (!t) {
        cJSON_Delete(ids);
        return cJSON_CreateNull();
    }
    return json_timeline(a, t, ids, has_steps);
}

void result_add_timeline(cJSON *root, const AdviseRun *run)
{
    cJSON *o = cJSON_AddObjectToObject(root, "timeline"), *ids = cJSON_CreateArray();
    Arena *a = arena_new(0);
    Trial trial = {0};
    bool pictures = run->request->pictures;
    Timeline *first = make_timeline_now(run, a),
             *then = pictures ? make_timeline_after(run, a, ids, &trial) : NULL;
    cJSON *drawn = pictures ? result_charts(run, a, first, then) : cJSON_CreateNull();
    cJSON_AddItemToObject(o, "now", timeline_or_null(a, first, cJSON_CreateArray(), true));
    cJSON_AddItemToObject(o, "after", timeline_or_null(a, then, ids, false));
    cJSON_AddItemToObject(root, "pictures", drawn);
    trial_free(&trial);
    arena_free(a);
}
