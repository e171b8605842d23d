/* Finds nodes that weights can hold, parallel Convs, nodes without effect, a LeakyRelu in parts,
 * and late choices. */
#include "passes/rewritable.h"

void pass_unfolded(const PassInput *in, FindingList *out)
{
    rewritable_find(in, out, "unfolded", REWRITE_FOLD_BN);
    rewritable_find(in, out, "unfolded", REWRITE_JOIN_CONVS);
    rewritable_find(in, out, "unfolded", REWRITE_DROP_IDENTITY);
    rewritable_find(in, out, "unfolded", REWRITE_SPELL_OUT); /* a LeakyRelu in parts */
    rewritable_find(in, out, "late-choice", REWRITE_CHOOSE_FIRST);
}
