/* advisor/report/: what every output says of a result document, derived from it once.
 *
 * accuracy_text.h accuracy_text.c: Accuracy as JSON, and as people read it
 * finding.h finding.c: Findings of a result tree: recommendations and observations, as renderers
 *     and gates go through them
 * render.h: Renderers: a result tree as text for a terminal, or as one HTML page
 * result_set.h result_set.c: The results that an output is made of, one or many
 * settings_line.h settings_line.c: What one settings file did to the checks, in one line
 * setup_text.h setup_text.c: Words of the set-up that every renderer shares
 * summary.h summary.c: Digest: what every renderer derives from the result tree, derived in one
 *     place, so that terminal and page never disagree
 * summary_total.h summary_total.c: Outlook: what all that is recommended brings, now against
 *     then, as every output says it first
 * verdict.h verdict.c: The verdict in one sentence, the same in every output
 * result_json.h result_json.c: Reads and writes results as JSON (docs/schema/result.json). */
