/* Finds out whether the vendor's quantizer takes the float model that `apply` converts. */
#include "passes/pass.h"
#include "graph/compile/program.h"

void pass_quantizer(const PassInput *in, FindingList *out)
{
    const char *why = program_refusal(out->arena, in->program);
    if (why)
        finding_text(out, finding_add(out, "quantizer-refuses"), "why", why);
}
