/* Builds the result from a finished run, part by part (advisor/report/result.h).
 *
 * All of it lies in the run's arena, or in what lives as long. */
#ifndef ADVISOR_ADVISE_RESULT_H
#define ADVISOR_ADVISE_RESULT_H

#include "advisor/advise/run.h"
#include "advisor/report/result.h"

#include <string.h>

/* `gate` is "none" until gate_apply. */
const Result *result_build(const AdviseRun *run);

/* The document of `npu-advise tune`. */
const ResultTune *result_tune(const AdviseRun *run, const Tune *tune, const TuneQuestion *asked);

/* ---- parts: each sets its fields ---- */

void result_set_subject(Result *ret, const AdviseRun *run); /* tool to notes */
void result_set_times(Result *ret, const AdviseRun *run);   /* prediction to ceiling */
void result_set_machine(Result *ret, const AdviseRun *run); /* machine and curves */
void result_set_timeline(Result *ret, const AdviseRun *run);
void result_set_advice(Result *ret, const AdviseRun *run); /* recommendations to suppressed */
ResultEvidence result_evidence(const AdviseRun *run);

/* Whether a rule is recommended somewhere: then none of its matches is an observation. */
bool result_recommends(const Ranking *r, const Rule *rule);

/* The plan to deploy, at the end of the list (result_tune.c); NULL: no search. */
const ResultTuned *result_best(const AdviseRun *run);

/* ---- parts that the result of a compiled graph has too ---- */

Result result_head(const Language *lang);             /* tool and language, all else empty */
ResultOptions result_options(const AdviseRequest *q); /* what a small gain is, all else empty */
ResultTexts result_notes(Arena *a, const Notes *notes, const Language *lang);
/* The text of a try. */
ResultFix result_fix(const char *sdk, const Match *m, size_t attempt);
/* passed, not_applicable, rules, incomplete, and the gate before it is evaluated. */
void result_set_rules(Result *ret, Arena *a, const RunRules *x, const Language *lang);
/* What a match says at its first place. */
ResultRecommendation result_recommendation(const Match *m, size_t attempt, const char *sdk);
ResultObservation result_observation(const Match *m, size_t attempt, const char *sdk);

/* ---- values (result_value.c) ---- */

/* A copy in the arena, of what may be missing: RESULT_NEW(a, ResultInterval, {lo, mid, hi}). */
#define RESULT_NEW(a, T, ...)                                                                      \
    ((const T *)memcpy(ARENA_NEW((a), T), &(const T[1]){__VA_ARGS__}, sizeof(T)))

double result_real(double x);                /* six significant digits; 0 for what is not finite */
int64_t result_ns(double ns);                /* whole, and what JSON can hold */
double result_amount(Objective o, double x); /* a time or a rate */

static inline ResultInt result_int_if(bool known, int64_t x)
{
    return (ResultInt){known ? x : 0, known};
}

static inline ResultReal result_real_if(bool known, double x)
{
    return (ResultReal){known ? x : 0, known};
}

ResultIntervalNs result_interval_ns(Interval v); /* of a time: cut off below 0 */
ResultInterval result_interval(Interval v);
ResultInterval result_objective(Objective o, Interval v);  /* a time or a rate */
ResultInterval result_difference(Objective o, Interval v); /* of two of them */

ResultInts result_ids(Arena *a, const uint32_t *id, size_t n);

/* The sentence, in the language of the request; NULL: NULL.  Of a run of either kind. */
const char *result_sentence(Arena *a, const AdviseRequest *q, const Message *said);
#define RESULT_SENTENCE(run, said) result_sentence((run)->arena, (run)->request, said)

/* Settings with lever, index and value, with or without those that other recommendations make. */
typedef enum { RESULT_OWN_SETTINGS, RESULT_ALL_SETTINGS } ResultSettings;
ResultLeverList result_levers(Arena *a, const Attempt *t, ResultSettings which); /* t may be NULL */

ResultWhere result_where(const AdviseRun *run, const Occurrence *p);
const ResultAccuracy *result_accuracy(Arena *a, const Accuracy *x); /* NULL: not measured */

/* How a run was set up (result_setup.c). */
ResultSetup result_setup(Arena *a, const Setup *setup, const Program *p);

#endif
