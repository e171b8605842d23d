/* Collects the runs of two variants and compares them in pairs by the bootstrap. */
#pragma once

#include "advisor/candidate/proposal.h"
#include "trace/stats/stats.h"

/* The measurements of one variant, in run order; grows over several rounds. */
typedef struct {
    double *latency_ns;
    size_t n, latency_cap;
    double *period_ns; /* between completions, after as many as there are workers */
    size_t nperiod, period_cap;
    double images; /* per inference */
} Sample;

/* Adds the inferences of a trace of the trial to the sample, which lives in `a`.  Throughput counts
 * while all workers are busy after warm-up; latency pairs every run, as both variants warm up
 * alike. */
void sample_add(Arena *a, Sample *s, const Trial *t, const TraceStats *stats);

enum { BOOTSTRAP_RESAMPLES = 2000 };

/* Positive is better.  Latency: median of the pairs' differences.  Throughput: difference of images
 * per second, resampled in blocks of `block` completions, because those of one round of workers
 * depend on each other.  n is the number of pairs, or 0. */
Verified sample_compare(Arena *a, const Sample *before, const Sample *after, Objective o,
                        size_t block, uint64_t seed);
