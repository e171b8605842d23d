/* Ranks, runs and measures in rounds, until no recommendation is new. */
#include "advisor/advise/verify_all.h"

#include "advisor/advise/best.h"
#include "advisor/advise/measure_advice.h"
#include "advisor/advise/run_notes.h"
#include "advisor/message/phrase.h"
#include "advisor/candidate/proposal.h"

void verify_all_rank(AdviseRun *run)
{
    const AdviseRequest *q = run->request;
    Thresholds t = {q->min_share, q->min_gain_ns, q->verify};
    run->ranking = rank_proposals(run->arena, &run->whatif, run->proposal, run->nproposal, t);
}

/* A change that cannot be run is no error; bounds and estimates cannot be run. */
static void verify_one(AdviseRun *run, Verifier *v, Proposal *p)
{
    const Message *why = NULL;
    p->verdict = VERDICT_NOT_VERIFIABLE;
    if (!proposal_has_gain(p) || p->basis != BASIS_WHAT_IF)
        return;
    p->verdict = verify_attempt(v, proposal_attempt(p), &p->gain, p->rest, &p->verified, &why);
    if (why)
        notes_add(run->notes, arena_printf(run->arena, "not-verifiable-%s", p->match->rule->id),
                  phrase_arg(PHRASE_NOTE_NOT_VERIFIED), arg_text(p->match->rule->id),
                  arg_message(why));
}

/* Skipped proposals may be recommended once those above saved less than predicted. */
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

/* Traces the recommended changes together, or the first, for the page. */
static void trace_recommended_run(AdviseRun *run, Verifier *v)
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

/* Runs everything beside single recommendations, and adds notes. */
static void verify_rest(AdviseRun *run, Verifier *v, AccuracyBench *b)
{
    Combined *c = &run->ranking.combined;
    const Message *why = NULL;
    if (c->npart >= 2)
        c->verdict = verify_attempt(v, &c->attempt, &c->gain, 0, &c->verified, &why);
    trace_recommended_run(run, v);
    best_from_advice(run, b);
    best_verify(run, v);
    if (verifier_failure(v))
        run_rules_incomplete(&run->rules, run->arena, RESULT_INCOMPLETE_KIND_RUNNER,
                             message_verbatim(run->arena, verifier_failure(v)));
    verifier_close(v);
    run_notes_verified(run);
}

Status verify_all_open(AdviseRun *run, Verifier **ret, Diag *diag)
{
    const AdviseRequest *q = run->request;
    const VerifyRequest of = {&run->whatif, q->model_path, q->runner, q->helper, q->runs, q->seed};
    return verifier_open(run->arena, &of, ret, diag);
}

Status verify_all(AdviseRun *run, Diag *diag)
{
    const AdviseRequest *q = run->request;
    Verifier *v = NULL;
    Status st = q->verify ? verify_all_open(run, &v, diag) : STATUS_OK;
    if (st)
        return st;
    AccuracyBench *b = q->data ? measure_open_bench(run) : NULL;
    for (int round = 0; round < VERIFY_ROUNDS; round++) {
        bool verified = verify_new(run, v);
        if (verified)
            verify_correct(run->arena, run->ranking.rec, run->ranking.nrec);
        if (!measure_unmeasured(run, b) && !verified)
            break;
        verify_all_rank(run);
    }
    if (v)
        verify_rest(run, v, b);
    else
        best_from_advice(run, b);
    measure_combined(run, b);
    accuracy_close(b);
    return STATUS_OK;
}
