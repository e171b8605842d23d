/* Reads the class of each image from the folder that it lies in. */
#pragma once

#include "graph/base/diag.h"

typedef struct ClassLabels ClassLabels;

/* The folders in `dir` as classes; *ret is NULL unless there are two and no files. */
Status labels_open(Arena *a, const char *dir, ClassLabels **ret, Diag *diag);

size_t labels_class_count(const ClassLabels *t);

/* Whether the classes fit an output of `width` scores: names are its indices, or there is one name
 * per score in order; one more score is the background's, the first. */
bool labels_fit_output(const ClassLabels *t, size_t width);

/* The class of a file by its path in `dir`; -1: not in a class folder. */
int64_t labels_class_of(const ClassLabels *t, const char *file, size_t width);
