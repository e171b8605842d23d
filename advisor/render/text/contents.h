/* advisor/render/text/ prints results for the terminal.
 *
 * text_compiled.h text_compiled.c: Prints a compiled graph with its measured times as text.
 * text_diff.c: Prints a comparison of two results or traces as text.
 * text_finding.h text_finding.c: Prints plans as tables, work by hand, and with --verbose what
 *     each finding is about.
 * text_fleet.c: Prints a comparison of two fleets as text.
 * text_front.h text_front.c: Prints the Pareto front of the configurations that were looked at.
 * text_gate.h text_gate.c: Prints the gate of a result as text.
 * text_label.h text_label.c: Prints lines that begin with a label, and those that results of a
 *     model and of a compiled graph share.
 * text_out.h text_out.c: Writes wrapped, indented and optionally coloured text for a terminal
 *     of 80 columns.
 * text_result.c: Prints the result of one model as text, from how slow it is and where to the
 *     plans and the command that writes the recommended one.
 * text_rule.c: Prints what a rule looks for, what to change in which SDK, and what it risks.
 * text_set.h text_set.c: Prints the models of a run, one line each, and why some did not pass. */
