/* advisor/options/ holds the option table, settings files, and the definition of a subcommand.
 *
 * args.h args.c: Parses the command line of npu-advise against one table of options.
 * command.h: Defines a subcommand of npu-advise by its name, help, options and function.
 * config.h config.c: Reads npu-advise.json: the settings and checks that a project keeps beside
 *     its models.
 * config_find.c: Finds the settings files that apply to a model and checks who owns them.
 * config_parts.h: Declares the functions that find and read the settings files of a model.
 * config_read.c: Reads one npu-advise.json and checks the type of each value.
 * options.def: Lists the options of npu-advise; the compile options are in
 *     graph/compile/options.h.
 * trace_tables.def: Lists the tables of `npu-advise trace` in the order of the guide. */
