/* Computes by how much means and medians of host times differ, since these times scatter upwards.
 *
 * Latencies are medians of sums of such times, throughput is a matter of their means. */
#pragma once

#include "cost_model/reconcile.h"

/* Fills host_more_ns and host_skew_ns of `t`, whose steps are timed.  found[step] is the baseline's
 * step that a host step of `v` was measured as, UINT32_MAX for none; such a step scatters as those
 * of its operator do, or as the mean of all. */
void skew_fill(const Program *baseline, const Reconciliation *r, const Program *v,
               const uint32_t *found, Prediction *t);
