/* advisor/render/tables/ defines the tables that `npu-advise trace` prints, and sums up many
 * models.
 *
 * set_summary: Sums up a set of results, with a short row per model, for terminal and page.
 * set_sums: Adds up times, savings and findings over the results of many models.
 * trace_cell: Describes a cell of a table of `npu-advise trace`: a value and how it is shown.
 * trace_engine: Defines the table of trtexec's sums over its queries, for files without spans.
 * trace_guide: Defines the five tables of the vendor's guide: summary, inferences, NPU executions,
 *     NPU operators and host operators.
 * trace_labels: Defines the tables of user labels (profiler.record): spans, and the latency within.
 * trace_latency_path: Defines the table of where the latency is spent.
 * trace_merge: Writes the trace again with predictions and recommendations in an extra process.
 * trace_nodes: Finds the node of the model that a runtime's operator executes.
 * trace_operators: Lists the operators of a trace, most expensive first: time, what each computed
 *     and moved, shapes.
 * trace_out: Prints trace statistics as text, JSON, NDJSON or CSV.
 * trace_profile: Defines the table of operators by time, with the work that each does.
 * trace_program_rows: Builds a row for each operator of a program that the trace has measured.
 * trace_span_names: Collects the names of all spans from the three lists of the statistics.
 * trace_stages: Defines the tables of what surrounds the operators: transfers and runtime calls;
 *     compilation and registration.
 * trace_tables: Declares the tables of `npu-advise trace`, each a list of columns and a function
 *     that fills a row.
 * trace_usage: Defines the table of how busy the NPU was. */
