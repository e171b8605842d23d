/* The pipeline, and how findings are written. */
#include "passes/pass.h"

#include <inttypes.h>

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

Finding *finding_add(FindingList *l, const Pass *pass, const char *kind)
{
    Finding *f = VEC_PUSH(l->arena, l->item, l->nitem, l->cap);
    *f = (Finding){.pass = pass->name,
                   .kind = kind,
                   .step = STEP_NONE,
                   .node = NODE_NONE,
                   .tensor = TENSOR_NONE};
    return f;
}

void finding_text(FindingList *l, Finding *f, const char *name, const char *value)
{
    *VEC_PUSH(l->arena, f->attr, f->nattr, f->cap) = (FindingAttr){name, value ? value : ""};
}

void finding_int(FindingList *l, Finding *f, const char *name, int64_t value)
{
    finding_text(l, f, name, arena_printf(l->arena, "%" PRId64, value));
}

void finding_real(FindingList *l, Finding *f, const char *name, double value)
{
    finding_text(l, f, name, arena_printf(l->arena, "%.6g", value));
}
