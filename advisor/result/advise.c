/* The chain: model, trace, program, times, facts, rules, what-if, verification, ranking, result. */
#include "advisor/result/advise.h"

#include "advisor/rules/facts.h"
#include "advisor/result/result.h"
#include "advisor/result/run.h"
#include "advisor/result/suitability.h"
#include "advisor/result/traces.h"
#include "advisor/rules/match.h"
#include "advisor/rules/rule_book.h"
#include "advisor/say/phrase.h"
#include "advisor/try/proposal.h"
#include "advisor/try/verify.h"
#include "advisor/tune/tune.h"
#include "cost_model/costs.h"
#include "cost_model/predict.h"
#include "cost_model/reconcile.h"
#include "cost_model/suspects.h"
#include "graph/compile/compile.h"
#include "graph/compile/machine.h"
#include "graph/compile/options.h"
#include "graph/onnx/onnx.h"
#include "graph/tflite/tflite.h"
#include "passes/pipeline.h"

#include <math.h>
#include <string.h>

void advise_request_init(AdviseRequest *q)
{
    *q = (AdviseRequest){.seed = 1, .min_share = 0.01, .min_gain_ns = 20000};
    compile_options_init(&q->baseline.compile);
    q->baseline.run = (RunOptions){.workers = 1, .devices = 1};
}

/* Workers that the trace shows no requests for have none: the application hands over fewer. */
static void take_depth(AdviseRun *run)
{
    RunOptions *o = &run->variant.run;
    unsigned long long seen = run->stats->lanes;
    if (o->queue_depth || run->stats->ninference < 2 || seen == 0 || seen >= (uint64_t)o->workers)
        return;
    o->queue_depth = (int)seen;
    notes_add(run->notes, "queue-depth", arg_phrase(SAY_NOTE_DEPTH), arg_count((int64_t)seen),
              arg_count(o->workers));
}

static Status read_traces(AdviseRun *run, Diag *diag)
{
    const AdviseRequest *q = run->request;
    run->variant = q->baseline;
    if (q->ntrace == 0)
        return STATUS_OK;
    Status st = traces_read(run->arena, q->trace, q->ntrace, &q->trace_options, run->notes,
                            &run->stats, diag);
    if (st)
        return st;
    return samples_read(run->arena, q->trace, q->ntrace, &q->trace_options, run->stats,
                        &run->samples, diag);
}

static Status load_inputs(AdviseRun *run, Diag *diag)
{
    const AdviseRequest *q = run->request;
    const char *target = run->variant.compile.target_name;
    Costs *costs = NULL;
    Status st = model_load(run->arena, q->model_path, run->notes, &run->model, diag);
    if (!st)
        st = machine_load(run->arena, target, &run->machine, diag);
    if (!st)
        st = costs_load(run->arena, target, q->calibration, &costs, diag);
    run->costs = costs;
    return st;
}

/* What was not said comes from the trace. */
static Status find_setup(AdviseRun *run, Diag *diag)
{
    const AdviseRequest *q = run->request;
    TracesOf of = {run->model, run->machine, run->costs, &q->baseline.compile, &q->baseline.run};
    Status st = STATUS_OK;
    if (run->stats)
        st = traces_are_alike(run->arena, run->stats, &q->trace_options, &of, diag);
    if (st)
        return st;
    st = setup_find(run->arena, run->model, run->machine, run->costs, run->stats,
                    &q->baseline.compile, &q->baseline.run, NULL, NULL, &run->setup);
    run->variant = (Variant){.compile = run->setup.compile, .run = run->setup.run};
    if (run->stats)
        take_depth(run);
    return st;
}

/* An NPU that is idle nearly all of the time makes the rest the story. */
#define IDLE_UTILISATION 0.1

