/* advisor/render/program/ shows models, compiled programs and imported graphs as text, JSON
 * and DOT.
 *
 * imported_advice.c: Derives from the structure of a compiled graph what its maker can change;
 *     it cannot tell times.
 * imported_show.h imported_show.c: Shows a compiled graph that another tool made.
 * inspect.h: Shows a model as one JSON tree (docs/schema/inspect.json), and as a text made from
 *     that tree.
 * inspect_json.c: Builds the JSON tree of `inspect` from a model with inferred shapes.
 * inspect_text.c: Prints the tree of `inspect` as text, with inputs, outputs, operator types by
 *     MACs, totals, and the first unknowns.
 * lowered.h: Shows a compiled program as JSON (docs/schema/lowered.json), table, memory report,
 *     and graph in the vendor compiler's form.
 * lowered_dot.c: Writes a compiled program as DOT, with the names and the bipartite form of the
 *     vendor's compiler.
 * lowered_json.c: Writes a compiled program as JSON; the schema is docs/schema/lowered.json.
 * lowered_memory.c: Prints the memory report, SRAM over time, in the form of the vendor's
 *     --analyze-memory.
 * lowered_text.c: Prints a compiled program as a table for people.
 * support_list.c: Joins the quantizer's table with the support page to one list of operators.
 * support_show.h: Lists and prints what is known of a target's operators for one SDK, from the
 *     quantizer's table and the guide's support page.
 * support_text.c: Prints the operators that a target takes, with their conditions.
 * vendor_show.h vendor_show.c: Prints a graph of the vendor's quantizer: its operators, where
 *     they run, tensors and constants. */
