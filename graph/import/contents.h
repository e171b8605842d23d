/* graph/import/ reads graphs that another compiler made.
 *
 * import_build.h import_build.c: Builds an imported graph; shared by the three readers.
 * import_dot.c: Reads nodes and edges of a DOT file and skips the rest of the language.
 * import_engine_log.c: Reads the list of layers in a verbose log of TensorRT.
 * import_lowered.c: Reads lowered.json, as `npu-advise compile --emit json` writes it.
 * import_tensorrt.c: Reads TensorRT's layer list, which trtexec --exportLayerInfo writes.
 * imported.h imported.c: Holds a graph that another compiler made, as its file describes it.
 * tensorrt_format.h tensorrt_format.c: Interprets TensorRT's words for a tensor's format. */
