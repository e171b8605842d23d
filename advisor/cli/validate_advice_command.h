/* `validate --advice`: the advisor's report card.  A header of its own: what holds the cost model
 * against published points knows other outcomes. */
#ifndef ADVISOR_CLI_VALIDATE_ADVICE_COMMAND_H
#define ADVISOR_CLI_VALIDATE_ADVICE_COMMAND_H

#include "advisor/options/command.h"

/* Prints the card; exit code 3 when nothing could be verified. */
Status validate_advice_command(Context *c, const Args *args);

#endif
