/* graph/onnx/: ONNX files in and out, and files that are mistaken for them.
 *
 * foreign.h foreign.c: Files that are given as a model but are no ONNX: recognised by their
 *     content
 * onnx.h: ONNX files: reading and writing
 * onnx_external.c: External data: weights in files beside the model
 * onnx_function.c: Model-local functions: every call is replaced by the function's nodes
 * onnx_graph.c: GraphProto: values, initializers, nodes
 * onnx_guard.c: The guard: a walk over the whole file before anything of it is unpacked
 * onnx_load.c: ModelProto: guard, header, functions, graph
 * onnx_messages.h: What reading an ONNX file says
 * onnx_names.c: Names in a graph that is being read: tensors by name, and names inside an inlined
 *     function
 * onnx_node.c: NodeProto and its attributes
 * onnx_read.h: What the files of the ONNX loader share: one Loader per onnx_load
 * onnx_tensor.c: TensorProto: raw_data and packed floats stay views of the file, typed fields are
 *     converted
 * onnx_unpack.c: protobuf-c behind one function: messages of the skeleton only, in memory that is
 *     reused
 * onnx_wire.h onnx_wire.c: The protobuf wire format, read in place: a message is a range of
 *     bytes, a field is a view of it
 * onnx_write.c: Writing a model: what no edit touched is copied from the original file by byte
 *     range
 * onnx_write_node.c: Writing nodes, values and tensors
 * onnx_writer.h: What the files of the ONNX writer share
 * pb_writer.h pb_writer.c: Rope: a protobuf message being written, as a list of pieces
 * value_file.h value_file.c: One tensor stored by itself: an ONNX TensorProto (input_0.pb) or a
 *     NumPy array (input_0.npy) */
