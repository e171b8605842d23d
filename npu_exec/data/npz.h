/* Reads the arrays of NumPy archives (numpy.savez and numpy.savez_compressed). */
#pragma once

#include "graph/onnx/value_file.h"

enum { NPZ_MAX_ARRAYS = 4096, NPZ_MAX_ARRAY_MIB = 1024 };

bool npz_is_named(const char *path);

/* The array that `name` names, or the only one where there is one alone.  Closed with
 * value_file_close, and gone with the arena.  STATUS_INPUT for a file that is damaged, encrypted,
 * larger than 4 GiB where it comes through a pipe, or has no such array. */
Status npz_open(Arena *a, const char *path, const char *name, ValueFile *ret, Diag *diag);

/* As npz_open, from bytes in memory; `path` is only for messages. */
Status npz_read(Arena *a, const char *path, const uint8_t *bytes, size_t size, const char *name,
                ValueFile *ret, Diag *diag);
