/* advisor/cli/ holds main, the subcommands and the help.
 *
 * advise_many: Advises about many models in one run.
 * advise_one: Advises about one model and applies the gate.
 * bundle_report: Prints which files a bundle consists of and which command continues with it, for
 *     `apply` and `tune`.
 * cmd_advise: Implements `npu-advise MODEL…`, which prints changes and the time that each saves.
 * cmd_apply: Implements `npu-advise apply MODEL`, which writes a plan's model and settings.
 * cmd_calibrate: Implements `npu-advise calibrate`, which fits the cost model to the user's traces.
 * cmd_compile: Implements `npu-advise compile`, which shows the model as compiled, and why.
 * cmd_diff: Implements `npu-advise diff A B`, which compares two results (JSON written with
 *     --json), two traces, or two fleets (--sqlite).
 * cmd_doctor: Implements `npu-advise doctor`, which checks that what the program needs is sound.
 * cmd_explain: Implements `npu-advise explain WORD`, which explains a rule or a word of a screen.
 * cmd_facts: Implements `npu-advise facts`, which prints the document that rules match.
 * cmd_inspect: Implements `npu-advise inspect`, which lists tensors, MACs, totals and unknowns.
 * cmd_merge: Implements `npu-advise merge PART…`, which joins the parts of a run into one result.
 * cmd_quantize: Implements `npu-advise quantize MODEL`, which converts a float model to int8.
 * cmd_rules: Implements `npu-advise rules`, which prints the catalogue of rules.
 * cmd_shards: Implements `npu-advise plan MODEL…`, which writes what a run over many models covers,
 *     for shards and `merge`.
 * cmd_show: Implements `npu-advise show RESULT`, which prints a saved result in any form, without
 *     running its gate.
 * cmd_trace: Implements `npu-advise trace`, which prints the vendor's tables from any trace.
 * cmd_tune: Implements `npu-advise tune MODEL`, which searches the best plans and the Pareto front.
 * cmd_validate: Implements `npu-advise validate`, which compares the cost model with real chips.
 * confine: Confines the process to the folders of its command line, before it reads any file.
 * help: Prints the tables of commands and options as help, manual page and shell completions.
 * help_shell: Prints the manual page and the shell completions from the same tables as --help.
 * main: Reads the command line, runs one command, and prints its notes and errors.
 * output: Sends results where the options say, to files (renamed once they are whole) or to stdout.
 * progress: Shows how far a long run is, on one line of the terminal that it overwrites.
 * shards_args: Merges a plan of shards into the command line, and says what it decides about files.
 * trace_query: Selects the operators that `npu-advise trace` shows, and their program.
 * values: Lists values of options that only data files know, such as languages and targets. */
