/* Asserts that all recommended changes together cost no more accuracy than the user allows. */
#include "advisor/act/gate/gate_parts.h"
#include "advisor/report/tree_summary.h"
#include "advisor/candidate/comparer.h"

#include <string.h>

/* The worst of what was measured. */
typedef struct {
    bool found, unmeasured;
    double value, worst, best; /* in the unit of the limit; the interval's ends */
} Worst;

/* The figure in dB, or the loss. */
static bool read_figure(const Gate *g, const cJSON *accuracy, double *mid, double *worst,
                        double *best)
{
    const cJSON *f = accuracy;
    if (!g->q->loss_in_db)
        return json_number(accuracy, "loss.mid", mid) && json_number(accuracy, "loss.hi", worst) &&
               json_number(accuracy, "loss.lo", best);
    for (const cJSON *more = json_first(accuracy, "more"); more; more = more->next)
        if (strcmp(json_text(f, "unit", ""), "dB"))
            f = more;
    return !strcmp(json_text(f, "unit", ""), "dB") && json_number(f, "value", mid) &&
           json_number(f, "lo", worst) && json_number(f, "hi", best);
}

static void note_worst_loss(const Gate *g, Worst *w, const cJSON *o)
{
    const cJSON *accuracy = json_at(o, "accuracy");
    double mid, worst, best;
    w->unmeasured |= json_at(o, "accuracy_reason") != NULL;
    if (!cJSON_IsObject(accuracy) || cJSON_IsTrue(json_at(accuracy, "exact")) ||
        !read_figure(g, accuracy, &mid, &worst, &best))
        return;
    bool lower = g->q->loss_in_db;
    if (w->found && (lower ? w->worst <= worst : w->worst >= worst))
        return;
    *w = (Worst){true, w->unmeasured, mid, worst, best};
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
static bool is_unmeasured(const cJSON *result)
{
    return cJSON_IsObject(json_at(result, "compiled")) ||
           json_find(json_at(result, "incomplete"), "kind", "accuracy");
}

/* Blocked changes are no advice.  Nothing measured that differs is a loss of 0. */
void gate_accuracy(const Gate *g)
{
    Worst w = {.unmeasured = is_unmeasured(g->result)};
    if (!g->q->loss_text)
        return;
    for (const cJSON *rec = json_first(g->result, "recommendations"); rec; rec = rec->next)
        if (tree_summary_can_help(rec))
            note_worst_loss(g, &w, rec);
    note_worst_loss(g, &w, json_at(g->result, "combined"));
    double all[] = {w.best, w.value, w.worst};
    Decision d = decide_loss(g, &w);
    GateLimit limit = {.at_least = g->q->loss_in_db, .value = g->q->loss_limit};
    gate_assert(g,
                &(Assertion){.name = g->q->loss_in_db ? "accuracy_db" : "accuracy_loss",
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
                                           ? "the accuracy of a recommendation was not measured"
                                           : "the interval holds the limit: more images decide"});
}
