/* Builds the facts document of a compiled graph with its times, for its rules.
 *
 *   <facts kind layers names-only version lowest-dtype …>
 *     <time sum-ns joined-ns event-ns compute-ns …/>      measured times; shares refer to sum-ns
 *     <stage name median-ns mean-ns cv n/>                 compute, h2d, d2h, latency, enqueue
 *     <option section key value/>                          of the log or its metadata
 *     <message kind subject count/>                        lines of the log
 *     <issue code text/>                                   of the evidence
 *     <layer id index name kind work type … before behind/>
 *
 * `before` and `behind` are lists of the ids of upstream and downstream layers, for id(@before).
 * Unknown values are absent or "unknown". */
#pragma once

#include "advisor/advise/compiled/layer_traits.h"

#include <libxml/tree.h>

/* `other`: the same model at another batch, or NULL.  xmlFreeDoc. */
xmlDoc *layer_facts(Arena *a, const LayerTimes *t, const LayerTraits *look,
                    const LayerTimes *other);

/* First dimension of the first input; -1 unknown. */
int64_t layer_facts_batch(const Imported *g);

const char *layer_facts_import_key(ImportKind k); /* "tensorrt" "lowered" "dot" */
