/* Defines a proposal, which is a match whose settings were tried, with the predicted saving. */
#ifndef ADVISOR_CANDIDATE_PROPOSAL_H
#define ADVISOR_CANDIDATE_PROPOSAL_H

#include "advisor/rules/match.h"
#include "advisor/candidate/comparer.h"
#include "advisor/candidate/whatif.h"

typedef enum {
    VERDICT_NONE,      /* not verified */
    VERDICT_CONFIRMED, /* above zero, and overlaps what was predicted … */
    VERDICT_LARGER,    /* … lies above it … */
    VERDICT_SMALLER,   /* … below it */
    VERDICT_NO_GAIN,
    VERDICT_REGRESSION,
    VERDICT_ACCURACY_BLOCKED,
    VERDICT_NOT_VERIFIABLE,
} Verdict;
const char *verdict_name(Verdict v); /* NULL for VERDICT_NONE */

/* What a figure rests on (design: "Recommendations and observations"). */
typedef enum {
    BASIS_WHAT_IF,  /* the change itself was applied, compiled and predicted */
    BASIS_STAND_IN, /* something of equal shape was tried in its place: an estimate */
    BASIS_BOUND,    /* the cost that the change removes, less what it is known to cost */
} Basis;
const char *basis_name(Basis b); /* "what-if" "stand-in" "bound" */
Basis attempt_basis(const Attempt *t);
/* What is given of it: the settings that it comes on top of; none for most. */
Attempt attempt_user_set(Arena *a, const Attempt *t);
/* True for all conversions at the borders, whichever remain. */
bool attempt_is_rest(const Attempt *t);
/* False where something is simply left out (lever `without`). */
bool attempt_can_run(const Attempt *t);

typedef struct {
    double median, lo, hi; /* in the objective's unit, positive is better */
    double before;         /* the baseline's objective in the same runs */
    Interval share;        /* of that baseline; of an ensemble each member of its own */
    int n;                 /* pairs */
    double p;              /* two-sided: how often the bootstrap has the other sign */
    const char *runner;    /* its name, as reports say it */
    bool simulated;        /* it was our own simulation */
    int members, real; /* silicons of the ensemble that ran, and those in which it is a gain; 0: one
                          runner, no ensemble */
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
    bool off;             /* the configuration wants no such advice */
    ProposalTrial *point; /* one per try */
    size_t npoint;
    size_t chosen;          /* the try that is proposed */
    const Message *unknown; /* why there is no gain figure; NULL when there is */
    Basis basis;            /* of the chosen try */
    Gain gain;              /* of the chosen try */
    bool is_ranked;         /* it was weighed against those above it … */
    double on_top;          /* … and gains this on top of them */
    double rest;            /* objective that they leave; 0: not ranked yet */
    Gain *place;            /* of each place alone; `known` false where it was not tried */
    Verdict verdict;
    Verified verified;           /* n == 0: not verified */
    Accuracy accuracy;           /* `known` false: not measured */
    bool accuracy_asked;         /* … and it was tried, or it changes no value */
    const Message *accuracy_why; /* it was tried, in vain */
    Verified beside; /* of what was run to test the bound (proposal_bound); n == 0: nothing was */
} Proposal;

enum { PLACES_TRIED = 16 }; /* places that are tried one by one as well */

/* Tries every try of every match.  Needs an open what-if. */
Proposal *proposal_try_all(Arena *a, const WhatIf *w, const MatchList *m, size_t *ret_count);

/* Settings of the chosen try, all places together; NULL when the rule has nothing to try. */
const Attempt *proposal_attempt(const Proposal *p);

/* The bound among the tries that says most, and what can be run to see whether more is to be had:
 * the firmest other try, or the bound's own where it is a setting.  False when there is no bound,
 * or nothing to run. */
typedef struct {
    const Gain *gain;
    const Attempt *run;
    const Gain *run_gain; /* predicted for what is run */
} BoundTest;
bool proposal_bound(const Proposal *p, BoundTest *ret);

/* What a ranking goes by: the lower bound of the gain (verified if there is one), and whether there
 * is one. */
bool proposal_has_gain(const Proposal *p);
double proposal_lower_bound(const Proposal *p);
double proposal_mid(const Proposal *p);

#endif
