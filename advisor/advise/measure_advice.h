/* Measures the accuracy of recommendations on images and blocks those that lose too much. */
#ifndef ADVISOR_ADVISE_MEASURE_ADVICE_H
#define ADVISOR_ADVISE_MEASURE_ADVICE_H

#include "advisor/measure/accuracy.h"
#include "advisor/advise/run.h"

/* Opens the measurement on --data; NULL, with a note, where it cannot run. */
AccuracyBench *measure_open_bench(AdviseRun *run);

/* Measures new recommendations; true when one of them is blocked. `b` may be NULL. */
bool measure_unmeasured(AdviseRun *run, AccuracyBench *b);

/* Measures all recommendations together. */
void measure_combined(AdviseRun *run, AccuracyBench *b);

/* Measures all changes that a search may use; and a point as a whole: true when it loses too much.
 * measure_block_worst blocks its change with the largest loss; false: none has one. */
void measure_all(AdviseRun *run, AccuracyBench *b, Applicability effort);
bool measure_point(AdviseRun *run, AccuracyBench *b, TunedPoint *p);
bool measure_block_worst(AdviseRun *run, const TunedPoint *p);

/* True if a measurement failed. */
bool measure_failed(const AdviseRun *run);

#endif
