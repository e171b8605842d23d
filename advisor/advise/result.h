/* Builds the result from a finished run, part by part (advisor/report/result.h).
 *
 * All of it lies in the run's arena, or in what lives as long. */
#pragma once

#include "advisor/advise/run.h"
#include "advisor/report/result.h"

/* `gate` is "none" until gate_apply. */
const Result *result_build(const AdviseRun *run);

/* The bounds that were run (tested_bounds), as a list; the caller owns the tree. */

/* ---- parts: each sets its fields ---- */

void result_set_subject(Result *ret, const AdviseRun *run); /* tool to notes */
void result_set_times(Result *ret, const AdviseRun *run);   /* prediction to ceiling */
void result_set_machine(Result *ret, const AdviseRun *run); /* machine and curves */
void result_set_timeline(Result *ret, const AdviseRun *run);
void result_set_plans(Result *ret, const AdviseRun *run);     /* now, plans, changes, front … */
void result_set_breakdown(Result *ret, const AdviseRun *run); /* breakdown and cause */
void result_set_findings(Result *ret, const AdviseRun *run);  /* by_hand to suppressed */
const ResultRate *result_rate(const AdviseRun *run);          /* NULL without --rate */
const char *result_conversion(const AdviseRun *run);          /* NULL: nothing is to be converted */

/* ---- parts that the result of a compiled graph has too ---- */

Result result_head(const Language *lang); /* tool and language, all else empty */
/* What a small gain is and what plans may need, all else empty. */
ResultOptions result_options(Arena *a, const AdviseRequest *q);
ResultTexts result_notes(Arena *a, const Notes *notes, const Language *lang);
/* passed, not_applicable, rules, incomplete, and the gate before it is evaluated. */
void result_set_rules(Result *ret, Arena *a, const RunRules *x, const Language *lang);
/* What a match says of itself, of a try. */
ResultChange result_change(Arena *a, const Match *m, size_t attempt, const char *sdk,
                           NeedSet needs);
ResultHandWork result_hand_work(Arena *a, const Match *m, size_t attempt, const char *sdk,
                                NeedSet needs);
ResultObservation result_observation(const Match *m, size_t attempt, const char *sdk);

/* ---- values (result_value.c) ---- */

/* A copy in the arena, of what may be missing: RESULT_NEW(a, ResultInterval, {lo, mid, hi}). */
#define RESULT_NEW(a, T, ...)                                                                      \
    ((const T *)memcpy(ARENA_NEW((a), T), &(const T[1]){__VA_ARGS__}, sizeof(T)))

double result_real(double x);                /* six significant digits; 0 if not finite */
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

ResultTexts result_needs(Arena *a, NeedSet needs);
ResultInts result_ids(Arena *a, const uint32_t *id, size_t n);

/* The sentence, in the language of the request; NULL: NULL.  Of a run of either kind. */
const char *result_sentence(Arena *a, const AdviseRequest *q, const Message *said);
#define RESULT_SENTENCE(run, said) result_sentence((run)->arena, (run)->request, said)

/* Settings with lever, index and value, with or without those that other recommendations make. */
typedef enum { RESULT_OWN_SETTINGS, RESULT_ALL_SETTINGS } ResultLeverScope;
ResultLeverList result_levers(Arena *a, const Attempt *t,
                              ResultLeverScope which); /* t may be NULL */

/* Occurrences with their savings, and the saving of a proposal by itself. */
ResultPlaceList result_occurrences(const AdviseRun *run, const Proposal *p, size_t attempt);
ResultGain result_gain(const AdviseRun *run, const Proposal *p);

ResultWhere result_where(const AdviseRun *run, const Occurrence *p);
const ResultAccuracy *result_accuracy(Arena *a, const Accuracy *x); /* NULL: not measured */

/* How a run was set up (result_setup.c). */
ResultSetup result_setup(Arena *a, const Setup *setup, const Program *p);
