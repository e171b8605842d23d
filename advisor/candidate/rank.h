/* Ranks proposals, skips those that are not worth a recommendation, and combines the rest. */
#ifndef ADVISOR_CANDIDATE_RANK_H
#define ADVISOR_CANDIDATE_RANK_H

#include "advisor/candidate/proposal.h"

typedef enum {
    SKIPPED_SMALL,
    SKIPPED_NO_GAIN,
    SKIPPED_UNCERTAIN,
    SKIPPED_UNTRIED,
    SKIPPED_CONFIGURED,
    SKIPPED_NEWER_SDK,   /* only a newer SDK has the setting */
    SKIPPED_SAME_CHANGE, /* another recommendation asks for it already */
    SKIPPED_NO_BASE,     /* it depends on a setting that no recommendation makes */
} SkipReason;
const char *rank_skip_reason_name(SkipReason r); /* "small", "no-gain", "uncertain" … */

typedef struct {
    const Proposal *proposal;
    SkipReason reason;
    const Message *said; /* one sentence with the figures */
} Skipped;

/* A proposal without a figure or without an action: printed, never ranked. */
typedef struct {
    const Proposal *proposal;
    const Message *said; /* why there is no figure, or no action */
} Observation;

/* All compatible recommendations applied together; n < 2: there is nothing to combine. */
typedef struct {
    const Proposal **part; /* in order of rank */
    size_t npart;
    Attempt attempt; /* their settings, in order of trial; workers chosen again for all of them */
    Gain gain;
    double sum_of_parts; /* of the predicted savings */
    Verdict verdict;
    Verified verified;
    Accuracy accuracy;
} Combined;

/* The prediction if all recommendations are followed and every bound is reached. */
typedef struct {
    bool known;
    bool bounds; /* it includes bounds */
    Interval objective;
    double host_ns; /* remaining time of the host, per task */
} Reach;

typedef struct {
    double min_share;    /* of the objective after the recommendations above */
    int64_t min_gain_ns; /* of latency */
    bool verifying;      /* uncertain savings will be measured: they are not skipped */
} Thresholds;

typedef struct {
    Proposal **rec; /* by rank */
    size_t nrec;
    Observation *observation; /* by rule id, then place */
    size_t nobservation;
    Skipped *held;
    size_t nheld;
    Combined combined;
    Reach reach;
} Ranking;

/* Ranks by the lower bound of the saving (measured, else predicted) times the weight of its
 * applicability (proposal_sort); bad verdicts are last.  Proposals without a figure are
 * observations. A bound counts for what it adds to the combination of the what-ifs above it:
 * nothing for a step that one of them removes already.  May be called again after verification. */
Ranking rank_proposals(Arena *a, const WhatIf *w, Proposal *list, size_t n, Thresholds t);

/* True if the lower end of a saving is a loss of more than half of its middle: such a change is not
 * recommended without --verify.  (Comparing with the half-width would suit symmetric intervals.) */
bool rank_is_uncertain(double lower, double mid);

/* True if a rule excludes the other, or both set one lever differently. */
bool rank_conflict(const Proposal *a, const Proposal *b);

#endif
