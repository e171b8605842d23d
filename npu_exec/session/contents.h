/* npu_exec/session/ is the C library around a simulation, with options, plans, requests and traces.
 *
 * csv.h csv.c: Writes spans as rows of the vendor profiler's DataFrame, in its column order.
 * exec_options.h exec_options.c: Declares the run options of npu-exec; compile options are in
 *     graph/compile/options.h.
 * exec_prepare.h exec_prepare.c: Turns a command line into a plan that can run.
 * find_ranges.h find_ranges.c: Finds the ranges of a model's values on data, or what
 *     quantization takes from them.
 * known_inputs.h known_inputs.c: Reads inputs whose values decide shapes, such as axes, sizes
 *     and pads.
 * npu_exec.h: Offers the simulated NPU as a C library, with calls like the vendor's runtime.
 * option_values.h option_values.c: Declares readers of option values, which refuse what they
 *     cannot use with STATUS_USAGE and one line.
 * quantized_form.h quantized_form.c: Writes out the quantization of a calibrated program, for
 *     who computes with its values.
 * recorder.h recorder.c: Writes completed requests as spans of a trace, as the vendor's
 *     runtimes do.
 * recorder_npu.c: Writes tasks as spans, and the counters of a device.
 * recorder_span.c: Gives spans and counter samples their identities and writes them to the
 *     files.
 * recorder_state.h: Holds the state of a recorder for recorder.c, recorder_npu.c and
 *     recorder_span.c.
 * run_samples.h run_samples.c: Runs a model on data and writes the outputs for every image.
 * session.c: Implements the library with a simulation that is driven step by step.
 * session_state.h: Holds the state of a session for session.c and session_values.c.
 * session_values.c: Runs the model of a session on values.
 * value_losses.h value_losses.c: Measures what quantization takes from each tensor on data. */
