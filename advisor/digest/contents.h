/* advisor/digest/: what every output says of a result document, derived from it once.
 *
 * digest.h digest.c: Digest: what every renderer derives from the result tree, derived in one
 *     place, so that terminal and page never disagree
 * finding.h finding.c: Findings of a result tree: recommendations and observations, as
 *     renderers and gates go through them
 * outlook.h outlook.c: Outlook: what all that is recommended brings, now against then, as every
 *     output says it first
 * render.h: Renderers: a result tree as text for a terminal, or as one HTML page
 * settings_line.h settings_line.c: What one settings file did to the checks, in one line
 * verdict.h verdict.c: The verdict in one sentence, the same in every output
 * setup_say.h setup_say.c: Words of the set-up that every renderer shares
 * result_set.h result_set.c: The results that an output is made of, one or many */
