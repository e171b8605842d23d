/* passes/ holds one file per question about a program; the answers are findings.
 *
 * activations.c: Finds activations that the NPU computes with lookup tables and passes of its
 *     vector engine.
 * alignment.h alignment.c: Tells how far channel counts can grow before the MAC array needs
 *     more cycles.
 * application_time.c: Reports the application's own work around each inference, and the part
 *     that changes the layout of images.
 * awkward_kernels.c: Finds pools whose window needs more than one pass and convolutions with
 *     too many groups.
 * boundaries.c: Describes every input and output of the graph as the application sees it.
 * calibration.c: Finds scales of a quantized model that cannot be right.
 * cancelling_transposes.c: Finds every Transpose that an earlier one undoes or that can be
 *     merged with it.
 * channels.c: Finds convolutions whose channel counts leave part of the MAC array idle.
 * device_count.c: Computes how many accelerator cards a stated throughput goal needs.
 * duplicates.c: Finds nodes that repeat another node's computation, the last ones of each
 *     repeated part.
 * dynamic_shapes.c: Finds operators that run on the host only because their sizes are unknown
 *     at compile time.
 * evidence.c: Reports what the trace does not prove, and by how much.
 * explicit_pads.c: Finds every separate Pad that the following Conv or pool could apply itself.
 * flow.h flow.c: Finds the minimum cut of a network by maximum flow.
 * gaps.c: Finds pauses of the NPU between two tasks and what it waits for in each.
 * host_conversions.c: Lists every Quantize, Dequantize, Lower, Unlower, Pad and Slice on the
 *     host, with the reason.
 * host_spread.c: Measures whether the host's operators slow each other down when requests
 *     overlap.
 * host_tail.c: Finds where the graph could end so that the application does the remaining host
 *     work.
 * islands.c: Lists every operator that runs on the host, why it does, and where in the graph it
 *     is.
 * joins.c: Finds every Concat whose inputs were quantized with different scales.
 * losses.h losses.c: Collects the places that lose time, so that a pass reports the largest of
 *     each cause.
 * memory_bound.c: Finds operators that wait for data longer than for arithmetic, and tells
 *     which data.
 * node_time.h node_time.c: Tells what single nodes cost, as far as the program keeps them
 *     apart.
 * normalisation.c: Finds arithmetic with constants between an input and the first Conv.
 * op_mix.c: Divides the NPU's time between the kinds of operators.
 * order_only.h order_only.c: Marks nodes that choose a position (ArgMax, or TopK without its
 *     values) for an output.
 * pass.h pass.c: A pass answers one question about a program: it finds facts and writes
 *     findings, without advice.
 * pass_messages.h: Declares the sentences that passes write into findings.
 * patches.c: Computes into which parts an input image could be split, and how large the parts
 *     would be.
 * pattern_attention.c: Recognises attention that is written as a Softmax between two products
 *     of activations.
 * pattern_input_channels.c: Recognises channels of an input that are scaled, shifted or
 *     reordered one by one.
 * pattern_norms.c: Recognises normalisations by statistics of the data, such as (x - mean) /
 *     sqrt(variance + epsilon).
 * pattern_parts.h pattern_parts.c: Helps the recognisers of patterns to look through
 *     conversions and to mark nodes.
 * pattern_shuffles.c: Recognises channel shuffles, by Reshape, Transpose and Reshape or by a
 *     Gather of every other channel.
 * patterns.h patterns.c: Recognises what exporters write as several operators, by connections
 *     alone and never by name.
 * pe_mode.c: Reports whether the program runs on one processing element or fused ones, and the
 *     alternative.
 * pipeline.h pipeline.c pipeline.def: Runs every pass over one program.
 * pixels.h pixels.c: Tells the layout and value range of an input or output, and whether it is
 *     an image.
 * quantisation.c: Measures what the model's own scales and integer weights have lost by
 *     quantization.
 * ranges.h ranges.c: Tells which values an operator can produce and which its quantized form
 *     can hold.
 * receptive_field.h receptive_field.c: Computes how far around an output pixel the network
 *     reads its input.
 * redundant_conversions.c: Finds every Quantize that restores what an earlier Dequantize has
 *     read.
 * redundant_outputs.c: Finds outputs that the graph also computes with or that equal another
 *     output.
 * requests.c: Reports how the application calls, and how the times of its requests are
 *     distributed.
 * resize_modes.c: Finds every Resize that the host runs because of its mode.
 * rewritable.h rewritable.c: Finds nodes where a rewrite fits and would save time.
 * sequences.c: Lists the well-known operator sequences of the graph and how much of each runs
 *     on the host.
 * spill.c: Finds activations that leave the SRAM for lack of room, and a target with more of
 *     it.
 * startup.c: Reports whether the run compiles or loads programs, and whether it does so while
 *     it serves.
 * surroundings.h surroundings.c: Tells whether NPU work comes before or after a step, along its
 *     dependencies.
 * task_size.c: Computes how much of a request is cost per call, whatever the number of images
 *     in it.
 * transfers.c: Reports what crosses PCIe, how long it takes, and which tensor is most of it.
 * unfolded.c: Finds nodes that weights can hold, parallel Convs, and nodes that compute
 *     nothing.
 * utilisation.c: Finds convolutions and products that use little of the MAC array, and what
 *     limits them.
 * workers.c: Computes how many requests must be in flight to keep the busiest resource busy. */
