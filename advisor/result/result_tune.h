/* The document of `npu-advise tune`: what was searched, the front, and the point that is
 * recommended.  docs/schema/tune.json describes it. */
#ifndef ADVISOR_RESULT_RESULT_TUNE_H
#define ADVISOR_RESULT_RESULT_TUNE_H

#include "advisor/result/result.h"
#include "advisor/tune/tune.h"

/* The caller owns the tree. */
cJSON *result_tune(const AdviseRun *run, const Tune *tune, const TuneQuestion *asked);

#endif
