/* Applies settings to a model, compiles and predicts it again, and compares the result.
 *
 * With a trace, the prediction is a replay.  A saving is always a difference of the objective,
 * never a share of time.  Its interval is one of a difference: whatever both variants have in
 * common is off by the same factor in both, so only the changed parts make it uncertain. */
#pragma once

#include "cost_model/predict.h"
#include "advisor/rules/variant.h"
#include "cost_model/reconcile.h"

typedef struct {
    Arena *arena; /* its own: programs of trials do not pile up */
    Variant variant;
    Program *program;
    Prediction *time;
    Prediction *most; /* of a bound: its times with the largest removal; NULL otherwise */
} Trial;

typedef struct {
    const Model *model; /* as loaded */
    const Machine *machine;
    const Costs *costs;
    const Reconciliation *rec; /* NULL without a trace */
    Objective objective;
    int64_t latency_limit_ns; /* of a request, under the throughput objective; 0: none */
    Trial baseline;           /* as the user runs it: what every variant is compared with */
} WhatIf;

typedef struct {
    bool known;               /* false: a step of unknown cost was added */
    double before;            /* objective that it is compared with, middle */
    Interval objective;       /* after */
    Interval gain;            /* positive is better */
    Interval ratio;           /* its error by other PEs and another batch */
    double local_ns;          /* removed work: host, transfers and NPU, per task */
    bool at_least;            /* work of unknown cost is removed too: a lower bound */
    const HostCost *rests_on; /* law of half of local_ns, if of one point; NULL */
} Gain;

/* Needs the fields up to `objective`; the program and its times (replayed) stay the caller's. */
void whatif_open(WhatIf *w, const Variant *v, Program *program, Prediction *time);
void whatif_close(WhatIf *w);

/* Applies the settings to the baseline.  On success the caller frees the trial. */
Status whatif_try(const WhatIf *w, const LeverSetting *set, size_t nset, Trial *ret, Diag *diag);
void trial_free(Trial *t);

/* Time of a request while all workers of the trial are busy: waiting for each other included. */
double trial_latency_ns(const Trial *t);

Gain whatif_gain(const WhatIf *w, const Trial *t);

/* The saving over another trial, for a change that depends on that one. */
Gain whatif_gain_over(const WhatIf *w, const Trial *from, const Trial *t);
