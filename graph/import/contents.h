/* graph/import/ reads graphs that another compiler made.
 *
 * dot_scan: Splits a DOT file into tokens, which are names, texts, HTML texts, arrows and marks.
 * import_build: Builds an imported graph; shared by the readers.
 * import_dot: Reads nodes and edges of a DOT file and skips the rest of the language.
 * import_engine_log: Reads the list of layers in a verbose log of TensorRT.
 * import_lowered: Reads lowered.json, as `npu-advise compile --emit json` writes it.
 * import_rknn: Finds the tables in a log of RKNN, joins rows that a terminal wrapped, and reads the
 *     versions, totals and clocks around them.
 * import_rknn_row: Assigns the cells of a row to the columns of its head.
 * import_tensorrt: Reads TensorRT's layer list, which trtexec --exportLayerInfo writes.
 * import_vendor: Turns a vendor's graph into an imported graph, operator by operator.
 * imported: Holds a graph that another compiler made, as its file describes it.
 * rknn_table: Holds a performance table of Rockchip's RKNN, as runtime or compiler prints it.
 * tensorrt_format: Interprets TensorRT's words for a tensor's format.
 * vendor_check: Checks a vendor's graph after it was read, and sorts its operators.
 * vendor_dfg: Declares what one file of the .dfg reader gives to the other.
 * vendor_dfg_operator: Reads one operator of a .dfg: kind, inputs, outputs, attributes.
 * vendor_dot: Reads the DOT of the vendor's quantizer: operators with HTML labels, tensors, edges.
 * vendor_file: Reads a vendor's graph of either form, and checks it.
 * vendor_graph: Holds the graph that the vendor's quantizer of SDK 0.9 writes, as its .dfg or its
 *     DOT tells it.
 * vendor_label: Parses the labels of the vendor's DOT: HTML of operators, texts of tensors.
 * vendor_map: Declares what the files share that map a vendor's graph to ONNX.
 * vendor_map_host: Copies the node of an OnnxRuntime operator out of the ONNX model that it holds.
 * vendor_map_op: Maps each kind of operator of a vendor's graph to ONNX.
 * vendor_model: Maps a vendor's graph to an ONNX model with QuantizeLinear and DequantizeLinear.
 * vendor_read: Declares what the two readers of a vendor's graph share. */
