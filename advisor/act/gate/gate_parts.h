/* Declares the parts of the gate, each of which adds assertions, and what they share. */
#pragma once

#include "advisor/act/gate/baseline.h"
#include "advisor/act/gate/gate.h"
#include "advisor/report/finding.h"
#include "cost_model/interval.h"

/* true, false, or undecided: an interval that holds the bound decides nothing. */
typedef enum { FAILS, HOLDS, UNDECIDED } Decision;

typedef struct {
    Arena *arena;
    Result *result; /* a copy, in which suppressed findings are marked */
    const GateRequest *q;
    const Baseline *baseline; /* NULL: none */
    ResultAssertion *assertion;
    size_t nassertion, cap_assertion;
    Notes *notes;
    Diag *diag;
} Gate;

/* What a value is held against. */
typedef struct {
    bool at_least; /* else up to `value` */
    ResultAssertionLimitUnit unit;
    double value;
} GateLimit;

typedef struct {
    const char *name;
    const GateLimit *limit; /* NULL: it is no number that is expected */
    const char *expected;   /* as text; NULL: the limit */
    bool has_found;         /* else it could not be checked */
    double found;
    const double *value; /* all values that `found` rests on */
    size_t nvalue;
    Decision decision;
    const char *detail;   /* one sentence; NULL */
    ResultTexts findings; /* fingerprints of those that fail it */
} Assertion;

/* One of `expected` and `limit` at least is given. */
void gate_assert(Gate *g, const Assertion *x);

/* One figure of a result. */
typedef struct {
    bool known;
    Interval v;
    bool sampled;        /* measured: its interval is chance; else the doubt of a prediction */
    bool few;            /* of fewer than five samples: a small difference says nothing */
    const char *doubt;   /* why the interval has an open end; NULL */
    const double *value; /* all values */
    size_t nvalue;
} MetricFigure;

typedef struct {
    const char *name;
    bool structure; /* a fact of the compiled program: no interval */
    bool at_least, is_time;
} Metric;

/* NULL-named at the end. "host:OP" (steps OP on the host) is one as well. */
extern const Metric gate_metric_table[];
bool gate_metric_find(const char *name, size_t len, Metric *ret);

ResultAssertionLimitUnit gate_metric_unit(const Metric *m);

/* "3.67 ms", "139/s", or a plain number for other units. */
const char *gate_metric_text(Arena *a, const Metric *m, double v);

typedef enum { TIMES_PREDICTED, TIMES_MEASURED /* only what the traces say */ } TimeSource;
MetricFigure gate_metric_figure(Arena *a, const Result *r, const char *name, Aggregation how,
                                TimeSource source);

/* Of a compiled graph.  "compute_ns": whole queries on the GPU; "layers_ns": the sum of the layers;
 * "reformat_share": of that sum, 0..1; "layers_above:TYPE": layers that read or make a type
 * wider than TYPE.  True when it is one of them; ret->known is false where the result is of no such
 * graph, or no file tells. */
bool gate_layer_figure(const Result *r, const char *name, Aggregation how, MetricFigure *ret);

/* True for "layers_above:" and the name of a type whose size is known. */
bool gate_layer_type(const char *name, size_t len);

/* True when the cost of some node, or some measured inference, is known: else nothing about this
 * result can be asserted. */
bool gate_has_evidence(const Result *r);

/* True when some step's time is neither predicted nor measured: it may take any time, and what
 * advice about it would gain cannot be told. */
bool gate_has_unknown_cost(const Result *r);

extern const char gate_single_result_doubt[]; /* why a single sample decides nothing */

/* The trace shows another set-up than was said, or another model: no time of it, and no gain, is
 * one of this run. */
bool gate_trace_is_refuted(const Result *r);

/* Why an assertion could not be checked: one of the two above, else `otherwise`. */
const char *gate_why_unknown(const Result *r, const char *otherwise);

/* "METRIC=VALUE". */
typedef struct {
    const char *name, *text; /* of the metric, of the value as given */
    Metric metric;
    double value; /* ns or a number */
} Budget;
Status gate_read_budget(Arena *a, const char *text, Budget *ret, Diag *diag);

Status gate_budgets(Gate *g, bool structure);
void gate_suppressions(Gate *g);
void gate_findings(Gate *g);
void gate_accuracy(Gate *g);
void gate_regressions(Gate *g, bool structure);

/* Once the status is known: a baseline is not replaced by one of a run that does not pass. */
void gate_note_gone(Gate *g);

/* "4ms", "250us", "20000" (ns); to a thousandth of one. */
bool gate_parse_time(const char *text, double *ret_ns);

/* True when it is about this run or its trace and not about the model: evidence, and runtime advice
 * that changes no setting.  Another run of the same model may not have it, so no gate counts it. */
bool gate_is_of_run(const ReportedFinding *f);
