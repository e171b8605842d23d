/* Reads and writes the parts of a run over many models as lines of JSON (NDJSON), whole results
 * included.
 *
 *   {"kind":"plan","schema_version":1,"version":"0.1.0","settings":"--sdk 0.10","shard":1,"of":4,
 *    "dims":["N"],"models":["a.onnx","b.onnx",…]}
 *   {"kind":"outcome","index":0,"model":"a.onnx","status":0,"error":null,"result":{…}}
 *
 * A run of a plan from a file (shards_file.h) names the file's digest, "plan":"…", in place of dims
 * and models; and the outcome of an item with its own settings names them, and the model without
 * them: "file":"a.onnx","settings":"sdk=0.9". */
#pragma once

#include "advisor/fleet/shards.h"
#include "advisor/report/result.h"
#include "advisor/report/result_set.h"

/* STATUS_USAGE for a name of --dim that none of the models has that could be read. */
Status part_check_dims(const ShardPlan *p, const ResultSet *set, Diag *diag);

void part_write_shards(FILE *out, const ShardPlan *p);

/* One line; `r` may be NULL. */
void part_write_outcome(FILE *out, const ShardPlan *p, size_t index, int status, const char *error,
                        const Result *r);

/* A line that is in memory, and where `store` has it. */
typedef struct {
    const char *text;
    size_t size;
    FILE *store;
    int64_t offset;
} PartLine;

/* An outcome's line as an entry.  STATUS_INPUT when it is none. */
Status part_read_outcome(Arena *a, PartLine line, size_t *ret_index, ResultEntry *ret, Diag *diag);

/* The parts of one run, read again: every model of the plan has its outcome exactly once.  Refused
 * by name: parts of other runs, a model that is there twice, one that is missing (and which shards
 * to run again).  `plan` was read from a file, or is empty: then the parts say what it is, unless
 * they are of a file.  The set reads from the parts, of which it has one open at a time. */
Status part_merge(Arena *a, const char *const *path, size_t n, ShardPlan *plan, ResultSet *ret,
                  Diag *diag);
