/* advisor/render/text/ prints results for the terminal.
 *
 * text_compiled: Prints how long a compiled graph takes, its slowest layers, and their limits.
 * text_diff: Prints a comparison of two results or traces as text.
 * text_finding: Prints one table row for each change of a plan, with its setting below it.
 * text_fleet: Prints a comparison of two fleets as text.
 * text_front: Prints one row for each point, with its settings, and how much was searched.
 * text_gate: Prints each assertion that fails or is undecided, and counts those that hold.
 * text_label: Prints a note, and how many rows are left.
 * text_parts: Declares the parts of a result in text, each in a file text_<what>.c, and what they
 *     share.
 * text_result: Prints the result of one model as text, from how slow it is and where to the plans
 *     and the command that writes the recommended one.
 * text_rule: Prints what a rule looks for, what to change in which SDK, and what it risks; XPath
 *     and levers with --verbose alone.
 * text_set: Prints a row per model from the summary of the set, under a heading for each file
 *     with several settings. */