static void note_idle_npu(AdviseRun *run)
{
    const Reconciliation *r = run->rec;
    if (r->npu.count == 0 || r->latency.median_ns <= 0 || r->npu_utilisation >= IDLE_UTILISATION ||
        evidence_lacks_npu(r))
        return;
    notes_add(run->notes, "idle-npu", arg_phrase(SAY_NOTE_IDLE_NPU),
              arg_time((double)r->npu.median_ns), arg_time((double)r->latency.median_ns),
              arg_fixed(r->npu_utilisation * 100, 2), arg_time((double)r->unattributed_ns));
}

/* How long a CPU takes for the model is not what the NPU's host takes now. */
static void note_cpu_run(AdviseRun *run)
{
    const Reconciliation *r = run->rec;
    if (evidence_lacks_npu(r))
        notes_add(run->notes, "no-npu-run", arg_phrase(SAY_NOTE_CPU_RUN),
                  arg_time((double)r->latency.median_ns));
}

static Status time_program(AdviseRun *run, Diag *diag)
{
    Arena *a = run->arena;
    run->prediction = predict(a, run->program, run->costs, &run->variant.run);
    run->time = run->prediction;
    if (!run->stats || run->stats->ninference == 0)
        return STATUS_OK;
    Status st =
        reconcile(a, run->program, run->costs, run->prediction, run->stats, &run->rec, diag);
    if (st)
        return st;
    run->costs = run->rec->costs;
    setup_use(a, run->program, &run->setup, run->rec);
    if (run->setup.item[SETUP_INPUT].source == SETUP_TRACE)
        suspect_types(a, run->model, run->program, run->costs, run->rec);
    run->time = replay(a, run->program, run->rec, run->program, run->costs, &run->variant.run);
    note_idle_npu(run);
    note_cpu_run(run);
    return STATUS_OK;
}

static void build_facts(AdviseRun *run)
{
    PassInput in = {run->program, run->costs, &run->variant.run,
                    run->time,    run->rec,   run->request->goal_per_s};
    FindingList findings = passes_run(run->arena, &in);
    const AdviseRequest *q = run->request;
    double small_ns = fmax((double)q->min_gain_ns, q->min_share * run->time->latency_ns.mid);
    run->facts = facts_build(run->program, run->time, run->rec, &run->variant.run, q->objective,
                             small_ns, &findings);
}

/* Everything up to the facts document. */
static Status prepare(AdviseRun *run, Diag *diag)
{
    Status st = read_traces(run, diag);
    if (!st)
        st = load_inputs(run, diag);
    if (!st)
        st = find_setup(run, diag);
    if (!st)
        st = compile_model(run->arena, run->model, run->machine, &run->variant.compile, run->notes,
                           &run->program, diag);
    if (!st)
        st = time_program(run, diag);
    if (!st)
        build_facts(run);
    return st;
}

static void note_incomplete_inputs(AdviseRun *run)
{
    for (size_t i = 0; run->stats && i < run->stats->nfile; i++)
        if (run->stats->file[i].repairs.unterminated)
            run_incomplete(run, "trace",
                           SAID(run->arena, arg_phrase(SAY_TRACE_BREAKS_OFF),
                                arg_text(path_base(run->stats->file[i].path))));
    const Config *c = run->request->config;
    for (size_t i = 0; c && i < c->nfile; i++)
        if (c->file[i]->refused)
            run_incomplete(run, "settings",
                           SAID(run->arena, arg_phrase(SAY_SETTINGS_BAD),
                                arg_text(c->file[i]->file), arg_text(c->file[i]->refused)));
}

/* A rule that is off has not looked: it has neither passed nor anything to say. */
static void configure_rules(AdviseRun *run)
{
    for (size_t i = 0; i < run->matches.nmatch; i++) {
        Match *m = &run->matches.match[i];
        m->level = config_level(&run->settings, m->rule->id, m->level);
    }
    for (size_t i = 0; i < run->matches.noutcome; i++) {
        RuleOutcome *x = &run->matches.outcome[i];
        bool off = config_is_off(&run->settings, x->rule->id);
        if (x->stopped && !off)
            run_incomplete(run, "rule", x->reason);
        if (off && x->outcome == OUTCOME_PASSED)
            *x = (RuleOutcome){x->rule, OUTCOME_NOT_APPLICABLE,
                               SAID(run->arena, arg_phrase(SAY_CONFIGURED_OFF)), false};
    }
}

