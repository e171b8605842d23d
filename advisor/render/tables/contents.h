/* advisor/render/tables/: what `npu-advise trace` prints, and what many models are told by.
 *
 * set_summary.h set_summary.c: A short row about each model of a run
 * set_sums.c: What the results of many models say together
 * trace_cell.h trace_cell.c: A cell of a table of `npu-advise trace`: a value and how it is shown
 * trace_engine.c: What trtexec sums up of its queries, where a file holds that and no spans
 * trace_guide.c: The five tables of the vendor's guide: summary, inferences, NPU executions, NPU
 *     operators and host operators
 * trace_labels.c: User labels (profiler.record): their spans, and the latency within them
 * trace_latency_path.c: The table of where the latency goes
 * trace_merge.h trace_merge.c: The trace once more, with what we say about it beside it: an extra
 *     process that holds the predicted steps and operators of one inference, laid end to end from
 *     where the median measured one begins, and a row for each recommendation, at the step that
 *     it is about
 * trace_nodes.h trace_nodes.c: TraceNodes: which node of the model a runtime's operator is
 * trace_operators.h trace_operators.c: Operators of a trace, most expensive first: time, what it
 *     computed and moved, shapes
 * trace_out.h trace_out.c: Printing trace statistics: text, JSON, NDJSON, CSV. Streams row by
 *     row: a trace of a million inferences needs no tree
 * trace_profile.c: The table of operators by time, with the work each does
 * trace_program_rows.c: Rows of the operators of a program that a trace has measured
 * trace_span_names.c: Names of all spans, from the three lists of the statistics
 * trace_stages.c: The tables of what surrounds the operators: transfers and runtime calls;
 *     compile and register
 * trace_tables.h trace_tables.c: The tables of `npu-advise trace`: each is a list of columns and
 *     a function that gives a cell, so that text, JSON, NDJSON and CSV show the same figures
 * trace_usage.c: How busy the NPU was */
