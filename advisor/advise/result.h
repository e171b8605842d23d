/* Builds the result document from a finished run, with the keys in the order of the schema. */
#ifndef ADVISOR_ADVISE_RESULT_H
#define ADVISOR_ADVISE_RESULT_H

#include "advisor/advise/run.h"

enum { RESULT_SCHEMA_VERSION = 1 };

/* The caller owns the tree.  `gate` is "none" until gate_apply. */
cJSON *result_build(const AdviseRun *run);

/* The parts of the document.  Each adds its keys to `root`. */
void result_add_head(cJSON *root, const Language *lang); /* schema, tool, language */
void result_add_subject(cJSON *root, const AdviseRun *run);
void result_add_setup(cJSON *root, const Setup *setup, const Program *p);
void result_add_times(cJSON *root, const AdviseRun *run);
void result_add_machine(cJSON *root, const AdviseRun *run);
void result_add_timeline(cJSON *root, const AdviseRun *run);
void result_add_advice(cJSON *root, const AdviseRun *run);

/* The plan to deploy, at the end of the list (result_tune.c). */
void result_add_best(cJSON *root, const AdviseRun *run);
/* The document of `npu-advise tune`; the caller owns the tree. */
cJSON *result_tune(const AdviseRun *run, const Tune *tune, const TuneQuestion *asked);

/* Values (result_value.c). */
cJSON *result_real(double x); /* six significant digits */
/* node, tensor and op of an occurrence, into `o`. */
void result_add_where(cJSON *o, const AdviseRun *run, const Occurrence *p);
cJSON *result_ns(double ns); /* whole nanoseconds */
cJSON *result_text(const char *text);
/* The sentence, in the language of the request.  NULL: null. */
cJSON *result_message(const AdviseRun *run, const Message *said);
cJSON *result_ns_if(bool known, double ns); /* else null */
cJSON *result_real_if(bool known, double x);
cJSON *result_interval_ns(Interval v); /* of a time: cut off below 0 */
cJSON *result_interval(Interval v);
cJSON *result_objective(Objective o, Interval v);  /* a time or a rate */
cJSON *result_difference(Objective o, Interval v); /* of two of them */
cJSON *result_amount(Objective o, double x);
/* Settings with lever, index and value, with or without those that other recommendations make. */
typedef enum { RESULT_OWN_SETTINGS, RESULT_ALL_SETTINGS } ResultSettings;
cJSON *result_lever(const LeverSetting *s);
cJSON *result_levers(const Attempt *t, ResultSettings which); /* t may be NULL */
/* The key `fix` with the text of a try. */
void result_add_fix(cJSON *parent, const char *sdk, const Match *m, size_t attempt);
void result_add_rule(cJSON *parent, const Match *m); /* keys level, group and why */
/* Adds {key: value, "text": text} to a list; "reason" for a rule_id. */
void result_add_entry(cJSON *list, const char *key, const char *value, cJSON *text);
/* Id, group and title of every rule, so that a list of ids can be read. */
cJSON *result_rules(Arena *a, const RuleBook *book, const Language *lang);

/* The gate before it is evaluated, with the settings files. */
void result_add_gate(cJSON *root, const Config *settings);

#endif
