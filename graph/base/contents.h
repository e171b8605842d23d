/* graph/base/ holds memory, errors, files, maps, XML and random numbers, which all modules use.
 *
 * arena.h arena.c: Hands out memory that is freed all at once.
 * compare.h: Compares two numbers for qsort, and takes the minimum and the maximum.
 * data.h data.c: Finds the data files that ship (rules, schemas, targets, languages, silicons).
 * diag.h diag.c: Reports bad input as a Status and one line of text.
 * enum_words.h: Defines the function that gives the word of each value of an enum.
 * executable.h executable.c: Finds the folder of the running program and programs beside it.
 * exit_cleanup.h exit_cleanup.c: Removes temporary files when a signal or error ends the
 *     process.
 * file.h file.c: Reads input files and writes output files that readers never see half
 *     finished.
 * folder.h folder.c: Lists the files of a folder.
 * language.h language.c: Finds the words of a message in the user's language.
 * limits.h limits.c: Limits the memory and processor time of the process, and allocates.
 * list.h: Asks the elements of an array one question, and adds up what they answer.
 * log_command.h log_command.c: Recognises text that a CI log would take for a command.
 * message.h message.c: Builds the messages that people read from an id and typed arguments.
 * notes.h notes.c: Collects facts that the user must know, at most one per cause.
 * quantity.h quantity.c: Formats quantities with a unit and three significant digits.
 * random.h random.c: Draws random numbers that depend only on their key.
 * sandbox.h sandbox.c: Restricts what the process may do once it reads files of strangers.
 * statistics.h statistics.c: Sorts numbers and computes medians and quantiles of samples.
 * strmap.h strmap.c: Maps strings to 32-bit ids in a hash table.
 * suggest.h suggest.c: Suggests the nearest known word for one that is misspelt.
 * wrap.h wrap.c: Wraps help text at the width of the terminal.
 * xml.h xml.c: Reads XML data files and checks them against RELAX NG schemas. */
