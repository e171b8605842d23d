/* graph/compile/ compiles a model with options to a Program: placement, partition, boundaries,
 * lowering, SRAM.
 *
 * compile.h compile.c: Compiles a Model with CompileOptions to a Program.
 * compile_boundary.c: Emits what the host does to a value on its way to the NPU and back.
 * compile_boxes.c: Assigns SRAM addresses first fit, one op after the other.
 * compile_emit.h compile_emit.c: Declares what the stages share that turn placed ops into steps,
 *     program tensors and low-level ops.
 * compile_focus.c: Recognises SpaceToDepth written as four Slices of every second row and column
 *     and a Concat.
 * compile_fuse.c: Fuses ops that the NPU does in one.
 * compile_host.c: Computes the work of a step for the cost model: multiplications, and what a
 *     host operator reads beside its activations.
 * compile_letters.c: Determines what each axis of a value means, and whether channels are
 *     innermost.
 * compile_lower.h compile_lower.c: Declares what the files of lowering share (compile_lower.c,
 *     compile_lowop.c, compile_window.c).
 * compile_lowop.c: Appends low-level ops and the buffers between them to the program.
 * compile_merge.c: Merges pieces of NPU work that levels kept apart.
 * compile_messages.h: Defines the compiler's messages: notes, why a step runs on the host, and
 *     the nearest value that would not.
 * compile_order.c: Orders host ops and segments, each after what it reads, otherwise as in the
 *     file.
 * compile_pages.c: Compares the placement with the guide's second support page.
 * compile_partition.h compile_partition.c: Connects partitioning with the merging of pieces
 *     (compile_partition.c, compile_merge.c).
 * compile_place.c: Places every op on the NPU or the host, with a reason and what would pass.
 * compile_precision.c: Determines which values have an int8 form, and which ops of a quantized
 *     model stay in float.
 * compile_spill.c: Chooses the weights to pin and the activations to spill, so that more SRAM
 *     never spills more.
 * compile_sram.h compile_sram.c: Declares what the files of SRAM scheduling share
 *     (compile_sram.c, compile_spill.c, compile_boxes.c).
 * compile_state.h: Holds the compiler's working state, which its stages share (included by graph/
 *     alone).
 * compile_step.c: Creates a step with its tensors, the bytes that it moves and the steps that it
 *     waits for.
 * compile_values.c: Builds the list of values and ops, with quantization nodes, identities and
 *     constants seen through.
 * compile_window.c: Reads kernel, stride, dilation and padding of H and W of convolutions and
 *     pools.
 * compiler_config.h compiler_config.c: Reads compiler_config, the settings of the vendor's
 *     compiler, and tells which keys are known.
 * layout.h layout.c: Computes how a tensor is laid out in the NPU's memory and on the way there.
 * machine.h machine.c: Describes a target's geometry and operator support, the <machine> part of
 *     rules/targets/NAME.xml.
 * options.h options.c: Holds everything that decides what is compiled, and its spelling on the
 *     command line.
 * program.h program.c: Describes a compiled model as host steps, transfers and NPU tasks in
 *     execution order.
 * program_fingerprint.c: Hashes nodes and tensors by operator type, attributes, types, shapes and
 *     neighbourhood to radius 2.
 * program_verify.c: Checks what a program promises, without code of the compiler.
 * run_options.def: Lists the options of a run that both programs understand: RUN_OPTION(field,
 *     option, most, preset, what, help).
 * stages.def: Lists the stages of the compiler in order, STAGE(function), and what each sets for
 *     the later ones.
 * support.c: Searches the operator support table for an op and SDK, and checks the row's
 *     conditions. */
