/* Which of the recommendations are measured, and what becomes of them. */
#include "advisor/result/run.h"

#include "advisor/say/phrase.h"
#include "advisor/try/accuracy.h"
#include "advisor/try/compare.h"
#include "advisor/try/proposal.h"

#include <string.h>

static bool is_new(const Proposal *p)
{
    return !p->accuracy_asked && proposal_attempt(p);
}

/* The limit that was said is passed, on the images that there are. */
static bool loses_too_much(const AdviseRequest *q, const Accuracy *x)
{
    const AccuracyFigure *db = q->loss_in_db && x->known ? accuracy_in(x, "dB") : NULL;
    if (!q->loss_limited || !x->known || x->exact)
        return false;
    return q->loss_in_db ? db && db->value < q->loss_limit : x->loss > q->loss_limit;
}

static void note_constant(AdviseRun *run, const char *of, const Accuracy *x)
{
    if (x->constant)
        notes_add(run->notes, "accuracy-constant", arg_phrase(SAY_NOTE_ACCURACY_CONSTANT),
                  arg_text(of), arg_text(x->output));
}

static void take_accuracy(AdviseRun *run, Proposal *p, const AccuracyTrial *t)
{
    const char *id = p->match->rule->id;
    p->accuracy = t->result;
    p->accuracy_asked = true;
    p->accuracy_why = t->why;
    if (loses_too_much(run->request, &p->accuracy))
        p->verdict = VERDICT_ACCURACY_BLOCKED;
    if (t->why)
        notes_add(run->notes, arena_printf(run->arena, "no-accuracy-%s", id),
                  arg_phrase(SAY_NOTE_NO_ACCURACY), arg_text(id), arg_said(t->why));
    note_constant(run, id, &p->accuracy);
}

static bool has_accuracy_failed(const AdviseRun *run)
{
    for (size_t i = 0; i < run->nincomplete; i++)
        if (!strcmp(run->incomplete[i].kind, "accuracy"))
            return true;
    return false;
}

/* Nothing is known of accuracy then; the rest of the advice stands. */
static void accuracy_failed(AdviseRun *run, const Diag *why)
{
    const Said *said = said_verbatim(run->arena, arena_strdup(run->arena, why->text));
    notes_add(run->notes, "no-accuracy", arg_phrase(SAY_NOTE_NO_ACCURACY_AT_ALL), arg_said(said));
    run_incomplete(run, "accuracy", said);
}

bool measure_new(AdviseRun *run, AccuracyBench *b)
{
    size_t n = 0;
    const Ranking *r = &run->ranking;
    Proposal **asked = ARENA_ARRAY(run->arena, Proposal *, r->nrec + 1);
    AccuracyTrial *trial = ARENA_ARRAY(run->arena, AccuracyTrial, r->nrec + 1);
    Diag diag = {0};
    bool blocked = false;
    for (size_t i = 0; b && !has_accuracy_failed(run) && i < r->nrec; i++)
        if (is_new(r->rec[i])) {
            trial[n].attempt = proposal_attempt(r->rec[i]);
            asked[n++] = r->rec[i];
        }
    if (n == 0)
        return false;
    if (accuracy_measure(b, trial, n, &diag))
        accuracy_failed(run, &diag);
    for (size_t i = 0; i < n; i++) {
        take_accuracy(run, asked[i], &trial[i]);
        blocked |= asked[i]->verdict == VERDICT_ACCURACY_BLOCKED;
    }
    return blocked;
}

AccuracyBench *measure_open(AdviseRun *run)
{
    const AdviseRequest *q = run->request;
    AccuracyBench *b = NULL;
    Diag diag = {0};
    AccuracyRequest of = {.w = &run->whatif,
                          .model_path = q->model_path,
                          .data = q->data,
                          .preprocess = q->preprocess,
                          .images = q->images,
                          .resume = q->resume,
                          .runner = q->runner,
                          .helper = q->helper,
                          .notes = run->notes,
                          .seed = q->seed,
                          .tell = q->tell_accuracy,
                          .user = q->tell_user};
    if (accuracy_open(run->arena, &of, &b, &diag))
        accuracy_failed(run, &diag);
    return b;
}

void measure_combined(AdviseRun *run, AccuracyBench *b)
{
    Combined *c = &run->ranking.combined;
    AccuracyTrial t = {.attempt = &c->attempt};
    Diag diag = {0};
    if (!b || c->npart < 2 || has_accuracy_failed(run) || !accuracy_concerns(b, &c->attempt))
        return;
    if (accuracy_measure(b, &t, 1, &diag))
        accuracy_failed(run, &diag);
    c->accuracy = t.result;
    if (loses_too_much(run->request, &c->accuracy))
        c->verdict = VERDICT_ACCURACY_BLOCKED;
}
