/* graph/base/ holds memory, errors, files, maps, XML and random numbers, which all modules use.
 *
 * arena: Hands out memory that is freed all at once.
 * compare: Compares two numbers for qsort, and takes the minimum and the maximum.
 * data: Finds the data files that ship (rules, schemas, targets, languages, silicons).
 * diag: Reports bad input as a Status and one line of text.
 * enum_words: Defines the function that gives the word of each value of an enum.
 * executable: Finds the folder of the running program and programs beside it.
 * exit_cleanup: Removes temporary files when a signal or error ends the process.
 * file: Reads input files and writes output files that readers never see half finished.
 * folder: Lists the files of a folder.
 * language: Finds the words of a message in the user's language.
 * libc: Includes the headers of the C library that many files use; it comes with every header.
 * limits: Limits the memory and processor time of the process, and allocates.
 * list: Asks the elements of an array one question, and adds up what they answer.
 * log_command: Recognises text that a CI log would take for a command.
 * message: Builds the messages that people read from an id and typed arguments.
 * notes: Collects facts that the user must know, at most one per cause.
 * quantity: Formats quantities with a unit and three significant digits.
 * random: Draws random numbers that depend only on their key.
 * sandbox: Restricts what the process may do once it reads files of strangers.
 * statistics: Sorts numbers and computes medians and quantiles of samples.
 * strmap: Maps strings to 32-bit ids in a hash table.
 * wording: Words texts without a message id, such as errors and help, in the user's language.
 * wrap: Wraps help text at the width of the terminal.
 * xml: Reads XML data files and checks them against RELAX NG schemas. */
