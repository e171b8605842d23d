/* Finds every Quantize that restores what an earlier Dequantize has read. */
#include "passes/rewritable.h"

void pass_redundant_conversions(const PassInput *in, FindingList *out)
{
    rewritable_find(in, out, "redundant-conversion", REWRITE_DROP_QDQ);
}