static Status match_and_try(AdviseRun *run, Diag *diag)
{
    const AdviseRequest *q = run->request;
    Arena *a = run->arena;
    Status st = STATUS_OK;
    if (q->book)
        run->book = *q->book;
    else
        st = rules_load(a, q->rules_dir, q->nrules_dir, &run->book, diag);
    if (!st)
        st = config_settle_rules(a, q->config, &run->book, &run->settings, diag);
    if (st)
        return st;
    run->book = rules_of(a, &run->book, "onnx");
    run->matches = match_rules(a, &run->book, run->facts, run->variant.compile.sdk, q->lang);
    configure_rules(run);
    run->whatif = (WhatIf){.model = run->model,
                           .machine = run->machine,
                           .costs = run->costs,
                           .rec = run->rec,
                           .objective = q->objective,
                           .latency_limit_ns = q->latency_limit_ns};
    whatif_open(&run->whatif, &run->variant, run->program, run->time);
    run->whatif_is_open = true;
    run->proposal = proposals_try(a, &run->whatif, &run->matches, &run->nproposal);
    for (size_t i = 0; i < run->nproposal; i++)
        run->proposal[i].off = config_is_off(&run->settings, run->proposal[i].match->rule->id);
    return STATUS_OK;
}

static void rank(AdviseRun *run)
{
    const AdviseRequest *q = run->request;
    Thresholds t = {q->min_share, q->min_gain_ns, q->verify};
    run->ranking = rank_proposals(run->arena, &run->whatif, run->proposal, run->nproposal, t);
}

/* What cannot be run is not an error: the recommendation says so.  A bound or an estimate is
 * nothing that can be run. */
static void verify_one(AdviseRun *run, Verifier *v, Proposal *p)
{
    const Said *why = NULL;
    p->verdict = VERDICT_NOT_VERIFIABLE;
    if (!proposal_has_gain(p) || p->basis != BASIS_WHAT_IF)
        return;
    p->verdict = verify_attempt(v, proposal_attempt(p), &p->gain, p->rest, &p->verified, &why);
    if (why)
        notes_add(run->notes, arena_printf(run->arena, "not-verifiable-%s", p->match->rule->id),
                  arg_phrase(SAY_NOTE_NOT_VERIFIED), arg_text(p->match->rule->id), arg_said(why));
}

/* A simulation that was fitted to the same point confirms the arithmetic, not the figure. */
static void note_single_points(AdviseRun *run)
{
    for (size_t i = 0; i < run->ranking.nrec; i++) {
        const Proposal *p = run->ranking.rec[i];
        const HostCost *law = p->gain.rests_on;
        if (p->verified.n && law)
            notes_add(run->notes, arena_printf(run->arena, "single-point-%s", p->match->rule->id),
                      arg_phrase(SAY_NOTE_SINGLE_POINT), arg_text(p->match->rule->id),
                      arg_text(law->op), arg_text(law->info.source));
    }
}

/* What the trace leaves open of a gain, and nobody has run. */
static void note_unmeasured_types(AdviseRun *run)
{
    bool any = false;
    for (size_t i = 0; i < run->ranking.nrec; i++) {
        const Proposal *p = run->ranking.rec[i];
        any |= proposal_has_gain(p) && !p->verified.n && p->gain.type_unmeasured;
    }
    if (any)
        notes_add(run->notes, "unmeasured-types", arg_phrase(SAY_NOTE_TYPE_UNMEASURED));
}

/* What a run with the default runner cannot show. */
static void note_simulation(AdviseRun *run)
{
    for (size_t i = 0; i < run->ranking.nrec; i++)
        if (run->ranking.rec[i]->verified.n && run->ranking.rec[i]->verified.simulated) {
            notes_add(run->notes, "simulation", arg_phrase(SAY_NOTE_SIMULATION));
            return;
        }
}

