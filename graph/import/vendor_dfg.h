/* Declares what one file of the .dfg reader gives to the other. Private to
 * graph/import/vendor_dfg*.c. */
#pragma once

#include "graph/import/vendor_read.h"

#include "dfg.pb-c.h"

/* Kind, ports and attributes; its name is read already.  NULL, or what is wrong, as a fact. */
const char *vendor_dfg_operator(Arena *a, const Dfg__Operator *from, VendorOp *op);
