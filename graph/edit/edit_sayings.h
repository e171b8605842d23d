/* What edits say: operators that do the same as one that the NPU does not have. */
#ifndef GRAPH_EDIT_EDIT_SAYINGS_H
#define GRAPH_EDIT_EDIT_SAYINGS_H

#include "graph/base/language.h"

SAYING(SPELL_GATE, "Mul, Add and Clip");
SAYING(SPELL_SWISH, "Mul, Add, Clip and Mul");
SAYING(SPELL_CLIP, "Clip");
SAYING(SPELL_QUOTIENT, "Pow by -1 and Mul");
SAYING(SPELL_INVERSE, "Pow by -1");
SAYING(SPELL_NEGATIVE, "Mul by -1");
SAYING(SPELL_MEAN, "ReduceSum and Mul");
SAYING(SPELL_LAYER_NORM, "ReduceSum, Sub, Pow, Mul and Add");
SAYING(SPELL_INSTANCE_NORM, "GlobalAveragePool, Sub, Pow, Mul and Add");
SAYING(SPELL_GLOBAL_MAX, "MaxPool over the image");
SAYING(SPELL_SLICE, "Slice");
SAYING(SPELL_CHANNELS, "a 1x1 Conv of ones and zeros");
SAYING(SPELL_SPLIT, "Split");
SAYING(SPELL_CONCAT, "Concat along the channels between Transposes");

#endif
