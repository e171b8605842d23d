/* passes/ holds one file per question about a program; the answers are findings.
 *
 * activations: Finds activations that the NPU computes with lookup tables and its vector engine.
 * alignment: Tells how far channel counts can grow before the MAC array needs more cycles.
 * application_time: Reports the application's own work around each inference, and the part that
 *     changes the layout of images.
 * awkward_kernels: Finds pools that need more than one pass and convolutions with too many groups.
 * boundaries: Describes every input and output of the graph as the application sees it.
 * calibration: Finds scales of a quantized model that cannot be right.
 * cancelling_transposes: Finds every Transpose that an earlier one undoes or can be merged with.
 * channels: Finds convolutions whose channel counts leave part of the MAC array idle.
 * device_count: Computes how many accelerator cards a stated throughput goal needs.
 * duplicates: Finds nodes that repeat another node's computation, the last of each repeated part.
 * dynamic_shapes: Finds operators that run on the host only because their sizes are unknown.
 * evidence: Reports what the trace does not prove, and by how much.
 * explicit_pads: Finds every separate Pad that the following Conv or pool could apply itself.
 * flow: Finds the minimum cut of a network by maximum flow.
 * gaps: Finds pauses of the NPU between two tasks and what it waits for in each.
 * host_conversions: Lists conversions, Lower, Unlower, Pad and Slice on the host, with the reason.
 * host_spread: Measures whether the host's operators slow each other down when requests overlap.
 * host_tail: Finds where the graph could end so that the application does the remaining host work.
 * islands: Lists every operator that runs on the host, why it does, and where in the graph it is.
 * joins: Finds every Concat whose inputs were quantized with different scales.
 * losses: Collects the places that lose time, so that a pass reports the largest of each cause.
 * memory_bound: Finds operators that wait longer for data than for arithmetic, and which data.
 * node_time: Tells what single nodes cost, as far as the program keeps them apart.
 * normalisation: Finds arithmetic with constants between an input and the first Conv.
 * op_mix: Divides the NPU's time between the kinds of operators.
 * order_only: Marks nodes that choose a position (ArgMax, TopK without values) for an output.
 * pass: A pass answers one question about a program: it finds facts, without advice.
 * patches: Computes into which parts an input image could be split, and how large they would be.
 * pattern_attention: Recognises attention, a Softmax between two products of activations.
 * pattern_input_channels: Recognises input channels that are scaled, shifted or reordered.
 * pattern_norms: Recognises normalisations by statistics of the data, such as (x - mean) /
 *     sqrt(variance + epsilon).
 * pattern_parts: Helps the recognisers of patterns to look through conversions and to mark nodes.
 * pattern_shuffles: Recognises channel shuffles, by Reshape, Transpose and Reshape or by a Gather
 *     of every other channel.
 * patterns: Recognises what exporters write as several operators, by connections, never by name.
 * pe_mode: Reports whether the program runs on one processing element or fused ones.
 * pipeline: Runs every pass over one program.
 * pixels: Tells the layout and value range of an input or output, and whether it is an image.
 * quantisation: Measures what the model's own scales and integer weights have lost by quantization.
 * quantizer: Finds out whether the vendor's quantizer takes the float model that `apply` converts.
 * ranges: Tells which values an operator can produce and which its quantized form can hold.
 * receptive_field: Computes how far around an output pixel the network reads its input.
 * redundant_conversions: Finds every Quantize that restores what an earlier Dequantize has read.
 * redundant_outputs: Finds outputs that the graph also computes with or that equal another output.
 * requests: Reports how the application calls, and how the times of its requests are distributed.
 * resize_modes: Finds every Resize that the host runs because of its mode.
 * rewritable: Finds nodes where a rewrite fits and would save time.
 * sequences: Lists well-known operator sequences and how much of each runs on the host.
 * spill: Finds activations that leave the SRAM for lack of room, and a target with more of it.
 * startup: Reports whether the run compiles or loads programs, and whether while it serves.
 * surroundings: Tells whether NPU work comes before or after a step, along its dependencies.
 * task_size: Computes how much of a request is cost per call, whatever the number of images in it.
 * transfers: Reports what crosses PCIe, how long it takes, and which tensor is most of it.
 * unfolded: Finds nodes that weights can hold, parallel Convs, nodes without effect, a LeakyRelu in
 *     parts, and late choices.
 * utilisation: Finds convolutions and products that use little of the MAC array, and the limits.
 * workers: Computes how many requests must be in flight to keep the busiest resource busy. */
