/* Reads FlexBuffers, the options of custom operators: a map from names to numbers. */
#pragma once

#include "graph/onnx/onnx_wire.h"

/* The whole number of that name in a map of at most FLEX_MAX_KEYS; `fallback` where there is none,
 * or the bytes are not such a map.  Source of the format: google/flatbuffers
 * docs/source/internals.md (FlexBuffers): the root is at the end, offsets go backwards, widths are
 * 1, 2, 4 or 8 bytes. */
enum { FLEX_MAX_KEYS = 256 };
int64_t flex_number(Bytes b, const char *key, int64_t fallback);
