/* advisor/render/forms/: results for other programs.
 *
 * formats.h formats.c formats.def: The table of machine outputs (formats.def)
 * out.h out.c: Machine outputs: a result tree as other programs read it
 *     (advisor/render/forms/formats.def), and what these have in common
 * out_brief.c: Brief: the decision alone, in at most 3,000 bytes a model
 * out_csv.c: CSV (RFC 4180): a header, then the rows of NDJSON; texts quoted, unknown cells empty
 * out_explorer.c: Node data of Model Explorer: what each node of the graph takes, or what
 *     changing it gains
 * out_github.c: GitHub annotations: workflow commands on stdout
 * out_gitlab.c: GitLab Code Quality: an array of findings, each with a fingerprint of its own
 * out_junit.c: JUnit: one test per assertion of the gate, one per rule
 * out_markdown.c: Markdown for a merge request or a step summary: verdict, gate, recommendations
 * out_ndjson.c: NDJSON: one object per line, the same keys in every line; for DuckDB, jq, pandas
 * out_sarif.c: SARIF 2.1.0: one run, one result per recommendation, each with a physical location
 *     and our fingerprint; suppressions and the state against the baseline where there are any */
