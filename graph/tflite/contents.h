/* graph/tflite/ reads TensorFlow Lite files as the models that ONNX files give.
 *
 * flat.h flat.c: Reads FlatBuffers in place and checks every access.
 * flex.h flex.c: Reads FlexBuffers, the options of custom operators: a map from names to
 *     numbers.
 * map.h map.c: Declares what the files map_*.c share, which map TensorFlow Lite to ONNX.
 * map_elementwise.c: Maps operators that work element by element, and others that keep the
 *     shape.
 * map_more.c: Maps resizing, reductions, ArgMax, TopK, cumulative sums and quantization.
 * map_node.c: Adds ONNX nodes with unique names, and small constants for them.
 * map_product.c: Maps products of matrices, that is fully connected layers and batched
 *     products.
 * map_result.c: Names results, maps fused activations and chooses an operator's layout.
 * map_slice.c: Maps slices, gathers and pads.
 * map_value.c: Converts values between their layouts, and between stored and real numbers.
 * map_view.c: Maps operators that change the shape and not the values.
 * map_window.c: Maps convolutions and pools, windows that move over HxW.
 * tflite.h: Reads and verifies TensorFlow Lite models, and maps them to a Model.
 * tflite_check.h tflite_check.c: Checks indices, producers and sizes of a TensorFlow Lite file.
 * tflite_file.h tflite_file.c: Holds a verified TensorFlow Lite file as arrays.
 * tflite_load.c: Opens a model file, which is ONNX, TensorFlow Lite or the vendor's .dfg.
 * tflite_ops.def: Lists the operators of TensorFlow Lite (schema version 3, BuiltinOperator).
 * tflite_tensor.c: Counts the elements of a tensor and reads the integers of a constant.
 * tflite_write.h tflite_write.c: Writes an edited model as a TensorFlow Lite file. */
