/* Compiles a model for both places of operators of unknown place, and takes the slower.
 *
 * An operator's place is not known where the vendor's quantizer makes it int8 and no page of the
 * SDK lists it, or where both differ (graph/compile/program.h).  The compile option unknown_on says
 * where such operators run. */
#pragma once

#include "cost_model/predict.h"
#include "graph/compile/compile.h"
#include "graph/compile/options.h"

typedef struct {
    const Model *model;
    const Machine *machine;
    const Costs *costs;
    const RunOptions *run;
    Objective objective; /* by which a place is slower */
} PlacesRequest;

typedef struct {
    Program *program;    /* with the slower place */
    Prediction *time;    /* its latency and throughput reach to those of the faster place */
    int64_t unknown;     /* operators of unknown place; 0: the rest is 0 */
    double other_ns;     /* latency with the faster place, the middle; 0: not compared */
    const char *largest; /* the name of the operator of unknown place that takes the host longest */
} PlacedProgram;

/* Compiles and predicts with *o, whose unknown_on becomes the slower place; program and times live
 * in `a`.  Where --unknown-on was given, that place holds alone.  Fails as compile_model does. */
Status places_compile(Arena *a, const PlacesRequest *q, CompileOptions *o, Notes *notes,
                      PlacedProgram *ret, Diag *diag);

/* The other place. */
UnknownOn places_other(UnknownOn place);
