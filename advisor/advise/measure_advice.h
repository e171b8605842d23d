/* Measures the accuracy of plans on images and blocks changes that lose too much. */
#pragma once

#include "advisor/advise/run.h"
#include "advisor/measure/accuracy.h"

/* Opens the measurement on --data; NULL, with a note, where it cannot run. */
AccuracyBench *measure_open_bench(AdviseRun *run);

/* Measures each row of run->plans together with those above it.  True when a change is blocked, as
 * its plan loses more than allowed: then plans are to be found again. */
bool measure_plans(AdviseRun *run, AccuracyBench *b);

/* True if a measurement failed. */
bool measure_failed(const AdviseRun *run);
