/* Runs over many models in forked copies of this process, several at a time, and keeps the outcomes
 * in a journal (journal.h).  A copy that is killed costs only its own row; one that ends at a limit
 * says so in its row, as it would on stderr if it were alone.
 *
 * Of a plan from a file, whose shards run where others do too: a copy that a signal killed, and
 * what an earlier run was broken off at, are tried once more at the end, alone.  What broke off the
 * run itself twice is not tried a third time: its row says so. */
#pragma once

#include "advisor/fleet/journal.h"

enum { FLEET_TRIES = 2 };

typedef struct {
    const ShardPlan *plan;
    int jobs;
    /* In a copy: what came of model i.  NULL with an error; both live as long as the copy. */
    int (*advise)(void *user, size_t i, const Result **ret, const char **ret_error);
    /* In this process, after each copy. */
    void (*progress)(void *user, size_t done, size_t all);
    void *user;
} FleetRun;

/* Every outcome of the plan's shard that is not in the journal yet. */
Status fleet_run(Arena *a, const FleetRun *run, Journal *journal, Diag *diag);
