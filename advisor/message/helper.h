/* Starts runners from a copy of this process that was made before the sandbox was entered.
 *
 * The helper starts only the command that it was made with; it receives further arguments, limits
 * and the folder to watch.  It ends with the process that made it.  What it runs ends with the
 * helper, and the watched folder, a temporary one, is then removed. */
#pragma once

#include "advisor/message/process.h"

typedef struct Helper Helper;

/* `command`: NULL-terminated words, with which every argv begins.  *ret lives in `a`. */
Status helper_start(Arena *a, const char *const *command, Helper **ret, Diag *diag);

/* process_run by the helper; by this process when `h` is NULL. */
Status helper_run(Helper *h, const char *const *argv, ProcessLimits limits, Diag *diag);
