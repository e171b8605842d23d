/* Defines a proposal, a match whose settings were tried, with the predicted saving. */
#pragma once

#include "advisor/rules/match.h"
#include "advisor/candidate/comparer.h"
#include "advisor/candidate/whatif.h"

typedef enum {
    VERDICT_NONE,      /* not verified */
    VERDICT_CONFIRMED, /* above zero, and overlaps the prediction … */
    VERDICT_LARGER,    /* … is above it … */
    VERDICT_SMALLER,   /* … below it */
    VERDICT_NO_GAIN,
    VERDICT_REGRESSION,
    VERDICT_ACCURACY_BLOCKED,
    VERDICT_NOT_VERIFIABLE,
} Verdict;
const char *verdict_name(Verdict v); /* NULL for VERDICT_NONE */

/* The basis of a figure (design: "Recommendations and observations"). */
typedef enum {
    BASIS_WHAT_IF,  /* the change itself was applied, compiled and predicted */
    BASIS_STAND_IN, /* something of equal shape was tried in its place: an estimate */
    BASIS_BOUND,    /* the cost that the change removes, less what it is known to cost */
} Basis;
const char *basis_name(Basis b); /* "what-if" "stand-in" "bound" */
Basis attempt_basis(const Attempt *t);
/* The settings that other recommendations make and this one depends on; none for most. */
Attempt attempt_user_set(Arena *a, const Attempt *t);
/* True for the bound of all remaining conversions at inputs and outputs. */
bool attempt_is_rest(const Attempt *t);
/* True if the application has to do something that no bundle holds: its own code, or outputs that
 * the user exported and may read.  `t` may be NULL. */
bool attempt_is_by_hand(const Attempt *t, const Model *m);
/* The first setting of a lever; NULL.  `t` may be NULL. */
LeverSetting *attempt_setting(const Attempt *t, LeverId lever);
/* Whether a setting is part of an attempt; and not only because another recommendation makes it. */
bool attempt_has(const Attempt *t, const LeverSetting *want);
bool attempt_makes(const Attempt *t, const LeverSetting *want);
/* What its own settings ask of the user (lever_setting_needs). */
NeedSet attempt_needs(const Attempt *t, bool moves);

typedef struct {
    double median, lo, hi; /* in the objective's unit, positive is better */
    double before;         /* the baseline's objective in the same runs */
    Interval share;        /* of that baseline; in an ensemble, of each member's own */
    int n;                 /* pairs */
    double p;              /* two-sided: how often the bootstrap has the other sign */
    const char *runner;    /* its name in reports */
    bool simulated;        /* it was our own simulation */
    int members, real; /* chips of the ensemble that ran, and those with a saving; 0: no ensemble */
} Verified;

/* One try of a proposal: a point of its sweep. */
typedef struct {
    bool tried;            /* false: the settings do not fit this model */
    const Message *reason; /* then: why */
    Gain gain;
} ProposalTrial;

typedef struct {
    const Match *match;
    const char *fingerprint;
    bool off;             /* the configuration turns the rule off */
    ProposalTrial *point; /* one per try */
    size_t npoint;
    size_t chosen;               /* the try that is proposed */
    const Message *unknown;      /* why there is no figure; NULL when there is one */
    Basis basis;                 /* of the chosen try */
    Gain gain;                   /* of the chosen try */
    Gain *place;                 /* of each place alone; `known` false where it was not tried */
    Verdict verdict;             /* VERDICT_ACCURACY_BLOCKED, or none */
    Accuracy accuracy;           /* `known` false: not measured */
    const Message *accuracy_why; /* it was tried, in vain */
} Proposal;

enum { PLACES_TRIED = 16 }; /* places that are tried one by one as well */

/* Tries every try of every match.  Needs an open what-if. */
Proposal *proposal_try_all(Arena *a, const WhatIf *w, const MatchList *m, size_t *ret_count);

/* Tries every try of one match. */
Proposal proposal_try(Arena *a, const WhatIf *w, const Match *m, const char *fingerprint);

/* Settings of the chosen try, all places together; NULL when the rule has nothing to try. */
const Attempt *proposal_attempt(const Proposal *p);

bool proposal_has_gain(const Proposal *p);
