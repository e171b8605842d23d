/* A pass answers one question about a program: it finds facts, without advice.
 *
 * Each pass has a file; pipeline.xml lists them in order. */
#pragma once

#include "graph/model/dtype.h"
#include "cost_model/reconcile.h"
#include "graph/infer/ops.h"
#include "graph/model/model.h"

typedef struct {
    const char *name;
    const char *value;   /* text as it appears in the facts document */
    const Message *said; /* the same for other languages; NULL: the text is not translated */
} FindingAttr;

/* A fact.  Appears as <finding pass="…" kind="…" …attributes/> in the facts document. */
typedef struct {
    const char *pass, *kind;
    StepId step;     /* STEP_NONE if it concerns none */
    NodeId node;     /* NODE_NONE */
    TensorId tensor; /* TENSOR_NONE */
    FindingAttr *attr;
    size_t nattr, cap;
} Finding;

typedef struct {
    Arena *arena;
    const char *pass; /* name of the pass that is running */
    Finding *item;
    size_t nitem, cap;
} FindingList;

/* What a pass may read.  `rec` is NULL without a trace; `time` is the replayed prediction then. */
typedef struct {
    const Program *program;
    const Costs *costs;
    const RunOptions *run;
    const Prediction *time;
    const Reconciliation *rec;
    double goal_per_s; /* images per second that are wanted; 0: no goal is stated */
} PassInput;

/* pass_host_conversions … */
#define PASS(id, name) void pass_##id(const PassInput *in, FindingList *out);
#include "passes/pipeline.def"

const char *pass_io_name(IoKind io); /* "none", "input" or "output" */

/* A finding of the pass that is running, about no step, node or tensor yet. */
Finding *finding_add(FindingList *l, const char *kind);
void finding_text(FindingList *l, Finding *f, const char *name, const char *value);
void finding_message(FindingList *l, Finding *f, const char *name, const Message *said);
void finding_int(FindingList *l, Finding *f, const char *name, int64_t value);
void finding_real(FindingList *l, Finding *f, const char *name, double value); /* "%.6g" */
