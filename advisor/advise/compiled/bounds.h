/* Bounds the savings in a compiled graph by the measured times of its layers.
 *
 * removable_ns is the time of the layers that would disappear.  at_most_ns adds the time of the
 * layers that would change, or the part of it that the rule bounds by a law.  A real saving is
 * between 0 and at_most_ns.  Layers are counted once, however many occurrences name them, and no
 * saving exceeds the computing time of the engine. */
#pragma once

#include "advisor/rules/match.h"
#include "advisor/advise/compiled/layer_times.h"

typedef struct {
    bool known; /* some layer of it has a time, or the time is of no layer */
    double removable_ns, at_most_ns;
    double removable_without_events_ns,
        at_most_without_events_ns; /* without the time of the profiler */
    uint32_t *removes, *changes;   /* layers, ascending, each in one of the two */
    size_t nremoves, nchanges;
    double other_ns; /* the part that belongs to no layer */
} Bound;

/* For all occurrences of a match together; for one occurrence. */
Bound bound_of_match(Arena *a, const LayerTimes *t, const Match *m);
Bound bound_of_occurrence(Arena *a, const LayerTimes *t, const Occurrence *p);

/* Why it is too small to recommend, or NULL: below `min_share` of the measured time (a share, not
 * percent), `min_ns`, or twice the time of a profiler event. */
const Message *bound_is_small(Arena *a, const LayerTimes *t, const Bound *b, double min_share,
                              double min_ns);
