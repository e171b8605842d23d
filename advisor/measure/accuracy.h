/* Measures the accuracy of a model before and after changes, on the same images.
 *
 * Values are computed by a runner, called as
 *     CMD MODEL [compile options as npu-exec spells them] --values --data DIR [--preprocess R]
 *         [--images N] --slice FROM:COUNT --output-dir OUT
 * which writes output_0.npy …, each with a first axis that counts the runs, and samples.json.  The
 * work that a change moves to the application is done here: 8-bit values are scaled, axes and
 * columns put back, and the tail of a cut model is run on the outputs of the cut model.
 *
 * A float model does not run on the NPU: it is quantized on the same images first (min-max), before
 * and after the change alike. */
#pragma once

#include "advisor/message/helper.h"
#include "advisor/candidate/comparer.h"
#include "advisor/candidate/proposal.h"

typedef struct {
    const WhatIf *w;
    const char *model_path;
    const char *data, *preprocess, *images; /* as npu-exec takes them; the last two may be NULL */
    const char *metric;                     /* the user's own, see metric.h; NULL: none */
    Helper *metric_helper;                  /* starts it; NULL: this process does */
    const char *resume;                     /* the log to continue and extend; NULL: none */
    const char *runner;                     /* NULL: npu-exec beside this program */
    Helper *helper;
    Notes *notes;
    uint64_t seed;
    void (*tell)(void *user, size_t done,
                 size_t all); /* progress in runs of the model; may be NULL */
    void *user;
} AccuracyRequest;

typedef struct AccuracyBench AccuracyBench;

/* Fails where the runner is not there, or a float model cannot be quantized on the data. */
Status accuracy_open(Arena *a, const AccuracyRequest *q, AccuracyBench **ret, Diag *diag);
void accuracy_close(AccuracyBench *b); /* accepts NULL */

/* One change. `why`: the reason why it was not measured; NULL. */
typedef struct {
    const Attempt *attempt;
    Accuracy result;
    const Message *why;
} AccuracyTrial;

/* Whether an attempt changes anything that values pass through: model, types, axes. */
bool accuracy_concerns(const AccuracyBench *b, const Attempt *t);

/* Measures all changes slice by slice. Fails where the baseline cannot be run. */
Status accuracy_measure(AccuracyBench *b, AccuracyTrial *list, size_t n, Diag *diag);
