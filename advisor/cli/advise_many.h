/* Advises about many models in one run. */
#pragma once

#include "advisor/fleet/part.h"
#include "advisor/options/args.h"
#include "advisor/options/command.h"
#include "advisor/report/render.h"

/* All outputs of the set; c->exit_code is one status for all.  With --shard only the lines for
 * `merge`, and status 0 once they are written. */
Status advise_many(Context *c, const Args *given, const ModelList *list);

/* As advise_many, for the items of --plan: with --shard, resumes the journal of an interrupted run
 * (advisor/fleet/journal.h). */
Status advise_shards(Context *c, const Args *given);

/* What is made of a set when all of it is there: every output, the baseline of --write-baseline,
 * c->exit_code.  STATUS_USAGE, and nothing written, for a --dim that none of the models has. */
Status advise_many_finish(Context *c, const Args *given, const ShardPlan *plan,
                          const ResultSet *set, const View *view);
