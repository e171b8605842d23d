/* Declares the functions that build the parts of the result of a compiled graph.
 *
 * All that they return lies in the arena of the run. */
#pragma once

#include "advisor/advise/compiled/compiled.h"
#include "advisor/advise/result.h"

/* compiled_layers.c: one step per layer; and what only such a graph has. */
ResultStepList compiled_steps(const CompiledRun *run);
const ResultCompiled *compiled_layers(const CompiledRun *run);

/* compiled_gains.c: the matches.  No combination of fewer than two: NULL. */
ResultHandWorkList compiled_hand_work(const CompiledRun *run);
ResultObservationList compiled_observations(const CompiledRun *run);
ResultSuppressedList compiled_suppressed(const CompiledRun *run);
