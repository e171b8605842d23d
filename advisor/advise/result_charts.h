/* Lists the spans of single inferences as columns of numbers, for the page's charts.
 *
 * Only the page reads them: other readers find times in steps, operators and timeline.  The spans
 * of each run are one flat list of SPAN_NUMBERS numbers each: lane (index into `lanes`), depth (1:
 * an operator within a task), start minus the start of the previous span, length, name (index into
 * `names`), element.  Times are in units of CHART_UNIT_NS.
 *
 * An element is a step of the host or a transfer, or an operator of the NPU, counted in the order
 * of the program; ELEMENT_NONE is unknown, ELEMENT_OTHER belongs to another request. */
#pragma once

#include "advisor/advise/run.h"
#include "advisor/advise/timeline.h"
#include "advisor/report/result.h"

enum {
    CHART_UNIT_NS = 100,
    CHART_SPANS = 8000, /* of a run; shorter ones beyond are counted in `omitted` */
    CHART_LANES = 64,
    CHART_LATENCIES = 400,
    SPAN_NUMBERS = 6,
    ELEMENT_NONE = -1,
    ELEMENT_OTHER = -2,
};

/* `now` with its fastest and slowest inference, and `after`; either may be NULL.  In the run's
 * arena; `scratch` is for temporary data. */
const ResultPictures *result_charts(const AdviseRun *run, Arena *scratch, const Timeline *now,
                                    const Timeline *after);
