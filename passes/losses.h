/* Collects the places that lose time, so that a pass reports the largest of each cause.  A network
 * of a thousand operators has a thousand small losses; one finding for each of the few largest of
 * a cause is enough, with the sum over the cause. */
#pragma once

#include "passes/pass.h"

enum { LOSSES_SHOWN = 5 }; /* of one cause */

typedef struct {
    uint32_t item;     /* LowOpId, StepId or NodeId, as the pass counts */
    const char *cause; /* a word that rules know */
    double ns;         /* lost per task; 0 where it is not time that is lost */
} Loss;

typedef struct {
    Loss *item;
    size_t nitem, cap;
} LossList;

void losses_add(Arena *a, LossList *l, uint32_t item, const char *cause, double ns);

/* Makes the finding of one place. */
typedef Finding *(*LossWriter)(const PassInput *in, FindingList *out, const Loss *loss);

/* Writes the findings, causes by name, in each the largest first, then by number.  Adds to the
 * writer's facts: cause and lost-ns of the place, cause-ns and cause-count of all places of the
 * cause. */
void losses_write(const PassInput *in, FindingList *out, LossList *l, LossWriter write);

/* A finding about a low-level op: op (ONNX type), low-op, shape and time-ns. */
Finding *losses_of_op(const PassInput *in, FindingList *out, const char *kind, const Loss *loss);
