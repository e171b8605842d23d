/* graph/base/: what everything stands on: memory, errors, files, maps, XML, random numbers.
 *
 * arena.h arena.c: Arena: memory that lives and dies together
 * compare.h: Comparing numbers
 * data.h data.c: The data files that ship: rules with their schemas, targets and languages, and
 *     the silicons
 * diag.h diag.c: Errors
 * executable.h executable.c: Where the running program lies
 * exit_cleanup.h exit_cleanup.c: Leaving at once: what a signal or a limit must not leave behind
 * file.h file.c: Files in and out
 * folder.h folder.c: Listing a folder
 * language.h language.c: Languages: the words for each saying
 * limits.h limits.c: Limits of the whole process, and allocation that never fails
 * log_command.h log_command.c: What the log of a CI would take for a command
 * message.h message.c: What is said to people: a saying and its arguments, and the sentence of
 *     them
 * notes.h notes.c: Notes: facts the user must know although the run goes on
 * option.h option.c option_groups.def: Options of a command line: what one is, the heads that
 *     help lists them under, and reading a value
 * quantity.h quantity.c: Quantities as people read them: the unit is chosen per value, three
 *     significant digits
 * random.h random.c: Counter-based random numbers: the value depends only on its key, never on
 *     how many were drawn before, so that an added event shifts no other draw and paired runs
 *     share their noise
 * sandbox.h sandbox.c: What the process may still do once it reads what strangers wrote
 * statistics.h statistics.c: Statistics: sorting numbers, and the middle and the quantiles of
 *     samples
 * strmap.h strmap.c: StrMap: strings to 32-bit ids, open addressing
 * suggest.h suggest.c: "Did you mean": the nearest word by edit distance
 * wrap.h wrap.c: Text in columns, for help: wrapped at the width of the terminal
 * xml.h xml.c: XML data files (rules, targets, silicon, calibration): read and checked against
 *     RELAX NG */
