/* graph/import/ reads graphs that another compiler made.
 *
 * dot_scan.h dot_scan.c: Splits a DOT file into tokens, which are names, texts, HTML texts,
 *     arrows and marks.
 * import_build.h import_build.c: Builds an imported graph; shared by the readers.
 * import_dot.c: Reads nodes and edges of a DOT file and skips the rest of the language.
 * import_engine_log.c: Reads the list of layers in a verbose log of TensorRT.
 * import_lowered.c: Reads lowered.json, as `npu-advise compile --emit json` writes it.
 * import_tensorrt.c: Reads TensorRT's layer list, which trtexec --exportLayerInfo writes.
 * import_vendor.c: Turns a vendor's graph into an imported graph: one operator and one tensor
 *     for each of its own.
 * imported.h imported.c: Holds a graph that another compiler made, as its file describes it.
 * tensorrt_format.h tensorrt_format.c: Interprets TensorRT's words for a tensor's format.
 * vendor_attributes.def: Lists the attributes of the vendor's operators as VENDOR_ATTRIBUTE(id,
 *     word in a DOT, kind of value, member of VendorAttributes), in the order in which they are
 *     shown.
 * vendor_check.c: Checks a vendor's graph after it was read, and sorts its operators.
 * vendor_dfg.h vendor_dfg.c: Declares what one file of the .dfg reader gives to the other.
 * vendor_dfg_operator.c: Reads one operator of a .dfg: its kind, what it reads and writes, and
 *     its attributes.
 * vendor_dot.c: Reads the DOT of the vendor's quantizer: operators with HTML labels, tensors,
 *     edges to ports.
 * vendor_file.c: Reads a vendor's graph of either form, and checks it.
 * vendor_graph.h vendor_graph.c: Holds the graph that the vendor's quantizer of SDK 0.9 writes,
 *     as its .dfg or its DOT tells it.
 * vendor_label.h vendor_label.c: Parses the labels of the vendor's DOT: HTML of operators,
 *     texts of tensors.
 * vendor_map.h vendor_map.c: Declares what the files share that map a vendor's graph to ONNX.
 * vendor_map_host.c: Copies the node of an OnnxRuntime operator out of the ONNX model that it
 *     holds.
 * vendor_map_op.c: Maps each kind of operator of a vendor's graph to ONNX.
 * vendor_model.h vendor_model.c: Maps a vendor's graph to an ONNX model with QuantizeLinear and
 *     DequantizeLinear.
 * vendor_ops.def: Lists the vendor's operators as VENDOR_OP(id, number in a .dfg, name in a
 *     DOT, function that maps it to ONNX, attributes).
 * vendor_read.h: Declares what the two readers of a vendor's graph share. */
