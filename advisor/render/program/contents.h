/* advisor/render/program/: shows models, compiled programs and imported graphs as text, JSON and
 * DOT.
 *
 * imported_advice.c: What the structure of a compiled graph tells whoever made it; times it
 *     cannot tell
 * imported_show.h imported_show.c: A compiled graph made elsewhere, shown
 * inspect.h: The model as `inspect` shows it: one JSON tree (docs/schema/inspect.json), and a
 *     text made of that tree
 * inspect_json.c: inspect as JSON
 * inspect_text.c: inspect as text: borders, operator types by MACs, totals, and where the unknown
 *     begins
 * lowered.h: A compiled program shown: lowered.json (docs/schema/lowered.json), a table for
 *     people, a graph in the form of the vendor's compiler, a memory report
 * lowered_dot.c: A compiled program as DOT, with the names and the bipartite form of the vendor's
 *     compiler: operators and tensors are boxes, every edge goes from one to the other, what
 *     crosses between subgraphs is a tensor of the graph
 * lowered_json.c: A compiled program as JSON; the schema is docs/schema/lowered.json
 * lowered_memory.c: The memory report: SRAM by time, after the vendor's --analyze-memory
 * lowered_text.c: A compiled program as a table for people */
