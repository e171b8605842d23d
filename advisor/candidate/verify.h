/* Runs the baseline and a variant, and compares their measurements in pairs.
 *
 * The runner is called as runner.h says.  With npu-exec, a pair is the run of equal index under one
 * seed, one process per variant; another runner is started in turns (ABAB…) until there are at
 * least 30 pairs and the interval is narrow enough.
 *
 * The npu-exec beside this program runs an ensemble: every simulated chip of its file, all within
 * what published measurements allow.  The interval spans those chips that the trace does not
 * contradict. */
#pragma once

#include "advisor/message/helper.h"
#include "advisor/candidate/proposal.h"
#include "advisor/candidate/runner.h"

enum { VERIFY_RUNS = 30 };

typedef struct Verifier Verifier;

typedef struct {
    const WhatIf *w; /* open */
    const char *model_path;
    const char *runner; /* split at white space; NULL: npu-exec beside this program, its ensemble */
    Helper *helper;     /* starts it; NULL: this process does */
    int runs;           /* 0: VERIFY_RUNS */
    uint64_t seed;
} VerifyRequest;
Status verifier_open(Arena *a, const VerifyRequest *q, Verifier **ret, Diag *diag);
void verifier_close(Verifier *v);

/* The error of the first failed run (RUNS_MIN_SHARE: too few inferences); NULL: none failed. */
const char *verifier_failure(const Verifier *v);
#define RUNS_MIN_SHARE 0.8

/* Runs the settings and the baseline, and compares the measured with the predicted saving.
 * VERDICT_NOT_VERIFIABLE, with the reason in *ret_why, leaves ret_verified unchanged. */
Verdict verify_attempt(Verifier *v, const Attempt *t, const Gain *predicted, Verified *ret_verified,
                       const Message **ret_why);

/* A run against the baseline, and against what ran before it; `step` is empty of a named runner. */
typedef struct {
    Verified all, step;
} VerifiedStep;

/* The same for the prefixes of a plan, one after the other, after verify_first. */
void verify_first(Verifier *v);
Verdict verify_step(Verifier *v, const Attempt *t, const Gain *predicted, VerifiedStep *ret,
                    const Message **ret_why);

/* The quantile in OPEN_RUNS runs of OPEN_REQUESTS each, under different seeds: minimum, median and
 * maximum. The runner is called with --rate and writes --json. */
Status verify_open_loop(Verifier *v, const Attempt *t, const OpenLoop *q, Interval *ret,
                        Diag *diag);

/* The name of the runner in reports; and whether the user named it: then it is the real system. */
const char *verifier_name(const Verifier *v);
bool verifier_is_named(const Verifier *v);

/* Runs the settings again and keeps the trace, with operators, of the chip with the median latency.
 * Simulator only. The caller frees *ret_trial, which holds the trace, on success. */
Status verify_watch(Verifier *v, const Attempt *t, Trial *ret_trial, TraceStats **ret_stats,
                    Diag *diag);

/* Smaller shares of the baseline count as nothing. */
#define NOTHING_SHARE 0.001

/* The verdict on a measured difference; less than `least` counts as nothing. */
Verdict verify_compare(const Verified *measured, Interval predicted, double least);
