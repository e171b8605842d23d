/* npu_exec/session/ is the C library around a simulation, with options, plans, requests and traces.
 *
 * csv: Writes spans as rows of the vendor profiler's DataFrame, in its column order.
 * exec_options: Declares the run options of npu-exec (compile options: graph/compile/options.h).
 * exec_prepare: Turns a command line into a plan that can run.
 * find_ranges: Finds the ranges of a model's values on data, or what quantization takes from them.
 * known_inputs: Reads inputs whose values decide shapes, such as axes, sizes and pads.
 * npu_exec: Offers the simulated NPU as a C library, with calls like the vendor's runtime.
 * option_values: Declares readers of option values, which refuse what they cannot use with
 *     STATUS_USAGE and one line.
 * quantized_form: Writes out the quantization of a calibrated program, to compute with its values.
 * recorder: Writes completed requests as spans of a trace, as the vendor's runtimes do.
 * recorder_npu: Writes tasks as spans, and the counters of a device.
 * recorder_span: Gives spans and counter samples their identities and writes them to the files.
 * recorder_state: Holds the state of a recorder for recorder.c, recorder_npu.c and recorder_span.c.
 * run_samples: Runs a model on data and writes the outputs for every image.
 * session: Implements the library with a simulation that is driven step by step.
 * session_state: Holds the state of a session for session.c and session_values.c.
 * session_values: Runs the model of a session on values.
 * value_losses: Measures what quantization takes from each tensor on data. */
