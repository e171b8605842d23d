/* Runs the chain for a compiled graph, with measured layers in place of predictions. */
#pragma once

#include "advisor/advise/compiled/bounds.h"
#include "advisor/advise/compiled/layer_traits.h"
#include "advisor/advise/run_rules.h"
#include "advisor/report/result.h"

typedef struct {
    const Match *match;
    Bound bound;
    const Bound *place; /* one per occurrence */
    const char *fingerprint;
    const Message *held;     /* why it is no recommendation; NULL when it is one */
    ResultReason suppressed; /* where it is held for its size, or by the configuration */
} CompiledAdvice;

typedef struct {
    Arena *arena;
    const AdviseRequest *request;
    Notes *notes;
    const char *sha256;
    Imported *graph;
    EngineTimes times;
    LayerTimes *layer;
    Imported *other_graph; /* the same model at another batch, given as a trace; NULL */
    EngineTimes other_times;
    LayerTimes *other;
    LayerTraits *look;
    RunRules rules;
    int version;            /* of the compiler; what fixes are spelled for */
    const char *sdk;        /* the version that the files tell; "unknown" */
    CompiledAdvice *advice; /* recommendations first, by rank; then the rest by rule */
    size_t nadvice, nrecommended;
    const Message *no_gain;          /* why no saving can be known; NULL */
    const TraceStats *program_trace; /* of a program's own traces; NULL */
} CompiledRun;

/* True for a compiled graph, or a file of times in its place. */
bool compiled_recognise(const char *path);

/* True for a compiled graph alone. */
bool compiled_is_graph(const char *path);

/* A table of RKNN as the trace of a model: the target that was not given is the table's chip, and
 * one that was must be it.  One without times is no trace.  Beside a table, spans of a trace that
 * are named as stages (--app) are the application's.  Nothing for other traces. */
Status compiled_take_table(Arena *a, AdviseRequest *q, Diag *diag);

/* Runs the chain as advise() does. STATUS_UNDECIDED with a result, said in `diag`: no times. */
Status compiled_advise(Arena *a, const AdviseRequest *q, const char *onnx,
                       const Result **ret_result, Diag *diag);

/* The facts document that its rules see; xmlFreeDoc. */
Status compiled_facts(Arena *a, const AdviseRequest *q, xmlDoc **ret_doc, Diag *diag);

/* The result (compiled_result.c), in the run's arena. */
const Result *compiled_result(const CompiledRun *run);

/* Maps the layers to the nodes of an ONNX model by names and metadata; notes the others. */
Status compiled_tie(CompiledRun *run, const char *onnx, Diag *diag);
