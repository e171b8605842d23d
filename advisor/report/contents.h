/* advisor/report/ derives from a result document what several outputs print.
 *
 * accuracy_text: Formats accuracy figures as sentences.
 * assertion: Says an assertion of the gate in a sentence, for the screen and every other form.
 * command_words: Builds the command line that reproduces a result from the result alone.
 * finding: Iterates over the changes, the work by hand and the observations of a result.
 * render: Declares the renderers that print a result tree as text or as one HTML page.
 * result_json: Reads and writes results as JSON (docs/schema/result.json).
 * result_set: Holds the results that an output is made of, in the order of their models.
 * settings_line: Describes in one line, for every output, how a settings file changed the checks.
 * setup_text: Describes how a run was set up, from the result, in words that all renderers share.
 * summary: Derives from the result what several renderers need, so that they never disagree.
 * verdict: Words what a result says is slow, and what comes of it. */
