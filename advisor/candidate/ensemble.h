/* Combines runs of a variant on all simulated chips that published measurements allow. */
#pragma once

#include "advisor/candidate/sample.h"

enum { ENSEMBLE_MEMBERS_MAX = 64 };

typedef struct {
    size_t count;                   /* 1 for another runner, or one simulated chip alone */
    bool out[ENSEMBLE_MEMBERS_MAX]; /* members that the trace contradicts */
} Ensemble;

/* Marks the members that the trace contradicts; where it contradicts all, the nearest stay.
 * `stats[k]` is member k's run of `from`, which the trace shows. */
void ensemble_drop(Ensemble *e, const WhatIf *w, const Trial *from, TraceStats *const *stats);

/* The interval spans the members; one saves something from the share `nothing` of its baseline. */
Verified ensemble_span(const Ensemble *e, const Verified *m, double nothing);

/* The member with the median latency among those that the trace does not contradict. */
size_t ensemble_middle(const Ensemble *e, Arena *a, const Sample *s);
