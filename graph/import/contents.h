/* graph/import/: graphs that another compiler made.
 *
 * import_build.h import_build.c: Putting an imported graph together; shared by the three readers
 * import_dot.c: DOT: nodes and edges, whatever else the language has is read over
 * import_engine_log.c: The list of layers in a verbose log of TensorRT, one line each behind
 *     "Engine Layer Information:": Layer(Type): name, Tactic: 0x…, in (Type[dims]), in
 *     (Type[dims]) -> out (Type[dims]) older ones without the blank before the bracket
 * import_lowered.c: lowered.json, as `npu-advise compile --emit json` writes it or a user has
 *     edited it
 * import_tensorrt.c: TensorRT's layer list, trtexec --exportLayerInfo: {"Layers": [{Name,
 *     LayerType, Inputs, Outputs}]}
 * imported.h imported.c: Imported: a graph that a compiler made elsewhere, as far as its file
 *     tells
 * tensorrt_format.h tensorrt_format.c: What TensorRT's words for a tensor mean: "Thirty-two wide
 *     channel vectorized row major Int8 format" */
