/* Applies settings to a model, compiles and predicts it again, and compares the result.
 *
 * With a trace, the prediction is a replay.  A saving is always a difference of the objective,
 * never a share of time.  Its interval is one of a difference: whatever both variants have in
 * common is off by the same factor in both, so only the changed parts make it uncertain. */
#ifndef ADVISOR_CANDIDATE_WHATIF_H
#define ADVISOR_CANDIDATE_WHATIF_H

#include "advisor/rules/variant.h"
#include "cost_model/reconcile.h"

typedef struct {
    Arena *arena; /* its own: programs of trials do not pile up */
    Variant variant;
    Program *program;
    Prediction *time;
    Prediction *most; /* of a bound: its times if the most goes that can; NULL otherwise */
} Trial;

typedef struct {
    const Model *model; /* as loaded */
    const Machine *machine;
    const Costs *costs;
    const Reconciliation *rec; /* NULL without a trace */
    Objective objective;
    int64_t latency_limit_ns; /* of a request, under the throughput objective; 0: none */
    Trial baseline;           /* as the user runs it */
    Trial at_best; /* the baseline at its best worker count: what compile options are compared
                      with under the throughput objective unless --workers was given */
} WhatIf;

typedef struct {
    bool known;         /* false: a step came whose cost nobody knows */
    double before;      /* objective that it is compared with, middle */
    Interval objective; /* after */
    Interval gain;      /* positive is better */
    double rank_lo;     /* the lower end that ranks: that of `gain` holds conversions that the trace
                           does     not have besides, of which no law tells */
    bool type_unmeasured; /* to such a conversion a good part of the gain may go */
    double local_ns;      /* work that went: host, transfers and NPU, per task */
    bool at_least;        /* work of unknown cost went as well: the gain is a bound from below */
    const HostCost *rests_on; /* law behind at least half of local_ns, if a single published point
                                 is all it has and no trace says better; NULL */
} Gain;

/* Needs the fields up to `objective`; the program and its times (replayed) stay the caller's. */
void whatif_open(WhatIf *w, const Variant *v, Program *program, Prediction *time);
void whatif_close(WhatIf *w);

/* Applies the settings to the baseline.  On success the caller frees the trial. */
Status whatif_try(const WhatIf *w, const LeverSetting *set, size_t nset, Trial *ret, Diag *diag);
void trial_free(Trial *t);

/* Gives a trial as many workers as are enough for it: a count that was chosen for another variant
 * is too many once the host has less to do, and too few once the NPU has. */
void trial_choose_workers(const WhatIf *w, Trial *t);

/* The same, and one more at a time until it has that rate: what is compared with others at their
 * best number may need more than are enough.  No more than a variant of its own is tried with. */
void trial_choose_workers_for(const WhatIf *w, Trial *t, double per_s);

/* Time of a request while all workers of the trial are busy: waiting for each other included. */
double trial_latency_ns(const Trial *t);

/* What a trial is compared with: the baseline as the user runs it, or at its best worker count. */
const Trial *whatif_reference(const WhatIf *w, const Trial *t);

Gain whatif_gain(const WhatIf *w, const Trial *t);

/* The same over another trial: of a change that comes on top of one. */
Gain whatif_gain_over(const WhatIf *w, const Trial *from, const Trial *t);

#endif
