/* graph/onnx/ reads and writes ONNX files, and recognises files that are mistaken for them.
 *
 * foreign.h foreign.c: Recognises files that are given as a model but are not ONNX.
 * furiosa_keys.h furiosa_keys.c: Reads and writes the keys with which the quantizer of
 *     Furiosa's SDK 0.10 describes a quantized model.
 * onnx.h: Reads and writes ONNX files.
 * onnx_emit.h onnx_emit.c: Builds an ONNX model in memory, field by field.
 * onnx_external.c: Maps the files of external data, weights that are stored beside the model.
 * onnx_fields.h: Numbers the fields of onnx.proto that are read or written one by one.
 * onnx_function.c: Replaces every call of a model-local function by the function's nodes.
 * onnx_graph.c: Reads the values, initializers and nodes of a GraphProto.
 * onnx_guard.c: Checks depth, lengths and counts of the whole file before anything is unpacked.
 * onnx_load.c: Reads a ModelProto by running the guard, then reading header, functions and
 *     graph.
 * onnx_messages.h: Defines the messages about reading an ONNX file.
 * onnx_names.c: Resolves names of tensors while a graph is read, also inside inlined functions.
 * onnx_node.c: Reads a NodeProto and its attributes.
 * onnx_read.h: Declares what the files of the ONNX loader share: one Loader per onnx_load.
 * onnx_tensor.c: Reads a TensorProto, with raw_data and packed floats as views of the file.
 * onnx_unpack.c: Unpacks messages of the skeleton with protobuf-c, in memory that is reused.
 * onnx_wire.h onnx_wire.c: Reads the protobuf wire format in place, without copies.
 * onnx_write.c: Writes a model and copies unedited byte ranges from the original file.
 * onnx_write_node.c: Writes nodes, values and tensors of an edited model.
 * onnx_writer.h: Declares what the files of the ONNX writer share.
 * pb_writer.h pb_writer.c: Writes a protobuf message as a list of pieces.
 * value_file.h value_file.c: Reads a file of one tensor, input_0.pb (ONNX) or input_0.npy
 *     (NumPy). */
