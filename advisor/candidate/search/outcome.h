/* Decides what becomes of each match that is in no plan: by hand, observed or suppressed. */
#pragma once

#include "advisor/candidate/search/plan.h"

typedef enum {
    SUPPRESSED_SMALL,
    SUPPRESSED_NO_GAIN,
    SUPPRESSED_UNTRIED,    /* the settings do not fit this model */
    SUPPRESSED_CONFIGURED, /* a settings file turns the rule off */
    SUPPRESSED_NEWER_SDK,  /* only a newer SDK has the setting */
    SUPPRESSED_COVERED,    /* a plan saves the same time */
    SUPPRESSED_ACCURACY,   /* it loses more than --max-accuracy-loss */
    SUPPRESSED_NEEDS,      /* --needs does not allow it */
} SuppressReason;
const char *suppress_reason_name(SuppressReason r); /* "small", "no-gain" … */

/* An action that `apply` cannot make, with the most that it saves after the recommended plan. */
typedef struct {
    const Proposal *proposal;
    NeedSet needs;
    double up_to; /* in the objective's unit */
} HandWork;

/* A finding without a figure, or without an action. */
typedef struct {
    const Proposal *proposal;
    const Message *said; /* why; NULL: its figure repeats the cost of changes */
} Observation;

typedef struct {
    const Proposal *proposal;
    SuppressReason reason;
    const Message *said;
} Suppressed;

typedef struct {
    HandWork *by_hand; /* largest first */
    size_t nby_hand;
    Observation *observation; /* by rule id, then occurrence, as the proposals */
    size_t nobservation;
    Suppressed *suppressed; /* likewise */
    size_t nsuppressed;
} Outcomes;

typedef struct {
    double min_share;    /* of the objective … */
    int64_t min_gain_ns; /* … and of latency: smaller savings are small */
} Thresholds;

Outcomes outcomes_of(Arena *a, const PlanSet *s, const Proposal *list, size_t n, Thresholds t);

/* The row of a plan that makes this proposal's change, or sets what it would set; NULL: none. */
const PlanRow *outcome_row(const Plan *p, const Proposal *proposal);
