/* advisor/render/forms/ writes results for other programs.
 *
 * formats: Declares the table of machine-readable outputs (formats.xml).
 * out: Writes results as other programs read them (formats.xml), and declares what these forms
 *     share.
 * out_brief: Writes the decision alone as lines of "key: value" in a fixed order, at most 3,000
 *     bytes a model.
 * out_csv: Writes the rows of NDJSON as CSV (RFC 4180) with a header, quoted texts and empty cells
 *     for unknown values.
 * out_explorer: Writes node data for Model Explorer, which colours each node by its time
 *     (predicted, measured) or by what changing it saves.
 * out_github: Writes GitHub annotations as workflow commands on stdout.
 * out_gitlab: Writes a GitLab Code Quality report, an array of findings with a fingerprint each.
 * out_junit: Writes JUnit XML with one test per assertion of the gate and one per rule.
 * out_markdown: Writes Markdown for a merge request or a step summary: verdict, gate, changes.
 * out_ndjson: Writes NDJSON for DuckDB, jq and pandas: an object per line, with the same keys.
 * out_sarif: Writes SARIF 2.1.0: one run per model, one result per finding, each with a location
 *     and our fingerprint. */
