/* Asserts that the plans cost no more accuracy than the user allows. */
#include "advisor/act/gate/gate_parts.h"
#include "advisor/candidate/comparer.h"

/* The worst measured value. */
typedef struct {
    bool found, unmeasured;
    double value, worst, best; /* in the unit of the limit; the interval's ends */
} Worst;

/* The figure in dB, or the loss; lo is the worst of a level, hi of a loss. */
static bool read_figure(const Gate *g, const ResultAccuracy *x, ResultLoss *ret)
{
    *ret = x->loss;
    if (!g->q->loss_in_db)
        return true;
    *ret = (ResultLoss){x->lo, x->value, x->hi};
    for (size_t i = 0; x->unit != RESULT_ACCURACY_UNIT_DB && i < x->more.count; i++) {
        const ResultAccuracyFigure *f = &x->more.item[i];
        *ret = (ResultLoss){f->lo, f->value, f->hi};
        if (f->unit == RESULT_ACCURACY_UNIT_DB)
            return true;
    }
    return x->unit == RESULT_ACCURACY_UNIT_DB;
}

static void note_worst_loss(const Gate *g, Worst *w, const ResultAccuracy *accuracy)
{
    bool lower = g->q->loss_in_db;
    ResultLoss v;
    if (!accuracy || accuracy->exact || !read_figure(g, accuracy, &v))
        return;
    double worst = lower ? v.lo : v.hi;
    if (w->found && (lower ? w->worst <= worst : w->worst >= worst))
        return;
    *w = (Worst){true, w->unmeasured, v.mid, worst, lower ? v.hi : v.lo};
}

static Decision decide_loss(const Gate *g, const Worst *w)
{
    double limit = g->q->loss_limit;
    bool lower = g->q->loss_in_db;
    if (w->found && (lower ? w->best < limit : w->best > limit))
        return FAILS;
    if (w->unmeasured || (w->found && (lower ? w->worst < limit : w->worst > limit)))
        return UNDECIDED;
    return HOLDS;
}

/* What was to be measured was not, or cannot be: a compiled graph has no values. */
static bool is_unmeasured(const Result *r)
{
    return LIST_ANY(i, r->incomplete.count,
                    r->incomplete.item[i].kind == RESULT_INCOMPLETE_KIND_ACCURACY) ||
           r->compiled != NULL;
}

/* Of the plans that need no retraining, and of their changes. */
static void note_all_losses(const Gate *g, Worst *w)
{
    const Result *r = g->result;
    for (size_t i = 0; i < r->plans.count; i++) {
        const ResultPlan *p = &r->plans.item[i];
        for (size_t k = 0; k < p->changes.count && p->route != RESULT_ROUTE_RETRAIN; k++)
            note_worst_loss(g, w, p->changes.item[k].accuracy);
    }
    for (size_t i = 0; i < r->changes.count; i++)
        w->unmeasured |= r->changes.item[i].accuracy_reason != NULL;
}

/* Blocked changes are in no plan.  Nothing measured that differs is a loss of 0. */
void gate_accuracy(Gate *g)
{
    Worst w = {.unmeasured = is_unmeasured(g->result)};
    if (!g->q->loss_text)
        return;
    note_all_losses(g, &w);
    double all[] = {w.best, w.value, w.worst};
    Decision d = decide_loss(g, &w);
    GateLimit limit = {.at_least = g->q->loss_in_db, .value = g->q->loss_limit};
    gate_assert(
        g, &(Assertion){
               .name = g->q->loss_in_db ? "accuracy_db" : "accuracy_loss",
               .limit = &limit,
               .has_found = w.found || !w.unmeasured,
               .found = w.found            ? w.value
                        : g->q->loss_in_db ? ACCURACY_DB_MAX
                                           : 0,
               .value = all,
               .nvalue = w.found ? 3 : 0,
               .decision = d,
               .detail = d != UNDECIDED ? NULL
                         : w.unmeasured
                             ? "the accuracy of a change was not measured"
                             : arena_printf(
                                   g->arena,
                                   "the interval %.6g to %.6g holds the limit: more images decide",
                                   fmin(w.best, w.worst), fmax(w.best, w.worst))});
}
