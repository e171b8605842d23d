/* Advises about each model in a forked copy of this process, and collects the changes and what
 * their runs showed. */
#include "advisor/validation/validate_advice.h"

#include "graph/base/folder.h"
#include "advisor/message/json.h"
#include "advisor/message/process.h"
#include "advisor/report/finding.h"
#include "advisor/report/result_json.h"
#include "advisor/candidate/rank.h"
#include "advisor/candidate/runner.h"
#include "graph/base/notes.h"
#include "graph/base/random.h"
#include "graph/base/compare.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Each run of the advisor has chances of its own: under one seed all models would share one draw
 * for their first operator, and its luck would count once for each.  The trace comes from other
 * runs than those that verify, as many of them. */
enum { STREAM_TRACE = 0x74726163, STREAM_VERIFY = 0x76657269 };

static uint64_t seed_of(uint64_t seed, uint64_t stream, size_t run)
{
    return random_bits(seed, stream, run, 0) >> 14; /* what an option can spell */
}

typedef struct {
    const AdviceValidationRequest *request;
    const char **path; /* of each run's model */
    AdviceValidationRun *run;
    TempFolder folder;
    size_t done, all;
} Desk;

/* ---- one run, in its own process ---- */

/* What was predicted, and what the runs say of it. */
typedef struct {
    const char *rule_id, *verdict; /* verdict NULL: there is none */
    double baseline, ranked_by;    /* of what was predicted */
    const ResultInterval *predicted;
    const ResultVerified *verified;
    bool bound;
} GainRow;

static void add_gain(cJSON *list, const GainRow *x)
{
    if (!x->predicted || !x->verified)
        return;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "rule_id", x->rule_id);
    cJSON_AddNumberToObject(o, "baseline", x->baseline);
    cJSON *predicted = cJSON_AddObjectToObject(o, "predicted");
    cJSON_AddNumberToObject(predicted, "lo", x->predicted->lo);
    cJSON_AddNumberToObject(predicted, "mid", x->predicted->mid);
    cJSON_AddNumberToObject(predicted, "hi", x->predicted->hi);
    cJSON_AddNumberToObject(o, "ranked_by", x->ranked_by);
    cJSON *verified = cJSON_AddObjectToObject(o, "verified");
    cJSON_AddNumberToObject(verified, "median", x->verified->median);
    cJSON_AddNumberToObject(verified, "lo", x->verified->lo);
    cJSON_AddNumberToObject(verified, "hi", x->verified->hi);
    cJSON_AddNumberToObject(verified, "baseline", x->verified->baseline);
    cJSON_AddStringToObject(verified, "runner", x->verified->runner);
    json_add_text(o, "verdict", x->verdict);
    cJSON_AddBoolToObject(o, "bound", x->bound);
    cJSON_AddItemToArray(list, o);
}

static void add_recommended(cJSON *gains, const ResultRecommendation *rec)
{
    const ResultGain *gain = &rec->gain;
    double lo = gain->predicted ? gain->predicted->lo : 0;
    add_gain(gains, &(GainRow){.rule_id = rec->rule_id,
                               .verdict = result_verdict_words[rec->verdict],
                               .baseline = gain->baseline.value,
                               .ranked_by = gain->rank_lo.known ? gain->rank_lo.value : lo,
                               .predicted = gain->predicted,
                               .verified = gain->verified});
}

static void add_combined(cJSON *gains, const ResultCombined *x)
{
    add_gain(gains, &(GainRow){.rule_id = VALIDATE_COMBINED,
                               .baseline = x->baseline,
                               .ranked_by = x->predicted.lo,
                               .predicted = &x->predicted,
                               .verified = x->verified});
}

static bool read_interval(const cJSON *o, ResultInterval *ret)
{
    return json_number(o, "lo", &ret->lo) && json_number(o, "mid", &ret->mid) &&
           json_number(o, "hi", &ret->hi);
}

/* What the runs say of what is there now. */
static bool read_verified(const cJSON *bound, double baseline, ResultVerified *ret)
{
    const cJSON *v = json_at(bound, "verified");
    ResultInterval now;
    *ret = (ResultVerified){.median = json_number_or(v, "median", 0),
                            .lo = json_number_or(v, "lo", 0),
                            .hi = json_number_or(v, "hi", 0),
                            .baseline = json_number_or(v, "baseline", 0),
                            .runner = json_text(v, "runner", "?")};
    if (read_interval(json_at(v, "now"), &now)) {
        ret->median = now.mid;
        ret->lo = now.lo;
        ret->hi = now.hi;
        ret->baseline = baseline;
    }
    return cJSON_IsObject(v);
}

