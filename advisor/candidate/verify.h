/* Runs the baseline and a variant, and compares their measurements in pairs.
 *
 * The runner is called as runner.h says.  With npu-exec, a pair is the run of equal index under one
 * seed, one process per variant; another runner is started in turns (ABAB…) until there are at
 * least 30 pairs and the interval is narrow enough.
 *
 * The npu-exec beside this program runs an ensemble: every simulated chip of its file, all within
 * what published measurements allow.  The interval spans those chips that the trace does not
 * contradict. */
#ifndef ADVISOR_CANDIDATE_VERIFY_H
#define ADVISOR_CANDIDATE_VERIFY_H

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
/* Before anything was run: the default runner has its own silicon alone, and takes the seed as it
 * is; the caller's traces have another. */
void verifier_single(Verifier *v, uint64_t seed);
void verifier_close(Verifier *v);

/* Why the first run that did not end as it must did not: the runner failed, or its trace breaks off
 * or has fewer than RUNS_MIN_SHARE of the inferences.  NULL: all did. */
const char *verifier_failure(const Verifier *v);
#define RUNS_MIN_SHARE 0.8

/* Runs the settings against the baseline they are compared with (whatif_gain's), and judges the
 * measured difference against the predicted gain.  What cannot be run is VERDICT_NOT_VERIFIABLE,
 * with the reason as a note (*ret_why); ret_verified is then left alone.  `rest`: objective that
 * the advice above leaves, of which NOTHING_SHARE is nothing; 0: of the baseline. */
Verdict verify_attempt(Verifier *v, const Attempt *t, const Gain *predicted, double rest,
                       Verified *ret_verified, const Message **ret_why);

/* The quantile in OPEN_RUNS runs of OPEN_REQUESTS each, under seeds of their own: least, middle and
 * most.  The runner is called with --rate, and leaves its statistics in --json. */
Status verify_open_loop(Verifier *v, const Attempt *t, const OpenLoop *q, Interval *ret,
                        Diag *diag);

/* Who runs, as reports say it; and whether the user named him: then he is the system itself. */
const char *verifier_name(const Verifier *v);
bool verifier_is_named(const Verifier *v);

/* Runs the settings once more and keeps the trace, with operators, of the silicon whose latency is
 * the middle one.  Simulator only.  *ret_trial holds the trace and is the caller's (trial_free)
 * where this succeeds. */
Status verify_watch(Verifier *v, const Attempt *t, Trial *ret_trial, TraceStats **ret_stats,
                    Diag *diag);

/* Holm's correction over all that were verified in one run: the more is tried, the likelier one
 * seems to gain by chance.  Verdicts of gain or loss that do not stand at 10 % become no-gain. */
void verify_correct(Arena *a, Proposal *const *rec, size_t n);

/* Less than this share of the baseline is nothing, however sure. */
#define NOTHING_SHARE 0.001

/* The verdict on a measured difference; less than `least` is nothing. */
Verdict verify_compare(const Verified *measured, Interval predicted, double least);

#endif
