/* Reads, writes and compares baselines: findings, program structure and times of a model when it
 * was accepted.
 *
 * A text file to be kept under version control: no names, paths or dates; findings sorted.  It is
 * for one objective, target, SDK, batch and number of workers, and says which. */
#pragma once

#include "advisor/report/result_set.h"
#include "advisor/report/result.h"

enum { BASELINE_VERSION = 1, BASELINE_LIMIT_MIB = 64 };

typedef struct {
    cJSON *tree; /* owned; baseline_free */
} Baseline;

/* `of_set` is what a run over many models calls the model of the result (NULL: it is alone); the
 * tree is NULL when a baseline of many does not have it.  STATUS_INPUT for a file that is not a
 * baseline, and for a baseline of other settings than those of `result`. */
Status baseline_load(const char *path, const char *of_set, const Result *r, Baseline *ret,
                     Diag *diag);
void baseline_free(Baseline *b);

/* Writes the baseline of a result; `out` for "-". */
Status baseline_save(Arena *a, const Result *r, const char *path, FILE *out, Diag *diag);

/* Of a run over many models: {"models": {NAME: baseline}}, those that have a result. */
Status baseline_save_set(const ResultSet *set, const char *path, FILE *out, Diag *diag);

/* The models of a baseline of many that `name` has not, as "a.onnx, b.onnx"; NULL for none.
 * STATUS_INPUT when it is no such baseline. */
Status baseline_check_set(Arena *a, const char *path, const char *const *name, size_t n,
                          const char **ret_gone, size_t *ret_ngone, Diag *diag);

typedef enum { STATE_NEW, STATE_UNCHANGED, STATE_IMPROVED, STATE_GONE, STATE_COUNT } BaselineState;
const char *baseline_state_name(BaselineState s);

/* What is new, unchanged, improved and gone, in `a`.  Improved: it is still there and would gain
 * less, by more than `percent` and (of times) `floor`; or it is suppressed.  Each finding of
 * baseline and run is in one list. */
const ResultBaseline *baseline_compare(Arena *a, const Baseline *b, const Result *r, double percent,
                                       double floor_ns);

/* The findings of one state. */
const ResultFindingList *baseline_list(const ResultBaseline *b, BaselineState s);

/* The state of a finding as gate.baseline of a result has it; false without a baseline (NULL). */
bool baseline_state(const ResultBaseline *b, const char *fingerprint, BaselineState *ret);
