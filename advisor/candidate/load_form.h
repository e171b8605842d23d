/* Bounds the error of a predicted throughput by other assumptions about shared resources. */
#ifndef ADVISOR_CANDIDATE_LOAD_FORM_H
#define ADVISOR_CANDIDATE_LOAD_FORM_H

#include "advisor/candidate/whatif.h"

/* By how much the gain in images per second, `mid`, would be less (lo) and more (hi); the truth
 * lies between them. */
Interval load_form_error(const Trial *from, const Trial *to, const Costs *c, double mid);

#endif
