/* advisor/cli/ holds main, the subcommands and the help.
 *
 * advise_many.h advise_many.c: Advises about many models in one run.
 * advise_one.h advise_one.c: Advises about one model and applies the gate.
 * bundle_report.h bundle_report.c: Prints which files a bundle consists of and which command
 *     continues with it, for `apply` and `tune`.
 * cmd_advise.c: Implements `npu-advise MODEL…`, which prints what to change and how much time
 *     each change saves.
 * cmd_apply.c: Implements `npu-advise apply MODEL`, which writes the changed model and the
 *     settings of a plan.
 * cmd_calibrate.c: Implements `npu-advise calibrate`, which fits the figures of the cost model
 *     to the user's own traces.
 * cmd_compile.c: Implements `npu-advise compile`, which shows the model as the NPU's compiler
 *     would make it, and why.
 * cmd_diff.c: Implements `npu-advise diff A B`, which compares two results (JSON written with
 *     --json), two traces, or two fleets (--sqlite).
 * cmd_doctor.c: Implements `npu-advise doctor`, which checks that everything the program needs
 *     is where it looks for it, and is sound.
 * cmd_explain.c: Implements `npu-advise explain RULE`, which prints everything that the rule's
 *     file says, offline.
 * cmd_facts.c: Implements `npu-advise facts`, which prints the document that rules are matched
 *     against.
 * cmd_inspect.c: Implements `npu-advise inspect`, which lists types and shapes of every tensor,
 *     MACs of every node, totals, and unknowns.
 * cmd_merge.c: Implements `npu-advise merge PART…`, which turns the parts of one run over many
 *     models into every output, and one status.
 * cmd_quantize.c: Implements `npu-advise quantize MODEL`, which converts a float model to int8,
 *     with ranges found on data.
 * cmd_rules.c: Implements `npu-advise rules`, which prints the catalogue of rules.
 * cmd_shards.c: Implements `npu-advise plan MODEL…`, which writes what a run over many models
 *     covers, for shards and `merge`.
 * cmd_show.c: Implements `npu-advise show RESULT`, which prints a saved result in any form,
 *     without running its gate.
 * cmd_trace.c: Implements `npu-advise trace`, which prints the tables of the vendor's guide
 *     from any trace.
 * cmd_tune.c: Implements `npu-advise tune MODEL`, which searches the best set of changes and
 *     settings, and the Pareto front.
 * cmd_validate.c: Implements `npu-advise validate`, which prints how far the cost model is from
 *     published measurements of real chips.
 * commands.c: Holds the table of subcommands that commands.def lists.
 * confine.h confine.c: Confines the process to the folders that a command line needs, before it
 *     reads any file of a stranger.
 * help.h help.c: Prints the tables of commands and options as help text, as a manual page and
 *     as shell completions.
 * help_shell.c: Prints the manual page and the shell completions from the same tables as
 *     --help.
 * main.c: Reads the command line, runs one command, and prints its notes and errors.
 * output.h output.c: Sends results where the options say, to files (renamed once they are
 *     whole) or to stdout.
 * progress.h progress.c: Shows how far a long run is, on one line of the terminal that it
 *     overwrites.
 * shards_args.h shards_args.c: Merges a plan of shards (--plan) into the command line, and says
 *     what a plan decides about files.
 * trace_query.h trace_query.c: Selects the operators of a trace that `npu-advise trace` shows,
 *     and the program that they belong to.
 * values.h values.c: Lists the values of options that only the data files know: languages,
 *     targets, rules and others. */
