/* Redundant conversions: every Quantize that gives back what a Dequantize before it has read. */
#include "passes/rewritable.h"

const Pass pass_redundant_conversions;

static void find_redundant_conversions(const PassInput *in, FindingList *out)
{
    rewritable_find(in, out, &pass_redundant_conversions, "redundant-conversion", REWRITE_DROP_QDQ);
}

const Pass pass_redundant_conversions = {
    .name = "redundant-conversions",
    .asks = "which Quantize undoes a Dequantize?",
    .run = find_redundant_conversions,
};
