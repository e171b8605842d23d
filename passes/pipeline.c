/* The pipeline: every pass, in the order of pipeline.def. */
#include "passes/pipeline.h"

#define PASS(id) extern const Pass pass_##id;
#include "passes/pipeline.def"
#undef PASS

const Pass *const pass_pipeline[] = {
#define PASS(id) &pass_##id,
#include "passes/pipeline.def"
#undef PASS
    NULL,
};

FindingList passes_run(Arena *a, const PassInput *in)
{
    FindingList out = {.arena = a};
    for (const Pass *const *p = pass_pipeline; *p; p++)
        (*p)->run(in, &out);
    return out;
}
