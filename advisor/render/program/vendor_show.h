/* Prints a graph of the vendor's quantizer: operators, places, tensors, constants. */
#pragma once

#include "advisor/message/phrase.h"
#include "graph/import/vendor_graph.h"

/* `every`: with attributes, and with what each operator reads. */
void vendor_show_text(const PhraseOut *o, const VendorGraph *g, bool every);
