/* Searches settings and changes for the plan to deploy, within the allowed accuracy loss. */
#ifndef ADVISOR_ADVISE_BEST_H
#define ADVISOR_ADVISE_BEST_H

#include "advisor/measure/accuracy.h"
#include "advisor/advise/run.h"
#include "advisor/candidate/verify.h"

/* Searches from the recommended list into run->best, if requested. `b` may be NULL. */
void best_from_advice(AdviseRun *run, AccuracyBench *b);

/* Runs the chosen point of run->best, if there is one. */
void best_verify(AdviseRun *run, Verifier *v);

/* Searches the whole space; runs each point of its front if there is a verifier. */
void best_search(AdviseRun *run, const TuneQuestion *asked, Verifier *v, Tune *ret);

#endif
