/* advisor/options/: the option table, settings files, what a subcommand is.
 *
 * args.h args.c: The command line of npu-advise: one option table, from which parsing, --help,
 *     man page and completions come
 * command.h: Subcommands: one file advisor/cli/cmd_<name>.c each, defining `const Command
 *     cmd_<name>`, and one line in advisor/cli/commands.def
 * config.h config.c: npu-advise.json: what a project wants checked, kept beside its models
 * config_find.c: Which settings files hold for a model, and whose they are
 * config_parts.h: What finding, reading and judging settings share
 * config_read.c: Reading one npu-advise.json
 * options.def: Options of npu-advise beside the compile options (graph/compile/options.h)
 * trace_tables.def: The tables of `npu-advise trace` in the guide's order */
