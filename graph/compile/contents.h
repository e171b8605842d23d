/* graph/compile/ compiles a model with options to a Program: placement, partition, boundaries,
 * lowering, SRAM.
 *
 * compile: Compiles a Model with CompileOptions to a Program.
 * compile_boundary: Emits what the host does to a value on its way to the NPU and back.
 * compile_boxes: Assigns SRAM addresses first fit, one op after the other.
 * compile_condition: Checks whether a node fulfils a condition of the support tables.
 * compile_emit: Emits steps, program tensors and low-level ops from placed ops.
 * compile_focus: Recognises SpaceToDepth, DepthToSpace and normalizations in several operators.
 * compile_fuse: Fuses ops that the NPU does in one.
 * compile_host: Computes the work of a step, which the cost model counts.
 * compile_letters: Determines the meaning of each axis of a value, and whether channels are last.
 * compile_lower: Lowers the ops of a segment to low-level ops.
 * compile_lowop: Appends low-level ops and the buffers between them to the program.
 * compile_merge: Merges pieces of NPU work that levels kept apart.
 * compile_order: Orders host ops and segments, each after what it reads.
 * compile_pages: Compares the placement with the guide's second support page.
 * compile_partition: Merges the pieces of a partition into segments.
 * compile_place: Places every op on the NPU or the host, with a reason and what would pass.
 * compile_precision: Determines the values with an int8 form and the ops that stay in float.
 * compile_spill: Chooses the weights to pin in SRAM and the activations to spill.
 * compile_sram: Schedules weights and activations in SRAM.
 * compile_state: Holds the compiler's working state, which its stages share.
 * compile_step: Creates a step with its tensors, bytes and dependencies.
 * compile_values: Builds values and ops, and sees through quantization and constants.
 * compile_window: Reads kernel, stride, dilation and padding of convolutions and pools.
 * compiler_config: Reads the settings of the vendor's compiler.
 * layout: Computes how a tensor is laid out in the NPU's memory and on the way there.
 * machine: Describes a target's geometry and operator support (<machine>).
 * options: Holds everything that decides what is compiled.
 * program: Describes a compiled model as steps, transfers and tasks.
 * program_fingerprint: Hashes nodes and tensors with their neighbourhood.
 * program_verify: Checks what a program promises, without code of the compiler.
 * support: Searches the operator support table and checks the conditions of its rows. */
