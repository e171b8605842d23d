/* Judge: what a model's outputs are worth, on each run of a slice.
 *
 * By the user's own metric; else by the folders that the pictures lie in, one per class; else, of a
 * detector, by annotations of COCO in the data, or else by the boxes it draws.  The metric is
 * called as CMD OUTPUTS SCORES where OUTPUTS is a folder with output_0.npy …, float32 as the
 * application reads them, with a first axis that counts the runs, and samples.json, whose `files`
 * are the pictures of these runs by their paths in the data; it writes one number for each run to
 * the file SCORES, more is better.
 */
#ifndef ADVISOR_MEASURE_JUDGE_H
#define ADVISOR_MEASURE_JUDGE_H

#include "advisor/measure/crossed.h"
#include "advisor/measure/scores.h"
#include "advisor/say/helper.h"
#include "graph/base/notes.h"

typedef struct Judge Judge;

typedef struct {
    const Graph *graph; /* its outputs' types and shapes */
    const char *data;   /* folder of pictures or arrays */
    const char *metric; /* the command; NULL: none */
    Helper *helper;     /* starts it; NULL: this process does */
    Notes *notes;
} JudgeRequest;

/* *ret is NULL where there is nothing to judge by. */
Status judge_open(Arena *a, const JudgeRequest *q, Judge **ret, Diag *diag);
void judge_close(Judge *j); /* accepts NULL */

/* For one change; NULL where j is. */
Scores *judge_scores(Arena *a, const Judge *j);

/* What the model as it is gave: its folder's samples.json, with the files of each run. */
Status judge_begin(Judge *j, const char *folder, Diag *diag);

/* All runs of the slice, of each output before and after; after[i].runs is 0 where the change drops
 * it.
 */
Status judge_slice(Judge *j, Arena *a, const Crossed *before, const Crossed *after, size_t noutput,
                   Scores *to, Diag *diag);

#endif
