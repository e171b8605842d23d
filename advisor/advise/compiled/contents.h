/* advisor/advise/compiled/: what is shown of a model as written and as compiled.
 *
 * bounds.h bounds.c: Bounds from measured times: what each piece of advice may gain, and all of
 *     them together
 * compiled.h compiled.c: Advice for a compiled graph: layers and their measured times joined,
 *     rules matched, gains bounded
 * compiled_gains.c: What the rules found in a compiled graph, as recommendations and observations
 *     of the result
 * compiled_json.h compiled_json.c: Parts of the result document of a compiled graph, and what all
 *     of them say
 * compiled_layers.c: Layers as steps of the result, and what only a compiled graph has: kinds,
 *     precisions, stages
 * compiled_result.c: The result document of a compiled graph with its times: the keys are those
 *     of any result; what only a model has is null or empty, and `compiled` holds what only such
 *     a graph has
 * compiled_tie.c: Layers of an engine and the nodes of the ONNX model that it was built from
 * engine_shapes.h engine_shapes.c: Shapes that an engine was built for and run at, as trtexec's
 *     options tell them
 * layer_facts.h layer_facts.c: The facts document of a compiled graph with its times, for rules
 *     that speak of such graphs:
 * layer_times.h layer_times.c: LayerTimes: the layers of a compiled graph and what was measured
 *     of them, joined by name
 * layer_traits.h layer_traits.c: LayerTraits: what the layers of a compiled graph are to each
 *     other, looked at once, linearly
 * program_times.h program_times.c: Times of the steps of a compiled program or graph, from a
 *     trace of it: as records by the name of the step, so that they join as those of an engine do
 */
