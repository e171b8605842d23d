/* advisor/report/ derives from a result document what several outputs print.
 *
 * accuracy_text.h accuracy_text.c: Formats accuracy figures as sentences.
 * finding.h finding.c: Iterates over the recommendations and observations of a result, and
 *     reads their savings.
 * render.h: Declares the renderers that print a result tree as text or as one HTML page.
 * result_json.h result_json.c: Reads and writes results as JSON (docs/schema/result.json), and
 *     writes those of `tune`.
 * result_set.h result_set.c: Holds the results that an output is made of, in the order of their
 *     models.
 * settings_line.h settings_line.c: Describes in one line, for every output, how a settings file
 *     changed the checks.
 * setup_text.h setup_text.c: Describes how a run was set up, from the result, in the words that
 *     every renderer shares.
 * summary.h summary.c: Derives from the result what several renderers need, so that terminal
 *     and page never disagree.
 * summary_total.h summary_total.c: Computes the objective before and after the recommended
 *     changes, for the first line of every output.
 * verdict.h verdict.c: Formats the verdict of a result as one sentence, the same in every
 *     output. */
