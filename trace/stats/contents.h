/* trace/stats/: from spans to figures per inference and per operator.
 *
 * application.h application.c: Application: what the program around the runtime does for each
 *     inference, by the labels that it put into the trace
 * assign.c: Which inference a host span or a task belongs to (the rule is in stats.h)
 * compiles.c: Compiling: how much of it before the service began, and how much after
 * database.h database.c: Trace as an SQLite database: tables spans, inferences, executions and
 *     operators, ready for SQL. Spans are written as they are read; memory does not grow with the
 *     trace
 * executions.c: Tasks and the operators inside them: NPU Total, Run, IoWait
 * files.h files.c: Files: what each of several files is to the statistics: a run of its own, a
 *     part of a run, or what another file has said already; private to the statistics
 * gather.h gather.c: Gather: the spans that statistics are made of, sorted into rows as they
 *     come;
 * name_table.c: Per-name figures: count, mean, median, extremes, sorted by total
 * hosts.c: Host spans, grouped by inference
 * lanes.c: Lanes of the NPU, by the names that a trace gives its processes and threads
 * load.h load.c: Load: how busy a run kept what serves it, by the operational laws
 * others.c: Figures per name of the spans that are in no other table
 * path.h path.c: Path: where the latency of an inference goes, instant by instant
 * percentile.c: Distributions as the vendor prints them: pandas' linear percentiles, cut to
 *     integers
 * rows.h rows.c: Rows: a long list in chunks, which are given back one by one while it is read
 *     again, so that moving a list into its final place needs its memory once and not twice
 * stats.h stats.c: TraceStats: what the spans of one or several files say about inferences and
 *     operators
 * time_window.c: A window of time over what was gathered
 * waits.c: Which inference a task belongs to, where the trace shows who waits for it
 * warmup.c: Warm-up: the first inferences of a run, while caches fill and clocks rise */