/* What was held back may be advice once what stood above it gained less than was expected. */
enum { VERIFY_ROUNDS = 8 };

static bool verify_new(AdviseRun *run, Verifier *v)
{
    bool any = false;
    for (size_t i = 0; v && i < run->ranking.nrec; i++) {
        if (run->ranking.rec[i]->verdict != VERDICT_NONE)
            continue;
        verify_one(run, v, run->ranking.rec[i]);
        any = true;
    }
    return any;
}

/* The rest of the graph is the application's, which nobody runs here. */
static void note_cut(AdviseRun *run)
{
    for (size_t i = 0; i < run->ranking.nrec; i++) {
        const Proposal *p = run->ranking.rec[i];
        const Attempt *t = p->verified.n ? proposal_attempt(p) : NULL;
        for (size_t k = 0; t && k < t->nset; k++)
            if (strcmp(t->set[k].lever, "cut-tail") == 0)
                notes_add(run->notes, "cut", arg_phrase(SAY_NOTE_CUT),
                          arg_text(p->match->rule->id));
    }
}

/* What a recommendation's bound is worth: the same change run, or what stands in for it. */
static void test_bound(Verifier *v, Proposal *p)
{
    BoundTest test;
    const Said *why = NULL;
    if (!proposal_bound(p, &test) || test.gain->gain.mid <= 0)
        return;
    if (p->verified.n && test.run == proposal_attempt(p))
        p->beside = p->verified;
    else
        verify_attempt(v, test.run, test.run_gain, p->rest, &p->beside, &why);
}

/* What the page draws as "after": all that is recommended together, else the first. */
static void watch(AdviseRun *run, Verifier *v)
{
    const Ranking *r = &run->ranking;
    Diag ignored = {0}; /* it has run before; without it the page has the prediction */
    bool together = r->combined.npart >= 2;
    const Verified *seen = together ? &r->combined.verified : r->nrec ? &r->rec[0]->verified : NULL;
    if (!run->request->pictures || !seen || seen->n == 0 || !seen->simulated)
        return;
    const Attempt *t = together ? &r->combined.attempt : proposal_attempt(r->rec[0]);
    if (verify_watch(v, t, &run->watched, &run->watched_stats, &ignored))
        run->watched = (Trial){0};
}

/* ---- settings and changes together ---- */

static TuneAsk tune_ask(const AdviseRun *run, Applicability effort)
{
    const AdviseRequest *q = run->request;
    return (TuneAsk){.w = &run->whatif,
                     .book = &run->book,
                     .proposal = run->proposal,
                     .nproposal = run->nproposal,
                     .list = &run->ranking.combined,
                     .said = &q->baseline,
                     .effort = effort,
                     .goal = {q->objective, (double)q->latency_limit_ns}};
}

static void note_not_run(AdviseRun *run, size_t point, const Said *why)
{
    if (why)
        notes_add(run->notes, arena_printf(run->arena, "not-verifiable-%zu", point),
                  arg_phrase(SAY_NOTE_POINT_NOT_RUN), arg_count((int64_t)point), arg_said(why));
}

/* What loses too much is not deployed: neither a change by itself, nor those of the point together,
 * of which the one that loses most has to go.  `b` may be NULL. */
static void search_within_loss(AdviseRun *run, const TuneAsk *ask, AccuracyBench *b, Tune *ret)
{
    measure_all(run, b, ask->effort);
    for (size_t round = 0; round <= run->nproposal; round++) {
        tune_run(ret, run->arena, ask);
        bool found = ret->chosen < ret->nfront;
        if (!found || !measure_point(run, b, &ret->front[ret->chosen]) ||
            !block_worst(run, &ret->front[ret->chosen]))
            break;
    }
}

