/* advisor/render/tables/ defines the tables that `npu-advise trace` prints, and sums up many
 * models.
 *
 * set_summary.h set_summary.c: Sums up a set of results, with a short row per model, for the
 *     terminal and for the page.
 * set_sums.c: Adds up times, savings and findings over the results of many models.
 * trace_cell.h trace_cell.c: Describes a cell of a table of `npu-advise trace`: a value and how
 *     it is shown.
 * trace_engine.c: Defines the table of what trtexec sums up about its queries, for files that
 *     hold no spans.
 * trace_guide.c: Defines the five tables of the vendor's guide: summary, inferences, NPU
 *     executions, NPU operators and host operators.
 * trace_labels.c: Defines the tables of user labels (profiler.record): their spans, and the
 *     latency within them.
 * trace_latency_path.c: Defines the table of where the latency is spent.
 * trace_merge.h trace_merge.c: Writes the trace again with predictions and recommendations in
 *     an extra process.
 * trace_nodes.h trace_nodes.c: Finds the node of the model that a runtime's operator executes.
 * trace_operators.h trace_operators.c: Lists the operators of a trace, most expensive first:
 *     time, what each computed and moved, shapes.
 * trace_out.h trace_out.c: Prints trace statistics as text, JSON, NDJSON or CSV.
 * trace_profile.c: Defines the table of operators by time, with the work that each does.
 * trace_program_rows.c: Builds a row for each operator of a program that the trace has
 *     measured.
 * trace_span_names.c: Collects the names of all spans from the three lists of the statistics.
 * trace_stages.c: Defines the tables of what surrounds the operators: transfers and runtime
 *     calls; compilation and registration.
 * trace_tables.h trace_tables.c: Declares the tables of `npu-advise trace`, each a list of
 *     columns and a function that fills a row.
 * trace_usage.c: Defines the table of how busy the NPU was. */