/* A recommendation that is a bound itself was run as one.  At most what there is can go: a bound is
 * a share of its own baseline, and held against the same share of the one that was run.  The list
 * is beside the result, and only there when it is asked for. */
static void add_bounds(cJSON *gains, const cJSON *list)
{
    for (const cJSON *bound = json_first(list, ""); bound; bound = bound->next) {
        ResultInterval predicted;
        ResultVerified verified;
        double baseline = json_number_or(bound, "baseline", 0);
        if (read_interval(json_at(bound, "predicted"), &predicted) &&
            read_verified(bound, baseline, &verified))
            add_gain(gains, &(GainRow){.rule_id = json_text(bound, "rule_id", "?"),
                                       .baseline = baseline,
                                       .ranked_by = predicted.lo,
                                       .predicted = &predicted,
                                       .verified = &verified,
                                       .bound = true});
    }
}

/* Each once. */
static void add_id(cJSON *list, const char *id)
{
    if (!json_find(list, "", id))
        cJSON_AddItemToArray(list, cJSON_CreateString(id));
}

/* What gains are shares of: measured if it was. */
static double baseline_of(const Result *r)
{
    if (r->objective == RESULT_OBJECTIVE_THROUGHPUT)
        return r->prediction ? r->prediction->throughput_per_s.mid : 0;
    if (r->measured)
        return (double)r->measured->latency_ns.median;
    return r->prediction ? (double)r->prediction->latency_ns.mid : 0;
}

static void add_fired(cJSON *list, const Result *r)
{
    for (size_t i = 0; i < finding_count(r); i++)
        add_id(list, finding_at(r, i).rule_id);
    for (size_t i = 0; i < r->suppressed.count; i++)
        add_id(list, r->suppressed.item[i].rule_id);
}

static void add_silent(cJSON *list, const Result *r)
{
    for (size_t i = 0; i < r->passed.count; i++)
        add_id(list, r->passed.item[i]);
    for (size_t i = 0; i < r->not_applicable.count; i++)
        add_id(list, r->not_applicable.item[i].rule_id);
}

/* What the card needs of a result and of the bounds that were tested. */
static cJSON *summarize_result(const Result *r, const cJSON *bounds)
{
    cJSON *o = cJSON_CreateObject(), *gains = cJSON_AddArrayToObject(o, "gains");
    cJSON_AddNumberToObject(o, "baseline", baseline_of(r));
    for (size_t i = 0; i < r->recommendations.count; i++)
        add_recommended(gains, &r->recommendations.item[i]);
    if (r->combined)
        add_combined(gains, r->combined);
    add_bounds(gains, bounds);
    add_fired(cJSON_AddArrayToObject(o, "fired"), r);
    add_silent(cJSON_AddArrayToObject(o, "silent"), r);
    return o;
}

static Status advise_run(Arena *a, const Desk *d, size_t i, const Result **ret, cJSON **ret_bounds,
                         Diag *diag)
{
    const AdviceValidationRun *run = &d->run[i];
    Notes ignored;
    notes_init(&ignored, a);
    AdviseRequest q = d->request->advise;
    q.model_path = d->path[i];
    q.objective = run->objective;
    q.baseline.compile.sdk = run->sdk;
    q.baseline.compile.sdk_given = true;
    q.notes = &ignored;
    q.verify = true;
    q.one_silicon = true;
    q.seed = seed_of(d->request->advise.seed, STREAM_VERIFY, i);
    q.tested_bounds = ret_bounds;
    const char *trace = arena_printf(a, "%s/%zu.trace", d->folder.path, i);
    if (run->traced) {
        RunnerCall call = {.model = q.model_path,
                           .variant = &q.baseline,
                           .runs = q.runs,
                           .seed = seed_of(d->request->advise.seed, STREAM_TRACE, i),
                           .trace = trace};
        Status st = runner_run(a, q.runner, &call, diag);
        if (st)
            return st;
        q.trace = &trace;
        q.ntrace = 1;
    }
    return advise(a, &q, ret, diag);
}

