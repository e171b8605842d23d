/* Groups the errors of a prediction by factors that several steps share.
 *
 * Steps and operators whose time comes from one law share its error, within a program and between
 * two variants of it. */
#pragma once

#include "cost_model/predict.h"

enum { FACTORS_MAX = 96 };

typedef struct {
    uint64_t key[FACTORS_MAX];
    size_t count;
} FactorList;

/* One program with the factor of each step and op. */
typedef struct {
    const Program *program;
    const Prediction *time;
    uint16_t *step, *op;
} Factored;

/* Adds the program's factors to the list (once for each variant), then numbers its steps.  Where
 * the other variant has another SDK, a host step whose law that SDK lacks shares no error. */
Factored factors_of(Arena *a, FactorList *list, const Program *p, const Prediction *t,
                    const Costs *c, Sdk other);

typedef enum { FACTOR_LOWER, FACTOR_UPPER } FactorEnd;

/* The objective's middle when factor `which` is at that end, all others in the middle; `which` =
 * the list's count for none. `scratch` has the program's number of steps. */
double factors_objective(const Factored *f, const Costs *c, const RunOptions *run, Objective o,
                         size_t which, FactorEnd end, StepPrediction *scratch);
