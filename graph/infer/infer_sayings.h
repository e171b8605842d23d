/* What inference says: shapes that contradict each other, and what is taken for granted. */
#ifndef GRAPH_INFER_INFER_SAYINGS_H
#define GRAPH_INFER_INFER_SAYINGS_H

#include "graph/base/language.h"

SAYING(SHAPE_CONFLICT, "node '{0}' ({1}): {2}");
SAYING(DIMS_DISAGREE, "{0}: {1} and {2} do not agree");
SAYING(SCANNED_LENGTHS, "lengths of scanned inputs");
SAYING(CARRIED_BATCH, "batch of carried values");
SAYING(CHANNELS_AND_WEIGHTS, "input channels and weights");
SAYING(INNER_DIMENSIONS, "inner dimensions of the product");
SAYING(CONCAT, "Concat");
SAYING(GRID_BATCH, "batch of X and grid");
SAYING(NO_BROADCAST, "dimensions {0} and {1} cannot be broadcast");
SAYING(NO_SUCH_AXIS, "axis {0} does not exist in a tensor of rank {1}");
SAYING(RANK_TOO_HIGH, "a tensor of rank {0} is beyond the limit of {1}");
SAYING(NO_SPATIAL_AXES, "the input of rank {0} has no spatial axes");
SAYING(WEIGHT_RANK, "weights of rank {0} on an input of rank {1}");
SAYING(INDEX_ENTRIES, "indices of {0} entries in a tensor of rank {1}");
SAYING(NEEDS_MATRIX, "a matrix is needed, and input {0} has rank {1}");
SAYING(RANKS_JOINED, "tensors of rank {0} and {1} are joined");
SAYING(NO_EQUAL_PARTS, "{0} elements cannot be split into {1} equal parts");
SAYING(PERM_ENTRIES, "perm has {0} entries for a tensor of rank {1}");
SAYING(NO_PERMUTATION, "perm is not a permutation");
SAYING(NO_MULTIPLE, "dimension {0} is not a multiple of {1}");
SAYING(KERNEL_RANK, "kernel_shape does not fit an input of rank {0}");
SAYING(NO_ROWS, "{0} elements cannot be reshaped into rows of {1}");
SAYING(NO_RESHAPE, "{0} elements cannot be reshaped into {1}");
SAYING(NO_SQUEEZE, "axis {0} of size {1} cannot be squeezed");
SAYING(WINDOW_AXES, "strides, dilations or pads do not fit {0} spatial axes");
SAYING(WINDOW_TOO_LARGE, "a window of {0} is larger than the input, {1} with padding");
SAYING(PADS_TOO_LARGE, "pads are larger than the output");
SAYING(OUTPUT_SHAPE, "output_shape says {0}, {1} elements can make {2} to {3}");
SAYING(BATCH_TAKEN,
       "the first dimension of input '{0}' is not bound and taken as the batch, {1} (--dim "
       "NAME=VALUE binds it)");
SAYING(BATCH_TAKEN_OF_ALL,
       "the first dimension of input '{0}' and others is not bound and taken as the batch, {1} "
       "(--dim NAME=VALUE binds it)");
SAYING(OPERATOR_UNKNOWN, "operator {0} is not known: what it makes is unknown");

#endif