static void validate_in_worker(void *user, size_t i, const char *path)
{
    Arena *a = arena_new(0);
    const Result *result = NULL;
    cJSON *bounds = NULL;
    Diag diag = {0}, ignored;
    advise_run(a, user, i, &result, &bounds, &diag);
    cJSON *o = result ? summarize_result(result, bounds) : cJSON_CreateObject();
    if (!result)
        cJSON_AddStringToObject(o, "error", diag.text);
    (void)json_save(o, path, NULL, &ignored); /* a missing file tells */
    cJSON_Delete(bounds);
    cJSON_Delete(o);
    arena_free(a);
}

/* ---- all of them ---- */

static void count_finished_run(void *user, size_t i, int wait_status)
{
    Desk *d = user;
    (void)i, (void)wait_status; /* a missing file tells */
    if (d->request->progress)
        d->request->progress(d->request->user, ++d->done, d->all);
}

static Status list_runs(Arena *a, const AdviceValidationRequest *q, Desk *d, AdviceValidation *card,
                        Diag *diag)
{
    size_t cap = 0, npath = 0, path_cap = 0;
    for (size_t k = 0; k < q->nmodels_dir; k++) {
        const char **name = NULL;
        size_t n = 0;
        Status st = folder_list(a, q->models_dir[k], ".onnx", &name, &n, diag);
        if (st)
            return st;
        for (size_t i = 0; i < n * 8; i++) {
            *VEC_PUSH(a, card->run, card->nrun, cap) =
                (AdviceValidationRun){name[i / 8], i & 1 ? OBJECTIVE_THROUGHPUT : OBJECTIVE_LATENCY,
                                      i & 2 ? 10 : 9, i & 4, NULL};
            *VEC_PUSH(a, d->path, npath, path_cap) =
                arena_printf(a, "%s/%s", q->models_dir[k], name[i / 8]);
        }
    }
    d->run = card->run;
    return card->nrun ? STATUS_OK
                      : diag_set(diag, STATUS_INPUT, q->models_dir[0], NULL, "has no *.onnx file");
}

typedef struct {
    size_t gain_cap, rule_cap;
} Capacity;

static void count_rules(Arena *a, AdviceValidation *card, Capacity *cap, const cJSON *ids,
                        bool fired)
{
    for (const cJSON *id = json_first(ids, ""); id; id = id->next) {
        size_t i = 0;
        while (i < card->nrule && strcmp(card->rule[i].rule_id, id->valuestring))
            i++;
        if (i == card->nrule)
            *VEC_PUSH(a, card->rule, card->nrule, cap->rule_cap) =
                (AdviceRule){arena_strdup(a, id->valuestring), 0};
        card->rule[i].fired += fired;
    }
}

static void take_gain(Arena *a, AdviceValidation *card, Capacity *cap,
                      const AdviceValidationRun *run, double baseline, const cJSON *o)
{
    AdviceGain g = {.run = run,
                    .rule_id = arena_strdup(a, json_text(o, "rule_id", "?")),
                    .predicted = {json_number_or(o, "predicted.lo", 0) / baseline,
                                  json_number_or(o, "predicted.mid", 0) / baseline,
                                  json_number_or(o, "predicted.hi", 0) / baseline},
                    .verified = json_number_or(o, "verified.median", 0) / baseline,
                    .verified_lo = json_number_or(o, "verified.lo", 0) / baseline,
                    .verified_hi = json_number_or(o, "verified.hi", 0) / baseline};
    assert(baseline > 0);
    double better = run->objective == OBJECTIVE_LATENCY ? -1 : 1;
    g.predicted_after = json_number_or(o, "baseline", 0) / baseline + better * g.predicted.mid;
    g.verified_after = json_number_or(o, "verified.baseline", 0) / baseline + better * g.verified;
    const char *verdict = json_text(o, "verdict", NULL);
    g.verdict = verdict ? arena_strdup(a, verdict) : NULL;
    g.bound = cJSON_IsTrue(json_at(o, "bound"));
    g.uncertain = !g.bound &&
                  rank_is_uncertain(json_number_or(o, "ranked_by", 0) / baseline, g.predicted.mid);
    *VEC_PUSH(a, card->gain, card->ngain, cap->gain_cap) = g;
    if (!card->runner)
        card->runner = arena_strdup(a, json_text(o, "verified.runner", "?"));
}

