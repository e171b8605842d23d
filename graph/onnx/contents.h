/* graph/onnx/ reads and writes ONNX files, and recognises files that are mistaken for them.
 *
 * foreign: Recognises files that are given as a model but are not ONNX.
 * furiosa_keys: Reads and writes the keys with which the quantizer of Furiosa's SDK 0.10 describes
 *     a quantized model.
 * onnx: Reads and writes ONNX files.
 * onnx_emit: Builds an ONNX model in memory, field by field.
 * onnx_external: Maps the files of external data, weights that are stored beside the model.
 * onnx_fields: Numbers the fields of onnx.proto that are read or written one by one.
 * onnx_function: Replaces every call of a model-local function by the function's nodes.
 * onnx_graph: Reads the values, initializers and nodes of a GraphProto.
 * onnx_guard: Checks depth, lengths and counts of the whole file before anything is unpacked.
 * onnx_load: Reads a ModelProto by running the guard, then reading header, functions and graph.
 * onnx_names: Resolves names of tensors while a graph is read, also inside inlined functions.
 * onnx_node: Reads a NodeProto and its attributes.
 * onnx_read: Declares what the files of the ONNX loader share: one Loader per onnx_load.
 * onnx_tensor: Reads a TensorProto, with raw_data and packed floats as views of the file.
 * onnx_unpack: Unpacks messages of the skeleton with protobuf-c, in memory that is reused.
 * onnx_wire: Reads the protobuf wire format in place, without copies.
 * onnx_write: Writes a model and copies unedited byte ranges from the original file.
 * onnx_write_node: Writes nodes, values and tensors of an edited model.
 * onnx_writer: Declares what the files of the ONNX writer share.
 * pb_writer: Writes a protobuf message as a list of pieces.
 * value_file: Reads a file of one tensor, input_0.pb (ONNX) or input_0.npy (NumPy). */
