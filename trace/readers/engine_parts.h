/* Declares what the readers of an engine's files share. */
#pragma once

#include "trace/readers/engine.h"

void engine_add_option(EngineTimes *t, const char *section, const char *key, const char *value);
/* What a summary says of a stage, in ms; -1: nothing. */
typedef struct {
    double min, max, mean, median, p90, p99;
} EngineSummary;
#define ENGINE_SUMMARY_NONE ((EngineSummary){-1, -1, -1, -1, -1, -1})

/* Takes it over where all but percentiles are known; a stage that was counted stays. */
void engine_summary(EngineTimes *t, const char *metric, const EngineSummary *ms);
/* A total of the whole run: "Total Host Walltime" in s … */
void engine_total(EngineTimes *t, const char *metric, double value);
/* The name of a layer with " + " for the separators of fused layers. */
const char *engine_name(Arena *a, const char *name);
void engine_read_log(EngineTimes *t, const char *text, size_t size);

Status engine_read_profile(EngineTimes *t, InFile file, Diag *diag);
Status engine_read_times(EngineTimes *t, InFile file, Diag *diag);
Status engine_read_metadata(EngineTimes *t, InFile file, Diag *diag);
