/* Parses the labels of the vendor's DOT: HTML of operators, texts of tensors. Private to
 * graph/import/vendor_dot.c. */
#pragma once

#include "graph/import/vendor_graph.h"

/* Which end of the graph a tensor is: positions from 0, or -1. */
typedef struct {
    int64_t input, output;
} VendorEnd;

/* NULL, or what is wrong with the label, as a fact. */
const char *vendor_label_operator(Arena *a, const char *html, VendorOp *op);
const char *vendor_label_tensor(Arena *a, const char *label, VendorTensor *t, VendorEnd *end);
