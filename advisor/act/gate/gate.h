/* Checks assertions about a result and gives the exit status that a CI can trust.
 *
 * Every assertion gives the expected value, the found value and all values that it rests on.
 * Structure and findings, which are facts, are judged first; times follow.  A time holds or fails
 * only when its whole interval does: what lies across is undecided, and so is what could not be
 * measured. Against a baseline, worse is what is so by more than a share and an amount, and whose
 * interval excludes 0. */
#pragma once

#include "advisor/options/config.h"
#include "advisor/report/result.h"

typedef enum { AGGREGATE_MEDIAN, AGGREGATE_P90, AGGREGATE_PESSIMISTIC } Aggregation;
enum { AGGREGATION_P99 = 3 }; /* a word of the option that a gate does not take */

typedef struct {
    const char *const *budget;     /* "latency_ns=4ms" …; of one metric, the last one counts */
    size_t nbudget, nadded_budget; /* of these, the last so many hold beside all others */
    const char *fail_on;           /* "info", "warn" or "error"; NULL: no such gate */
    Aggregation aggregation;       /* of measured latencies: their middle, ninth decile or worst */
    double regression_percent;     /* what is worse than the baseline by more than this … */
    int64_t regression_floor_ns; /* … and by more than this is a regression, if it is no chance */
    const char *baseline;        /* file; NULL: none */
    const char *of_set;          /* the model's name in a baseline of many; NULL: alone */
    bool strict_baseline;        /* an entry of the baseline that is fixed fails */
    const char *loss_text; /* the most accuracy that the advice may cost, as it was said; NULL … */
    double loss_limit;     /* … as a share, or … */
    bool loss_in_db;       /* … as the least level */
    const Suppression *suppression;
    size_t nsuppression;
    bool settings_refused; /* a settings file was not read: it may have held a gate */
    const char *today;     /* "YYYY-MM-DD", what suppressions expire by */
    int inconclusive;      /* 0: status 3; 1: counts as passed, 2: as failed */
} GateRequest;

/* --budget --fail-on --aggregation --regression-percent --regression-floor --baseline
 * --strict-baseline --today --inconclusive, and what `c` suppresses. */
Status gate_request_from_args(Arena *a, const Args *args, const Config *c, GateRequest *ret,
                              Diag *diag);

/* Judges a result: *ret is a copy with its gate, in which what is suppressed is marked; with a
 * baseline, gate.baseline says what is new, unchanged, improved and gone.  Each thing that was not
 * done to the end (`incomplete`) is undecided.  Adds a note for what has become superfluous.
 * STATUS_USAGE for a budget that cannot be read, STATUS_INPUT for such a baseline. */
Status gate_judge(Arena *a, const Result *r, const GateRequest *q, Notes *notes, Result *ret,
                  Diag *diag);

/* Exit status of a gate: 0 passed or no gate, 1 failed, 3 inconclusive.  What could not be found
 * at all never passes, whatever `inconclusive` says. */
int gate_exit_code(const ResultGate *gate, int inconclusive);
