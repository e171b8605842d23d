/* A run over many models: one forked copy of this process for each, so many at a time, and what
 * came of them as lines (part.h).  A copy that is killed costs its own row alone. */
#ifndef ADVISOR_FLEET_FLEET_H
#define ADVISOR_FLEET_FLEET_H

#include "advisor/fleet/part.h"

typedef struct {
    Plan plan;
    const ModelFile *file; /* of each model of the plan */
    int jobs;
    /* In a copy: what came of model i.  The tree is freed there; NULL with an error, which lives as
     * long as the copy. */
    int (*advise)(void *user, const ModelFile *file, cJSON **ret_result, const char **ret_error);
    /* In this process, after each copy. */
    void (*progress)(void *user, size_t done, size_t all);
    void *user;
} FleetRun;

/* Writes the plan and the outcomes of its shard to `store`, in the order of the plan; the set holds
 * the shard's models and reads its results from there (`store` must be readable), unless it is
 * NULL. */
Status fleet_run(Arena *a, const FleetRun *run, FILE *store, ResultSet *ret, Diag *diag);

#endif
