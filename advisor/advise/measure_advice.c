/* Measures plans row by row, blocks what loses too much, and notes failures. */
#include "advisor/advise/measure_advice.h"

#include "advisor/candidate/comparer.h"
#include "advisor/candidate/proposal.h"

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

bool measure_failed(const AdviseRun *run)
{
    return LIST_ANY(i, run->rules.nincomplete,
                    run->rules.incomplete[i].kind == RESULT_INCOMPLETE_KIND_ACCURACY);
}

/* Notes that accuracy is unknown; the other results stay valid. */
static void accuracy_failed(AdviseRun *run, const Diag *why)
{
    const Message *said = message_verbatim(run->arena, arena_strdup(run->arena, why->text));
    notes_add(run->notes, "no-accuracy", phrase_arg(PHRASE_NOTE_NO_ACCURACY_AT_ALL),
              arg_message(said));
    run_rules_incomplete(&run->rules, run->arena, RESULT_INCOMPLETE_KIND_ACCURACY, said);
}

/* One trial per row that values pass through: all changes up to it. */
static size_t list_trials(AdviseRun *run, AccuracyBench *b, AccuracyTrial *trial, PlanRow **row)
{
    size_t n = 0;
    for (size_t i = 0; i < run->plans.nplan; i++) {
        Plan *p = &run->plans.plan[i];
        /* Values of a network that is trained again are others. */
        bool measured = p->route != ROUTE_RETRAIN || run->plans.retrain_asked;
        for (size_t k = 0; k < p->nrow && measured; k++) {
            if (!accuracy_concerns(b, &p->row[k].upto))
                continue;
            trial[n] = (AccuracyTrial){.attempt = &p->row[k].upto};
            row[n++] = &p->row[k];
        }
    }
    return n;
}

static void note_unmeasured(AdviseRun *run, const PlanRow *x, const Message *why)
{
    const char *id = x->part ? x->part->proposal->match->rule->id : "";
    if (why)
        notes_add(run->notes, arena_printf(run->arena, "no-accuracy-%s", id),
                  phrase_arg(PHRASE_NOTE_NO_ACCURACY), arg_text(id), arg_message(why));
}

/* A setting of the run leaves values as they are. */
static void set_accuracy_of(AdviseRun *run, Plan *p)
{
    for (size_t i = 1; i < p->nrow; i++)
        if (!p->row[i].accuracy.known)
            p->row[i].accuracy = p->row[i - 1].accuracy;
    p->accuracy = p->nrow ? p->row[p->nrow - 1].accuracy : p->accuracy;
    if (run->request->loss_limited && p->accuracy.known &&
        !loses_too_much(run->request, &p->accuracy))
        p->needs &= ~(NeedSet)NEED_ACCURACY;
}

/* Blocks the change with the largest loss per saving; false: no change of the plan has any. */
static bool block_worst(AdviseRun *run, const Plan *p)
{
    const PlanRow *worst = NULL;
    double most = 0, before = 0;
    for (size_t i = 0; i < p->nrow; i++) {
        const PlanRow *x = &p->row[i];
        double loss = x->accuracy.known ? x->accuracy.loss - before : 0;
        double per_saving = loss / fmax(1, fabs(x->saves.mid));
        before = x->accuracy.known ? x->accuracy.loss : before;
        if (x->part && x->needs & (NEED_ACCURACY | NEED_RETRAIN) && (!worst || per_saving > most)) {
            worst = x;
            most = per_saving;
        }
    }
    for (size_t i = 0; worst && i < run->nproposal; i++)
        if (&run->proposal[i] == worst->part->proposal)
            run->proposal[i].verdict = VERDICT_ACCURACY_BLOCKED;
    return worst != NULL;
}

bool measure_plans(AdviseRun *run, AccuracyBench *b)
{
    enum { TRIALS_MAX = ROUTE_COUNT * (PARTS_MAX + AXIS_COUNT) };
    AccuracyTrial *trial = ARENA_ARRAY(run->arena, AccuracyTrial, TRIALS_MAX);
    PlanRow *row[TRIALS_MAX];
    Diag diag = {0};
    size_t n = measure_failed(run) ? 0 : list_trials(run, b, trial, row);
    bool blocked = false;
    if (n && accuracy_measure(b, trial, n, &diag))
        accuracy_failed(run, &diag);
    for (size_t i = 0; i < n; i++) {
        row[i]->accuracy = trial[i].result;
        note_unmeasured(run, row[i], trial[i].why);
        note_constant(run, row[i]->part ? row[i]->part->proposal->match->rule->id : "",
                      &trial[i].result);
    }
    for (size_t i = 0; i < run->plans.nplan; i++) {
        Plan *p = &run->plans.plan[i];
        set_accuracy_of(run, p);
        if (loses_too_much(run->request, &p->accuracy))
            blocked |= block_worst(run, p);
    }
    return blocked;
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
