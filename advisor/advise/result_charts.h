/* Pictures: what the page draws of one inference, every block of it, as columns of numbers.
 *
 * It is made for the page alone: a machine that reads results finds times in steps, operators and
 * timeline.  Of each run the spans are one flat list of SPAN_NUMBERS numbers each: lane (index into
 * `lanes`), depth (1: an operator within a task), start less the start of the span before it,
 * length, name (index into `names`), element.  Times are in units of CHART_UNIT_NS.
 *
 * An element is a step of the host or a transfer, or an operator of the NPU, counted in the order
 * of the program; ELEMENT_NONE is none that could be told, ELEMENT_OTHER another request's. */
#ifndef ADVISOR_ADVISE_RESULT_CHARTS_H
#define ADVISOR_ADVISE_RESULT_CHARTS_H

#include "advisor/advise/run.h"
#include "advisor/advise/timeline.h"

#include <cjson/cJSON.h>

enum {
    CHART_UNIT_NS = 100,
    CHART_SPANS = 8000, /* of a run; shorter ones beyond are counted in `omitted` */
    CHART_LANES = 64,
    CHART_LATENCIES = 400,
    SPAN_NUMBERS = 6,
    ELEMENT_NONE = -1,
    ELEMENT_OTHER = -2,
};

/* `now` with the fastest and the slowest inference where it is measured, and `after` (may be
 * NULL, as `now`).  The caller owns the tree. */
cJSON *result_charts(const AdviseRun *run, Arena *a, const Timeline *now, const Timeline *after);

#endif
