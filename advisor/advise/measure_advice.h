/* Measures the accuracy of recommendations on images and blocks those that lose too much. */
#ifndef ADVISOR_ADVISE_MEASURE_ADVICE_H
#define ADVISOR_ADVISE_MEASURE_ADVICE_H

#include "advisor/measure/accuracy.h"
#include "advisor/advise/run.h"

/* Accuracy on the images of --data.  NULL where nothing can be run, which the result
 * then says; accuracy_close. */
AccuracyBench *measure_open_bench(AdviseRun *run);

/* Of all that is ranked and was not measured yet; true when one of them is blocked.  `b` may be
 * NULL. */
bool measure_unmeasured(AdviseRun *run, AccuracyBench *b);

/* Of all that is recommended together. */
void measure_combined(AdviseRun *run, AccuracyBench *b);

/* Of all that a search for what to deploy may take; and of a point that it found, as a whole: true
 * when it loses too much.  measure_block_worst blocks that of its changes which loses most by
 * itself; false: none loses anything. */
void measure_all(AdviseRun *run, AccuracyBench *b, Applicability effort);
bool measure_point(AdviseRun *run, AccuracyBench *b, TunedPoint *p);
bool measure_block_worst(AdviseRun *run, const TunedPoint *p);

/* Something was to be measured and could not be. */
bool measure_failed(const AdviseRun *run);

#endif
