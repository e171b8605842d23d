/* advisor/render/text/: results for the terminal.
 *
 * text_compiled.h text_compiled.c: A compiled graph with its measured times, as text
 * text_diff.c: A comparison as text
 * text_finding.h text_finding.c: The recommendations of a result as text, and what follows them
 * text_fleet.c: A comparison of two fleets as text
 * text_gate.h text_gate.c: The gate of a result as text
 * text_label.h text_label.c: Lines that begin with a label, and those that results of a model and
 *     of a compiled graph share
 * text_out.h text_out.c: TextOut: wrapped, indented, perhaps coloured text for a terminal of 80
 *     columns
 * text_result.c: The result as text: verdict, where the time goes, ceiling, findings of three
 *     lines, what was left out, and the exact next command
 * text_rule.c: One rule as text: what it looks for, what to change in which SDK, what it risks
 * text_set.h text_set.c: The models of a run, one line each
 * text_tune.c: The document of `npu-advise tune` as text */
