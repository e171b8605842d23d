/* Defines AdviseRun, which holds everything between a request and its result, stage by stage. */
#pragma once

#include "advisor/advise/run_rules.h"
#include "advisor/candidate/latency_samples.h"
#include "advisor/candidate/whatif.h"
#include "advisor/candidate/search/capacity.h"
#include "advisor/candidate/search/outcome.h"
#include "advisor/report/result.h"
#include "cost_model/setup/setup.h"

typedef struct {
    Arena *arena;
    const AdviseRequest *request;
    Notes *notes;
    Variant variant; /* the baseline, with the set-up from the trace */
    Model *model;
    Machine *machine;
    const Costs *costs;
    TraceStats *stats; /* NULL without a trace */
    LatencySamples samples;
    Setup setup;
    Program *program;
    Prediction *prediction; /* the pure model */
    Reconciliation *rec;    /* NULL without a trace */
    Prediction *time;       /* replayed; the prediction without a trace */
    xmlDoc *facts;
    RunRules rules;
    WhatIf whatif;
    bool whatif_is_open;
    Proposal *proposal;
    size_t nproposal;
    PlanSet plans;
    Outcomes outcomes;
    bool widened;              /* the file's numbers are float16, and read as float32 */
    const Message *unsuitable; /* why the model does not suit the target; NULL: it does */
    Interval cpu_ns;           /* without the NPU, in float, on one thread; 0: not known */
    CapacityGoal rate;         /* images_per_s 0: no rate is to be served … */
    CapacityPlan capacity;     /* … else by what */
    Trial watched;             /* the recommended plan as run; arena NULL: not run */
    TraceStats *watched_stats;
} AdviseRun;
