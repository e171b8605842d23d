/* Defines the messages about edits, such as operators that replace another. */
#pragma once

#include "graph/base/language.h"

DEFINE_MESSAGE(SPELL_GATE, "Mul, Add and Clip");
DEFINE_MESSAGE(SPELL_SWISH, "Mul, Add, Clip and Mul");
DEFINE_MESSAGE(SPELL_CLIP, "Clip");
DEFINE_MESSAGE(SPELL_QUOTIENT, "Pow by -1 and Mul");
DEFINE_MESSAGE(SPELL_INVERSE, "Pow by -1");
DEFINE_MESSAGE(SPELL_NEGATIVE, "Mul by -1");
DEFINE_MESSAGE(SPELL_MEAN, "ReduceSum and Mul");
DEFINE_MESSAGE(SPELL_LAYER_NORM, "ReduceSum, Sub, Pow, Mul and Add");
DEFINE_MESSAGE(SPELL_INSTANCE_NORM, "GlobalAveragePool, Sub, Pow, Mul and Add");
DEFINE_MESSAGE(SPELL_GLOBAL_MAX, "MaxPool over the image");
DEFINE_MESSAGE(SPELL_SLICE, "Slice");
DEFINE_MESSAGE(SPELL_CHANNELS, "a 1x1 Conv of ones and zeros");
DEFINE_MESSAGE(SPELL_SPLIT, "Split");
DEFINE_MESSAGE(SPELL_CONCAT, "Concat along the preceding axis between Transposes");
DEFINE_MESSAGE(SPELL_POOL, "MaxPool between Reshapes");
DEFINE_MESSAGE(SPELL_LRN, "Mul, a 1x1 Conv, Pow and Mul");
DEFINE_MESSAGE(SPELL_DILATION, "Conv of a smaller dilation, with zeros between the weights");
DEFINE_MESSAGE(SPELL_EXPAND, "Expand");
DEFINE_MESSAGE(SPELL_LEAKY, "LeakyRelu");
DEFINE_MESSAGE(SPELL_ATTENTION, "MatMul, Softmax and MatMul");
DEFINE_MESSAGE(SPELL_BLOCKS, "Slices and Concat");
DEFINE_MESSAGE(SPELL_ROTATION, "MatMul by a matrix of 0, 1 and -1");
