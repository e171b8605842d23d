/* graph/tflite/: TensorFlow Lite files, read as the models that ONNX files give.
 *
 * flat.h flat.c: FlatBuffers, read in place, every access checked
 * flex.h flex.c: FlexBuffers: the options of custom operators
 * map.h map.c: The file as an ONNX model: graphs, operators by table, the ends
 * map_elementwise.c: Operators that work element by element, and those that keep the shape
 * map_more.c: Images made larger and smaller, reductions, the largest, conversions
 * map_node.c: Nodes: names, small constants, axes
 * map_product.c: Products of matrices
 * map_result.c: Results: their names and forms, fused activations, layouts
 * map_slice.c: Parts of a tensor, and more around it
 * map_value.c: Values in their layouts, stored and real
 * map_view.c: Operators that change the shape and not the values
 * map_window.c: Convolutions and pools
 * tflite.h tflite_load.c: Opening a model of either form
 * tflite_check.h tflite_check.c: What a FlatBuffers verifier does not see
 * tflite_emit.h tflite_emit.c: An ONNX model being made in memory
 * tflite_file.h tflite_file.c: A TensorFlow Lite file, verified
 * tflite_ops.def: Operators: number, name, options, how each is mapped
 * tflite_tensor.c: What a tensor is asked: its elements, and the integers of a constant
 * tflite_write.h tflite_write.c: An edited TensorFlow Lite file */
