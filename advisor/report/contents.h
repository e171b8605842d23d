/* advisor/report/ derives from a result document what several outputs print.
 *
 * accuracy_text.h accuracy_text.c: Formats accuracy figures as sentences.
 * command_words.h command_words.c: Builds the command line that reproduces a result from the
 *     result alone.
 * finding.h finding.c: Iterates over the changes, the work by hand and the observations of a
 *     result.
 * render.h: Declares the renderers that print a result tree as text or as one HTML page.
 * result_json.h result_json.c: Reads and writes results as JSON (docs/schema/result.json).
 * result_set.h result_set.c: Holds the results that an output is made of, in the order of their
 *     models.
 * settings_line.h settings_line.c: Describes in one line, for every output, how a settings file
 *     changed the checks.
 * setup_text.h setup_text.c: Describes how a run was set up, from the result, in the words that
 *     every renderer shares.
 * summary.h summary.c: Derives from the result what several renderers need, so that terminal
 *     and page never disagree.
 * verdict.h verdict.c: Words what a result says is slow, and what comes of it. */
