/* Declares what the two readers of a vendor's graph share. Private to graph/import/vendor_*.c. */
#pragma once

#include "graph/import/vendor_graph.h"

/* Both fill a graph whose operators, inputs and outputs name tensors by their ids in the file. */
Status vendor_read_dfg(VendorGraph *g, Bytes file, Diag *diag);
Status vendor_read_dot(VendorGraph *g, Bytes file, Diag *diag);

/* Replaces ids by indices, makes the checks that later code omits (every tensor is there, is
 * written once, has a range with room for 0 and as many bytes as its shape says), and sorts the
 * operators. */
Status vendor_read_end(VendorGraph *g, Diag *diag);

/* Operator by its name and type as messages show it. */
const char *vendor_op_label(Arena *a, const VendorOp *op);

/* Whether range `i` contains 0, and has a scale that a float holds. */
bool vendor_range_is_usable(const VendorTensor *t, size_t i);

void vendor_port_add(Arena *a, VendorPorts *ports, uint32_t tensor);

/* The attribute's value in the struct. */
void *vendor_attribute_slot(VendorAttributes *attributes, VendorAttribute id);
