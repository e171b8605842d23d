/* Explicit pads: every stand-alone Pad that Conv or pool behind it could do by itself. */
#include "passes/rewritable.h"

const Pass pass_explicit_pads;

static void find_explicit_pads(const PassInput *in, FindingList *out)
{
    rewritable_find(in, out, &pass_explicit_pads, "explicit-pad", REWRITE_FOLD_PAD);
}

const Pass pass_explicit_pads = {
    .name = "explicit-pads",
    .asks = "which Pads could the window behind them do by itself?",
    .run = find_explicit_pads,
};
