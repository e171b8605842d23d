/* Builds the facts document, an XML view of a model, its program, predictions, measurements and
 * findings.
 *
 * Rules are matched against it, and `npu-advise facts` prints it.  rules/schema/facts.rng describes
 * it and is part of the contract.
 *
 * Findings of kind "input" and "output" become one element per input and output, with the
 * attributes that all passes found; other findings become <finding> elements.  An element about a
 * node, tensor or step carries its number (node-id, tensor-id, step-id) for the advisor and its
 * name (node, tensor) for people: no figure may depend on a name. */
#ifndef ADVISOR_RULES_FACTS_H
#define ADVISOR_RULES_FACTS_H

#include "passes/pass.h"

#include <libxml/tree.h>

/* `rec` may be NULL; `small_ns` is what is not worth a line (time/@small-ns), for rules whose gain
 * nobody can tell.  The caller frees with xmlFreeDoc. */
xmlDoc *facts_build(const Program *p, const Prediction *time, const Reconciliation *rec,
                    const RunOptions *run, Objective objective, double small_ns,
                    const FindingList *findings);

/* Keeps beside attribute `name` of `n` what its English sentence says. */
void facts_attach_message(xmlNode *n, const char *name, const Message *said);

/* What is said at a node of the document; NULL where nothing is, as when it was read from a file.
 */
const Message *facts_message(const xmlNode *n);

#endif
