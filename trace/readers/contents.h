/* trace/readers/ reads trace files as a stream of spans.
 *
 * chrome.c: Reads any Chrome trace, whose spans have no known meaning.
 * digits.h: Reads plain decimal numbers in a window (see scan.h), several digits at a time.
 * engine.h engine.c: Holds what trtexec measured of one engine, from all of its files.
 * engine_facts.c: Fills in what the readers of an engine's files find out about its run.
 * engine_json.c: Reads the JSON files of an engine (profile, times of queries, metadata).
 * engine_log.c: Reads the log that trtexec prints.
 * engine_parts.h: Declares what the readers of an engine's files share.
 * furiosa.c: Reads traces of the Furiosa runtime, SDK 0.7 to 0.10, and of npu-exec.
 * furiosa_csv.c: Reads the vendor's DataFrame as CSV and the tables that its methods print.
 * json.c: Finds the events in a JSON text, which are in an array, in an object, or one per
 *     line.
 * json_check.h json_check.c: Checks whether a text is JSON to the letter (RFC 8259).
 * megengine.c: Reads traces and profiles of MegEngine.
 * names.h names.c: Interns every distinct span name and category.
 * onnxruntime.c: Reads profiles of ONNX Runtime in all known forms.
 * pair.h pair.c: Pairs begin and end events, B/E and asynchronous ones, to complete spans.
 * pytorch.c: Reads traces of the PyTorch profiler and Kineto.
 * reader.h reader.c: Reads traces as a stream of complete spans (X, matched B/E and async
 *     pairs).
 * readers.h: Declares the formats of traces, which trace_formats.h lists.
 * recognise.h recognise.c: Tells the format of a trace by its beginning: by its keys, and by
 *     the categories and names of the events there.
 * scan.h scan.c: Scans JSON text in a window without allocation.
 * scan_event.c: Scans one trace event for the known keys and skips all others.
 * shapes.h shapes.c: Formats shapes, which profilers write as lists, as text.
 * source.h source.c: Reads the bytes of a trace, plain or gzip, as a sliding window.
 * span.h span.c: Describes one complete piece of time in a trace, whatever file it came from.
 * spans.c: Turns Chrome events into spans with kinds, and repairs broken ones.
 * strangers.def: Lists files of other tools that people give as traces.
 * tensorrt.c: Reads the files of TensorRT's trtexec that are lists of queries or layers.
 * tensorrt_summary.c: Reads what trtexec says about a run as a whole: its log, the same as JSON
 *     (*.metadata.json of TensorRT's engine explorer), and the profile of the layers, of which
 *     each is one span.
 * trace_formats.h trace_formats.c trace_formats.def: Gives access to the table of formats.
 * utf8.h utf8.c: Checks UTF-8, and guesses what a text is that is not: CP949 (Korean Windows),
 *     Shift-JIS or GBK. */
