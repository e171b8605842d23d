/* Cancelling transposes: every Transpose that one before it undoes, or that both could be one. */
#include "passes/rewritable.h"

const Pass pass_cancelling_transposes;

static void find_cancelling_transposes(const PassInput *in, FindingList *out)
{
    rewritable_find(in, out, &pass_cancelling_transposes, "cancelling-transpose",
                    REWRITE_CANCEL_TRANSPOSES);
}

const Pass pass_cancelling_transposes = {
    .name = "cancelling-transposes",
    .asks = "which Transposes undo each other, or could be one?",
    .run = find_cancelling_transposes,
};
