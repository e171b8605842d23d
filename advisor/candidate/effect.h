/* Finds the steps and operators of the baseline that a change removes or shortens.
 *
 * A step is matched with the one of the same kind and operator on the same tensors, an operator
 * with the one of the same kind that is made of the same node.  A change removes what has no match
 * after it, and what a bound leaves no time; it shortens what takes less by more than 5 % and more
 * than 5 us, for as many images.  A task of the NPU is what its operators are, and is not matched
 * itself. */
#pragma once

#include "advisor/candidate/whatif.h"
#include "advisor/rules/match.h"

/* Numbers of steps and operators, ascending. */
typedef struct {
    StepId *step;
    LowOpId *op;
    size_t nstep, nop;
} Effect;

/* A change that depends on others changes what they leave.  Empty where it does not fit. */
Effect effect_of(Arena *a, const WhatIf *w, const Attempt *change);
