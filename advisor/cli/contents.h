/* advisor/cli/ holds main, the subcommands and the help.
 *
 * advise_many: Advises about many models in one run.
 * advise_one: Advises about one model and applies the gate.
 * bundle_report: Prints which files a bundle consists of and which command continues with it, for
 *     `apply` and `tune`.
 * cmd_advise: Implements `npu-advise MODEL…`, which prints what to change and how much time each
 *     change saves.
 * cmd_apply: Implements `npu-advise apply MODEL`, which writes the changed model and the settings
 *     of a plan.
 * cmd_calibrate: Implements `npu-advise calibrate`, which fits the figures of the cost model to the
 *     user's own traces.
 * cmd_compile: Implements `npu-advise compile`, which shows the model as the NPU's compiler would
 *     make it, and why.
 * cmd_diff: Implements `npu-advise diff A B`, which compares two results (JSON written with
 *     --json), two traces, or two fleets (--sqlite).
 * cmd_doctor: Implements `npu-advise doctor`, which checks that everything the program needs is
 *     where it looks for it, and is sound.
 * cmd_explain: Implements `npu-advise explain WORD`, which prints everything that a rule's file
 *     says, or what a word of a screen means, offline.
 * cmd_facts: Implements `npu-advise facts`, which prints the document that rules match.
 * cmd_inspect: Implements `npu-advise inspect`, which lists types and shapes of every tensor, MACs
 *     of every node, totals, and unknowns.
 * cmd_merge: Implements `npu-advise merge PART…`, which turns the parts of one run over many models
 *     into every output, and one status.
 * cmd_quantize: Implements `npu-advise quantize MODEL`, which converts a float model to int8, with
 *     ranges found on data.
 * cmd_rules: Implements `npu-advise rules`, which prints the catalogue of rules.
 * cmd_shards: Implements `npu-advise plan MODEL…`, which writes what a run over many models covers,
 *     for shards and `merge`.
 * cmd_show: Implements `npu-advise show RESULT`, which prints a saved result in any form, without
 *     running its gate.
 * cmd_trace: Implements `npu-advise trace`, which prints the vendor's tables from any trace.
 * cmd_tune: Implements `npu-advise tune MODEL`, which searches the best set of changes and
 *     settings, and the Pareto front.
 * cmd_validate: Implements `npu-advise validate`, which prints how far the cost model is from
 *     published measurements of real chips.
 * confine: Confines the process to the folders that a command line needs, before it reads any file
 *     of a stranger.
 * help: Prints the tables of commands and options as help, manual page and shell completions.
 * help_shell: Prints the manual page and the shell completions from the same tables as --help.
 * main: Reads the command line, runs one command, and prints its notes and errors.
 * output: Sends results where the options say, to files (renamed once they are whole) or to stdout.
 * progress: Shows how far a long run is, on one line of the terminal that it overwrites.
 * shards_args: Merges a plan of shards (--plan) into the command line, and says what a plan decides
 *     about files.
 * trace_query: Selects the operators of a trace that `npu-advise trace` shows, and the program that
 *     they belong to.
 * values: Lists values of options that only data files know, such as languages and targets. */
