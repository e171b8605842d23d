/* Adds notes about a run to its result, beside the recommendations. */
#ifndef ADVISOR_ADVISE_RUN_NOTES_H
#define ADVISOR_ADVISE_RUN_NOTES_H

#include "advisor/advise/run.h"

/* Of the trace, once it is set against the program: an idle NPU, a run on a CPU.  run->rec is set.
 */
void run_notes_evidence(AdviseRun *run);

/* Of what was verified: what the runs rest on, and what they cannot show. */
void run_notes_verified(AdviseRun *run);

/* Of the ranked advice: what the trace leaves open of it, what a cut leaves to the
 * application, what is held back; and which of the inputs were not read to their end
 * (run_incomplete). */
void run_notes_advice(AdviseRun *run);

#endif
