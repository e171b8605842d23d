/* Finds nodes that could be folded into weights or that compute nothing. */
#include "passes/rewritable.h"

void pass_unfolded(const PassInput *in, FindingList *out)
{
    rewritable_find(in, out, "unfolded", REWRITE_FOLD_BN);
    rewritable_find(in, out, "unfolded", REWRITE_DROP_IDENTITY);
}
