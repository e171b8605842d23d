/* Finds the models that a command line names as files, folders or unexpanded patterns.  Below a
 * folder these are all .onnx and .tflite files, and the compiled graphs among the .json files, in
 * the order of their names. */
#pragma once

#include "graph/base/diag.h"

enum { MODELS_MAX = 200000, MODELS_DEPTH = 32 /* nested folders */ };

typedef struct {
    const char *path; /* to open */
    const char *name; /* as outputs call it: as told; below a folder that was told by an absolute
                         path, the part below it */
} ModelFile;

typedef struct {
    ModelFile *file; /* each file once, in the order told */
    size_t count;
    bool many; /* more than one was told, or a folder or a pattern */
} ModelList;

/* STATUS_USAGE for a folder without a model and a pattern that fits none, STATUS_INPUT for what
 * cannot be read.  A plain word is taken as it is, whether it is there or not. */
Status models_find(Arena *a, const char *const *told, size_t n, ModelList *ret, Diag *diag);

/* Whether these words tell of several models: more than one word, a folder, a pattern. */
bool models_are_many(const char *const *told, size_t n);

/* The traces that lie beside a model by name: MODEL.trace.json, STEM.trace.json, either with .gz;
 * NULL when there is none. */
const char *models_trace_beside(Arena *a, const char *model_path);
