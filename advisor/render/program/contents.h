/* advisor/render/program/ shows models, compiled programs and imported graphs as text, JSON
 * and DOT.
 *
 * imported_advice: Derives from the structure of a compiled graph what its maker can change; it
 *     cannot tell times.
 * imported_show: Shows a compiled graph that another tool made.
 * inspect: Shows a model as one JSON tree (docs/schema/inspect.json), and as text.
 * inspect_json: Builds the JSON tree of `inspect` from a model with inferred shapes.
 * inspect_text: Prints the tree of `inspect` as text: the model, where it would run and its
 *     oddities; then inputs, outputs, operator types by MACs, and the first unknowns.
 * lowered: Shows a compiled program as JSON (docs/schema/lowered.json), table, memory report, and
 *     graph in the vendor compiler's form.
 * lowered_dot: Writes a compiled program as DOT, with the names and the bipartite form of the
 *     vendor's compiler.
 * lowered_json: Writes a compiled program as JSON; the schema is docs/schema/lowered.json.
 * lowered_memory: Prints the memory report, SRAM over time, as the vendor's --analyze-memory.
 * lowered_operators: Lists the steps and operators of a compiled program with predicted times.
 * lowered_text: Prints a compiled program as a table for people.
 * support_list: Joins the quantizer's table with the support page to one list of operators.
 * support_show: Lists and prints what is known of a target's operators for one SDK, from the
 *     quantizer's table and the guide's support page.
 * support_text: Prints the operators that a target takes, with their conditions.
 * vendor_show: Prints a graph of the vendor's quantizer: operators, places, tensors, constants. */
