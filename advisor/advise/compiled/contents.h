/* advisor/advise/compiled/ takes a compiled graph with its times to the same result document.
 *
 * bounds.h bounds.c: Bounds the savings in a compiled graph by the measured times of its
 *     layers.
 * compiled.h compiled.c: Runs the chain for a compiled graph, with measured layers in place of
 *     predictions.
 * compiled_gains.c: Builds the work by hand and the observations of a result from the matches
 *     of a compiled graph.
 * compiled_layers.c: Builds the steps of the result from layers, with their kinds, precisions
 *     and stages.
 * compiled_result.h compiled_result.c: Declares the functions that build the parts of the
 *     result of a compiled graph.
 * compiled_tie.c: Maps the layers of an engine to the nodes of the ONNX model that it was built
 *     from.
 * engine_shapes.h engine_shapes.c: Reads from the options of trtexec the shapes that an engine
 *     was built for and run at.
 * layer_facts.h layer_facts.c: Builds the facts document of a compiled graph with its times,
 *     for the rules about such graphs.
 * layer_times.h layer_times.c: Joins the layers of a compiled graph and their measured times by
 *     name.
 * layer_traits.h layer_traits.c: Derives the kind, the types and the neighbours of each layer
 *     of a compiled graph.
 * program_times.h program_times.c: Extracts the times of the steps of a compiled program from
 *     its trace. */
