/* Reads the class of each image from the folder that it lies in. */
#ifndef ADVISOR_MEASURE_LABELS_H
#define ADVISOR_MEASURE_LABELS_H

#include "graph/base/diag.h"

typedef struct ClassLabels ClassLabels;

/* The folders in `dir` as classes; *ret is NULL where files lie beside them or there are fewer than
 * two. */
Status labels_open(Arena *a, const char *dir, ClassLabels **ret, Diag *diag);

size_t labels_class_count(const ClassLabels *t);

/* Whether they go with an output of so many scores: they are called by its numbers from 0 on, or
 * there is one for each score in the order of their names; a score more is the background's, the
 * first. */
bool labels_fit_output(const ClassLabels *t, size_t width);

/* The class of a file, by its path in `dir`; -1: it lies in no folder. */
int64_t labels_class_of(const ClassLabels *t, const char *file, size_t width);

#endif
