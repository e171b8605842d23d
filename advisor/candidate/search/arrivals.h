/* Simulates requests that arrive at a rate, and returns a quantile of their latency.
 *
 * A request takes a worker, then the host, PCIe and the NPU, in this order and first come first
 * served, and returns the worker after the delay that has no queue.  Means are those of the
 * queueing network (cost_model/queueing.h), host times scatter as there, by a logarithmic normal
 * law; requests are drawn one by one, since no closed form has quantiles of such a network.  The
 * draws are the same in every call. */
#pragma once

#include "cost_model/queueing.h"
#include "graph/base/arena.h"

typedef struct {
    double per_s;    /* requests */
    bool equal_gaps; /* else exponential ones */
    double quantile; /* of latency, waiting for a worker included: 0.5 … */
    double times;    /* factor on all service times */
} Arrivals;

enum { ARRIVALS_DRAWN = 40000 };

/* The quantile in ns; INFINITY where the stations or the workers cannot keep up. */
double arrivals_latency(const QueueDemand *d, int workers, const Arrivals *x);
