/* graph/model/ holds a model as its file describes it: types, tensors, nodes and their order.
 *
 * dtype: Describes the element types of tensors, which dtypes.xml lists.
 * model: Holds an ONNX model as its file describes it.
 * order: Sorts the nodes of a graph and records the producer and consumers of tensors.
 * stored_ranges: Describes the quantization that a file holds beside float nodes: ranges, and
 *     the types at its inputs and outputs. */
