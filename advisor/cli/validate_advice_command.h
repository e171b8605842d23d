/* Runs `validate --advice`, which measures how often the advice is right.  The header is separate
 * from validate's because the outcomes of the two have different types. */
#ifndef ADVISOR_CLI_VALIDATE_ADVICE_COMMAND_H
#define ADVISOR_CLI_VALIDATE_ADVICE_COMMAND_H

#include "advisor/options/command.h"

/* Prints the card; exit code 3 when nothing could be verified. */
Status validate_advice_command(Context *c, const Args *args);

#endif
