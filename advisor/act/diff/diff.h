/* Compares two results, or two traces, and returns the differences as a tree:
 *
 *   { diff_version, kind: "result"|"trace", old, new,
 *     common_operators (of traces: runs of NPU operators in both, of all in either; null: none),
 *     same_boundary (of results: the models have the same inputs and outputs),
 *     metrics[{name, unit, old{lo,mid,hi}|null, new{…}|null, change|null, verdict}],
 *     parts[{kind, name, old{…}|null, new{…}|null, change|null, verdict}],
 *     recommendations[{rule_id, fingerprint, title, state, old|null, new|null, unit}] }
 *
 * verdict: "added", "gone", "faster", "slower", "better", "worse", "same" (the intervals overlap:
 * the change may be noise) or "unknown".  state: "new", "gone", "unchanged", "improved" (it gains
 * less than before: part of it is done), "grown"; a finding of the same rule at another place is
 * not new.  Largest change first. */
#pragma once

#include "advisor/message/json.h"
#include "advisor/report/result.h"
#include "trace/stats/stats.h"

enum { DIFF_VERSION = 1 };

/* Names as shown; the caller owns the tree. */
cJSON *diff_results(const Result *old, const Result *new, const char *old_name,
                    const char *new_name);
cJSON *diff_traces(Arena *a, const TraceStats *old, const TraceStats *new, const char *old_name,
                   const char *new_name);

/* ---- shared by the two (diff.c) ---- */

typedef struct {
    bool known, interval; /* interval: lo and hi are more than the value itself */
    bool predicted;       /* the doubt of two is about the same machine: ends are compared */
    double lo, mid, hi;
} DiffValue;

/* What every comparison begins with; diff_root adds the empty lists. */
cJSON *diff_head(const char *kind, const char *old_name, const char *new_name);
cJSON *diff_root(const char *kind, const char *old_name, const char *new_name);
/* The unit ("ns" or "per_s") decides between faster and slower (times) or better and worse (rates).
 */
void diff_add(cJSON *list, const char *kind, const char *name, const char *unit, DiffValue old,
              DiffValue new);
/* Sorts by the size of the change, then kind and name. */
void diff_sort(cJSON *list);

/* ---- for renderers ---- */

/* The figure that a comparison is about; NULL when none is known on both sides. */
const cJSON *diff_headline(const cJSON *diff);

/* Of a verdict or state: 1 better, -1 worse, 0 neither, or on one side only. */
int diff_sign(const char *verdict);

/* The change in per cent of the value before; false: not known. */
bool diff_percent(const cJSON *metric, double *ret);
