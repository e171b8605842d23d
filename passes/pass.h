/* Passes: one file = one pass = one question about a program.  A pass finds facts and writes
 * findings; advice is none of its business.  All of them, in order: pipeline.h. */
#ifndef PASSES_PASS_H
#define PASSES_PASS_H

#include "cost_model/reconcile.h"

typedef struct {
    const char *name;
    const char *value; /* text as it appears in the facts document */
    const Message
        *said; /* what the text says, for other languages; NULL when it is none's to say */
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

typedef struct {
    const char *name; /* "host-conversions" */
    const char *asks; /* "which conversions run on the host, and why?" */
    void (*run)(const PassInput *in, FindingList *out);
} Pass;

Finding *finding_add(FindingList *l, const Pass *pass, const char *kind);
void finding_text(FindingList *l, Finding *f, const char *name, const char *value);
void finding_message(FindingList *l, Finding *f, const char *name, const Message *said);
void finding_int(FindingList *l, Finding *f, const char *name, int64_t value);
void finding_real(FindingList *l, Finding *f, const char *name, double value); /* "%.6g" */

#endif