/* What to deploy, from where the list leads: the end of the list. */
static void find_best(AdviseRun *run, AccuracyBench *b)
{
    const AdviseRequest *q = run->request;
    if (!q->best || !run->ranking.nrec)
        return;
    TuneAsk ask = tune_ask(run, APPLY_CHECK);
    ask.reach = SEARCH_NEAR;
    ask.front = q->front;
    run->best = ARENA_NEW(run->arena, Tune);
    search_within_loss(run, &ask, b, run->best);
}

static void verify_best(AdviseRun *run, Verifier *v)
{
    const Said *why = NULL;
    Tune *t = run->best;
    if (!t || t->chosen == t->nfront)
        return;
    tune_verify(run->arena, &t->front[t->chosen], v, &why);
    note_not_run(run, t->chosen + 1, why);
}

/* What is run beside the recommendations, and what is to be said of the runs. */
static void verify_rest(AdviseRun *run, Verifier *v, AccuracyBench *b)
{
    Combined *c = &run->ranking.combined;
    const Said *why = NULL;
    for (size_t i = 0; i < run->ranking.nrec && run->request->test_bounds; i++)
        test_bound(v, run->ranking.rec[i]);
    if (c->npart >= 2)
        c->verdict = verify_attempt(v, &c->attempt, &c->gain, 0, &c->verified, &why);
    watch(run, v);
    find_best(run, b);
    verify_best(run, v);
    if (verifier_failure(v))
        run_incomplete(run, "runner", said_verbatim(run->arena, verifier_failure(v)));
    verifier_close(v);
    note_single_points(run);
    note_simulation(run);
    note_cut(run);
}

/* Times and accuracy, in rounds: what was held back may be advice once what stood above it gained
 * less than was expected, or costs too much accuracy. */
static Status verify(AdviseRun *run, Diag *diag)
{
    const AdviseRequest *q = run->request;
    Verifier *v = NULL;
    Status st = q->verify ? verifier_open(run->arena, &run->whatif, q->model_path, q->runner,
                                          q->helper, q->runs, q->seed, &v, diag)
                          : STATUS_OK;
    if (st)
        return st;
    AccuracyBench *b = q->data ? measure_open(run) : NULL;
    if (v && q->one_silicon)
        verifier_single(v, q->seed);
    for (int round = 0; round < VERIFY_ROUNDS; round++) {
        bool verified = verify_new(run, v);
        if (verified)
            verify_correct(run->arena, run->ranking.rec, run->ranking.nrec);
        if (!measure_new(run, b) && !verified)
            break;
        rank(run);
    }
    if (v)
        verify_rest(run, v, b);
    else
        find_best(run, b);
    measure_combined(run, b);
    accuracy_close(b);
    return STATUS_OK;
}

/* A bound that is nothing, or that the recommendations reach, is nothing that anybody misses. */
static bool is_idle_bound(const Held *h)
{
    return h->proposal->basis == BASIS_BOUND &&
           (h->reason == HELD_SAME_CHANGE || h->reason == HELD_NO_GAIN);
}

/* Small gains of a rule that is recommended for something else. */
static void note_small_ones(AdviseRun *run)
{
    const Ranking *r = &run->ranking;
    for (size_t i = 0; i < r->nheld; i++)
        for (size_t k = 0; k < r->nrec; k++) {
            const Match *held = r->held[i].proposal->match;
            if (r->rec[k]->match->rule != held->rule || is_idle_bound(&r->held[i]))
                continue;
            notes_add(run->notes, r->held[i].proposal->fingerprint, arg_phrase(SAY_NOTE_HELD),
                      arg_text(held->rule->id), arg_text(held->title[0]),
                      arg_said(r->held[i].said));
            break;
        }
}

/* No step's cost is known, and nothing was measured: there is nothing to say. */
static bool is_undecided(const AdviseRun *run)
{
    size_t known = 0;
    for (size_t i = 0; i < run->program->nstep; i++)
        known += run->prediction->step[i].known;
    return known == 0 && !run->rec;
}

