/* Reads and writes results as JSON (docs/schema/result.json).
 *
 * report/result.h is made from the schema; so are the tables of fields that both directions follow,
 * so a key is spelled in one place only. */
#pragma once

#include "advisor/report/result.h"
#include "graph/base/diag.h"

#include <cjson/cJSON.h>

/* The result that a tree holds, in `a`; its texts are copies.  STATUS_INPUT with the place of the
 * first value that does not follow the schema; `file` names the file in that line.  Unknown keys
 * are ignored: a later version may have more. */
Status result_from_json(Arena *a, const cJSON *tree, const char *file, const Result **ret,
                        Diag *diag);

/* The result in a file that --json wrote; in bytes, where `path` is only for messages. */
Status result_load(Arena *a, const char *path, const Result **ret, Diag *diag);
Status result_parse(Arena *a, const char *path, const void *bytes, size_t size, const Result **ret,
                    Diag *diag);

/* The place of a word in one of the tables of result.h, so its enum; 0 (unset) for NULL and other
 * words. */
unsigned result_word(const char *const *words, const char *word);

/* A tree that json_print writes as result.json; the caller frees it with cJSON_Delete. */
cJSON *result_to_json(const Result *r);

/* Parts that other documents have too; NULL gives null. */
cJSON *result_setup_to_json(const ResultSetup *x);
cJSON *result_interval_to_json(const ResultInterval *x);
