/* Parts: what came of the models of a run, as lines of JSON (NDJSON), whole results included.
 *
 *   {"kind":"plan","schema_version":1,"version":"0.1.0","settings":"--sdk 0.10","shard":1,"of":4,
 *    "dims":["N"],"models":["a.onnx","b.onnx",…]}
 *   {"kind":"outcome","index":0,"model":"a.onnx","status":0,"error":null,"result":{…}}
 *
 * Shard I of N has the models whose place in the plan is I - 1 modulo N. */
#ifndef ADVISOR_FLEET_PART_H
#define ADVISOR_FLEET_PART_H

#include "advisor/fleet/models.h"
#include "advisor/result/result_set.h"

typedef struct {
    const char *settings; /* the options that decide results, as they were given */
    int shard, of;        /* 1 of 1: everything */
    const char *const *model;
    size_t nmodel;
    const char *const *dim; /* names that --dim gave a value: one of the models has each of them */
    size_t ndim;
} Plan;

/* STATUS_USAGE for a name of --dim that none of the models has that could be read. */
Status plan_check_dims(const Plan *p, const ResultSet *set, Diag *diag);

/* "I/N" with 1 <= I <= N; STATUS_USAGE else. */
Status shard_read(const char *text, int *ret_shard, int *ret_of, Diag *diag);

/* Whether model i of the plan is in its shard. */
bool plan_has(const Plan *p, size_t i);

void part_write_plan(FILE *out, const Plan *p);

/* One line; `result` may be NULL and stays the caller's. */
void part_write_outcome(FILE *out, size_t index, const char *model, int status, const char *error,
                        const cJSON *result);

/* An outcome's line as an entry: `line` of `size` bytes lies at `offset` of `store`.  STATUS_INPUT
 * when it is none. */
Status part_read_outcome(Arena *a, const char *line, size_t size, FILE *store, int64_t offset,
                         size_t *ret_index, ResultEntry *ret, Diag *diag);

/* The parts of one run, read again: every model of the plan has its outcome exactly once.  Refused
 * by name: parts of other runs, a model that is there twice, one that is missing (and which shard
 * to run again).  The set reads from the files, which stay open as long as the process does. */
Status parts_merge(Arena *a, const char *const *path, size_t n, Plan *ret_plan, ResultSet *ret,
                   Diag *diag);

#endif
