/* Finds every separate Pad that the following Conv or pool could apply itself. */
#include "passes/rewritable.h"

void pass_explicit_pads(const PassInput *in, FindingList *out)
{
    rewritable_find(in, out, "explicit-pad", REWRITE_FOLD_PAD);
}