static Status finish(AdviseRun *run, cJSON **ret_result, Diag *diag)
{
    *ret_result = result_build(run);
    if (is_undecided(run))
        return diag_set(diag, STATUS_UNDECIDED, path_base(run->request->model_path), NULL,
                        run->program->nstep
                            ? "no step of this model has a known cost; give a trace"
                            : "nothing to run: every output is an input or a constant");
    return STATUS_OK;
}

static void release(AdviseRun *run)
{
    if (run->watched.arena)
        trial_free(&run->watched);
    if (run->whatif_is_open)
        whatif_close(&run->whatif);
    if (run->facts)
        xmlFreeDoc(run->facts);
    if (run->model)
        model_close(run->model);
}

Status advise(Arena *a, const AdviseRequest *q, cJSON **ret_result, Diag *diag)
{
    AdviseRun run = {.arena = a, .request = q, .notes = q->notes};
    Status st = prepare(&run, diag);
    if (!st)
        st = match_and_try(&run, diag);
    if (!st)
        rank(&run);
    if (!st && (q->verify || q->data))
        st = verify(&run, diag);
    else if (!st)
        find_best(&run, NULL);
    if (!st) {
        note_unmeasured_types(&run);
        note_incomplete_inputs(&run);
        note_small_ones(&run);
        note_suitability(&run);
        st = finish(&run, ret_result, diag);
    }
    release(&run);
    return st;
}

/* Each point of the front, against the run as it is. */
static void verify_front(AdviseRun *run, Tune *t, Verifier *v)
{
    for (size_t i = 0; i < t->nfront; i++) {
        const Said *why = NULL;
        tune_verify(run->arena, &t->front[i], v, &why);
        note_not_run(run, i + 1, why);
    }
}

static PlanGoal rate_of(const AdviseRequest *q, const TuneQuestion *asked)
{
    double limit = q->latency_limit_ns > 0 ? (double)q->latency_limit_ns : INFINITY;
    return (PlanGoal){asked->images_per_s, asked->equal_gaps, asked->quantile, limit};
}

Status advise_tune(Arena *a, const AdviseRequest *q, const TuneQuestion *asked, cJSON **ret_result,
                   Diag *diag)
{
    AdviseRun run = {.arena = a, .request = q, .notes = q->notes};
    Tune t;
    Status st = prepare(&run, diag);
    if (!st)
        st = match_and_try(&run, diag);
    if (!st) {
        rank(&run);
        TuneAsk ask = tune_ask(&run, asked->effort);
        ask.rate = rate_of(q, asked);
        ask.front = true;
        ask.watch = (TuneWatch){asked->tell, asked->user};
        if (q->verify)
            st = verifier_open(a, &run.whatif, q->model_path, q->runner, q->helper, q->runs,
                               q->seed, &ask.verifier, diag);
        AccuracyBench *b = !st && q->data ? measure_open(&run) : NULL;
        if (!st)
            search_within_loss(&run, &ask, b, &t);
        if (!st && q->verify)
            verify_front(&run, &t, ask.verifier);
        accuracy_close(b);
        verifier_close(ask.verifier);
    }
    if (!st) {
        *ret_result = result_tune(&run, &t, asked);
        if (is_undecided(&run))
            st = diag_set(diag, STATUS_UNDECIDED, path_base(q->model_path), NULL,
                          "no step of this model has a known cost; give a trace");
        else if (q->loss_limited && measure_failed(&run))
            st = diag_set(diag, STATUS_UNDECIDED, path_base(q->model_path), "--max-accuracy-loss",
                          "accuracy could not be measured, so what loses more may be in it");
    }
    release(&run);
    return st;
}

Status advise_facts(Arena *a, const AdviseRequest *q, xmlDoc **ret_doc, Diag *diag)
{
    AdviseRun run = {.arena = a, .request = q, .notes = q->notes};
    Status st = prepare(&run, diag);
    if (!st) {
        *ret_doc = run.facts;
        run.facts = NULL;
    }
    release(&run);
    return st;
}
