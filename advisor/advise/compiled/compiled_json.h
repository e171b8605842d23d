/* Declares the functions that write parts of the result document of a compiled graph.
 *
 * Each adds its keys to `root`. */
#ifndef ADVISOR_ADVISE_COMPILED_COMPILED_JSON_H
#define ADVISOR_ADVISE_COMPILED_COMPILED_JSON_H

#include "advisor/advise/compiled/compiled.h"

/* compiled_json.c: a sentence in the requested language; null for NULL. */
cJSON *compiled_message(const CompiledRun *run, const Message *said);

/* The compiler's version as fixes name it; "unknown". */
const char *compiled_version(const CompiledRun *run);

/* compiled_layers.c: `steps`, one per layer; and `compiled`, what only such a graph has. */
void compiled_add_steps(cJSON *root, const CompiledRun *run);
void compiled_add_facts(cJSON *root, const CompiledRun *run);

/* compiled_gains.c: `recommendations`, `combined`, `observations`, and `suppressed`. */
void compiled_add_recommendations(cJSON *root, const CompiledRun *run);
void compiled_add_combined(cJSON *root, const CompiledRun *run);
void compiled_add_observations(cJSON *root, const CompiledRun *run);
void compiled_add_skipped(cJSON *root, const CompiledRun *run);

#endif
