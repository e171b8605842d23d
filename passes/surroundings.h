/* Tells whether NPU work comes before or after a step, along its dependencies. */
#pragma once

#include "graph/compile/program.h"

/* Products: what an NPU is there for, wherever it runs. */
bool surroundings_multiplies(const Program *p, const Step *s);

/* One flag per step, in `a`. */
const bool *surroundings_after_npu(Arena *a, const Program *p);
const bool *surroundings_before_npu(Arena *a, const Program *p);
const bool *surroundings_before_products(Arena *a, const Program *p);

/* "middle", "tail", "head" or "alone". */
const char *surroundings_position(bool after_npu, bool before_npu);

/* An operator of the model that the host runs. */
bool surroundings_is_island(const Step *s);
