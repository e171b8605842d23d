/* trace/readers/ reads trace files as a stream of spans.
 *
 * chrome: Reads any Chrome trace, whose spans have no known meaning.
 * digits: Reads plain decimal numbers in a window (see scan.h), several digits at a time.
 * engine: Holds what trtexec measured of one engine, from all of its files.
 * engine_facts: Fills in the facts about an engine's run that the readers of its files find.
 * engine_json: Reads the JSON files of an engine (profile, times of queries, metadata).
 * engine_log: Reads the log that trtexec prints.
 * engine_parts: Declares what the readers of an engine's files share.
 * furiosa: Reads traces of the Furiosa runtime, SDK 0.7 to 0.10, and of npu-exec.
 * furiosa_csv: Reads the vendor's DataFrame as CSV and the tables that its methods print.
 * json: Finds the events in a JSON text, which are in an array, in an object, or one per line.
 * json_check: Checks whether a text is JSON to the letter (RFC 8259).
 * megengine: Reads traces and profiles of MegEngine.
 * names: Interns every distinct span name and category.
 * onnxruntime: Reads profiles of ONNX Runtime in all known forms.
 * pair: Pairs begin and end events, B/E and asynchronous ones, to complete spans.
 * pytorch: Reads traces of the PyTorch profiler and Kineto.
 * reader: Reads traces as a stream of complete spans (X, matched B/E and async pairs).
 * readers: Declares the formats of traces, which trace_formats.h lists.
 * recognise: Tells the format of a trace by its beginning: by its keys, and by the categories and
 *     names of the events there.
 * rknn: Tells of a row of RKNN's layer table what a span of it has.
 * scan: Scans JSON text in a window without allocation.
 * scan_event: Scans one trace event for the known keys and skips all others.
 * shapes: Formats shapes, which profilers write as lists, as text.
 * source: Reads the bytes of a trace, plain or gzip, as a sliding window.
 * span: Describes one complete piece of time in a trace, whatever file it came from.
 * spans: Turns Chrome events into spans with kinds, and repairs broken ones.
 * tensorrt: Reads the files of TensorRT's trtexec that are lists of queries or layers.
 * tensorrt_summary: Reads what trtexec says about a run as a whole: its log, the same as JSON
 *     (*.metadata.json of TensorRT's engine explorer), and the profile of the layers, of which each
 *     is one span.
 * trace_formats: Gives access to the table of formats.
 * utf8: Checks UTF-8, and guesses what other text is: CP949 (Korean Windows), Shift-JIS or GBK. */
