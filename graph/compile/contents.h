/* graph/compile/: from a model and options to a Program: placement, partition, boundaries,
 * lowering, SRAM.
 *
 * compile.h compile.c: The compiler: Model + CompileOptions -> Program
 * compile_boundary.c: Boundaries: what the host does to a value on its way to the NPU and back
 * compile_boxes.c: Where things lie in SRAM: first fit by address, op by op
 * compile_emit.h compile_emit.c: Emission: from placed and partitioned ops to steps, program
 *     tensors and low-level ops
 * compile_focus.c: Focus: four Slices of every second row and column, and a Concat of them, are
 *     one SpaceToDepth
 * compile_fuse.c: Fusion: ops that the NPU does in one
 * compile_host.c: The work of a step, which the cost model's laws count: multiplications, and
 *     what a host operator reads beside its activations
 * compile_letters.c: Layouts of values: what each axis means, and whether channels lie innermost
 * compile_lower.h compile_lower.c: Lowering, inside: graph/compile/compile_lower.c,
 *     compile_lowop.c and compile_window.c
 * compile_lowop.c: Low-level ops and the buffers between them, as they are appended to the
 *     program
 * compile_merge.c: Merging pieces that levels kept apart: a value that goes from one piece of NPU
 *     work straight to another does not need two tasks, unless a host op lies on some way between
 *     them
 * compile_messages.h: What compiling says: notes, why a step runs on the host, and the nearest
 *     that would not
 * compile_order.c: The order of work: host ops and segments, each after what it reads, else as in
 *     the file
 * compile_pages.c: The guide has two support pages
 * compile_partition.h compile_partition.c: Between partitioning and merging
 *     (graph/compile/compile_partition.c, graph/compile/compile_merge.c)
 * compile_place.c: Placement: NPU or host for every op, with a reason, a sentence, and what would
 *     pass
 * compile_precision.c: Precision: which values have an int8 form, and which ops of a quantized
 *     model stay in float
 * compile_spill.c: What stays in SRAM: weights pinned, and activations spilled, so that more SRAM
 *     never spills more
 * compile_sram.h compile_sram.c: SRAM, inside: graph/compile/compile_sram.c, compile_spill.c and
 *     compile_boxes.c
 * compile_state.h: The compiler's working state, shared by its stages
 * compile_step.c: One step and its tensors: what is moved, what it waits for
 * compile_values.c: Values and ops: the graph with quantization nodes, identities and constants
 *     seen through
 * compile_window.c: Windows of convolutions and pools: kernel, stride, dilation and padding of H
 *     and W
 * compiler_config.h compiler_config.c: compiler_config: the keys of the vendor's compiler, known
 *     ones and files of them
 * layout.h layout.c: Layouts: how a tensor lies in the NPU's memory and on the way there
 * machine.h machine.c: Machine: geometry and operator support of a target, the <machine> part of
 *     rules/targets/NAME.xml
 * options.h options.c: CompileOptions: everything that decides what is compiled, and its
 * program.h program.c: Program: a model as compiled: host steps, transfers and NPU tasks in
 *     execution order
 * program_fingerprint.c: Fingerprints of nodes and tensors: operator type, attributes, types,
 * program_verify.c: An independent check of what a program promises; it shares no code with the
 *     compiler
 * run_options.def: Options of a run that both programs understand, spelled alike spelling on the
 *     command line, the same for npu-advise, its subcommands and npu-exec
 * stages.def: The stages of the compiler, in order: STAGE(function)
 * support.c: The operator support table: is there a row for this op and SDK, and do its
 *     conditions hold? */
