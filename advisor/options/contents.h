/* advisor/options/ holds the option table, settings files, and the definition of a subcommand.
 *
 * args: Parses the command line of npu-advise by the table of options (graph/options/options.xml).
 * command: Defines a subcommand of npu-advise by its name, help and function.
 * config: Reads npu-advise.json: the settings and checks that a project keeps beside its models.
 * config_find: Finds the settings files that apply to a model and checks who owns them.
 * config_parts: Declares the functions that find and read the settings files of a model.
 * config_read: Reads one npu-advise.json and checks the type of each value. */
