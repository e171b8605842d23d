/* passes/: one file, one question about a program; the answers are findings.
 *
 * activations.c: Activations: those that the NPU works out by tables and passes of its vector
 *     engine
 * alignment.h alignment.c: Alignment: channel counts that the MAC array takes in the same number
 *     of cycles
 * application_time.c: Application: what does the application do around each inference, does that
 *     hold up the rest, and how much of it is turning pictures into the order of axes that the
 *     model asks for?
 * awkward_kernels.c: Awkward kernels: pools whose window takes more than one pass, and Convs of
 *     too many groups
 * boundaries.c: Boundaries: what every input and output of the graph is, as the application sees
 *     it
 * calibration.c: Calibration: which scales of a quantized model cannot be right?
 * cancelling_transposes.c: Cancelling transposes: every Transpose that one before it undoes, or
 *     that both could be one
 * cards.c: Cards: how many of them does a stated goal of throughput take?
 * channels.c: Channels: which convolutions leave part of the MAC array idle because of their
 *     channel counts?
 * duplicates.c: Duplicates: nodes that compute what another one has computed, the last ones of
 *     each such part
 * dynamic_shapes.c: Dynamic shapes: what runs on the host only because sizes are not known when
 *     the model is compiled?
 * evidence.c: Evidence: what does the trace fail to prove, and by how much?
 * explicit_pads.c: Explicit pads: every stand-alone Pad that Conv or pool behind it could do by
 *     itself
 * flow.h flow.c: Minimum cut of a network by maximum flow (Dinic)
 * gaps.c: Gaps: when does the NPU stand still between two tasks, and what does it wait for?
 * host_conversions.c: Host conversions: every Quantize, Dequantize, Lower, Unlower, Pad and Slice
 *     that runs on the CPU, and why
 * host_spread.c: Host spread: do the host's operators get into each other's way?
 * host_tail.c: Host tail: where would an expert end the graph, so that the application does the
 *     rest?
 * islands.c: Islands: every operator that the host has to run, why, and what stands around it
 * joins.c: Joins: every Concat whose inputs were quantized with different scales
 * losses.h losses.c: Losses: places that lose time, by cause
 * memory_bound.c: Memory bound: which operators wait for data rather than for arithmetic, and for
 *     which?
 * node_time.h node_time.c: What single nodes cost, as far as the program keeps them apart
 * normalisation.c: Normalisation: arithmetic with constants between an input and the first Conv
 * op_mix.c: Operator mix: how is the NPU's time divided between the kinds of operators?
 * order_only.h order_only.c: Order only: which outputs tell no more than which value is the
 *     greatest?
 * pass.h pass.c: Passes: one file = one pass = one question about a program
 * pass_messages.h: What passes say in findings
 * patches.c: Patches: could the picture be worked on in parts, and how large would they be?
 * pattern_attention.c: Attention, spelled out
 * pattern_input_channels.c: Input normalisation by channels
 * pattern_norms.c: Normalisations by what the data themselves are
 * pattern_parts.h pattern_parts.c: What the recognisers of patterns share: marks, and looking
 *     through what stands for conversions
 * pattern_shuffles.c: Channel shuffles
 * patterns.h patterns.c: Patterns: sequences that exporters write for one thing in several
 *     operators
 * pe_mode.c: PE mode: one processing element or two fused ones, and which is the other choice?
 * pipeline.h pipeline.c pipeline.def: The pipeline: the table of all passes
 * pixels.h pixels.c: What an input or output looks like: where its channels are, whether it is a
 *     picture, and which values it can take
 * quantisation.c: Quantisation: what do the model's own scales and integer weights say about what
 *     was lost?
 * ranges.h ranges.c: Ranges: which values an operator can give, and which its codes can hold
 * receptive_field.h receptive_field.c: Receptive field: how far around a pixel of an output the
 *     network looks at its input
 * redundant_conversions.c: Redundant conversions: every Quantize that gives back what a
 *     Dequantize before it has read
 * redundant_outputs.c: Redundant outputs: those that the graph computes with as well, or that
 *     another output equals
 * requests.c: Requests: how does the application call, and how are the times of its requests
 *     distributed?
 * resize_modes.c: Resize modes: every Resize that the host runs because of its mode
 * rewritable.h rewritable.c: Places where a rewrite fits and something would be gained
 * sequences.c: Sequences: which well-known things is the graph made of, and what of them runs on
 *     the host?
 * spill.c: Spill: what leaves the SRAM because it does not fit, and what would make it fit?
 * startup.c: Startup: does the run compile or load programs, and does it do so while it serves?
 * surroundings.h surroundings.c: Surroundings: whether NPU work comes before or after a step,
 *     along its dependencies
 * task_size.c: Task size: how much of a request is cost per call, whatever the number of images
 *     in it
 * transfers.c: Transfers: what goes over PCIe, how long does it take, and which tensor is most of
 *     it?
 * unfolded.c: Unfolded nodes: what an exporter leaves in a model that could be in the weights, or
 *     nowhere
 * utilisation.c: Utilisation: which convolutions and products use little of the MAC array, and
 *     what holds them up? What memory or channel counts explain is told by memory_bound.c and
 *     channels.c
 * workers.c: Workers: how many requests must be under way to keep the busiest part busy? */
