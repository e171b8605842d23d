/* Declares the functions that build the parts of the result of a compiled graph.
 *
 * All that they return lies in the arena of the run. */
#ifndef ADVISOR_ADVISE_COMPILED_COMPILED_RESULT_H
#define ADVISOR_ADVISE_COMPILED_COMPILED_RESULT_H

#include "advisor/advise/compiled/compiled.h"
#include "advisor/report/result_json.h"

/* compiled_layers.c: one step per layer; and what only such a graph has. */
ResultStepList compiled_steps(const CompiledRun *run);
const ResultCompiled *compiled_layers(const CompiledRun *run);

/* compiled_gains.c: the matches.  No combination of fewer than two: NULL. */
ResultRecommendationList compiled_recommendations(const CompiledRun *run);
const ResultCombined *compiled_combined(const CompiledRun *run);
ResultObservationList compiled_observations(const CompiledRun *run);
ResultSuppressedList compiled_suppressed(const CompiledRun *run);

/* compiled_value.c: whole nanoseconds; six significant digits; the ids of layers. */
int64_t compiled_ns(double ns);
ResultInt compiled_ns_if(bool known, double ns);
double compiled_real(double x);
ResultReal compiled_real_if(bool known, double x);
ResultInts compiled_ids(Arena *a, const uint32_t *id, size_t n);

/* A sentence in the requested language; NULL for NULL. */
const char *compiled_message(const CompiledRun *run, const Message *said);

/* The compiler's version as fixes name it; "unknown". */
const char *compiled_version(const CompiledRun *run);

ResultFix compiled_fix(const CompiledRun *run, const Match *m);
ResultRuleList compiled_rules(const CompiledRun *run);
ResultGate compiled_gate(const CompiledRun *run);

#endif
