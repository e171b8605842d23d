/* trace/readers/: from bytes to spans, as a stream.
 *
 * chrome.c: Any Chrome trace: spans without a meaning of ours
 * digits.h: Digits: plain decimal numbers in a window (see scan.h), several digits at a time
 * engine.h engine.c: EngineTimes: what trtexec measured of one engine, from any of the files that
 *     it writes
 * engine_facts.c: What is known of an engine's run, filled in by the readers of its files
 * engine_json.c: The files of an engine that are JSON: the profile, the times of queries, the
 *     metadata
 * engine_log.c: trtexec's log: "[mm/dd/yyyy-hh:mm:ss] [I] text", sections "=== Build Options ==="
 *     with "Key: value" lines, one line per metric in the summary (TensorRT 8 on) or a block of
 *     lines (7)
 * engine_parts.h: What the readers of an engine's files share
 * furiosa.c: Furiosa runtime traces, SDK 0.7 to 0.10, and npu-exec's
 * furiosa_csv.c: The vendor's DataFrame as CSV (RecordFormat.PandasDataFrame), and the tables
 *     that
 * json.c: The JSON around the events: an array of them, an object that holds the array, or one
 *     per line
 * json_check.h json_check.c: JsonCheck: is this text JSON to the letter (RFC 8259)? Byte by byte,
 * megengine.c: MegEngine: the dynamic graph's profiler writes Chrome events
 *     (chrome_timeline.json), the static graph's get_profile() one JSON document:
 *     graph_exec.operator names the operators, profiler.device and profiler.host say when each
 *     ran, in seconds, profiler.opr_footprint what it computed
 * names.h names.c: Names: every distinct span name and category once, with what the reader made
 *     of it
 * onnxruntime.c: ONNX Runtime profiles (SessionOptions.enable_profiling), all known forms: a
 *     node's time is an X event NAME_kernel_time of category Node with op_name in args; older
 *     ones add NAME_fence_before and NAME_fence_after
 * pair.h pair.c: Pair: makes complete spans of B/E and of asynchronous begin/end events
 * pytorch.c: PyTorch profiler and Kineto traces: operators of the host, kernels of the device,
 *     the calls that launch them, and ProfilerStep#N around each iteration
 * reader.h reader.c: Reading traces as a stream of complete spans (X, matched B/E and async
 *     pairs)
 * readers.h: The formats: one constant each, in the table trace_formats.h
 * scan.h scan.c: Scan: tolerant, allocation-free scanning of JSON text in a window, and of one
 *     trace event
 * scan_event.c: One trace event: the fixed keys, found in a table; everything else is skipped
 * shapes.h shapes.c: Shapes as profilers write them, as text
 * source.h source.c: Source: the bytes of a trace, plain or gzip, from a file, a pipe or memory,
 *     as a window that slides over them
 * span.h span.c: Span: one complete piece of time in a trace, whatever file it came from
 * spans.c: From Chrome events to spans: phases, names, kinds, and what is mended on the way
 * tensorrt.c: TensorRT's trtexec: --exportProfile (a mean time per layer), --exportTimes (the
 *     stages of every inference), --exportLayerInfo (the engine's layers, without times)
 * tensorrt_summary.c: What trtexec says about a run without a span of it: its log, and the same
 *     as JSON
 * trace_formats.h trace_formats.c trace_formats.def: The table of formats (trace_formats.def)
 * utf8.h utf8.c: UTF-8: validity of one sequence */
