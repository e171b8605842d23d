/* graph/tflite/ reads TensorFlow Lite files as the models that ONNX files give.
 *
 * flat: Reads FlatBuffers in place and checks every access.
 * flex: Reads FlexBuffers, the options of custom operators: a map from names to numbers.
 * map: Declares what the files map_*.c share, which map TensorFlow Lite to ONNX.
 * map_elementwise: Maps operators that work element by element, and others that keep the shape.
 * map_more: Maps resizing, reductions, ArgMax, TopK, cumulative sums and quantization.
 * map_node: Adds ONNX nodes with unique names, and small constants for them.
 * map_product: Maps products of matrices, that is fully connected layers and batched products.
 * map_result: Names results, maps fused activations and chooses an operator's layout.
 * map_slice: Maps slices, gathers and pads.
 * map_value: Converts values between their layouts, and between stored and real numbers.
 * map_view: Maps operators that change the shape and not the values.
 * map_window: Maps convolutions and pools, windows that move over HxW.
 * tflite: Reads and verifies TensorFlow Lite models, and maps them to a Model.
 * tflite_check: Checks indices, producers and sizes of a TensorFlow Lite file.
 * tflite_file: Holds a verified TensorFlow Lite file as arrays.
 * tflite_load: Opens a model file, which is ONNX, TensorFlow Lite or the vendor's .dfg.
 * tflite_tensor: Counts the elements of a tensor and reads the integers of a constant.
 * tflite_write: Writes an edited model as a TensorFlow Lite file. */
