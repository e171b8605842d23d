/* Bounds the error of a predicted throughput by other assumptions about shared resources. */
#ifndef ADVISOR_CANDIDATE_LOAD_FORM_H
#define ADVISOR_CANDIDATE_LOAD_FORM_H

#include "advisor/candidate/whatif.h"

/* The largest decrease (lo) and increase (hi) of `mid`, the saving in images per second. */
Interval load_form_error(const Trial *from, const Trial *to, const Costs *c, double mid);

#endif
