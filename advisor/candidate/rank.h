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
    SKIPPED_NO_BASE,     /* what it comes on top of is not among the advice */
} SkipReason;
const char *rank_skip_reason_name(SkipReason r); /* "small", "no-gain", "uncertain" … */

typedef struct {
    const Proposal *proposal;
    SkipReason reason;
    const Message *said; /* one sentence with the figures */
} Skipped;

/* What has no figure, or nothing to do: told, never ranked. */
typedef struct {
    const Proposal *proposal;
    const Message *said; /* why it has no figure, or why there is nothing to do */
} Observation;

/* All compatible recommendations applied together; n < 2: there is nothing to combine. */
typedef struct {
    const Proposal **part; /* in order of rank */
    size_t npart;
    Attempt attempt; /* their settings, in order of trial; workers chosen again for all of them */
    Gain gain;
    double sum_of_parts; /* of the predicted gains */
    Verdict verdict;
    Verified verified;
    Accuracy accuracy;
} Combined;

/* Where the advice leads if all of it were followed and every bound came true. */
typedef struct {
    bool known;
    bool bounds; /* not by what was tried alone */
    Interval objective;
    double host_ns; /* what the host then still takes, per task */
} Reach;

typedef struct {
    double min_share;    /* of what remains after the recommendations above */
    int64_t min_gain_ns; /* of latency */
    bool verifying;      /* what is uncertain will be measured: nothing is held back for that */
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

/* Ranks by the lower bound of the gain (verified, else predicted) times the weight of what the
 * change asks of the user; what remains at the borders behind them; bad verdicts last; ties by rule
 * id, then place.  What has no figure is an observation.  A bound is judged by what it adds to the
 * combination of the what-ifs ranked above it: of a step that one of them removes already, nothing
 * is left.  May be called again after verification. */
Ranking rank_proposals(Arena *a, const WhatIf *w, Proposal *list, size_t n, Thresholds t);

/* What may lose half of what it is expected to gain (at the lower end that ranks) is no advice
 * without --verify (a rule of "more than the half-width" would do for even intervals; these are
 * lopsided, and the upper end takes nothing away). */
bool rank_is_uncertain(double lower, double mid);

/* Two proposals that cannot both be followed: a rule says so, or they set one lever differently. */
bool rank_conflict(const Proposal *a, const Proposal *b);

#endif
