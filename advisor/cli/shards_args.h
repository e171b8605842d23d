/* Merges a plan of shards into the command line, and says what it decides about files. */
#pragma once

#include "advisor/fleet/shards.h"
#include "advisor/options/command.h"

/* Advice with --plan: adds the plan's model arguments and options to the command line, as if the
 * user had typed them.  STATUS_USAGE beside a MODEL, or an option that decides results: the plan
 * decides.  Nothing else is changed. */
Status shards_args(Arena *a, Args *args, Diag *diag);

/* The digest of a file as a plan has it; `hex` holds 65 bytes. */
Status shards_args_digest(const char *path, char *hex, Diag *diag);

/* Whether an option says what is advised about or what is found; else it says how that is shown, or
 * how it is worked on. */
bool shards_args_decides(OptionId option);

/* args_set of an option that a plan's file `path` names.  STATUS_INPUT for one that no plan has:
 * one that acts on the machine is not for a file to give. */
Status shards_args_set(Arena *a, Args *args, const ShardSetting *s, const char *path, Diag *diag);
