/* Runs every pass over one program. */
#pragma once

#include "passes/pass.h"

/* The findings of all passes in the order of pipeline.xml; they live in `a`. */
FindingList passes_run(Arena *a, const PassInput *in);
