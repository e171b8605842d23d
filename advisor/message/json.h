/* Reads, searches, builds and writes JSON trees and result files. */
#pragma once

#include "graph/base/diag.h"

#include <cjson/cJSON.h>

enum { JSON_FILE_LIMIT_MIB = 256 };

/* The value at `path` ("prediction.latency_ns.mid") below `root`, or NULL.  `root` may be NULL. */
const cJSON *json_at(const cJSON *root, const char *path);

/* The string, number or size at `path`; `fallback`, false or 0 for values of another type. */
const char *json_text(const cJSON *root, const char *path, const char *fallback);
bool json_number(const cJSON *root, const char *path, double *ret);
double json_number_or(const cJSON *root, const char *path, double fallback);
size_t json_count(const cJSON *root, const char *path);

/* The first member of the list or object found there, or NULL; ->next leads to the others. */
const cJSON *json_first(const cJSON *root, const char *path);

/* The first member of `list` (or NULL) whose text `key` is `text`, or NULL. */
const cJSON *json_find(const cJSON *list, const char *key, const char *text);

/* Parses a whole file, or stdin for "-".  Trailing bytes, nesting beyond cJSON's limit and files
 * beyond the limit are errors.  The caller frees with cJSON_Delete. */
Status json_load(const char *path, cJSON **ret, Diag *diag);

/* As json_load, from bytes; `path` is only for messages. */
Status json_parse(const char *path, const void *bytes, size_t size, cJSON **ret, Diag *diag);

/* As json_load, for a file that decides something: two equal keys are an error (only the first
 * would be read), and so is a file of more than limit_mib. */
Status json_load_strict(const char *path, int limit_mib, cJSON **ret, Diag *diag);

/* True for a regular file that begins as json_print begins a result. */
bool json_recognise_result(const char *path);

/* A text that is NULL and a number that is not finite become null. */
void json_add_text(cJSON *o, const char *key, const char *text);
void json_add_number(cJSON *o, const char *key, double v);
void json_add_texts(cJSON *o, const char *key, const char *const *text, size_t n);
cJSON *json_ids(const uint32_t *id, size_t n);

/* A new object at the end of a list. */
cJSON *json_add_row(cJSON *list);

/* Writes a tree: two blanks per level, keys in order, UTF-8 (invalid bytes become U+FFFD), whole
 * numbers without a point, others with as many digits as reading them back needs. */
void json_print(FILE *out, const cJSON *tree);

/* json_print without blanks and on one line; with and without the line end. */
void json_print_line(FILE *out, const cJSON *tree);
void json_print_part(FILE *out, const cJSON *tree);

/* The number as json_print writes it. */
const char *json_number_text(char text[40], double v);

/* json_print to a file by rename, or to `out` for "-". */
Status json_save(const cJSON *tree, const char *path, FILE *out, Diag *diag);