static void collect_run(Arena *a, AdviceValidation *card, Capacity *cap, AdviceValidationRun *run,
                        const char *path)
{
    Diag diag;
    cJSON *o = NULL;
    if (json_load(path, &o, &diag))
        run->error = "the run broke off";
    else if (json_text(o, "error", NULL))
        run->error = arena_strdup(a, json_text(o, "error", "?"));
    double baseline = json_number_or(o, "baseline", 0);
    for (const cJSON *gain = json_first(o, "gains"); gain; gain = gain->next)
        if (baseline > 0)
            take_gain(a, card, cap, run, baseline, gain);
    count_rules(a, card, cap, json_at(o, "fired"), true);
    count_rules(a, card, cap, json_at(o, "silent"), false);
    card->nfailed += run->error != NULL;
    cJSON_Delete(o);
}

static int by_rule(const void *pa, const void *pb)
{
    return strcmp(((const AdviceRule *)pa)->rule_id, ((const AdviceRule *)pb)->rule_id);
}

Status validate_advice(Arena *a, const AdviceValidationRequest *q, AdviceValidation *ret,
                       Diag *diag)
{
    AdviceValidation card = {0};
    Desk d = {.request = q};
    Capacity cap = {0};
    Status st = list_runs(a, q, &d, &card, diag);
    if (!st)
        st = process_temp_folder_make(a, &d.folder, diag);
    if (st)
        return st;
    const ProcessMap map = {.work = validate_in_worker, .ended = count_finished_run, .user = &d};
    d.all = card.nrun;
    st = process_map(a, card.nrun, q->jobs, d.folder.path, &map, diag);
    for (size_t i = 0; i < card.nrun && !st; i++)
        collect_run(a, &card, &cap, &card.run[i], process_map_path(a, d.folder.path, i));
    process_temp_folder_remove(&d.folder);
    if (card.nrule)
        qsort(card.rule, card.nrule, sizeof *card.rule, by_rule);
    if (!st)
        *ret = card;
    return st;
}

/* ---- scores ---- */

static bool filter_accepts(int wanted, bool is)
{
    assert(wanted >= VALIDATE_NO && wanted <= VALIDATE_ANY);
    return wanted == VALIDATE_ANY || wanted == (is ? VALIDATE_YES : VALIDATE_NO);
}

static bool gain_matches(const AdviceGain *g, const AdviceFilter *f)
{
    bool together = !strcmp(g->rule_id, VALIDATE_COMBINED);
    return (f->rule_id ? !strcmp(g->rule_id, f->rule_id) : !together) &&
           filter_accepts(f->bound, g->bound) && filter_accepts(f->traced, g->run->traced) &&
           filter_accepts(f->uncertain, g->uncertain) &&
           filter_accepts(f->throughput, g->run->objective == OBJECTIVE_THROUGHPUT);
}

AdviceScore validate_advice_score(Arena *a, const AdviceValidation *c, AdviceFilter f)
{
    double *verified = ARENA_ARRAY(a, double, c->ngain + 1), right = 0;
    Interval *predicted = ARENA_ARRAY(a, Interval, c->ngain + 1);
    size_t n = 0;
    for (size_t i = 0; i < c->ngain; i++) {
        const AdviceGain *g = &c->gain[i];
        if (!gain_matches(g, &f))
            continue;
        right += (g->predicted.mid > 0) == (g->verified > 0);
        verified[n] = g->verified;
        predicted[n++] = g->predicted;
    }
    return (AdviceScore){score(a, verified, predicted, n), n ? right / (double)n : 1};
}

static int by_size(const void *pa, const void *pb)
{
    double x = *(const double *)pa, y = *(const double *)pb;
    return COMPARE(x, y);
}

AdviceBoundScore validate_advice_bounds(Arena *a, const AdviceValidation *c, bool traced)
{
    double *ratio = ARENA_ARRAY(a, double, c->ngain + 1), holds = 0, end = 0;
    AdviceBoundScore b = {.n = 0};
    size_t gaining = 0;
    for (size_t i = 0; i < c->ngain; i++) {
        const AdviceGain *g = &c->gain[i];
        if (!g->bound || g->run->traced != traced)
            continue;
        b.n++;
        holds += g->verified <= g->predicted.mid;
        end += g->verified <= g->predicted.hi;
        if (g->verified > 0)
            ratio[gaining++] = g->predicted.mid / g->verified;
    }
    if (gaining)
        qsort(ratio, gaining, sizeof *ratio, by_size);
    assert(gaining <= b.n);
    b.holds = b.n ? holds / (double)b.n : 1;
    b.holds_end = b.n ? end / (double)b.n : 1;
    b.ratio = gaining ? (ratio[(gaining - 1) / 2] + ratio[gaining / 2]) / 2 : 0;
    return b;
}
