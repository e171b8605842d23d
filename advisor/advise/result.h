/* Builds the result document from a finished run, with the keys in the order of the schema. */
#ifndef ADVISOR_ADVISE_RESULT_H
#define ADVISOR_ADVISE_RESULT_H

#include "advisor/advise/run.h"

enum { RESULT_SCHEMA_VERSION = 1 };

/* The caller owns the tree.  `gate` is "none" until gate_apply. */
cJSON *result_build(const AdviseRun *run);

/* Parts: what was read, compiled and timed (result_program.c); what is advised
 * (result_advice.c).  Each adds its keys to `root`. */
void result_add_head(cJSON *root, const Language *lang); /* schema, tool, language */
void result_add_subject(cJSON *root, const AdviseRun *run);
void result_add_setup(cJSON *root, const Setup *setup, const Program *p);
void result_add_times(cJSON *root, const AdviseRun *run);
void result_add_machine(cJSON *root, const AdviseRun *run);
void result_add_timeline(cJSON *root, const AdviseRun *run);
void result_add_advice(cJSON *root, const AdviseRun *run);

/* What to deploy, at the end of the list (result_tune.c). */
void result_add_best(cJSON *root, const AdviseRun *run);
/* The document of `npu-advise tune`; the caller owns the tree. */
cJSON *result_tune(const AdviseRun *run, const Tune *tune, const TuneQuestion *asked);

/* Values (result_value.c).  Intervals below 0 are cut off at 0 where `is_time`. */
cJSON *result_real(double x); /* six significant digits */
/* node, tensor and op of a place, into `o`. */
void result_add_where(cJSON *o, const AdviseRun *run, const Occurrence *p);
cJSON *result_ns(double ns); /* whole nanoseconds */
cJSON *result_text(const char *text);
/* The sentence, in the language of the request.  NULL: null. */
cJSON *result_message(const AdviseRun *run, const Message *said);
cJSON *result_interval_ns(Interval v, bool is_time);
cJSON *result_interval(Interval v);
cJSON *result_objective(Objective o, Interval v, bool is_time);
/* What every rule is about, so that a list of ids can be read. */
cJSON *result_rules(Arena *a, const RuleBook *book, const Language *lang);

/* The gate before it was judged, with the files of settings. */
void result_add_gate(cJSON *root, const Config *settings);

#endif
