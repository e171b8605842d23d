/* advisor/advise/compiled/ takes a compiled graph with its times to the same result document.
 *
 * bounds: Bounds the savings in a compiled graph by the measured times of its layers.
 * compiled: Runs the chain for a compiled graph, with measured layers in place of predictions.
 * compiled_gains: Builds work by hand and observations from the matches of a compiled graph.
 * compiled_layers: Builds the steps of the result from layers: kinds, precisions and stages.
 * compiled_result: Declares the functions that build the parts of the result of a compiled graph.
 * compiled_tie: Declares what compiled_tie.c asks of compiled_tie_rows.c.
 * compiled_tie_rows: Maps the rows of a table of RKNN to the nodes of the ONNX model, by the rows
 *     that the compiler of the chip makes of it.
 * engine_shapes: Reads from trtexec's options the shapes that an engine was built for and run at.
 * layer_facts: Builds the facts document of a compiled graph with its times, for its rules.
 * layer_times: Joins the layers of a compiled graph and their measured times by name.
 * layer_traits: Derives the kind, the types and the neighbours of each layer of a compiled graph.
 * program_times: Extracts the times of the steps of a compiled program from its trace.
 * table_advice: Adds what a table of RKNN tells by itself to the result of its model.
 * table_traits: Derives from a table of RKNN what rules ask of its rows, and how far the
 *     recording can be trusted. */
