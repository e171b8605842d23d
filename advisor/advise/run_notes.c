/* Derives the notes from the reconciled trace, from the runs and from the ranking. */
#include "advisor/advise/run_notes.h"

#include "advisor/message/phrase.h"
#include "advisor/candidate/proposal.h"
#include "cost_model/evidence_grade.h"
#include "cost_model/reconcile.h"
#include "graph/base/file.h"

/* Below this utilization, the rest of the inference matters more. */
#define IDLE_UTILISATION 0.1

static void note_idle_npu(AdviseRun *run)
{
    const Reconciliation *r = run->rec;
    if (r->npu.count == 0 || r->latency.median_ns <= 0 || r->npu_utilisation >= IDLE_UTILISATION ||
        evidence_lacks_npu(r))
        return;
    notes_add(run->notes, "idle-npu", phrase_arg(PHRASE_NOTE_IDLE_NPU),
              arg_time((double)r->npu.median_ns), arg_time((double)r->latency.median_ns),
              arg_fixed(r->npu_utilisation * 100, 2), arg_time((double)r->unattributed_ns));
}

/* The times of a CPU run are not those of the NPU's host. */
static void note_cpu_run(AdviseRun *run)
{
    const Reconciliation *r = run->rec;
    if (evidence_lacks_npu(r))
        notes_add(run->notes, "no-npu-run", phrase_arg(PHRASE_NOTE_CPU_RUN),
                  arg_time((double)r->latency.median_ns));
}

void run_notes_evidence(AdviseRun *run)
{
    note_idle_npu(run);
    note_cpu_run(run);
}

/* A simulation fitted to the same point confirms the arithmetic only. */
static void note_single_points(AdviseRun *run)
{
    for (size_t i = 0; i < run->ranking.nrec; i++) {
        const Proposal *p = run->ranking.rec[i];
        const HostCost *law = p->gain.rests_on;
        if (p->verified.n && law)
            notes_add(run->notes, arena_printf(run->arena, "single-point-%s", p->match->rule->id),
                      phrase_arg(PHRASE_NOTE_SINGLE_POINT), arg_text(p->match->rule->id),
                      arg_text(law->op), arg_text(law->info.source));
    }
}

/* The limits of a simulated run. */
static void note_simulation(AdviseRun *run)
{
    for (size_t i = 0; i < run->ranking.nrec; i++)
        if (run->ranking.rec[i]->verified.n && run->ranking.rec[i]->verified.simulated) {
            notes_add(run->notes, "simulation", phrase_arg(PHRASE_NOTE_SIMULATION));
            return;
        }
}

void run_notes_verified(AdviseRun *run)
{
    note_single_points(run);
    note_simulation(run);
}

/* The application runs the tail, which is not run here. */
static void note_cut(AdviseRun *run)
{
    for (size_t i = 0; i < run->ranking.nrec; i++) {
        const Proposal *p = run->ranking.rec[i];
        if (proposal_has_gain(p) && attempt_setting(proposal_attempt(p), LEVER_CUT_TAIL))
            notes_add(run->notes, "cut",
                      phrase_arg(p->verified.n ? PHRASE_NOTE_CUT : PHRASE_NOTE_CUT_PREDICTED),
                      arg_text(p->match->rule->id));
    }
}

/* Savings that depend on conversions outside the trace. */
static void note_unmeasured_types(AdviseRun *run)
{
    bool any = false;
    for (size_t i = 0; i < run->ranking.nrec; i++) {
        const Proposal *p = run->ranking.rec[i];
        any |= proposal_has_gain(p) && !p->verified.n && p->gain.type_unmeasured;
    }
    if (any)
        notes_add(run->notes, "unmeasured-types", phrase_arg(PHRASE_NOTE_TYPE_UNMEASURED));
}

/* False for skipped proposals that others cover, and for empty bounds. */
static bool is_missed(const Skipped *h)
{
    return h->reason != SKIPPED_SAME_CHANGE &&
           !(h->proposal->basis == BASIS_BOUND && h->reason == SKIPPED_NO_GAIN);
}

/* Small savings of rules that are recommended for something else. */
static void note_small_ones(AdviseRun *run)
{
    const Ranking *r = &run->ranking;
    for (size_t i = 0; i < r->nheld; i++)
        for (size_t k = 0; k < r->nrec; k++) {
            const Match *held = r->held[i].proposal->match;
            if (r->rec[k]->match->rule != held->rule || !is_missed(&r->held[i]))
                continue;
            notes_add(run->notes, r->held[i].proposal->fingerprint, phrase_arg(PHRASE_NOTE_HELD),
                      arg_text(held->rule->id), arg_text(held->title[0]),
                      arg_message(r->held[i].said));
            break;
        }
}

void run_notes_advice(AdviseRun *run)
{
    note_unmeasured_types(run);
    note_cut(run);
    run_rules_broken_traces(&run->rules, run->arena, run->stats);
    run_rules_refused_settings(&run->rules, run->arena, run->request->config);
    note_small_ones(run);
}
