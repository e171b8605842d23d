/* graph/onnx/ reads and writes ONNX files, and recognises files that are mistaken for them.
 *
 * foreign.h foreign.c: Recognises files that are given as a model but are not ONNX.
 * onnx.h: Reads and writes ONNX files.
 * onnx_external.c: Maps the files of external data, weights that are stored beside the model.
 * onnx_function.c: Replaces every call of a model-local function by the function's nodes.
 * onnx_graph.c: Reads the values, initializers and nodes of a GraphProto.
 * onnx_guard.c: Walks over the whole file and checks depth, lengths and counts before anything is
 *     unpacked.
 * onnx_load.c: Reads a ModelProto by running the guard, then reading header, functions and graph.
 * onnx_messages.h: Defines the messages about reading an ONNX file.
 * onnx_names.c: Resolves the names of tensors while a graph is read, and names inside an inlined
 *     function.
 * onnx_node.c: Reads a NodeProto and its attributes.
 * onnx_read.h: Declares what the files of the ONNX loader share: one Loader per onnx_load.
 * onnx_tensor.c: Reads a TensorProto so that raw_data and packed floats stay views of the file.
 * onnx_unpack.c: Unpacks messages of the model's skeleton with protobuf-c, in memory that is
 *     reused.
 * onnx_wire.h onnx_wire.c: Reads the protobuf wire format in place, where a message is a range of
 *     bytes and a field a view of it.
 * onnx_write.c: Writes a model and copies the byte ranges that no edit touched from the original
 *     file.
 * onnx_write_node.c: Writes nodes, values and tensors of an edited model.
 * onnx_writer.h: Declares what the files of the ONNX writer share.
 * pb_writer.h pb_writer.c: Writes a protobuf message as a list of pieces.
 * value_file.h value_file.c: Reads a file that holds one tensor, an ONNX TensorProto (input_0.pb)
 *     or a NumPy array (input_0.npy). */
