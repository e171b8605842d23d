/* AdviseRun: everything between a request and its result, stage by stage. */
#ifndef ADVISOR_RESULT_RUN_H
#define ADVISOR_RESULT_RUN_H

#include "advisor/measure/accuracy.h"
#include "advisor/result/advise.h"
#include "advisor/try/rank.h"
#include "advisor/try/samples.h"
#include "advisor/try/whatif.h"
#include "advisor/tune/tune.h"
#include "cost_model/setup/setup.h"
#include "graph/base/notes.h"

/* Something that was asked for and not done to the end. */
typedef struct {
    const char *kind; /* "rule", "trace", "runner", "settings", "accuracy" */
    const Said *said;
} Incomplete;

typedef struct {
    Arena *arena;
    const AdviseRequest *request;
    Notes *notes;
    Variant variant; /* the baseline, with what the trace says about the SDK */
    Model *model;
    Machine *machine;
    const Costs *costs;
    TraceStats *stats; /* NULL without a trace */
    Samples samples;
    Setup setup;
    Program *program;
    Prediction *prediction; /* the pure model */
    Reconciliation *rec;    /* NULL without a trace */
    Prediction *time;       /* replayed; the prediction without a trace */
    xmlDoc *facts;
    RuleBook book;
    MatchList matches;
    WhatIf whatif;
    bool whatif_is_open;
    Proposal *proposal;
    size_t nproposal;
    Ranking ranking;
    Tune *best;    /* what to deploy; NULL: nobody asks, or nothing is recommended */
    Trial watched; /* what is recommended, as it ran when it was verified; arena NULL: it did not */
    TraceStats *watched_stats;
    Config settings; /* the request's, settled against the book */
    Incomplete *incomplete;
    size_t nincomplete, incomplete_cap;
} AdviseRun;

/* What was not done to the end: no gate may pass over it. */
static inline void run_incomplete(AdviseRun *run, const char *kind, const Said *said)
{
    *VEC_PUSH(run->arena, run->incomplete, run->nincomplete, run->incomplete_cap) =
        (Incomplete){kind, said};
}

/* Accuracy on the images of --data (measured.c).  NULL where nothing can be run, which the result
 * then says; accuracy_close. */
AccuracyBench *measure_open(AdviseRun *run);

/* Of all that is ranked and was not measured yet; true when one of them is blocked.  `b` may be
 * NULL. */
bool measure_new(AdviseRun *run, AccuracyBench *b);

/* Of all that is recommended together. */
void measure_combined(AdviseRun *run, AccuracyBench *b);

/* Of all that a search for what to deploy may take; and of a point that it found, as a whole: true
 * when it loses too much.  block_worst blocks that of its changes which loses most by itself;
 * false: none loses anything. */
void measure_all(AdviseRun *run, AccuracyBench *b, Applicability effort);
bool measure_point(AdviseRun *run, AccuracyBench *b, TunedPoint *p);
bool block_worst(AdviseRun *run, const TunedPoint *p);

/* Something was to be measured and could not be. */
bool measure_failed(const AdviseRun *run);

#endif
