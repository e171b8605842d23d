/* Scores the outputs of a model on each run of a slice.
 *
 * The score is the user's own metric; else the class folders of the images; else, for a detector,
 * the COCO annotations in the data, or else the boxes it draws.  The metric is called as CMD
 * OUTPUTS SCORES where OUTPUTS is a folder with output_0.npy …, float32 as the application reads
 * them, with a first axis that counts the runs, and samples.json, whose `files` are the images of
 * these runs by their paths in the data; it writes one number for each run to the file SCORES, more
 * is better. */
#pragma once

#include "advisor/measure/output_transform.h"
#include "advisor/measure/scores.h"
#include "advisor/message/helper.h"

typedef struct SliceMetric SliceMetric;

typedef struct {
    const Graph *graph; /* its outputs' types and shapes */
    const char *data;   /* folder of images or arrays */
    const char *metric; /* the command; NULL: none */
    Helper *helper;     /* starts it; NULL: this process does */
    Notes *notes;
} MetricRequest;

/* *ret is NULL where there is nothing to judge by. */
Status metric_open(Arena *a, const MetricRequest *q, SliceMetric **ret, Diag *diag);
void metric_close(SliceMetric *j); /* accepts NULL */

/* For one change; NULL where j is. */
Scores *metric_scores(Arena *a, const SliceMetric *j);

/* Starts a slice with the baseline's samples.json, which names the files of each run. */
Status metric_begin_slice(SliceMetric *j, const char *folder, Diag *diag);

/* Scores all runs of the slice; after[i].runs is 0 where the change drops output i. */
Status metric_score_slice(SliceMetric *j, Arena *a, const OutputTransform *before,
                          const OutputTransform *after, size_t noutput, Scores *to, Diag *diag);
