/* Helper: a copy of this process, made before the sandbox is entered, that starts the runner for
 * it.
 *
 * It starts the one command that it was made with and nothing else; what it is sent are further
 * arguments, limits and the folder that is watched.  It ends with the process that made it, and
 * what it runs ends with it; that folder, a temporary one, goes then. */
#ifndef ADVISOR_MESSAGE_HELPER_H
#define ADVISOR_MESSAGE_HELPER_H

#include "advisor/message/process.h"

typedef struct Helper Helper;

/* `command`: NULL-terminated words that every argv begins with.  Lives in `a`. */
Status helper_start(Arena *a, const char *const *command, Helper **ret, Diag *diag);

/* process_run by the helper; by this process when `h` is NULL. */
Status helper_run(Helper *h, const char *const *argv, ProcessLimits limits, Diag *diag);

#endif
