/* Shows a compiled program as JSON (docs/schema/lowered.json), table, memory report, and graph in
 * the vendor compiler's form. */
#pragma once

#include "advisor/message/phrase.h"
#include "cost_model/predict.h"

#include <cjson/cJSON.h>

/* The caller owns the tree. */
cJSON *lowered_json(const Program *p);

/* verbose: every step and every low-level op; else long programs are summed up by operator, the
 * longest predicted time first. */
void lowered_text(const PhraseOut *o, const Program *p, const Prediction *t, bool verbose);

/* DOT as the vendor's --dot-graph writes it: subgraph<k>_operator<n>, subgraph<k>_tensor<n>. */
void lowered_dot(FILE *out, const Program *p);

/* One HTML page: a drawing per segment, cycles by address, a box per weight and activation. */
void lowered_memory(FILE *out, const Program *p, const Prediction *time, double clock_hz);

/* The label of the first node of a step or low-level op; "" for none. */
const char *lowered_first_node(const Program *p, const NodeId *node, uint32_t n);

/* A row per operator in the order in which they run: where, predicted time, what limits it, share
 * of the peak, MACs and bytes; the same as CSV (RFC 4180), with cycles of machines of rows. */
void lowered_operators(const PhraseOut *o, const Program *p, const Prediction *t);
void lowered_operators_csv(FILE *out, const Program *p, const Prediction *t);
