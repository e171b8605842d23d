/* Defines the space of a search, which are the changes of the rules and the settings of compiler
 * and runtime.
 *
 * Options that were given on the command line stay fixed; everything else is searched.  A change
 * belongs to the space when it can be compiled and run as it is (a what-if, never a bound or a
 * stand-in), when this SDK has a setting for it, no settings file has turned its rule off, its
 * needs are allowed, and accuracy does not block it. */
#pragma once

#include "advisor/candidate/proposal.h"

enum {
    PARTS_MAX = 16, /* changes that are searched together; the best ones, where there are more */
    WAYS_MAX = 8,   /* tries of one rule */
    SPACE_BATCH_MAX = 32, /* images, unless the set-up has more (design: "Knee") */
    SPACE_BATCHES_MAX = 64,
    SET_LEFT = 0, /* of PartSet: the change is not made */
};

/* One change: a proposal with the tries of its rule that can be taken, of which one is. */
typedef struct {
    const Proposal *proposal;
    size_t attempt[WAYS_MAX]; /* indices of the match's tries */
    size_t nattempt;
} Part;

/* Which changes are taken: way[i] is SET_LEFT or 1 + the index into part[i].attempt. */
typedef struct {
    uint8_t way[PARTS_MAX];
} PartSet;

/* Settings beside the changes, with what each asks of the user. */
typedef enum {
    AXIS_TARGET,
    AXIS_BATCH,
    AXIS_WORKERS,
    AXIS_DEPTH,
    AXIS_DEVICES,
    AXIS_COUNT
} SpaceAxis;
LeverId space_axis_lever(SpaceAxis a);
/* Whether a try has a setting of an axis. */
bool space_sets_axis(const Attempt *t);

typedef struct {
    const WhatIf *w;
    NeedSet needs; /* that a change may have */
    bool moves;    /* lever_setting_needs */
    bool allow_sdk;
    Part part[PARTS_MAX];
    size_t npart;
    size_t nleft_out;      /* parts beyond PARTS_MAX */
    bool open[AXIS_COUNT]; /* whether it is searched */
    int pe[2];
    size_t npe; /* the baseline's first */
    int64_t batch[SPACE_BATCHES_MAX];
    size_t nbatch; /* ascending */
} Space;

typedef struct {
    const Variant *said; /* the options as given, which are not searched */
    NeedSet needs;
    bool cards; /* a rate is to be served: more cards, workers and images per batch are allowed */
    bool allow_sdk; /* plans may move to a newer SDK */
} SpaceLimits;

/* Needs an open what-if and its proposals. */
void space_init(Space *s, Arena *a, const WhatIf *w, const Proposal *list, size_t n,
                SpaceLimits limits);

/* What a setting of the axis asks of the user. */
NeedSet space_axis_needs(SpaceAxis a);

/* The queue depth to set for that many workers; 0: it stays. */
int space_queue_depth(const Space *s, int workers);

/* Whether the set's way of part `i` and that of part `k` exclude each other; it takes both. */
bool space_excludes(const Space *s, const PartSet *set, size_t i, size_t k);

/* True if no change excludes another and each has its base. */
bool space_fits(const Space *s, const PartSet *set);

/* All sets that fit, the empty one first; NULL and 0 where there are more than `most`. */
PartSet *space_sets(Arena *a, const Space *s, size_t most, size_t *ret_count);

/* The settings of a set with these compile options, in order of trial. */
Attempt space_settings(Arena *a, const Space *s, const PartSet *set, int pe, int64_t batch);

/* The order in which changes are applied: that of their rules, and those that depend on others
 * after them. */
int space_order_of(const Part *p, size_t attempt);

/* What its parts ask of the user; and their number. */
NeedSet space_needs(const Space *s, const PartSet *set);
size_t space_set_count(const PartSet *set);
/* The same without those that only drop operators that return their input. */
size_t space_changes(const Space *s, const PartSet *set);
