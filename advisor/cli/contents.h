/* advisor/cli/: main, the subcommands, help.
 *
 * advise_many.h advise_many.c: Advising about many models in one run
 * advise_one.h advise_one.c: Advising about one model, gate included
 * bundle_report.h bundle_report.c: What a bundle that was written consists of, and the command
 *     that goes on with it
 * cmd_advise.c: npu-advise MODEL: what to change, and what it gains
 * cmd_apply.c: npu-advise apply MODEL: writes the changed model and settings of chosen
 *     recommendations
 * cmd_calibrate.c: npu-advise calibrate: fits the figures of the cost model to the user's own
 *     traces
 * cmd_compile.c: npu-advise compile: the model as the NPU's compiler would have it, and why
 * cmd_diff.c: npu-advise diff A B: two results (JSON written with --json) or two traces
 * cmd_doctor.c: npu-advise doctor: is everything that the program needs where it looks for it,
 *     and sound?
 * cmd_explain.c: npu-advise explain RULE: everything the rule's file says, offline
 * cmd_facts.c: npu-advise facts: the document that rules are matched against
 * cmd_inspect.c: npu-advise inspect: what a model consists of: types and shapes of every tensor,
 *     MACs of every node, totals, and what is unknown
 * cmd_merge.c: npu-advise merge: the parts of a run over many models
 * cmd_plan.c: npu-advise plan MODEL…: what a run over many models has to do, as data
 * cmd_quantize.c: npu-advise quantize MODEL: a float model as 8-bit codes, with ranges found on
 *     data
 * cmd_rules.c: npu-advise rules: the catalogue
 * cmd_show.c: npu-advise show RESULT: what was found before, in any form, judged by nobody
 * cmd_trace.c: npu-advise trace: the tables of the vendor's guide, from any trace
 * cmd_tune.c: npu-advise tune: the best set of changes and settings, and what nothing beats
 * cmd_validate.c: npu-advise validate: prints how far the model is from published silicon
 *     measurements
 * commands.c commands.def: The table of subcommands
 * confine.h confine.c: Which folders a command line needs, and the sandbox around them
 * help.h help.c: Help: the same tables as text, manual page and shell completions
 * help_shell.c: The manual page and the shell completions, printed from the same tables as --help
 * main.c: npu-advise: reads the command line, runs one command, prints what it leaves behind
 * output.h output.c: Where results go: files by rename, or stdout
 * progress.h progress.c: How far a long run is, on one line of a terminal
 * shards_args.h shards_args.c: A plan taken into the command line
 * trace_query.h trace_query.c: TraceQuery: which operators of a trace `npu-advise trace` shows,
 *     from its options, and the program that they belong to
 * validate_advice_command.h validate_advice_command.c: `validate --advice`: the advisor's report
 *     card
 * values.h values.c: Values of options that only the data know: languages, targets, rules … */
