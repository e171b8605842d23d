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
#pragma once

#include "passes/pass.h"

#include <libxml/tree.h>

/* `rec` may be NULL; `small_ns`: shorter times are not worth a line (time/@small-ns), for rules
 * whose saving is unknown.  The caller frees with xmlFreeDoc. */
xmlDoc *facts_build(const Program *p, const Prediction *time, const Reconciliation *rec,
                    const RunOptions *run, Objective objective, double small_ns,
                    const FindingList *findings);

/* Copies `in` with "?" for control characters and invalid UTF-8; a longer text is cut. */
void facts_clean_text(const char *in, char *out, size_t size);
/* Attaches to attribute `name` of `n` the message of its English sentence. */
void facts_attach_message(xmlNode *n, const char *name, const Message *said);

/* The message attached to an attribute; NULL where there is none, as in a document from a file. */
const Message *facts_message(const xmlNode *n);
