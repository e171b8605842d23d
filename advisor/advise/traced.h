/* Finds the program that a trace shows, compiled as its run was, timed and reconciled.
 *
 * Every command that takes a model and its trace begins with it. */
#pragma once

#include "advisor/message/phrase.h"
#include "cost_model/reconcile.h"
#include "cost_model/setup/setup.h"

typedef struct {
    Setup setup;
    Program *program;
    Prediction *prediction;
    Reconciliation *rec; /* refuted where the trace contradicts the options or the model */
} Traced;

typedef struct {
    const Model *model;
    const Machine *machine;
    const Costs *costs;
    const TraceStats *stats;
    const CompileOptions *compile; /* options as given and defaults; the trace decides the rest */
} TracedInput;
Status traced_find(Arena *a, const TracedInput *in, Notes *notes, Traced *ret, Diag *diag);

/* "from the trace: --target warboy --batch 8; as said: --sdk 0.10", in `a`. */
const char *traced_setup_text(Arena *a, const Traced *t, const Language *lang);

/* The first thing that the trace contradicts as "--batch 8, not --batch 1", in `a`; NULL: none. */
const char *traced_contradiction(Arena *a, const Traced *t);
