/* npu_exec/session/: the C library around a simulation: options, plans, requests, traces.
 *
 * csv.h csv.c: Csv: spans as rows of the DataFrame that the vendor's profiler writes, in its
 *     column order
 * exec_options.h exec_options.c: The command line of npu-exec: one table of run options; compile
 * exec_prepare.h exec_prepare.c: From the command line to a plan that can run
 * find_ranges.h find_ranges.c: Finding what a model's values are on data: their ranges, or what
 *     quantizing takes from them
 * known_inputs.h known_inputs.c: Inputs whose values decide shapes: axes, sizes, pads that a
 *     model takes as inputs
 * npu_exec.h: npu_exec: the simulated NPU as a C library, in the shape of the vendor's runtime
 * option_values.h option_values.c: Readers of option values: each takes the text after its
 *     option, refuses what it cannot mean with STATUS_USAGE and one line, and sets its part of
 *     ExecOptions
 * recorder.h recorder.c: Recorder: completed requests as spans of a trace, the way the vendor's
 *     runtimes write them
 * recorder_npu.c: Tasks as spans, and the counters of a device
 * recorder_span.c: Spans and counter samples of a recorder: their identities, and the files they
 *     go to
 * recorder_state.h: The state of a recorder, shared by recorder.c (requests and their host
 *     parts), recorder_npu.c (tasks and counters) and recorder_span.c (how either becomes spans
 *     of files)
 * run_samples.h run_samples.c: Running a model on data: the outputs for every image
 * session.c: The library: a session around a simulation that is driven step by step
 * session_state.h: The state of a session, shared by session.c (requests and the profiler) and
 *     session_values.c
 * session_values.c: A session's model on values
 * value_losses.h value_losses.c: Losses: what quantizing takes from each tensor, on data */
