/* Surroundings: whether NPU work comes before or after a step, along its dependencies. */
#ifndef PASSES_SURROUNDINGS_H
#define PASSES_SURROUNDINGS_H

#include "graph/compile/program.h"

/* One flag per step, in `a`.  Products are NPU steps that multiply: what an NPU is there for. */
const bool *steps_after_npu(Arena *a, const Program *p);
const bool *steps_before_npu(Arena *a, const Program *p);
const bool *steps_before_products(Arena *a, const Program *p);

/* "middle", "tail", "head" or "alone". */
const char *step_position(bool after_npu, bool before_npu);

/* An operator of the model that the host runs. */
bool step_is_island(const Step *s);

#endif
