/* Advising about many models in one run. */
#ifndef ADVISOR_CLI_ADVISE_MANY_H
#define ADVISOR_CLI_ADVISE_MANY_H

#include "advisor/fleet/models.h"
#include "advisor/options/args.h"
#include "advisor/options/command.h"

/* All outputs of the set; c->exit_code is one status for all.  With --shard only the lines for
 * `merge`, and status 0 once they are written. */
Status advise_many(Context *c, const Args *given, const ModelList *list);

#endif
