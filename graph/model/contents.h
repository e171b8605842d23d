/* graph/model/ holds a model as its file describes it: types, tensors, nodes and their order.
 *
 * dtype.h dtype.c: Describes the element types of tensors, which dtypes.def lists.
 * dtypes.def: Lists the element types as DTYPE(suffix, NumPy's name, ONNX's number, bits,
 *     kind).
 * model.h model.c: Holds an ONNX model as its file describes it.
 * order.h order.c: Sorts the nodes of a graph and records the producer and consumers of
 *     tensors.
 * stored_ranges.h stored_ranges.c: Describes the quantization that a file holds beside float
 *     nodes: ranges, and the types at its inputs and outputs. */
