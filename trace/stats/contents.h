/* trace/stats/ computes figures per inference and per operator from spans.
 *
 * application: Measures the work of the application around each inference.
 * assign: Assigns host spans and tasks to inferences (the rule is in stats.h).
 * compiles: Sums the time of compiling before and after the service began.
 * database: Writes a trace as an SQLite database that is ready for SQL.
 * executions: Assigns operators to tasks and computes Total, Run and IoWait of each task.
 * files: Decides whether a file is a run, a part of one, or a repetition.
 * gather: Gathers the spans of the statistics in rows as they come.
 * hosts: Groups host spans by inference.
 * label_inferences: Counts inferences by a label of the user's, where nothing else tells them.
 * lanes: Recognises lanes of the NPU in the names of a trace's processes and threads.
 * load: Measures how busy a run kept its workers and devices, by the operational laws.
 * name_table: Computes figures per name (count, mean, median, extremes), sorted by total.
 * others: Computes figures per name of the spans that are in no other table.
 * path: Attributes the latency of an inference to spans, instant by instant.
 * percentile: Computes distributions with percentiles as the vendor or trtexec prints them.
 * rows: Holds a long list in chunks, which are freed one by one while it is read again.
 * stats: Computes figures of inferences and operators from one or several files.
 * time_window: Drops what is outside a window of time from the gathered rows.
 * waits: Assigns a task to the inference that waits for it, where the trace shows the wait.
 * warmup: Finds the first inferences of a run, while caches fill and clocks rise. */
