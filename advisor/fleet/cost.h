/* Predicts the processor time that advising about a model takes, to share work out evenly, not to
 * promise times. */
#pragma once

#include "graph/base/libc.h"

/* Microseconds of a processor for a model of so many nodes (as its file has them) and a trace of so
 * many bytes (0: none).
 *
 * The what-ifs of a model grow with its nodes, and so does each of them: exponent and factor were
 * fitted to 116 public models (0.02 to 1.3 s, objective latency). tests/full/plan_balance.py prints
 * by how much the longest of 16 shards exceeds the mean. */
int64_t cost_of_advice_us(size_t nodes, int64_t trace_bytes);

/* The same under the throughput objective, which tries modes, batches and workers beside: 1.7 times
 * what is beyond the start (28 models of the corpus: 1.2 to 2.1). */
int64_t cost_under_throughput_us(int64_t cost_us);
