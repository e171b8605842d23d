/* graph/model/: a model as written: types, tensors, nodes, their order.
 *
 * dtype.h dtype.c: Element types of tensors; the list is dtypes.def
 * dtypes.def: Element types
 * model.h model.c: Model: an ONNX model as written
 * order.h order.c: The order of nodes, and who produces and consumes what */
