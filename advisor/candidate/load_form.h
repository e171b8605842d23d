/* Bounds the error of a predicted throughput by other assumptions on shared resources. */
#pragma once

#include "advisor/candidate/whatif.h"

/* The largest decrease (lo) and increase (hi) of `mid`, the saving in images per second. */
Interval load_form_error(const Trial *from, const Trial *to, const Costs *c, double mid);
