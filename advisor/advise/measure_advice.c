/* Selects the changes to measure, reuses measurements of equal changes, and notes failures. */
#include "advisor/advise/measure_advice.h"

#include "advisor/message/phrase.h"
#include "advisor/candidate/comparer.h"
#include "advisor/candidate/proposal.h"

static bool is_new(const Proposal *p)
{
    return !p->accuracy_asked && proposal_attempt(p);
}

/* True if the loss exceeds the limit on these images. */
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
        notes_add(run->notes, "accuracy-constant", phrase_arg(PHRASE_NOTE_ACCURACY_CONSTANT),
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
                  phrase_arg(PHRASE_NOTE_NO_ACCURACY), arg_text(id), arg_message(t->why));
    note_constant(run, id, &p->accuracy);
}

bool measure_failed(const AdviseRun *run)
{
    for (size_t i = 0; i < run->rules.nincomplete; i++)
        if (run->rules.incomplete[i].kind == RESULT_INCOMPLETE_KIND_ACCURACY)
            return true;
    return false;
}

/* Notes that accuracy is unknown; the other results stay valid. */
static void accuracy_failed(AdviseRun *run, const Diag *why)
{
    const Message *said = message_verbatim(run->arena, arena_strdup(run->arena, why->text));
    notes_add(run->notes, "no-accuracy", phrase_arg(PHRASE_NOTE_NO_ACCURACY_AT_ALL),
              arg_message(said));
    run_rules_incomplete(&run->rules, run->arena, RESULT_INCOMPLETE_KIND_ACCURACY, said);
}

/* True when one of them is blocked. */
static bool measure_list(AdviseRun *run, AccuracyBench *b, Proposal **asked, size_t n)
{
    AccuracyTrial *trial = ARENA_ARRAY(run->arena, AccuracyTrial, n + 1);
    Diag diag = {0};
    bool blocked = false;
    if (n == 0 || !b || measure_failed(run))
        return false;
    for (size_t i = 0; i < n; i++)
        trial[i].attempt = proposal_attempt(asked[i]);
    if (accuracy_measure(b, trial, n, &diag))
        accuracy_failed(run, &diag);
    for (size_t i = 0; i < n; i++) {
        take_accuracy(run, asked[i], &trial[i]);
        blocked |= asked[i]->verdict == VERDICT_ACCURACY_BLOCKED;
    }
    return blocked;
}

bool measure_unmeasured(AdviseRun *run, AccuracyBench *b)
{
    size_t n = 0;
    const Ranking *r = &run->ranking;
    Proposal **asked = ARENA_ARRAY(run->arena, Proposal *, r->nrec + 1);
    for (size_t i = 0; i < r->nrec; i++)
        if (is_new(r->rec[i]))
            asked[n++] = r->rec[i];
    return measure_list(run, b, asked, n);
}

void measure_all(AdviseRun *run, AccuracyBench *b, Applicability effort)
{
    size_t n = 0;
    Proposal **asked = ARENA_ARRAY(run->arena, Proposal *, run->nproposal + 1);
    for (size_t i = 0; i < run->nproposal; i++) {
        Proposal *p = &run->proposal[i];
        if (is_new(p) && p->basis == BASIS_WHAT_IF && p->match->rule->applicability <= effort)
            asked[n++] = p;
    }
    measure_list(run, b, asked, n);
}

/* The changes of a point, without the settings of the run. */
static Attempt changes_of(Arena *a, const TunedPoint *p)
{
    Attempt all = {NULL, 0};
    size_t cap = 0;
    for (size_t i = 0; i < p->npart; i++) {
        const TunePart *x = &p->part[i];
        const Attempt *t = x->change ? &x->change->proposal->match->attempt[x->attempt] : NULL;
        for (size_t k = 0; t && k < t->nset; k++)
            if (!t->set[k].given)
                *VEC_PUSH(a, all.set, all.nset, cap) = t->set[k];
    }
    return all;
}

static bool is_same(const Attempt *x, const Attempt *y)
{
    for (size_t i = 0; i < x->nset; i++)
        if (!attempt_has(y, &x->set[i]))
            return false;
    return x->nset == y->nset;
}

/* A measurement of the same changes; NULL: none. */
static const Accuracy *measured_of_same(const AdviseRun *run, const Attempt *all)
{
    const Tune *t = run->best;
    for (size_t i = 0; i < run->nproposal; i++) {
        const Proposal *p = &run->proposal[i];
        if (p->accuracy.known && proposal_attempt(p) && is_same(proposal_attempt(p), all))
            return &p->accuracy;
    }
    const TunedPoint *best = t && t->chosen < t->nfront ? &t->front[t->chosen] : NULL;
    if (!best || !best->accuracy.known)
        return NULL;
    Attempt of = changes_of(run->arena, best);
    return is_same(&of, all) ? &best->accuracy : NULL;
}

static Accuracy measure_together(AdviseRun *run, AccuracyBench *b, const Attempt *all)
{
    const Accuracy *known = measured_of_same(run, all);
    AccuracyTrial t = {.attempt = all};
    Diag diag = {0};
    if (known)
        return *known;
    if (accuracy_measure(b, &t, 1, &diag))
        accuracy_failed(run, &diag);
    return t.result;
}

bool measure_point(AdviseRun *run, AccuracyBench *b, TunedPoint *p)
{
    Attempt all = changes_of(run->arena, p);
    if (!b || !all.nset || measure_failed(run) || !accuracy_concerns(b, &all))
        return false;
    p->accuracy = measure_together(run, b, &all);
    return loses_too_much(run->request, &p->accuracy);
}

bool measure_block_worst(AdviseRun *run, const TunedPoint *p)
{
    Proposal *worst = NULL;
    for (size_t i = 0; i < run->nproposal; i++)
        for (size_t k = 0; k < p->npart; k++) {
            Proposal *x = &run->proposal[i];
            if (p->part[k].change && p->part[k].change->proposal == x && x->accuracy.known &&
                !x->accuracy.exact && (!worst || x->accuracy.loss > worst->accuracy.loss))
                worst = x;
        }
    if (worst)
        worst->verdict = VERDICT_ACCURACY_BLOCKED;
    return worst != NULL;
}

AccuracyBench *measure_open_bench(AdviseRun *run)
{
    const AdviseRequest *q = run->request;
    AccuracyBench *b = NULL;
    Diag diag = {0};
    AccuracyRequest of = {.w = &run->whatif,
                          .model_path = q->model_path,
                          .data = q->data,
                          .preprocess = q->preprocess,
                          .images = q->images,
                          .metric = q->metric,
                          .metric_helper = q->metric_helper,
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
    if (!b || c->npart < 2 || measure_failed(run) || !accuracy_concerns(b, &c->attempt))
        return;
    c->accuracy = measure_together(run, b, &c->attempt);
    if (loses_too_much(run->request, &c->accuracy))
        c->verdict = VERDICT_ACCURACY_BLOCKED;
}
