/* Lays out one inference block by block, as measured or predicted, with causes of gaps. */
#pragma once

#include "advisor/report/result.h"
#include "cost_model/reconcile.h"

#define BLOCK_FULL UINT32_MAX

typedef struct {
    ResultLane lane;  /* of the host: threads in the order of their first work; the runtime's own
                         spans (submit, wait) are never on the critical path; a fused task takes two
                         PEs */
    int index, count; /* the lanes [index, index + count) of its kind */
    StepId step;      /* STEP_NONE: unknown */
    LowOpId op;       /* of an operator within a task, else BLOCK_FULL */
    const char *name; /* of the span or step */
    int64_t start_ns, end_ns;
    bool own;      /* false: the same PE works for another request */
    bool critical; /* part of the critical chain of blocks and gaps */
} TimelineBlock;

/* Times begin at 0, the start of the inference. */
typedef struct {
    ResultSource source;
    int64_t total_ns;
    TimelineBlock *block; /* by start, then lane */
    size_t nblock, block_cap;
    size_t omitted; /* shorter ones beyond TIMELINE_BLOCKS */
    size_t outside; /* of the inference though they belong to it: clocks disagree */
    /* By start; where nothing of the critical chain runs: from the application to the runtime and
     * back (request), between two stages (handoff), before or after an NPU task (launch), no longer
     * than the target's figure; while the PE works for another request (queue); longer, while a
     * span of the runtime lasts, which has the name (runtime). */
    ResultGap *gap;
    size_t ngap, gap_cap;
    size_t gaps_omitted;  /* shorter ones; they count in `cause` */
    TimelineBlock *inner; /* operators within the tasks, by start; may be unknown */
    size_t ninner, inner_cap;
    ResultCause cause[RESULT_GAP_CAUSE_COUNT]; /* all gaps of each */
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

/* ---- shared by the two (timeline.c) ---- */

void timeline_block(Arena *a, Timeline *t, TimelineBlock b);
/* Nothing when it is empty. */
void timeline_gap(Arena *a, Timeline *t, ResultGap g);
void timeline_inner(Arena *a, Timeline *t, TimelineBlock b);
/* Sorts. */
void timeline_close(Timeline *t);
