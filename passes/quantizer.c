/* Finds out whether the vendor's quantizer takes the float model, converted as `apply` does it. */
#include "passes/pass.h"
#include "graph/edit/opset.h"
#include "graph/compile/program.h"

void pass_quantizer(const PassInput *in, FindingList *out)
{
    const char *why = program_is_for_quantizer(in->program)
                          ? opset_refusal(out->arena, in->program->model)
                          : NULL;
    if (why)
        finding_text(out, finding_add(out, "quantizer-refuses"), "why", why);
}
