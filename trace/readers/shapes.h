/* Formats shapes, which profilers write as lists, as text. */
#pragma once

#include "graph/base/arena.h"
#include "trace/readers/scan.h"

#include <cjson/cJSON.h>

/* [[1, 3], []] or [{"float": [1, 3]}, {"int8": []}] as "1x3 scalar"; NULL when `list` is no array
 * or is empty.  At most SHAPES_MAX of them, then "…"; `key` takes in those left out. */
enum { SHAPES_MAX = 8 };
const char *shapes_text(Arena *a, const cJSON *list, uint64_t *key);

/* As shapes_text, of the JSON text of a list; NULL where there is none. */
const char *shapes_of_fact(Arena *a, const Text *fact, uint64_t *key);
