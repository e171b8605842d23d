/* Derives the notes from the reconciled trace, from the runs and from the plans. */
#include "advisor/advise/run_notes.h"

#include "advisor/candidate/search/plan.h"
#include "advisor/candidate/proposal.h"
#include "cost_model/evidence_grade.h"
#include "cost_model/reconcile.h"

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
static void note_single_points(AdviseRun *run, const Plan *p)
{
    for (size_t i = 0; i < p->nrow; i++) {
        const Proposal *x = p->row[i].part ? p->row[i].part->proposal : NULL;
        const HostCost *law = x ? x->gain.rests_on : NULL;
        if (p->verified.n && law)
            notes_add(run->notes, arena_printf(run->arena, "single-point-%s", x->match->rule->id),
                      phrase_arg(PHRASE_NOTE_SINGLE_POINT), arg_text(x->match->rule->id),
                      arg_text(law->op), arg_text(law->info.source));
    }
}

void run_notes_verified(AdviseRun *run)
{
    const Plan *p = plan_recommended(&run->plans);
    if (p)
        note_single_points(run, p);
}

void run_notes_advice(AdviseRun *run)
{
    run_rules_broken_traces(&run->rules, run->arena, run->stats);
    run_rules_refused_settings(&run->rules, run->arena, run->request->config);
}
