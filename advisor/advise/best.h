/* Searches settings and changes for the plan to deploy, within the allowed accuracy loss. */
#ifndef ADVISOR_ADVISE_BEST_H
#define ADVISOR_ADVISE_BEST_H

#include "advisor/measure/accuracy.h"
#include "advisor/advise/run.h"
#include "advisor/candidate/verify.h"

/* From where the list of advice leads, into run->best, when it is asked for and anything is
 * recommended.  run->ranking is set; `b` may be NULL. */
void best_from_advice(AdviseRun *run, AccuracyBench *b);

/* The point of run->best that is chosen, run; nothing where there is none. */
void best_verify(AdviseRun *run, Verifier *v);

/* The whole space, as asked, in the run's arena; each point of its front is run where there is a
 * verifier. */
void best_search(AdviseRun *run, const TuneQuestion *asked, Verifier *v, Tune *ret);

#endif
