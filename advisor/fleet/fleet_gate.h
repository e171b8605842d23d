/* Checks budgets such as "slower=0" against a comparison of two fleets. */
#pragma once

#include "advisor/message/json.h"

/* Adds `gate{status, assertions[{name, expected, found, pass}]}` to the tree and sets the exit
 * status: 1 when a verdict is given to more models than a budget allows, else 3 when undecided ones
 * might be such, else 0.  A mixed model is a slower one too.  STATUS_USAGE for a budget that is
 * none. */
Status fleet_gate(cJSON *diff, const char *const *budget, size_t n, int *ret_exit, Diag *diag);
