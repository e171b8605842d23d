/* Finds every Transpose that an earlier one undoes or can be merged with. */
#include "passes/rewritable.h"

void pass_cancelling_transposes(const PassInput *in, FindingList *out)
{
    rewritable_find(in, out, "cancelling-transpose", REWRITE_CANCEL_TRANSPOSES);
}
