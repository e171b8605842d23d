/* Lays out one inference block by block, as measured or as predicted, with causes of gaps. */
#ifndef ADVISOR_ADVISE_TIMELINE_H
#define ADVISOR_ADVISE_TIMELINE_H

#include "cost_model/reconcile.h"

/* LANE(id, key, meaning) */
#define LANES(X)                                                                                   \
    X(HOST, "host")       /* threads of the host, in the order of their first work */              \
    X(RUNTIME, "runtime") /* the runtime's own spans: submit, wait; never on the critical path */  \
    X(PCIE, "pcie")                                                                                \
    X(PE, "pe") /* one lane per PE; a fused task takes two */

typedef enum {
#define X(id, key) LANE_##id,
    LANES(X)
#undef X
        LANE_COUNT
} TimelineLane;
const char *timeline_lane_key(TimelineLane l);

#define BLOCK_FULL UINT32_MAX

typedef struct {
    TimelineLane lane;
    int index, count; /* the lanes [index, index + count) of its kind */
    StepId step;      /* STEP_NONE: unknown */
    LowOpId op;       /* of an operator within a task, else BLOCK_FULL */
    const char *name; /* of the span or step */
    int64_t start_ns, end_ns;
    bool own;      /* false: the same PE works for another request */
    bool critical; /* part of the critical chain of blocks and gaps */
} TimelineBlock;

/* Why nothing of the critical chain runs.  GAP(id, key) */
#define GAP_CAUSES(X)                                                                              \
    X(REQUEST, "request") /* from the application to the runtime and back */                       \
    X(HANDOFF, "handoff") /* between two stages, no longer than the target's figure */             \
    X(LAUNCH, "launch")   /* before or after an NPU task, no longer than the target's */           \
    X(QUEUE, "queue")     /* the PE works for another request */                                   \
    X(RUNTIME, "runtime") /* longer than that, while a span of the runtime lasts */                \
    X(UNEXPLAINED, "unexplained")

typedef enum {
#define X(id, key) GAP_##id,
    GAP_CAUSES(X)
#undef X
        GAP_COUNT
} GapCause;
const char *timeline_gap_key(GapCause c);

typedef struct {
    int64_t start_ns, end_ns;
    GapCause cause;
    const char *name; /* GAP_RUNTIME: of the span; else NULL */
} Gap;

/* Times begin at 0, the start of the inference. */
typedef struct {
    bool measured;  /* else predicted */
    bool simulated; /* measured in a run that was simulated */
    int64_t total_ns;
    TimelineBlock *block; /* by start, then lane */
    size_t nblock, block_cap;
    size_t omitted; /* shorter ones beyond TIMELINE_BLOCKS */
    size_t outside; /* of the inference though they belong to it: clocks disagree */
    Gap *gap;       /* by start */
    size_t ngap, gap_cap;
    size_t gaps_omitted;  /* shorter ones; they count in cause_ns */
    TimelineBlock *inner; /* operators within the tasks, by start; may be unknown */
    size_t ninner, inner_cap;
    int64_t cause_ns[GAP_COUNT];
    size_t cause_count[GAP_COUNT];
} Timeline;

enum { TIMELINE_BLOCKS = 600, TIMELINE_GAPS = 200 };

/* The inference that lies nearest to `ns` (of equals the first), warm-up left out where there is
 * anything else.  NULL when the trace holds no work of any inference. */
const InferenceStat *timeline_inference(const TraceStats *s, int64_t ns);

/* One measured inference. `t`: the model's own prediction, to distinguish operators of one kind. */
Timeline *timeline_measured(Arena *a, const Program *p, const Prediction *t, const TraceStats *s,
                            const Costs *c, const InferenceStat *inference);

/* Steps one after the other, as the latency is predicted; the total is its middle.  NULL when there
 * are no steps, or steps that run side by side make the latency shorter than their sum. */
Timeline *timeline_predicted(Arena *a, const Program *p, const Prediction *t, const Costs *c);

/* Leaves out the shortest blocks and gaps beyond the limits. */
void timeline_limit(Arena *a, Timeline *t);

/* "measured", "simulated" or "predicted". */
const char *timeline_source(const Timeline *t);

/* ---- shared by the two (timeline.c) ---- */

void timeline_block(Arena *a, Timeline *t, TimelineBlock b);
/* Nothing when it is empty. */
void timeline_gap(Arena *a, Timeline *t, Gap g);
void timeline_inner(Arena *a, Timeline *t, TimelineBlock b);
/* Sorts. */
void timeline_close(Timeline *t);

#endif
