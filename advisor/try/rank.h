/* Ranking: what is recommended in which order, what is held back, and what all of it gains
 * together. */
#ifndef ADVISOR_TRY_RANK_H
#define ADVISOR_TRY_RANK_H

#include "advisor/try/proposal.h"

typedef enum {
    HELD_SMALL,
    HELD_NO_GAIN,
    HELD_UNCERTAIN,
    HELD_UNTRIED,
    HELD_CONFIGURED,
    HELD_NEWER_SDK,   /* only a newer SDK has the setting */
    HELD_INFORMATION, /* the rule has nothing to set */
} HeldReason;
const char *held_reason_name(HeldReason r); /* "small", "no-gain", "uncertain" … */

typedef struct {
    const Proposal *proposal;
    HeldReason reason;
    const char *text; /* one sentence with the figures */
} Held;

/* All compatible recommendations applied together; n < 2: there is nothing to combine. */
typedef struct {
    const Proposal **part; /* in order of rank */
    size_t npart;
    Attempt attempt; /* their settings, in order of trial; workers chosen again for all of them */
    Gain gain;
    double sum_of_parts; /* of the predicted gains */
    Verdict verdict;
    Verified verified;
} Combined;

typedef struct {
    double min_share;    /* of what remains after the recommendations above */
    int64_t min_gain_ns; /* of latency */
    bool verifying;      /* what is uncertain will be measured: nothing is held back for that */
} Thresholds;

typedef struct {
    Proposal **rec; /* by rank */
    size_t nrec;
    Held *held;
    size_t nheld;
    Combined combined;
} Ranking;

/* Ranks by the lower bound of the gain (verified, else predicted) times the weight of what the
 * change asks of the user; unknown gains after known ones, bad verdicts last; ties by rule id, then
 * place.  May be called again after verification. */
Ranking rank_proposals(Arena *a, const WhatIf *w, Proposal *list, size_t n, Thresholds t);

/* What may lose half of what it is expected to gain is no advice without --verify (a rule of
 * "more than the half-width" would do for even intervals; these are lopsided, and the upper end
 * takes nothing away). */
bool gain_is_uncertain(const Interval *gain);

/* Two proposals that cannot both be followed: a rule says so, or they set one lever differently. */
bool proposals_conflict(const Proposal *a, const Proposal *b);

#endif
