/* Reads the settings of the vendor's compiler. Sources: facts on the SDK's documentation, its
 * samples and a public scheduler script; all but permute_input are unofficial: recognised, and
 * recommended by NPU208 alone, which says so. */
#pragma once

#include "graph/compile/options.h"

/* Reads a YAML or JSON file of top-level keys; a value is its text, with nested lines joined. */
Status compiler_config_read(Arena *a, const char *path, KeyValue **ret, size_t *ret_n, Diag *diag);

/* Checks the keys against the SDK.  0.10 refuses unknown names and values of another kind
 * (STATUS_USAGE with a "did you mean"); older SDKs accept them silently, so there is a note. */
Status compiler_config_check(const CompileOptions *o, Notes *notes, Diag *diag);

/* Last value given for the key, or NULL. */
const char *compiler_config_get(const CompileOptions *o, const char *key);
/* Whether the key was last set to a true value. */
bool compiler_config_on(const CompileOptions *o, const char *key);

/* The application itself has the lowered layout. */
#define KEY_REMOVE_LOWER   "remove_lower"
#define KEY_REMOVE_UNLOWER "remove_unlower"

/* With the key on, the application does what the runtime did: what goes from the host is at most
 * gained (remove_lower, remove_unlower). */
bool compiler_config_moves_work(const char *key);
