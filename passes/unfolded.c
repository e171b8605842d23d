/* Unfolded nodes: what an exporter leaves in a model that could be in the weights, or nowhere. */
#include "passes/rewritable.h"

const Pass pass_unfolded;

static void find_unfolded_nodes(const PassInput *in, FindingList *out)
{
    rewritable_find(in, out, &pass_unfolded, "unfolded", REWRITE_FOLD_BN);
    rewritable_find(in, out, &pass_unfolded, "unfolded", REWRITE_DROP_IDENTITY);
}

const Pass pass_unfolded = {
    .name = "unfolded",
    .asks = "which nodes could be folded into weights, or do nothing, and still cost time?",
    .run = find_unfolded_nodes,
};
