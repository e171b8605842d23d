/* graph/compile/ compiles a model with options to a Program: placement, partition, boundaries,
 * lowering, SRAM.
 *
 * compile.h compile.c: Compiles a Model with CompileOptions to a Program.
 * compile_boundary.c: Emits what the host does to a value on its way to the NPU and back.
 * compile_boxes.c: Assigns SRAM addresses first fit, one op after the other.
 * compile_condition.c: Checks whether a node fulfils a condition of the support tables.
 * compile_emit.h compile_emit.c: Emits steps, program tensors and low-level ops from placed
 *     ops.
 * compile_focus.c: Recognises SpaceToDepth, DepthToSpace and normalizations that are written as
 *     several operators.
 * compile_fuse.c: Fuses ops that the NPU does in one.
 * compile_host.c: Computes the work of a step, which the cost model counts.
 * compile_letters.c: Determines the meaning of each axis of a value, and whether channels are
 *     last.
 * compile_lower.h compile_lower.c: Lowers the ops of a segment to low-level ops.
 * compile_lowop.c: Appends low-level ops and the buffers between them to the program.
 * compile_merge.c: Merges pieces of NPU work that levels kept apart.
 * compile_messages.h: Defines the compiler's messages, such as why a step runs on the host.
 * compile_order.c: Orders host ops and segments, each after what it reads.
 * compile_pages.c: Compares the placement with the guide's second support page.
 * compile_partition.h compile_partition.c: Merges the pieces of a partition into segments.
 * compile_place.c: Places every op on the NPU or the host, with a reason and what would pass.
 * compile_precision.c: Determines the values with an int8 form and the ops that stay in float.
 * compile_spill.c: Chooses the weights to pin in SRAM and the activations to spill.
 * compile_sram.h compile_sram.c: Schedules weights and activations in SRAM.
 * compile_state.h: Holds the compiler's working state, which its stages share.
 * compile_step.c: Creates a step with its tensors, bytes and dependencies.
 * compile_values.c: Builds values and ops, and sees through quantization and constants.
 * compile_window.c: Reads kernel, stride, dilation and padding of convolutions and pools.
 * compiler_config.h compiler_config.c: Reads the settings of the vendor's compiler.
 * layout.h layout.c: Computes how a tensor is laid out in the NPU's memory and on the way
 *     there.
 * machine.h machine.c: Describes a target's geometry and operator support (<machine>).
 * options.h options.c: Holds everything that decides what is compiled.
 * program.h program.c: Describes a compiled model as steps, transfers and tasks.
 * program_fingerprint.c: Hashes nodes and tensors with their neighbourhood.
 * program_verify.c: Checks what a program promises, without code of the compiler.
 * run_options.def: Lists the options of a run that both programs understand.
 * stages.def: Lists the stages of the compiler in order, with their results.
 * support.c: Searches the operator support table and checks the conditions of its rows. */
