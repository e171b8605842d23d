/* Defines the messages of inference, such as contradicting shapes. */
#pragma once

#include "graph/base/language.h"

DEFINE_MESSAGE(SHAPE_CONFLICT, "node '{0}' ({1}): {2}");
DEFINE_MESSAGE(DIMS_DISAGREE, "{0}: {1} and {2} do not agree");
DEFINE_MESSAGE(SCANNED_LENGTHS, "lengths of scanned inputs");
DEFINE_MESSAGE(CARRIED_BATCH, "batch of carried values");
DEFINE_MESSAGE(CHANNELS_AND_WEIGHTS, "input channels and weights");
DEFINE_MESSAGE(INNER_DIMENSIONS, "inner dimensions of the product");
DEFINE_MESSAGE(CONCAT, "Concat");
DEFINE_MESSAGE(GRID_BATCH, "batch of X and grid");
DEFINE_MESSAGE(NO_BROADCAST, "dimensions {0} and {1} cannot be broadcast");
DEFINE_MESSAGE(NO_SUCH_AXIS, "axis {0} does not exist in a tensor of rank {1}");
DEFINE_MESSAGE(RANK_TOO_HIGH, "a tensor of rank {0} is beyond the limit of {1}");
DEFINE_MESSAGE(NO_SPATIAL_AXES, "the input of rank {0} has no spatial axes");
DEFINE_MESSAGE(WEIGHT_RANK, "weights of rank {0} on an input of rank {1}");
DEFINE_MESSAGE(INDEX_ENTRIES, "indices of {0} entries in a tensor of rank {1}");
DEFINE_MESSAGE(NEEDS_MATRIX, "a matrix is needed, and input {0} has rank {1}");
DEFINE_MESSAGE(RANKS_JOINED, "tensors of rank {0} and {1} are joined");
DEFINE_MESSAGE(NO_EQUAL_PARTS, "{0} elements cannot be split into {1} equal parts");
DEFINE_MESSAGE(PERM_ENTRIES, "perm has {0} entries for a tensor of rank {1}");
DEFINE_MESSAGE(NO_PERMUTATION, "perm is not a permutation");
DEFINE_MESSAGE(NO_MULTIPLE, "dimension {0} is not a multiple of {1}");
DEFINE_MESSAGE(KERNEL_RANK, "kernel_shape does not fit an input of rank {0}");
DEFINE_MESSAGE(NO_ROWS, "{0} elements cannot be reshaped into rows of {1}");
DEFINE_MESSAGE(NO_RESHAPE, "{0} elements cannot be reshaped into {1}");
DEFINE_MESSAGE(NO_SQUEEZE, "axis {0} of size {1} cannot be squeezed");
DEFINE_MESSAGE(WINDOW_AXES, "strides, dilations or pads do not fit {0} spatial axes");
DEFINE_MESSAGE(WINDOW_TOO_LARGE, "a window of {0} is larger than the input, {1} with padding");
DEFINE_MESSAGE(PADS_TOO_LARGE, "pads are larger than the output");
DEFINE_MESSAGE(OUTPUT_SHAPE, "output_shape says {0}, {1} elements can make {2} to {3}");
DEFINE_MESSAGE(BATCH_TAKEN,
               "the first dimension of input '{0}' is not bound and taken as the batch, {1} (--dim "
               "NAME=VALUE binds it)");
DEFINE_MESSAGE(
    BATCH_TAKEN_OF_ALL,
    "the first dimension of input '{0}' and others is not bound and taken as the batch, {1} "
    "(--dim NAME=VALUE binds it)");
DEFINE_MESSAGE(OPERATOR_UNKNOWN, "operator {0} is not known, so its outputs are unknown");
